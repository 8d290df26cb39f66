"""Who said it: how a memory names the speaker of a statement that it has in its own words."""

from __future__ import annotations

import re

SAID = " said: "
"""Between who said it and what was said."""
_LONGEST_NAME = 200  # characters
WHOEVER = re.compile(rf"[^:\n]{{1,{_LONGEST_NAME}}}?{SAID}")
"""Whoever it may be, by whatever name, at the beginning of a text."""


def bare(text: str) -> str:
    """A statement without who said it: "Dale said: they took me off" is "they took me off"."""
    if text.find(SAID, 0, _LONGEST_NAME + len(SAID)) < 1:
        return text  # most tell it themselves, and are searched faster than they are matched
    speaker = WHOEVER.match(text)
    return text[speaker.end() :] if speaker else text
