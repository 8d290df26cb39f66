"""Words and phrases that mark a text: looked up among its words, so that a pattern runs only where it may fit."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from reverie.rules.terms import ascii_runs


class Marks(NamedTuple):
    """``words`` by themselves; ``phrases`` by the words (``hints``) of which each has one; ``either``: all of them, for
    texts that aren't ASCII, where a word isn't as easily told from its neighbours.
    """

    words: frozenset[str]
    hints: frozenset[str]
    phrases: Mapping[str, re.Pattern[str]]
    either: re.Pattern[str]

    def stand_in(self, text: str) -> bool:
        """Whether one of them does, in whatever letters."""
        return self.are_among(held_in(text), text)

    def are_among(self, held: Collection[str] | None, text: str) -> bool:
        """Whether one of them stands in a text whose words, ``held_in`` it, are known."""
        if held is None:
            return self.either.search(text) is not None
        if not self.words.isdisjoint(held):
            return True
        if self.hints.isdisjoint(held):
            return False
        return any(self.phrases[hint].search(text) for hint in self.hints.intersection(held))


def held_in(text: str) -> frozenset[str] | None:
    """The words of a text in small letters, what stands around an apostrophe as two; None where it isn't ASCII."""
    return frozenset(ascii_runs(text.lower())) if text.isascii() else None


def marks(words: str, *phrases: tuple[str, str]) -> Marks:
    """``words``, and ``phrases`` as patterns, each behind the words (hints) of which a text with it has one.

    All stand between bounds of words; a phrase that begins with a hat stands at the text's beginning.
    """
    hinted: dict[str, list[str]] = {}
    for hints, phrase in phrases:
        for hint in hints.split():
            hinted.setdefault(hint, []).append(phrase)
    return Marks(
        words=frozenset(words.split()),
        hints=frozenset(hinted),
        phrases={hint: _any_of(some) for hint, some in hinted.items()},
        either=_any_of([*words.split(), *(phrase for _, phrase in phrases)]),
    )


def _any_of(phrases: Collection[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)
