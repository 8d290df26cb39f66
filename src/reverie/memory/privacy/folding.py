"""Read a text as a pattern reads it: folded letters, decoded runs, and the way back to what was written."""

from __future__ import annotations

import base64
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import re2

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
        """Return the place of a non-empty piece in the original."""
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
    """Return what a pattern reads for one character; a lone surrogate can't be encoded, and is read as unknown."""
    if HIDDEN.match(letter):
        return ""
    match unicodedata.category(letter):
        case "Cf":
            return ""
        case "Cs":
            return "\ufffd"
        case _:
            return unicodedata.normalize("NFKC", letter)


_RUN = re2.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_LINES = re2.compile(r"(?:[A-Za-z0-9+/_-]{60,}\r?\n[ \t>]*)+[A-Za-z0-9+/_-]+={0,2}")
"""What is wrapped, as mail is; its last line may be no part of it."""
_HEX = re2.compile(r"[A-Fa-f0-9]{32,}")
_PERCENT = re2.compile(r"[\w.~-]*%[A-Fa-f0-9]{2}(?:[\w.~-]|%[A-Fa-f0-9]{2})*")
_ESCAPE = re.compile(rb"%([A-Fa-f0-9]{2})")
_URL_SAFE = str.maketrans("-_", "+/")


def decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each run that encodes a text: its place, and that text."""
    for match in _RUN.finditer(text):
        text_within = plain(match.group())
        if text_within is not None:
            yield *match.span(), text_within
    for match in _LINES.finditer(text):
        *lines, last = match.group().replace(">", " ").split()
        text_within = plain("".join((*lines, last))) or plain("".join(lines))
        if text_within is not None:
            yield *match.span(), text_within
    for match in _HEX.finditer(text):
        digits = match.group()
        for first in (0, 1):  # a digit before it may be no part of it
            even = digits[first : len(digits) - (len(digits) - first) % 2]
            yield *match.span(), bytes.fromhex(even).decode("ascii", "replace")
    if "%" in text:
        for match in _PERCENT.finditer(text):
            yield *match.span(), _ESCAPE.sub(_sign, match.group().encode()).decode(errors="replace")


def _sign(escape: re.Match[bytes]) -> bytes:
    return bytes.fromhex(escape[1].decode())


def plain(run: str) -> str | None:
    """Return the readable text that a run of base64 encodes; None where it encodes none."""
    bare = run.rstrip("=").translate(_URL_SAFE)
    try:
        text = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode()
    except ValueError:  # no base64, or not of a text
        return None
    return text if "".join(text.split()).isprintable() else None
