"""Patterns that are compiled when they are first used. There are hundreds, a program uses few of them, and compiling
all took a third of the time in which a process opens its first bank.
"""

from __future__ import annotations

import re
from typing import cast


class Late:
    """Stands for a pattern in all that is asked of it; what was asked for once is at hand from then on.

    What takes a pattern as an argument, as ``re.sub`` does, takes none of these: call its own methods.
    """

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __repr__(self) -> str:
        return f"late({self._source!r}, {self._flags})"

    @property
    def pattern(self) -> str:
        """The pattern as text, for another that is made of it."""
        return self._source

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        found: object = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, found)
        return found


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile``, later."""
    return cast("re.Pattern[str]", Late(source, flags))
