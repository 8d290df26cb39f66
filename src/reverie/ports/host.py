"""HostMind: how the model that the agent runs on is asked, and how its answer is read. Nobody is called: a question
goes out with the caller, and an answer comes back, perhaps days later, perhaps never, perhaps twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Protocol

from reverie.domain.change import Change, Misshapen, Refusal
from reverie.domain.snippet import Extracted, Snippet
from reverie.ports.night import Night


@dataclass(frozen=True, kw_only=True, slots=True)
class Labelled:
    """Which ids the labels of a question mean."""

    episodes: Mapping[str, str] = field(default_factory=dict)
    memories: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asking:
    """A question, and what its labels mean. ``text`` is data between our markers."""

    prompt: str
    text: str
    schema: Mapping[str, object]
    labelled: Labelled


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """An answer about a night as changes. ``again`` is the question about what is refused of them; None where nothing
    of that is worth one.
    """

    changes: tuple[Change | Misshapen, ...]
    notes: tuple[str, ...]
    again: Callable[[Sequence[Refusal]], Asking | None]


class HostMind(Protocol):
    """Writes questions and reads answers. Thread-safe, on this machine, by the standard library alone."""

    @property
    def id(self) -> str:
        """Names it in the records of sleeps."""
        ...

    def read(self, answer: object) -> Mapping[str, object]:
        """Return an answer as the one JSON object that it must be: given as such, or as text, also within a Markdown
        fence or between other words. Raise InvalidInput, whatever else it is.
        """
        ...

    def night(self, night: Night, *, max_tokens: int) -> Asking | None:
        """Return a question about the first conversations of the night, as many as fit, at least one, and what bears on
        them; None where nothing of it can be shown.
        """
        ...

    def changes(self, answer: Mapping[str, object], labelled: Labelled, zone: tzinfo) -> Answered:
        """Return an answer about a night, dates in ``zone``. Raise InvalidInput where it has no usable shape."""
        ...

    def snippet(self, snippet: Snippet) -> Asking | None:
        """Return a question about a snippet; None where nothing of it can be shown."""
        ...

    def extracted(self, answer: Mapping[str, object], snippet: Snippet) -> Sequence[Extracted]:
        """Return an answer about a snippet, read. Raise InvalidInput where it has no usable shape."""
        ...
