"""Folding: a text as a pattern reads it, with the way back to the text as it was written."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

from reverie.domain.text_cache import text_cache
from reverie.language import HIDDEN

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in compatibility form (NFKC) without invisible characters.

    ``starts`` are places in ``text`` from which on a distance applies, ``shifts`` these distances to the original.
    """

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give the place of a non-empty piece in the original."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, at: int) -> int:
        which = bisect_right(self.starts, at) - 1
        return at + self.shifts[which] if which >= 0 else at


def folded(text: str) -> Folded:
    """Fold a text: full-width digits become ASCII, and zero-width characters go."""
    if text.isascii():
        return Folded(text)
    kept: list[str] = []
    starts: list[int] = []
    shifts: list[int] = []
    at = length = 0
    for match in _NOT_ASCII.finditer(text):
        plain = _plain(match.group())
        if plain == match.group():
            continue
        kept.append(text[at : match.start()])
        length += match.start() - at
        for one in plain:
            kept.append(one)
            starts.append(length)
            shifts.append(match.start() - length)
            length += 1
        at = match.end()
        starts.append(length)
        shifts.append(at - length)
    return Folded("".join((*kept, text[at:])), tuple(starts), tuple(shifts)) if at else Folded(text)


@text_cache(4096)
def _plain(letter: str) -> str:
    """Give what a pattern reads for one character; a lone surrogate can't be encoded, and is read as unknown."""
    if HIDDEN.match(letter):
        return ""
    match unicodedata.category(letter):
        case "Cf":
            return ""
        case "Cs":
            return "\ufffd"
        case _:
            return unicodedata.normalize("NFKC", letter)
