"""Extraction: a snippet as a question to a model, and what it keeps of it (s1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reverie.domain.snippet import Extracted, Snippet
from reverie.minds.llm.consolidating import emotions_of, kind_of
from reverie.minds.llm.labels import Labels
from reverie.minds.llm.outgoing import Outgoing, quoted, when
from reverie.minds.llm.prompts import prompt
from reverie.minds.llm.question import Question
from reverie.rules.fence import fenced

if TYPE_CHECKING:
    from reverie.minds.llm.schemas.extract import Extraction


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A snippet as a model reads it."""

    text: str
    episodes: Labels


def asked(snippet: Snippet, outgoing: Outgoing) -> Asked:
    """The snippet's lines; what was read before is marked."""
    labels = Labels("e")
    new = {one.id for one in snippet.new}
    rows = []
    for line in outgoing.lines(snippet.messages, snippet.zone):
        one = line.episode
        mark = "" if one.id in new else "known, "
        told = f"{mark}{when(one.time, snippet.zone)}, {outgoing.source(one)}"
        rows.append(f"[{labels.of(one.id)}] {told}: {quoted(line.text)}")
    return Asked(text="\n".join(rows), episodes=labels)


def question(asked: Asked, output: int) -> Question[Extraction]:
    """The question about it."""
    from reverie.minds.llm.schemas.extract import Extraction

    return Question(prompt=prompt("extract"), data=fenced(asked.text), schema=Extraction, output=output)


def extracted(answer: Extraction, asked: Asked) -> list[Extracted]:
    """What it keeps, most important first."""
    found = [
        Extracted(
            essence=one.essence,
            kind=kind_of(one.kind),
            importance=one.weight,
            sources=asked.episodes.ids(one.sources),
            stated=one.stated,
            emotions=emotions_of(one.emotions),
            lesson=one.lesson or None,
            topics=tuple(one.topics),
            entities=tuple(one.entities),
        )
        for one in answer.memories
    ]
    return sorted(found, key=lambda one: -one.importance)
