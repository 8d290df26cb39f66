"""The gate before the capture table: which rows a text's words allow. Nearly every text is turned away here.

Words are told apart as bytes, which is three times as fast: whatever is no part of an English word is a space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
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
_NONE: Set[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Ready:
    """A row with its compiled pattern."""

    row: Row
    pattern: re.Pattern[str]


class Gate:
    """Rows ready to be matched, in their order, and what lets a text through to each."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = tuple(Ready(row, row.compiled()) for row in rows)
        listed = [one.row for one in self._rows]
        entries = [[_words(entry.replace("+", " ")) for entry in row.words.split()] for row in listed]
        self._untold = {place for place, named in enumerate(entries) if not any(named)}
        self._words: dict[bytes, list[tuple[int, frozenset[bytes]]]] = {}
        self._heads: dict[bytes, frozenset[int]] = {}
        for place, row in enumerate(listed):
            for word, *others in filter(None, entries[place]):
                self._words.setdefault(word, []).append((place, frozenset(others)))
            for head in _words(row.heads):
                self._heads[head] = self._heads.get(head, frozenset()) | {place}
        self._known = frozenset(self._words)
        self._soon = [frozenset(named[0] for named in each if named) for each in entries]
        self._headed = frozenset(place for place, row in enumerate(listed) if row.heads)
        reacting = {place for place, row in enumerate(listed) if row.name in _REACTING}
        self._lasting = {head: places - reacting for head, places in self._heads.items()}
        self._opens = {
            place: [opening.replace("_", " ") for opening in row.opens.split()]
            for place, row in enumerate(listed)
            if row.opens
        }
        self._gates = {place: re.compile(row.gate) for place, row in enumerate(listed) if row.gate}

    def telling(self, text: str) -> list[str] | None:
        """Words of which one stands in every sentence of a text in small letters that a row may match; empty where that
        can be any sentence, None where it is none.
        """
        known, allowed = self._allowed(text)
        if not allowed:
            return None
        if self._untold:
            return []
        return [
            word.decode() for word in known if not allowed.isdisjoint(place for place, _ in self._words[word])
        ]

    def rows(self, text: str) -> list[Ready]:
        """The rows that may match in a text in small letters, in their order."""
        return [self._rows[place] for place in sorted(self._allowed(text)[1])]

    def _allowed(self, text: str) -> tuple[Set[bytes], Set[int]]:
        """The words of the table that the text has, and the places of the rows that may match in it."""
        words = _words(text)
        known = self._known.intersection(words)
        if not known:
            return known, self._untold
        allowed = self._named(known, words)
        if not allowed.isdisjoint(self._headed):
            allowed -= self._headed - self._told_of_self(words)
        for place in allowed & self._opens.keys():
            if not any(_opens(text, word) for word in self._opens[place]):
                allowed.remove(place)
        for place in allowed & self._gates.keys():
            if not self._gates[place].search(text):
                allowed.remove(place)
        return known, allowed | self._untold

    def _named(self, known: Set[bytes], words: Sequence[bytes]) -> set[int]:
        """The rows of which the words are there."""
        allowed: set[int] = set()
        said: Set[bytes] | None = None
        for word in known:
            for place, others in self._words[word]:
                if others:
                    said = said or frozenset(words)
                    if not others <= said:
                        continue
                allowed.add(place)
        return allowed

    def _told_of_self(self, words: Sequence[bytes]) -> Set[int]:
        """The rows of which a head follows "I" or "we", and a word soon after."""
        found: set[int] = set()
        for place in [place for place, word in enumerate(words) if word in _SELF]:
            heads = self._heads.get(words[place], _NONE)
            near = words[place : place + _SOON]
            for step, following in enumerate(near[1 : 1 + _STEPS], 2):
                if following in self._heads:
                    reacted = step < len(near) and near[step] in _REACTED_TO
                    heads = heads | (self._lasting if reacted else self._heads)[following]
                if not (following in _BETWEEN or following.endswith(b"ly")):
                    break
            if heads:
                found.update(row for row in heads if not self._soon[row].isdisjoint(near))
        return found


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


def _opens(text: str, word: str) -> bool:
    """Whether a word opens a clause somewhere in a text in small letters, as far as what stands before it tells."""
    place = text.find(word)
    while place >= 0:
        before = text[max(0, place - _AN_EYE) : place].rstrip(" ")
        if (
            not before
            or not (before[-1].isalnum() or before[-1] in "'\u2019")
            or before.split()[-1] in _LEADING
        ):
            return True
        place = text.find(word, place + 1)
    return False
