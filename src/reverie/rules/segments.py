"""Split a message into sentences, byte for byte: every sentence is a slice of the message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_READ = 12_000
"""Characters of a message that are read."""
MOST_SENTENCES = 160

# A run of marks, closing quotes or brackets, then space; or a full stop of Chinese or Japanese.
_END = re.compile(
    r"[.!?\u2026]{1,8}[\"'\u201d\u2019\u00bb)\]*]{0,4}(?=\s)|[\u3002\uff01\uff1f]{1,8}[\u300d\u300f\u201d]?"
)
_NEXT = re.compile(r"\s{1,8}[\"'\u201c\u2018\u00ab(\[*]{0,3}(?P<first>\S)")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\"'])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|etc|approx|no|ca|[a-z]|[ap]\.m|jr|sr|co|ltd|inc|fig|vol|tel|ext"
    r"|dept|jan|feb|mar|apr|aug|sept?|oct|nov|dec|hrs?|mins?|\d{1,2})\.$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """One sentence of a message: ``text`` is ``message[start:end]``, and ``line`` counts the lines before it."""

    text: str
    start: int
    end: int
    line: int


def sentences(message: str) -> tuple[Sentence, ...]:
    """Return the sentences of a message in order, at most MOST_SENTENCES of its first MOST_READ characters.

    A line break always ends a sentence. What holds no letter and no digit is left out. Time is linear in the length.
    """
    found: list[Sentence] = []
    start = 0
    for number, line in enumerate(message[:MOST_READ].split("\n")):
        for first, end in _parts(line):
            piece = line[first:end]
            text = piece.strip()
            if not _WORD.search(text):
                continue
            at = start + first + len(piece) - len(piece.lstrip())
            found.append(Sentence(text=text, start=at, end=at + len(text), line=number))
            if len(found) == MOST_SENTENCES:
                return tuple(found)
        start += len(line) + 1
    return tuple(found)


def _parts(line: str) -> Iterator[tuple[int, int]]:
    start = 0
    for mark in _END.finditer(line):
        end = mark.end()
        if mark.group() == "." and not _is_end(line, end):
            continue
        yield start, end
        start = end
    if start < len(line):
        yield start, len(line)


def _is_end(line: str, end: int) -> bool:
    """Whether a single full stop ends a sentence, and not an abbreviation or an ordinal number."""
    following = _NEXT.match(line, end)
    if following is None:
        return True
    if not following["first"].islower():
        return _ABBREVIATED.search(line, max(0, end - 8), end) is None or line[end - 2 : end - 1].isdigit()
    return _ABBREVIATED.search(line, max(0, end - 8), end) is None
