"""Show in an error what a caller gave: a mistake is to be seen, a key or token is not, since errors reach logs."""

from __future__ import annotations

import re

_MOST = 40
_WORD = re.compile(r"\d(?: ?\d){12,}+|\S++")
# Keys, tokens and numbers of cards have such a run; the parts of ids, dates and names are shorter
_DRAWN = re.compile(r"(?=[^\W_]{0,15}\d)[^\W_]{16}|[^\W_]{24}|\d(?: ?\d){12}")


def shown(value: object) -> str:
    """A value that can't be used: a name or number itself, cut to 40 characters, and of a word that a machine may have
    drawn the length alone; of anything else the type, since the repr of what a caller nests may itself fail.
    """
    if isinstance(value, str):
        return repr(undrawn(value)[:_MOST])
    if isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**18):
        return undrawn(repr(value))[:_MOST]
    return "a very large number" if isinstance(value, int) else f"a {type(value).__name__}"


def undrawn(text: str) -> str:
    """The text, with the length alone of each word that a machine may have drawn."""
    return _WORD.sub(_told, text)


def _told(word: re.Match[str]) -> str:
    return f"<{len(word[0])} characters>" if _DRAWN.search(word[0]) else word[0]
