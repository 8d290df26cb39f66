"""Words and phrases that mark a text: looked up among its words, so that a pattern runs only where it may fit."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from reverie.domain.text_cache import text_cache
from reverie.language.lexical_terms import ascii_runs

_WORD = re.compile(r"\w+")
_DOTTED, _OTHERS = "\u0130", re.compile("[\u0131\u017f]")
"""What a pattern takes for an i or an s, in whatever letters: a capital that in small letters would become two signs,
and small letters.
"""


class Marks(NamedTuple):
    """``words`` by themselves; ``phrases`` by the words (``hints``) of which each has one, for a text in small letters;
    ``either``: all of them, in whatever letters.
    """

    words: frozenset[str]
    hints: frozenset[str]
    phrases: Mapping[str, re.Pattern[str]]
    either: re.Pattern[str]

    def stand_in(self, text: str) -> bool:
        """Whether one of them does, in whatever letters."""
        low = lowered(text)
        held = held_in(low)
        if held is None:
            return self.either.search(low) is not None
        if not self.words.isdisjoint(held):
            return True
        return any(self.phrases[hint].search(low) for hint in self.hints.intersection(held))


def lowered(text: str) -> str:
    """A text in small letters, sign by sign."""
    return (text if text.isascii() else text.replace(_DOTTED, "i")).lower()


@text_cache(4_096)
def held_in(low: str) -> frozenset[str] | None:
    """The words of a text in small letters, what stands around an apostrophe as two; None where one can't be told from
    its neighbours as a pattern tells it.
    """
    if low.isascii():
        return frozenset(ascii_runs(low))
    return None if _OTHERS.search(low) else frozenset(_WORD.findall(low))


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
        phrases={hint: _any_of(some, 0) for hint, some in hinted.items()},
        either=_any_of([*words.split(), *(phrase for _, phrase in phrases)], re.IGNORECASE),
    )


def _any_of(phrases: Collection[str], flags: int) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b", flags)
