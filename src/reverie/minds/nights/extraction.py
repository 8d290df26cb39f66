"""Extraction: the last messages of a conversation as a question, and what a model keeps of them (s1)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from itertools import islice

from reverie.domain.kinds import Kind
from reverie.domain.snippet import Extracted, Snippet
from reverie.minds.nights.labels import Labels
from reverie.minds.nights.lines import Seen, when
from reverie.minds.nights.shapes import Entry, Unfit, folded
from reverie.minds.nights.writing import Asked, message_row

_MOST_KEPT = 100
_LIST = "memories"


def snippet_asked(snippet: Snippet, seen: Seen) -> Asked:
    """Return the snippet's lines; what was read before is marked as known. Empty text: nothing may be seen."""
    labels, new = Labels("e"), {one.id for one in snippet.new}
    rows = []
    for line in seen.lines(snippet.messages, snippet.zone):
        mark = "" if line.episode.id in new else "known, "
        rows.append(message_row(line, labels, seen, f"{mark}{when(line.episode.time, snippet.zone)}"))
    return Asked(text="\n".join(rows), episodes=labels)


def extraction_fault(answer: object) -> str | None:
    """Return why a JSON value is no answer to it; None where it is one."""
    if not isinstance(answer, Mapping):
        return "the answer is no JSON object"
    return None if isinstance(_kept(answer), list) else f"the answer has no list {_LIST}"


def extracted_of(answer: object, asked: Asked) -> list[Extracted]:
    """Return what the model keeps, most important first. Entries without a usable shape are left out."""
    kept = _kept(answer) if isinstance(answer, Mapping) else None
    found: list[Extracted] = []
    for entry in islice(kept if isinstance(kept, list) else (), _MOST_KEPT):
        try:
            found.append(_extracted(Entry(entry, UTC, []), asked))
        except Unfit:
            continue
    return sorted(found, key=lambda one: -one.importance)


def _kept(answer: Mapping[object, object]) -> object:
    return next(
        (value for name, value in answer.items() if isinstance(name, str) and folded(name) == _LIST), None
    )


def _extracted(entry: Entry, asked: Asked) -> Extracted:
    weight = entry.number("weight")
    if weight is None:
        raise Unfit("weight is missing")
    return Extracted(
        essence=entry.text("essence"),
        kind=entry.kind("kind") or Kind.OBSERVATION,
        importance=weight,
        sources=asked.episodes.ids(entry.labels("sources")),
        stated=entry.switch("stated"),
        emotions=entry.emotions("emotions"),
        lesson=entry.other("lesson") or None,
        topics=entry.texts("topics"),
        entities=entry.texts("entities"),
    )
