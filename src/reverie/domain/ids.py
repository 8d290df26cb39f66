"""Ids: UUIDv7 text (RFC 9562), so that sorting by id is sorting by time of making."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from reverie.errors import InvalidInput
from reverie.errors.showing import typed

Ids = Callable[[datetime], str]
"""Makes an id for something made at that moment; each call's id sorts after the one before."""

MAX_NAME = 200
_HEX = re.compile("[0-9a-f]{32}")
_RANDOM = (1 << 62) - 1
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def uuid7(milliseconds: int, random_bits: int) -> str:
    """Return the UUIDv7 of a Unix time in milliseconds (48 bits) and 74 random bits, as 36 characters of lower-case
    text.
    """
    if not 0 <= milliseconds < 1 << 48:
        raise ValueError("milliseconds must fit 48 bits")
    if not 0 <= random_bits < 1 << 74:
        raise ValueError("random_bits must fit 74 bits")
    high, low = random_bits >> 62, random_bits & ((1 << 62) - 1)
    value = milliseconds << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def behind(id: str, other: str) -> str:
    """Return the id, or, if it doesn't sort behind ``other``, one that does: a millisecond after it."""
    if id > other:
        return id
    digits = other.replace("-", "")
    if not _HEX.fullmatch(digits):  # of another's making
        return id
    return uuid7(min(int(digits[:12], 16) + 1, (1 << 48) - 1), int(id.replace("-", ""), 16) & _RANDOM)


def made_at(id: str) -> datetime | None:
    """Return when an id of our making was made; None of another's."""
    digits = id.replace("-", "")
    if not _HEX.fullmatch(digits) or digits[12] != "7":
        return None
    try:
        return datetime.fromtimestamp(int(digits[:12], 16) / 1000, UTC)
    except (ValueError, OverflowError):  # beyond the calendar
        return None


def checked_name(value: object, field: str) -> str:
    """Return a caller's own name for something (agent, conversation, ref, tag …): 1 to 200 characters on one line.

    Raise InvalidInput otherwise. Surrounding white space is an error and not trimmed: two names that look
    alike must not be two banks.
    """
    if not isinstance(value, str):
        raise InvalidInput(field, f"{typed(value)} is not a name", "give text")
    if not value or len(value) > MAX_NAME:
        raise InvalidInput(field, f"it has {len(value)} characters", f"give 1 to {MAX_NAME}")
    if not value.isprintable() and _FORBIDDEN.search(value):  # none of them is printable
        raise InvalidInput(field, "it holds control characters", "give a name on one line of printable text")
    if value != value.strip():
        raise InvalidInput(field, "it begins or ends with white space", "give the name without it")
    return value
