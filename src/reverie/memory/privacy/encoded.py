"""Encoded: what stands in a text in base64, in hexadecimal, or behind percent signs. Time is linear."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import re2

_RUN = re2.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_LINES = re2.compile(r"(?:[A-Za-z0-9+/_-]{60,}\r?\n[ \t>]*)+[A-Za-z0-9+/_-]+={0,2}")
"""What is wrapped, as mail is; its last line may be no part of it."""
_HEX = re2.compile(r"[A-Fa-f0-9]{32,}")
_PERCENT = re2.compile(r"[\w.~-]*%[A-Fa-f0-9]{2}(?:[\w.~-]|%[A-Fa-f0-9]{2})*")
_ESCAPE = re.compile(rb"%([A-Fa-f0-9]{2})")
_URL_SAFE = str.maketrans("-_", "+/")


def decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """Give each run that encodes a text: its place, and that text."""
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
    """Give the readable text that a run of base64 encodes; None where it encodes none."""
    bare = run.rstrip("=").translate(_URL_SAFE)
    try:
        text = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode()
    except ValueError:  # no base64, or not of a text
        return None
    return text if "".join(text.split()).isprintable() else None
