"""Split a message into sentences, byte for byte: every sentence is a slice of the message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MOST_READ = 12_000
"""Characters of a message that are read."""
MOST_SENTENCES = 160
LONGEST = 600
"""Characters of a quotation."""

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
_LEANS = re.compile(
    r"^\W{0,4}(?:and|but|so|because|or|otherwise|else|which|also|then|same|that)\b"
    r"|\b(?:it|it's|its|they|they're|them|their|this|these|those|that's|he|he's|she|she's|him|her|his|such)\b"
    r"|\b(?:of|with|about|for|like|to|on|in) that\b"
)


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


def refers_back(sentence: str) -> bool:
    """Return whether a sentence points back at what was said before it, so that few would understand it alone."""
    return _LEANS.search(sentence.lower().replace("\u2019", "'")) is not None


def quotation_span(parts: Sequence[Sentence], own: Sequence[bool], place: int) -> tuple[int, int]:
    """Return the first and the last sentence of the run that quotes a sentence so that it can be understood alone.

    ``own``: of each sentence whether it may be quoted. A short message that may be quoted as a whole is; of any other
    what stands before the sentence in its line, and what that points back at.
    """
    if all(own) and parts[-1].end - parts[0].start <= LONGEST:
        return 0, len(parts) - 1
    return quotation_start(parts, own, place, line=True), place


def quotation_start(parts: Sequence[Sentence], own: Sequence[bool], place: int, *, line: bool = False) -> int:
    """Return the first of the sentences that one points back at, or that one. ``line``: those before it in its line
    count too.
    """
    first = place
    while first and own[first - 1] and parts[place].end - parts[first - 1].start <= LONGEST:
        if not (refers_back(parts[first].text) or (line and parts[first - 1].line == parts[place].line)):
            break
        first -= 1
    return first


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
    """Return whether a single full stop ends a sentence, and not an abbreviation or an ordinal number."""
    following = _NEXT.match(line, end)
    if following is None:
        return True
    if not following["first"].islower():
        return _ABBREVIATED.search(line, max(0, end - 8), end) is None or line[end - 2 : end - 1].isdigit()
    return _ABBREVIATED.search(line, max(0, end - 8), end) is None
