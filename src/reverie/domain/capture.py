"""Capture: a pattern of words of a user's own, and what was caught."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reverie.domain.ids import checked_name
from reverie.domain.kinds import Kind, Priority, checked_kind, checked_priority
from reverie.domain.message import checked_labels
from reverie.domain.text import checked_share
from reverie.errors import InvalidInput
from reverie.errors.showing import shown

_MOST_REGEX = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class CapturePattern:
    """One pattern of words that is kept when a principal says it.

    ``says`` is a regular expression (case doesn't matter), matched where a clause begins; the whole sentence becomes a
    memory of ``kind``; ``priority`` None: that of the kind, ``importance`` None: judged later. ``words`` are words of
    which one stands in whatever can match: without them every clause of every message is tried. Raise InvalidInput.
    """

    name: str
    says: str
    kind: Kind = Kind.PREFERENCE
    priority: Priority | None = None
    importance: float | None = None
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        checked_name(self.name, "CapturePattern.name")
        _check_says(self.says)
        object.__setattr__(self, "kind", checked_kind(self.kind, "CapturePattern.kind"))
        if self.priority is not None:
            object.__setattr__(self, "priority", checked_priority(self.priority))
        if self.importance is not None:
            object.__setattr__(
                self, "importance", checked_share(self.importance, "CapturePattern.importance")
            )
        words = checked_labels(self.words, "CapturePattern.words")
        if any(len(word.split()) != 1 for word in words):
            raise InvalidInput(
                "CapturePattern.words", "one of them is not a single word", 'give ("deploy",), say'
            )
        object.__setattr__(self, "words", tuple(word.lower() for word in words))


def _check_says(value: object) -> None:
    name = "CapturePattern.says"
    if not isinstance(value, str) or not 0 < len(value) <= _MOST_REGEX:
        raise InvalidInput(name, f"{shown(value)} is no pattern", "give a regular expression")
    try:
        re.compile(value, re.IGNORECASE)
    except re.error:
        raise InvalidInput(name, f"{shown(value)} is not a regular expression", "see Python's re") from None


@dataclass(frozen=True, kw_only=True, slots=True)
class Capture:
    """Sentences that were caught: ``essence`` is what stands from ``start`` to ``end`` of the text, ``pattern`` the
    form or the user's pattern that caught it.
    """

    essence: str
    kind: Kind
    priority: Priority | None
    importance: float | None
    pattern: str
    start: int
    end: int
