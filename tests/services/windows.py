"""Windows for tests: a mind that writes down what it was asked, and talks to be windowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie import Reverie
from reverie.domain.episode import Episode
from reverie.domain.working import WorkingMemory
from reverie.ports.mind import Mind
from reverie.services.prompt.window import window


@dataclass
class Scripted:
    """A mind that can do nothing but compress: it names the messages by their first two words. ``calls`` are what it
    was given, ``answers`` what it said; ``first`` is done before it answers. The built-in mind is tested by itself.
    """

    id: str = "scripted/1"
    is_local: bool = True
    teaches: bool = True
    calls: list[tuple[Sequence[Episode], str | None, int]] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    first: Callable[[], object] = lambda: None

    def compress(self, messages: Sequence[Episode], *, so_far: str | None, max_tokens: int) -> str:
        self.calls.append((messages, so_far, max_tokens))
        self.first()
        told = [*([so_far] if so_far else []), *(" ".join(one.content.split()[:2]) for one in messages)]
        self.answers.append("; ".join(told)[-max_tokens:].strip())
        return self.answers[-1]

    def _nothing_else(self, *given: Any, **more: Any) -> Any:
        raise AssertionError("a window asks a mind for nothing else")

    extract = judge = read = consolidate = narrate = portray = _nothing_else


def talk(count: int, words: int = 20) -> list[dict[str, object]]:
    """A talk of that many messages; each begins with its number. The user speaks first, and last where it is odd."""
    return [
        {"role": ("user", "assistant")[number % 2], "content": f"{number} says " + "so " * words}
        for number in range(count)
    ]


def windowed(
    reverie: Reverie, messages: object, *, mind: Mind | None = None, agent: str = "mama", **given: object
) -> WorkingMemory:
    """The window of a small model, so that a short talk fills it; ``mind`` does the thinking."""
    desk = replace(reverie._desk, mind=mind)
    return window(desk, agent, messages, **{"max_tokens": 10_000, **given})  # type: ignore[arg-type]


def contents(made: WorkingMemory) -> list[str]:
    """What the messages in full say."""
    return [message.content for message in made.messages]


def numbers(made: WorkingMemory) -> list[int]:
    """Which messages of a ``talk`` are there in full."""
    return [int(content.split()[0]) for content in contents(made)]
