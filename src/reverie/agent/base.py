"""What an agent's verbs and facets share: how they read their parameters, and what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from functools import wraps
from threading import Event
from typing import Any, ClassVar, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from reverie.domain.message import MAX_AT_ONCE, Message
from reverie.domain.text import at_most, checked_call
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.services.runtime import Desk

Given = ParamSpec("Given")
Result = TypeVar("Result")
Door = TypeVar("Door", bound="Base")
Kept = TypeVar("Kept", bound="Base")

Moment: TypeAlias = datetime | str
"""A time, or its text (ISO 8601). Without an offset it is in the agent's zone."""
Date: TypeAlias = date | str
"""A date, or its text (YYYY-MM-DD)."""
Names: TypeAlias = str | Iterable[str] | None
"""One name, several, or no restriction."""
Labels: TypeAlias = str | Iterable[str]
"""One label or several."""


class PydanticMessage(Protocol):
    """An object of pydantic's kind, such as a message of OpenAI's, Anthropic's, LangChain's or Google's package."""

    def model_dump(self) -> dict[str, Any]:
        """Return its fields."""


class DataclassMessage(Protocol):
    """A dataclass of another package, such as pydantic-ai's messages."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


Said: TypeAlias = Message | Mapping[str, object] | str | PydanticMessage | DataclassMessage
"""A message, a mapping with its fields, a plain text that the user said, or a message as another package has it."""
Messages: TypeAlias = Said | Sequence[Said] | Iterator[Said]
"""One message or several, in their order."""
Progress: TypeAlias = Callable[[int, int], None]
"""Called with how many are done and how many there are."""


def listed(names: Names, field: str) -> tuple[str, ...]:
    """Return one name or several as a tuple. Raises InvalidInput for what is neither."""
    if names is None or isinstance(names, str):
        return () if names is None else (names,)
    if not isinstance(names, Iterable):
        raise InvalidInput(field, f"{shown(names)} is neither a text nor several", "give a str or a list")
    return tuple(at_most(names, MAX_AT_ONCE, field))


def told(progress: Progress | None) -> Progress | None:
    """Return the function to tell of progress, or None. Raises InvalidInput."""
    return checked_call(progress, "on_progress")


def checked_stop(stop: Event | None) -> Event | None:
    """Return a ``threading.Event``, or None. Raises InvalidInput."""
    if stop is not None and not callable(getattr(stop, "is_set", None)):
        raise InvalidInput("stop", f"{shown(stop)} is no event", "give a threading.Event, or None")
    return stop


class Base:
    """One agent's id, with the services that work for it and a signature for the audit log."""

    def __init__(self, desk: Desk, id: str, *, actor: str) -> None:
        self._desk = desk
        self._actor = actor
        self.id = id

    def _facet(self, kind: type[Kept]) -> Kept:
        return kind(self._desk, self.id, actor=self._actor)

    def _zone(self, *moments: Moment | None) -> tzinfo:
        """Return the zone in which to read these. It is looked up only where there is something to read."""
        return UTC if all(moment is None for moment in moments) else self._desk.zone(self.id)


def waited_for(
    verb: Callable[Concatenate[Door, Given], Result],
) -> Callable[Concatenate[Door, Given], Result]:
    """Mark a verb that a conversation waits for: background work gives way to it."""

    @wraps(verb)
    def waiting(self: Door, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        with self._desk.dirty.waiting():
            return verb(self, *args, **kwargs)

    return waiting
