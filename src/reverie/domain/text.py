"""What text may enter: any script, any symbol; what can't be stored or shown safely is normalized, and where.

The normalization is small and documented: line ends become ``\\n``; control characters other than tab and
newline are dropped; a surrogate without its partner becomes U+FFFD. Nothing else is touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from itertools import islice
from typing import TypeVar

from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed

UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2800\ufff9-\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
)
"""Characters of which nothing is seen, for a class of a pattern: Unicode's Default_Ignorable_Code_Point, and blanks
that are no white space.
"""
_LINE_ENDS = re.compile(r"\r\n?")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def normalized(text: str) -> str:
    """Return the text as it is stored; see the module. Surrogate pairs written as two halves are joined."""
    if text.isprintable():  # most are: nothing that is looked for below is printable
        return text
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "\r" in text:
        text = _LINE_ENDS.sub("\n", text)
    return _CONTROL.sub("", text)


def checked_text(value: object, field: str, *, most_bytes: int, remedy: str = "shorten it") -> str:
    """Return normalized text of 1 to ``most_bytes`` UTF-8 bytes that holds more than white space.

    Raise InvalidInput naming ``field``; the message never quotes the text.
    """
    if not isinstance(value, str):
        raise InvalidInput(field, f"{typed(value)} is not text", "give a str")
    text = normalized(value)
    if not text.strip():
        raise InvalidInput(field, "it is empty", "give some text")
    if len(text) > most_bytes or len(text.encode()) > most_bytes:
        raise InvalidInput(field, f"it is longer than {most_bytes:,} bytes of UTF-8", remedy)
    return text


def checked_share(value: object, field: str) -> float:
    """Return a number in [0, 1]. Raise InvalidInput, also for NaN and for True."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(field, f"{shown(value)} is not a number from 0 to 1", "give one")
    return float(value)


def checked_switch(value: object, field: str) -> bool:
    """Return True or False. Raise InvalidInput for what merely counts as one of them."""
    if not isinstance(value, bool):
        raise InvalidInput(field, f"{shown(value)} is not true or false", "give True or False")
    return value


Given = TypeVar("Given")
Kinds = TypeVar("Kinds", bound=StrEnum)
Call = TypeVar("Call", bound=Callable[..., object] | None)


def checked_call(value: Call, field: str, remedy: str = "give a function") -> Call:
    """Return a function, or None. Raise InvalidInput."""
    if value is not None and not callable(value):
        raise InvalidInput(field, f"{shown(value)} can't be called", remedy)
    return value


def at_most(values: Iterable[Given], most: int, field: str) -> list[Given]:
    """Return the values as a list. Raise InvalidInput for more than ``most``, without reading on."""
    found = list(islice(values, most + 1))
    if len(found) > most:
        raise InvalidInput(field, f"there are more than {most:,}", "give fewer at once")
    return found


def member(kinds: type[Kinds], value: object, field: str, problem: str = "is unknown") -> Kinds:
    """Return the one of ``kinds`` that goes by this name. Raise InvalidInput, listing all."""
    try:
        return kinds(lowered(value))
    except ValueError:
        raise InvalidInput(field, f"{shown(value)} {problem}", f"choose from {', '.join(kinds)}") from None


def lowered(value: object) -> str:
    """Return a caller's choice from a list of names, in lower case; "" for what is no text."""
    return value.lower() if isinstance(value, str) else ""
