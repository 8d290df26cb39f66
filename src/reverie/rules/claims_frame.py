"""A frame: one way to say what somebody has one of at a time, tried on a clause in small letters."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Frame:
    """One way to say it. ``words``: each clause that says it so has one of these; ``holds`` False: it says that
    something is over; ``timed``: the value is a time.
    """

    attribute: str
    words: frozenset[str]
    says: re.Pattern[str]
    fixed: str | None = None
    holds: bool = True
    single: bool = True
    timed: bool = False


def frame_of(
    attribute: str,
    words: str,
    says: str,
    *,
    fixed: str | None = None,
    holds: bool = True,
    single: bool = True,
    timed: bool = False,
) -> Frame:
    """A frame of the words that it says it with, and of the pattern."""
    return Frame(
        attribute=attribute, words=frozenset(words.split()), says=re.compile(rf"\b(?:{says})"), fixed=fixed,
        holds=holds, single=single, timed=timed,
    )  # fmt: skip
