"""Show in an error what a caller gave: a mistake is to be seen, a key or token is not, since errors reach logs."""

from __future__ import annotations

import re

_MOST = 40
_LONGEST = 20  # characters of a word; keys and tokens are longer, with their hyphens and slashes
_DIGITS = r"\d(?:(?:[^\w:+]|_){0,2}\d){12}"
_PLAIN = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.+Z-]{0,20}"
_WORD = re.compile(rf"(?<!\S)(?P<plain>{_PLAIN})(?!\S)|(?:{_DIGITS})++|(?:(?!{_DIGITS})\S)++")
_DRAWN = re.compile(rf"{_DIGITS}|(?=[^\W_]{{0,15}}\d)[^\W_]{{16}}|://")


def shown(value: object) -> str:
    """A value that can't be used: a name or number itself, cut to 40 characters, and of a word that may hold a secret
    the length alone; of anything else the type, since the repr of what a caller nests may itself fail.
    """
    if isinstance(value, str):
        return repr(undrawn(value))
    if isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**18):
        return undrawn(repr(value))
    return "a very large number" if isinstance(value, int) else typed(value)


def typed(value: object) -> str:
    """Return the name of a value's type with its article: "an int", "a dict"; of None "None"."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def undrawn(text: str, most: int = _MOST) -> str:
    """The first characters of a text, with the length alone of each word that may hold a secret: one of more than 20
    characters that is no UUID and no time, or with 16 letters and digits in a row, a card's number, or a URL (it may
    hold a password).
    """
    # Each word has a character at least: further ones can't be among the first, and a text may have millions.
    return _WORD.sub(_told, text, count=most)[:most]


def _told(word: re.Match[str]) -> str:
    if word["plain"] or (len(word[0]) <= _LONGEST and not _DRAWN.search(word[0])):
        return word[0]
    return f"<{len(word[0])} characters>"
