"""A message in the sentences that its speaker says himself: without code, quotations, tables and markup.

What is pasted is not said: code in fences, lines quoted with ">", tables, and sentences that stand for the most part
between quotation marks.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

MOST_READ = 12_000
"""Characters of a message that are looked at."""
MOST_SENTENCES = 120
_LONGEST = 600  # characters; what has no full stop for longer is no sentence
_FEWEST_QUOTED = 4  # words; less between quotation marks is a term
_QUOTED_SHARE = 0.5

_FENCE = re.compile(r"^[ \t]*(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]*\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)
_INLINE_BLOCK = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTE_LINE = re.compile(r"[ \t]*>")
_TABLE_LINE = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_RULE_LINE = re.compile(r"[ \t]*(?:[-*_=][ \t]*){3,}$")
_ITEM = re.compile(r"[ \t]*(?:[-*\u2022+\u2013][ \t]+|\d{1,3}[.)][ \t]+|[a-zA-Z][.)][ \t]+)+")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+")
_LINK = re.compile(r"!?\[([^\]\n]{0,200})\]\([^)\s]{0,500}\)")
_MARKS = re.compile(r"\*\*|__|(?<!\w)\*(?=\w)|(?<=[\w.!?,:;)])\*(?!\w)|`")
_SPACE = re.compile(r"\s+")
# Only from where a run of marks begins, and whole: else each mark of a long one would be tried against all behind it.
# All begins with one set of marks: then Python jumps from one to the next.
_END = re.compile(
    r"[.!?\u2026\u3002\uff01\uff1f](?:"
    r"(?<=[.!?\u2026])(?<![.!?\u2026].)[.!?\u2026]*+[\"'\u201d\u2019)\]]*+"
    r"(?=\s++[\"'\u201c\u2018(\[*]?[A-Z0-9\u00c0-\u024f\u0400-\u04ff])"
    r"|(?<=[a-z\d]{2}\.)(?=\s++[a-z]++[\s',])"  # who writes without capitals
    r"|(?<=[!?])(?<![!?].)[!?]*+[\"'\u201d\u2019)\]]*+(?=\s)"
    r"|(?<=[\u3002\uff01\uff1f])[\u3002\uff01\uff1f]*[\u300d\u300f\u201d]*)"
)
_SHORT = re.compile(
    r"(?:^|[\s(\"'])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|etc|approx|no|inc|ca|[a-z]|[ap]\.m|jr|sr|co|ltd|corp|fig|vol|tel|ext"
    r"|min|max|avg|est|dept|jan|feb|mar|apr|aug|sept?|oct|nov|dec|u\.[sk]|hrs?|mins?|secs?|incl|resp|cf|al|pp)\.$",
    re.IGNORECASE,
)
# "am 3. April", "im 2. Stock": a number with a full stop counts there, and ends nothing
_COUNTED = re.compile(r"(?:^|(?P<before>\w+)\s+)\d{1,2}\.$")
_GERMAN = frozenset(
    "am vom zum bis den dem der die das des ab seit und im ins beim mein dein sein ihr unser".split()
)
_COUNTS = re.compile(
    r"\s+(?:Januar|J\u00e4nner|Februar|M\u00e4rz|Mai|Juni|Juli|Oktober|Dezember|Stock|Etage|Klasse|Geburtstag|Mal|Semester"
    r"|Jahrhundert|Lebensjahr|Schuljahr|Hochzeitstag|Advent|Weltkrieg|(?P<both>April|August|September|November|\d{1,2}\.))"
    r"(?!\w)"
)
_QUOTED = re.compile(
    '"([^"\n]{1,2000}+)"|\u201c([^\u201d\n]{1,2000}+)\u201d|\u00ab([^\u00bb\n]{1,2000}+)\u00bb'
)
_WORDS = re.compile(r"\w+")
_TAG = re.compile(
    r"(?<=\w{2}), (?:did I (?:say|mention|tell you)(?: that)?|have I (?:said|mentioned|told you)(?: that)?"
    r"|you know|remember)\?+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """One sentence, cleaned of markup. ``place`` from 0 among all of its message, ``line`` the paragraph it stands
    in; ``listed`` whether that is an item of a list or a heading; ``asks`` whether it ends in a question mark.
    """

    text: str
    place: int
    line: int
    listed: bool

    @property
    def tagged(self) -> bool:
        """Whether it is a statement with "…, did I say?" behind it."""
        return _TAG.search(self.text) is not None

    @property
    def asks(self) -> bool:
        """Whether it is a question, and not a statement with "…, did I say?" behind it."""
        if self.tagged:
            return False
        return self.text.rstrip("\"'\u201d\u2019)] ").endswith(("?", "\uff1f", "\u061f"))


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences in their order, at most MOST_SENTENCES of the first MOST_READ characters.

    The same text gives the same sentences; any string is welcome, and time is linear in its length.
    """
    return _sentences(text[:MOST_READ])


@lru_cache(256)
def _sentences(text: str) -> tuple[Sentence, ...]:
    found: list[Sentence] = []
    for number, (line, listed) in enumerate(_lines(text)):
        for piece in _pieces(line):
            if len(found) == MOST_SENTENCES:
                return tuple(found)
            found.append(Sentence(text=piece, place=len(found), line=number, listed=listed))
    return tuple(found)


def split(line: str) -> tuple[str, ...]:
    """A plain text's sentences as they stand, quoted ones too."""
    ends = [0, *_ends(line, []), len(line)]
    pieces = (line[start:end].strip() for start, end in pairwise(ends))
    return tuple(piece for piece in pieces if piece)


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """The paragraphs that are prose, without markup."""
    bare = _INLINE_BLOCK.sub(" ", _FENCE.sub("\n", text))
    for raw in bare.split("\n"):
        if not raw.strip() or _QUOTE_LINE.match(raw) or _TABLE_LINE.match(raw) or _RULE_LINE.match(raw):
            continue
        heading = _HEADING.match(raw)
        rest = raw[heading.end() :] if heading else raw
        item = _ITEM.match(rest)
        rest = rest[item.end() :] if item else rest
        clean = _SPACE.sub(" ", _MARKS.sub("", _LINK.sub(r"\1", rest))).strip()
        if clean:
            yield clean, bool(heading or item)


def _pieces(line: str) -> Iterator[str]:
    """A line's sentences that are not for the most part quoted."""
    quoted = [
        found.span()
        for found in _QUOTED.finditer(line)
        if len(_WORDS.findall(found.group())) >= _FEWEST_QUOTED
    ]
    start = 0
    for end in (*_ends(line, quoted), len(line)):
        piece = line[start:end].strip()
        inside = sum(min(end, last) - max(start, first) for first, last in _between(quoted, start, end))
        if (
            piece
            and len(piece) <= _LONGEST
            and inside <= _QUOTED_SHARE * (end - start)
            and _WORDS.search(piece)
        ):
            yield piece
        start = end


def _between(spans: Sequence[tuple[int, int]], start: int, end: int) -> Sequence[tuple[int, int]]:
    """Those of the spans, which are in order and apart, that have a part of what is from start to end."""
    first = bisect_right(spans, start, key=lambda span: span[1])
    return spans[first : bisect_left(spans, end, first, key=lambda span: span[0])]


def _ends(line: str, quoted: list[tuple[int, int]]) -> Iterator[int]:
    """Where sentences end; not behind "Dr." or inside a quotation."""
    at = 0  # quotations and ends both come in order
    for found in _END.finditer(line):
        end = found.end()
        while at < len(quoted) and quoted[at][1] < end:
            at += 1
        inside = at < len(quoted) and quoted[at][0] < end < quoted[at][1]
        if not inside and not (found.group() == "." and _goes_on(line, end)):
            yield end


def _goes_on(line: str, end: int) -> bool:
    """Whether a full stop belongs to the word or the number before it."""
    if _SHORT.search(line, max(0, end - 8), end):
        return True
    counts = _COUNTS.match(line, end)
    counted = _COUNTED.search(line, max(0, end - 24), end) if counts is not None else None
    if counts is None or counted is None:
        return False
    return counts["both"] is None or (counted["before"] or "").casefold() in _GERMAN
