"""What every part of the agent's door stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, tzinfo
from functools import wraps
from threading import Event
from typing import Any, Concatenate, ParamSpec, TypeVar

from reverie.domain.message import MAX_AT_ONCE
from reverie.domain.text import at_most, checked_call
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.services.runtime import Desk

Given = ParamSpec("Given")
Result = TypeVar("Result")
Door = TypeVar("Door", bound="Base")

Moment = datetime | str
Date = date | str
Names = str | Iterable[str] | None
Progress = Callable[[int, int], None]
"""Called with how many are done and how many there are."""


def listed(names: Names, field: str) -> tuple[str, ...]:
    """One name or several as a tuple. Raises InvalidInput for what is neither."""
    if names is None or isinstance(names, str):
        return () if names is None else (names,)
    if not isinstance(names, Iterable):
        raise InvalidInput(field, f"{shown(names)} is neither a text nor several", "give a str or a list")
    return tuple(at_most(names, MAX_AT_ONCE, field))


def inner(value: object, name: str) -> Any:
    """What an async twin holds under that name; any other value as it is, for its verb to refuse."""
    return getattr(value, name, value)


def told(progress: Progress | None) -> Progress | None:
    """Whom to tell of progress, or None. Raises InvalidInput."""
    return checked_call(progress, "on_progress")


def checked_stop(stop: Event | None) -> Event | None:
    """A ``threading.Event``, or None. Raises InvalidInput."""
    if stop is not None and not callable(getattr(stop, "is_set", None)):
        raise InvalidInput("stop", f"{shown(stop)} is no event", "give a threading.Event, or None")
    return stop


class Base:
    """One agent's desk, id and signature in the audit log."""

    def __init__(self, desk: Desk, id: str, *, actor: str) -> None:
        self._desk = desk
        self._actor = actor
        self.id = id

    def _zone(self, *moments: Moment | None) -> tzinfo:
        """The zone in which these are read; asked for only where there is something to read."""
        return UTC if all(moment is None for moment in moments) else self._desk.zone(self.id)


def waited_for(
    verb: Callable[Concatenate[Door, Given], Result],
) -> Callable[Concatenate[Door, Given], Result]:
    """For verbs that a conversation waits for: what works in the background gives way to them."""

    @wraps(verb)
    def waiting(self: Door, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        with self._desk.dirty.waiting():
            return verb(self, *args, **kwargs)

    return waiting
