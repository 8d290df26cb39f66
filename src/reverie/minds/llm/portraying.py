"""Portraying: sections of the agent's self-portrait, in which every line is carried by memories that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.memory.quoting import fenced
from reverie.memory.society import in_turn
from reverie.minds.llm.carrying import Embed, is_markup, supported
from reverie.minds.llm.outgoing import Outgoing
from reverie.minds.llm.prompts import prompt
from reverie.minds.llm.question import Question
from reverie.minds.nights.labels import Labels
from reverie.minds.nights.lines import quoted

if TYPE_CHECKING:
    from reverie.minds.llm.schemas import Bullet, Portrait

MOST_DATA = 6_000
"""Tokens of memories."""
_WORDS_A_TOKEN = 0.45  # of the longer words of other languages there are as many
Tokens = Callable[[str], int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """The memories that a model is shown, by label and by kind."""

    text: str
    memories: Mapping[str, Memory]
    kinds: frozenset[Kind]


def asked(memories: Mapping[Kind, Sequence[Memory]], outgoing: Outgoing, tokens: Tokens) -> Asked:
    """As many as have room, as the kinds are ``in_turn``."""
    labels, shown = Labels("m"), dict[str, Memory]()
    rows: dict[Kind, list[str]] = {}
    left = MOST_DATA
    some = [*in_turn(memories)]
    for (kind, memory), text in zip(some, outgoing.memories([one for _, one in some]), strict=True):
        price = tokens(text) + 6
        if not text or price > left:
            continue
        left -= price
        label = labels.of(memory.id)
        shown[label] = memory
        rows.setdefault(kind, []).append(f"[{label}] {quoted(text)}")
    listed = "\n".join("\n".join((f"{kind}:", *each)) for kind, each in rows.items())
    return Asked(text=listed, memories=shown, kinds=frozenset(rows))


def question(asked: Asked, max_tokens: int, tokens: Tokens, output: int) -> Question[Portrait]:
    """Return the question for the portrait. An answer that would write more than these sections is refused as a whole;
    one that is too long is asked for once more, shorter, and then cut by ``portrayed``.
    """
    from reverie.minds.llm.schemas import Portrait

    words = max(20, int(max_tokens * _WORDS_A_TOKEN))
    tries = 0

    def check(answer: Portrait) -> None:
        nonlocal tries
        for section in answer.sections:
            if section.kind.strip().lower() not in asked.kinds:
                raise ValueError(f"write sections for {', '.join(sorted(asked.kinds))} alone")
            if any(is_markup(bullet.text) for bullet in section.bullets):
                raise ValueError("bullets are plain sentences, without headings, markup or speakers")
        tries += 1
        size = sum(_price(bullet.text, tokens) for section in answer.sections for bullet in section.bullets)
        if size > max_tokens and tries == 1:
            over = f"it is {size / max_tokens - 1:.0%} too long"
            raise ValueError(f"{over}: leave out what matters least, at most {words} words in all")

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
    """Return the sections, each a list of the lines that their memories carry. What is too long is cut at a line: the
    last of each section go first.
    """
    sections: dict[Kind, list[str]] = {}
    for section in answer.sections:
        kept = sections.setdefault(Kind(section.kind.strip().lower()), [])
        kept += (text for bullet in section.bullets if (text := _line(bullet, asked, embed)))
    kept_lines: dict[Kind, list[str]] = {}
    for turn in zip_longest(*([(kind, line) for line in lines] for kind, lines in sections.items())):
        for kind, line in filter(None, turn):
            price = _price(line, tokens)
            if price <= max_tokens:
                max_tokens -= price
                kept_lines.setdefault(kind, []).append(f"- {line}")
    return {kind: "\n".join(kept_lines[kind]) for kind in sections if kind in kept_lines}


def _line(bullet: Bullet, asked: Asked, embed: Embed) -> str:
    """Return a bullet on one line; empty where the memories that it names don't carry it."""
    text = " ".join(bullet.text.split()).lstrip("-*\u2022 ")
    labels = (one.strip().strip("[]") for one in bullet.memories)
    named = [asked.memories[label] for label in labels if label in asked.memories]
    return text if text and supported(text, named, embed) else ""


def _price(text: str, tokens: Tokens) -> int:
    return tokens(f"- {text}\n") + 1
