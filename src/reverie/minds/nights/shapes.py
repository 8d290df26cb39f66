"""Shapes: one entry of a model's answer, read as it was meant. Nothing in it is what it should be until it was looked
at here, and nothing that can be in JSON raises anything but Unfit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import datetime, tzinfo
from itertools import islice

from reverie.domain.emotion import MOST_EMOTIONS, Emotion, Emotions
from reverie.domain.kinds import Kind
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput

_MOST_ITEMS = 200
_NOT_IN_NAMES = re.compile(r"[\W_]+")
_BETWEEN = re.compile(r"[,;\s]+")
_BRACKETS = "[](){} \t\n\"'`"
_FALSE = frozenset({"false", "no", "0", ""})
_KINDS, _EMOTIONS = {str(kind): kind for kind in Kind}, {str(one): one for one in Emotion}


class Unfit(Exception):
    """An entry that has no usable shape; ``why`` holds nothing of what it says."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def folded(name: str) -> str:
    """Return a name however it is written: memoryId, memory_id and MemoryID are one."""
    return _NOT_IN_NAMES.sub("", name).lower()


class Entry:
    """One entry's parts, by their names in our schema. ``notes``: takes what was left out of it."""

    def __init__(self, value: object, zone: tzinfo, notes: list[str]) -> None:
        if not isinstance(value, Mapping):
            raise Unfit("it is no JSON object")
        self._parts = {folded(name): part for name, part in value.items() if isinstance(name, str)}
        self._zone, self._notes = zone, notes

    def text(self, name: str) -> str:
        """Return a text that must be there."""
        value = self._parts.get(folded(name))
        if value is None or (isinstance(value, str) and not value.strip()):
            raise Unfit(f"{name} is missing")
        if not isinstance(value, str):
            raise Unfit(f"{name} is no text")
        return value

    def other(self, name: str) -> str:
        """Return a text that may be missing."""
        value = self._parts.get(folded(name))
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; one text is a list of one."""
        value = self._parts.get(folded(name))
        items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(
            one.strip() for one in islice(items, _MOST_ITEMS) if isinstance(one, str) and one.strip()
        )

    def labels(self, name: str) -> tuple[str, ...]:
        """Return a list of labels, however they are written: ``["e1"]``, ``"e1, e2"``, ``"[e1]"``."""
        found = (one for text in self.texts(name) for one in _BETWEEN.split(text[:_MOST_ITEMS]))
        return tuple(dict.fromkeys(one for one in (label.strip(_BRACKETS) for label in found) if one))

    def number(self, name: str) -> float | None:
        """Return a number, also one that is written as text; None where there is none."""
        value = self._parts.get(folded(name))
        if value is None:
            return None
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            try:
                number = float(value)
            except (ValueError, OverflowError):
                number = math.nan
            if math.isfinite(number):
                return number
        self._notes.append(f"{name} that is no number was left out")
        return None

    def switch(self, name: str) -> bool:
        """True unless it says otherwise."""
        value = self._parts.get(folded(name))
        if isinstance(value, str):
            return value.strip().lower() not in _FALSE
        return value is None or value != 0

    def kind(self, name: str) -> Kind | None:
        """Return a kind; None where none is named. Raise Unfit for one that isn't in the taxonomy."""
        value = self._parts.get(folded(name))
        if value is None or value == "":
            return None
        kind = _KINDS.get(value.strip().lower()) if isinstance(value, str) else None
        if kind is None:
            raise Unfit(f"{name} is none of {', '.join(_KINDS)}")
        return kind

    def emotions(self, name: str) -> Emotions | None:
        """Return the first three of the taxonomy; None where there is none, to be judged by somebody else."""
        given = self.texts(name)
        known = [_EMOTIONS[one.lower()] for one in given if one.lower() in _EMOTIONS]
        if len(known) < len(given):
            self._notes.append("emotions outside the taxonomy were left out")
        return tuple(dict.fromkeys(known))[:MOST_EMOTIONS] or None

    def since(self, name: str) -> datetime | None:
        """Return a date; None where there is none."""
        value = self._parts.get(folded(name))
        if value is None or value == "":
            return None
        try:
            return to_utc(value.strip() if isinstance(value, str) else value, zone=self._zone)
        except InvalidInput:
            self._notes.append("a date that is none was left out")
            return None
