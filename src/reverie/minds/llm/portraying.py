"""Portraying: sections of the agent's self-portrait, in which every line is carried by memories that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.minds.llm.carrying import Embed, is_markup, supported
from reverie.minds.llm.labels import Labels
from reverie.minds.llm.outgoing import Outgoing, quoted
from reverie.minds.llm.prompts import prompt
from reverie.minds.llm.question import Question
from reverie.rules.fence import fenced

if TYPE_CHECKING:
    from reverie.minds.llm.schemas.portray import Portrait

MOST_DATA = 6_000
"""Tokens of memories; the most confident of each kind come first."""
_WORDS_A_TOKEN = 0.55
Tokens = Callable[[str], int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The memories that a model is shown, by label and by kind."""

    text: str
    memories: Mapping[str, Memory]
    kinds: frozenset[Kind]


def asked(memories: Mapping[Kind, Sequence[Memory]], outgoing: Outgoing, tokens: Tokens) -> Asked:
    """As many of each kind as have room: the first of all kinds before the second of any."""
    labels, shown = Labels("m"), dict[str, Memory]()
    rows: dict[Kind, list[str]] = {}
    left = MOST_DATA
    texts = {kind: outgoing.memories(each) for kind, each in memories.items()}
    for place in range(max((len(each) for each in memories.values()), default=0)):
        for kind, each in memories.items():
            if place >= len(each) or not texts[kind][place]:
                continue
            row = f"[{labels.of(each[place].id)}] {quoted(texts[kind][place])}"
            left -= tokens(row) + 1
            if left < 0:
                break
            shown[labels.of(each[place].id)] = each[place]
            rows.setdefault(kind, []).append(row)
    text = "\n".join("\n".join((f"{kind}:", *listed)) for kind, listed in rows.items())
    return Asked(text=text, memories=shown, kinds=frozenset(rows))


def question(asked: Asked, max_tokens: int, output: int) -> Question[Portrait]:
    """The question for the portrait. An answer that would write more than these sections is refused as a whole."""
    from reverie.minds.llm.schemas.portray import Portrait

    def check(answer: Portrait) -> None:
        for section in answer.sections:
            if section.kind.strip().lower() not in asked.kinds:
                raise ValueError(f"write sections for {', '.join(sorted(asked.kinds))} alone")
            if any(is_markup(bullet.text) for bullet in section.bullets):
                raise ValueError("bullets are plain sentences, without headings, markup or speakers")

    words = max(20, int(max_tokens * _WORDS_A_TOKEN))
    return Question(
        prompt=prompt("portray", words=words),
        data=fenced(asked.text),
        schema=Portrait,
        output=output,
        check=check,
    )


def portrayed(
    answer: Portrait, asked: Asked, embed: Embed, max_tokens: int, tokens: Tokens
) -> Mapping[Kind, str]:
    """The sections, each a list of the lines that their memories carry, as far as they fit."""
    sections: dict[Kind, list[str]] = {}
    left = max_tokens
    for section in answer.sections:
        kind = Kind(section.kind.strip().lower())
        for bullet in section.bullets:
            text = " ".join(bullet.text.split()).lstrip("-*\u2022 ")
            named = [
                asked.memories[label]
                for label in (one.strip().strip("[]") for one in bullet.memories)
                if label in asked.memories
            ]
            price = tokens(f"- {text}\n") + 1
            if text and price <= left and supported(text, named, embed):
                sections.setdefault(kind, []).append(f"- {text}")
                left -= price
    return {kind: "\n".join(lines) for kind, lines in sections.items()}
