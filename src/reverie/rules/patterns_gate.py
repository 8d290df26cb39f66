"""The gate before the capture table: which rows a text's words allow. Nearly every text is turned away here.

Words are told apart as bytes, which is three times as fast: whatever is no part of an English word is a space. Sets of
rows are the bits of a number, the first row's bit the lowest: a set of Python's costs five times as much to join.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from reverie.domain.capture import CapturePattern
from reverie.rules.patterns_row import Row, Subject
from reverie.rules.patterns_table import TABLE

_PARTS = "abcdefghijklmnopqrstuvwxyz0123456789'-"
_APART = bytes(code if chr(code) in _PARTS else 32 for code in range(256))
_SELF = frozenset(b"i i'm i've i'll we we'll".split())
# What may stand between "I" and a head
_BETWEEN = frozenset(
    b"really truly just also still simply often always much very do try to tend kind of sort have will almost"
    b" never".split()
)
_STEPS = 5
_SOON = 12
# "I love it": what follows says at once that somebody only reacts
_REACTED_TO = frozenset(b"it that this these them how what when you your u him her his their".split())
_REACTING = frozenset({"likes", "dislikes", "does not", "cannot"})
# Words behind which a clause may open though no sign stands there
_LEADING = frozenset(
    "and but so please just also always do then now ok okay well oh wait sorry because".split()
)
_AN_EYE = 12


@dataclass(frozen=True, slots=True)
class Ready:
    """A row with its compiled pattern."""

    row: Row
    pattern: re.Pattern[str]


class Gate:
    """Rows ready to be matched, in their order, and what lets a text through to each."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = tuple(Ready(row, row.compiled()) for row in rows)
        self._untold = self._headed = 0
        self._first: dict[bytes, int] = {}  # rows of which an entry begins with that word
        # … and is no more than it, and what else must be there in the other rows: words, phrases
        self._entries: dict[bytes, tuple[int, list[tuple[frozenset[bytes], tuple[bytes, ...], int]]]] = {}
        self._heads: dict[bytes, int] = {}
        self._lasting: dict[bytes, int] = {}  # of the heads, rows that a mere reaction doesn't look like
        self._opens: dict[int, tuple[tuple[str, bytes], ...]] = {}  # as text, and as a word if it is one
        self._gates: dict[int, re.Pattern[str]] = {}
        for place, one in enumerate(self._rows):
            self._add(one.row, 1 << place)
        others = (other for _, each in self._entries.values() for needed, _, _ in each for other in needed)
        self._known = frozenset({*self._first, *others, *_SELF})
        self._leading = frozenset({*self._heads, *_BETWEEN})

    def _add(self, row: Row, bit: int) -> None:
        entries = [entry for each in row.words.split() if any(entry := [*map(_words, each.split("+"))])]
        if not entries:
            self._untold |= bit
        for entry in entries:
            word = max(next(filter(None, entry)), key=len)
            others = frozenset(part[0] for part in entry if len(part) == 1) - {word}
            phrases = tuple(b" %b " % b" ".join(part) for part in entry if len(part) > 1)
            self._first[word] = self._first.get(word, 0) | bit
            alone, more = self._entries.get(word, (0, []))
            if others or phrases:
                more.append((others, phrases, bit))
            self._entries[word] = (alone if others or phrases else alone | bit, more)
        for head in _words(row.heads):
            self._headed |= bit
            self._heads[head] = self._heads.get(head, 0) | bit
            if row.name not in _REACTING:
                self._lasting[head] = self._lasting.get(head, 0) | bit
        if row.opens:
            whole = {word.encode() for word in row.words.split()}
            openings = [(opening.replace("_", " "), opening.encode()) for opening in row.opens.split()]
            self._opens[bit] = tuple((text, word if word in whole else b"") for text, word in openings)
        if row.gate:
            self._gates[bit] = re.compile(row.gate)

    def telling(self, text: str) -> list[str] | None:
        """Words of which one stands in every sentence of a text in small letters that a row may match; empty where that
        can be any sentence, None where it is none.
        """
        known, allowed = self._allowed(text)
        if not allowed:
            return None
        if self._untold:
            return []
        return [word.decode() for word in known if self._first.get(word, 0) & allowed]

    def rows(self, text: str) -> list[Ready]:
        """The rows that may match in a text in small letters, in their order."""
        return [self._rows[bit.bit_length() - 1] for bit in _bits(self._allowed(text)[1])]

    def _allowed(self, text: str) -> tuple[Set[bytes], int]:
        """The words that say something to the gate, and the rows that may match in the text."""
        words = _words(text)
        known = self._known.intersection(words)
        allowed = self._named(known, words)
        if allowed & self._headed:
            headed = allowed & self._headed
            allowed ^= headed
            allowed |= self._told_of_self(words, known & _SELF, headed)
        return known, self._opened(allowed, known, text) | self._untold if allowed else self._untold

    def _opened(self, allowed: int, known: Set[bytes], text: str) -> int:
        """Those of the rows of which an opening opens a clause and the gate is found."""
        for bit, openings in self._opens.items():
            if allowed & bit:
                for opening, word in openings:
                    if (
                        opening in text
                        and (not word or word in known)
                        and _opens(text, opening, whole=bool(word))
                    ):
                        break
                else:
                    allowed ^= bit
        for bit, pattern in self._gates.items():
            if allowed & bit and not pattern.search(text):
                allowed ^= bit
        return allowed

    def _named(self, known: Set[bytes], words: Sequence[bytes]) -> int:
        """The rows of which the words are there."""
        allowed = 0
        joined = b""
        for word in known:
            if word not in self._entries:
                continue
            alone, more = self._entries[word]
            allowed |= alone
            for others, phrases, bit in more:
                if allowed & bit or not others <= known:
                    continue
                if phrases:
                    joined = joined or b" %b " % b" ".join(words)
                    if any(phrase not in joined for phrase in phrases):
                        continue
                allowed |= bit
        return allowed

    def _told_of_self(self, words: Sequence[bytes], selves: Set[bytes], headed: int) -> int:
        """The rows among ``headed`` of which a head follows "I" or "we", and a word soon after; ``selves`` is
        which of these stand there.
        """
        found = 0
        for self_ in selves:
            own = self._heads.get(self_, 0) & headed
            place = -1
            for _ in range(words.count(self_)):
                place = words.index(self_, place + 1)
                following = words[place + 1 : place + 2]
                if own or (following and (following[0] in self._leading or following[0].endswith(b"ly"))):
                    behind = words[place + 1 : place + _SOON]
                    if heads := own | self._heads_of(behind) & headed:
                        for word in (self_, *behind):
                            if word in self._first:
                                found |= heads & self._first[word]
        return found

    def _heads_of(self, words: Sequence[bytes]) -> int:
        """The rows of which a head stands first, or behind words that may stand between."""
        heads = 0
        for step, following in enumerate(words[:_STEPS], 1):
            if following in self._heads:
                reacted = step < len(words) and words[step] in _REACTED_TO
                heads |= (self._lasting if reacted else self._heads).get(following, 0)
            if not (following in _BETWEEN or following.endswith(b"ly")):
                break
        return heads


@lru_cache(8)
def gate(extra: tuple[CapturePattern, ...]) -> Gate:
    """The table's, with the user's own rows before it."""
    theirs = [
        Row(
            name=one.name, subject=Subject.ORDER, words=" ".join(one.words), kind=one.kind, priority=one.priority,
            importance=one.importance, says=one.says.replace("{", "{{").replace("}", "}}"),
        )
        for one in extra
    ]  # fmt: skip
    return Gate((*theirs, *TABLE))


def _words(text: str) -> list[bytes]:
    """The ASCII words of a text in small letters."""
    if not text.isascii():
        text = text.replace("\u2019", "'")
    return text.encode("utf-8", "replace").translate(_APART).split()


def _bits(rows: int) -> Iterator[int]:
    """The single bits of a number, from the lowest."""
    while rows:
        bit = rows & -rows
        yield bit
        rows ^= bit


def _opens(text: str, opening: str, *, whole: bool) -> bool:
    """Whether an opening (``whole``: as a word) opens a clause somewhere in a text in small letters, as far as what
    stands before it tells.
    """
    place = text.find(opening)
    while place >= 0:
        end = place + len(opening)
        if not (whole and text[end : end + 1].isalpha()):
            before = text[max(0, place - _AN_EYE) : place].rstrip(" ")
            if (
                not before
                or not (before[-1].isalnum() or before[-1] in "'\u2019")
                or before.split()[-1] in _LEADING
            ):
                return True
        place = text.find(opening, end)
    return False
