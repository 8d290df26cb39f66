"""Who said it: how a memory names the speaker of a statement that it has in its own words."""

from __future__ import annotations

import re

_SPEAKER = re.compile(r"(?:[A-Z][\w .'-]{0,40}|The (?:user|assistant)) said: ")

WHOEVER = re.compile(r"[^:\n]{1,200}? said: ")
"""Whoever it may be, by whatever name, at the beginning of a text."""


def bare(text: str) -> str:
    """A statement without who said it: "Dale said: they took me off" is "they took me off"."""
    speaker = _SPEAKER.match(text)
    return text[speaker.end() :] if speaker else text
