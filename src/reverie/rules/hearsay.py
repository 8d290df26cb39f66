"""Hearsay: how the paragraphs of a narrative read: of which days, for how many, and whose word it is, so that what
others or outside sources said never becomes what is so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.trust import SourceTrust
from reverie.rules.days import DAY, SPAN, day_of, day_text, span_of, span_text

_SENTENCE = {SourceTrust.OTHER: "Others said: ", SourceTrust.EXTERNAL: "Outside sources said: "}
_HEADING = {SourceTrust.OTHER: ", as others said", SourceTrust.EXTERNAL: ", from outside sources"}
_PIECE = re.compile(rf"\[({DAY})\] ")
_LINE = re.compile(
    rf"(?P<span>{SPAN})(?P<mark>{'|'.join(_HEADING.values())})?(?:, (?P<count>[\d,]+) observations)?"
    r"(?: \([^()]*\))?(?:, such as)?: "
)
_REST = re.compile(r"[\d,]+ other observations? (?:isn't|aren't) told here\.")


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """What a paragraph of a narrative says of itself: its first and last day, whose word it is, and for how many
    observations it stands (0: it doesn't say).
    """

    first: datetime | None = None
    last: datetime | None = None
    trust: SourceTrust | None = None
    count: int = 0

    def written(self, people: str, *, some: bool) -> str:
        """As it stands before what is told; ``some``: not all of them are told."""
        assert self.first is not None
        assert self.last is not None
        mark = "" if self.trust is None else heading_of(self.trust)
        count = f", {self.count:,} observations" if self.count > 1 else ""
        return f"{span_text(self.first, self.last)}{mark}{count}{people}{', such as' if some and count else ''}: "


def sentence_of(text: str, trust: SourceTrust) -> str:
    """A sentence that says whose word it is, where that isn't the agent's own or a principal's."""
    mark = _SENTENCE.get(trust, "")
    return text if any(text.startswith(one) for one in _SENTENCE.values()) else mark + text


def heading_of(trust: SourceTrust) -> str:
    """What the heading of a paragraph says of its source, behind the days."""
    return _HEADING.get(trust, "")


def line_of(line: str) -> tuple[Heading, str]:
    """A line of a narrative: its heading, and what it tells."""
    found = _LINE.match(line)
    span = None if found is None else span_of(found["span"])
    if found is None or span is None:
        return Heading(trust=trust_of(line)), line
    rest = line[found.end() :]
    marked = next((trust for trust, mark in _HEADING.items() if mark == found["mark"]), None)
    count = int((found["count"] or "0").replace(",", ""))
    return Heading(first=span[0], last=span[1], trust=marked or trust_of(rest), count=count), rest


def dated(text: str, heading: Heading) -> Iterator[tuple[datetime | None, str]]:
    """What a paragraph tells, part by part, each with its day as far as it is known."""
    parts = _PIECE.split(text)
    day = heading.first
    if parts[0].strip():
        yield day, parts[0].strip()
    for written, said in zip(parts[1::2], parts[2::2], strict=True):
        if heading.first is not None:
            day = day_of(written, heading.first.year) or day
        if said.strip():
            yield day, said.strip()


def day_mark(moment: datetime, *, year: bool) -> str:
    """What stands before a statement of that day in a paragraph of several days."""
    return f"[{day_text(moment, year=year)}] "


def rest_line(count: int) -> str:
    """That so many observations aren't told; empty for none."""
    if count == 1:
        return "1 other observation isn't told here."
    return f"{count:,} other observations aren't told here." if count else ""


def is_rest(line: str) -> bool:
    """Whether the line says that."""
    return _REST.fullmatch(line) is not None


def trust_of(sentence: str) -> SourceTrust | None:
    """Whose word a sentence says that it is; None where it says nothing of that."""
    return next((trust for trust, mark in _SENTENCE.items() if sentence.startswith(mark)), None)
