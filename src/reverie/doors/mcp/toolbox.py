"""Toolbox: the toolsets that one server offers, as one: what a tool is called by, and what its agent knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from reverie.doors.mcp import words
from reverie.doors.mcp.admin import Admin
from reverie.doors.mcp.answer import Answer
from reverie.doors.mcp.core import CONTEXT_TOKENS, Core
from reverie.doors.mcp.definitions import Definition
from reverie.doors.mcp.graph import GraphTools
from reverie.doors.mcp.parameters import read_arguments
from reverie.doors.mcp.places import Place, context_place, society_places
from reverie.doors.mcp.society import Society
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie


class Toolset(Protocol):
    """Tools that belong together, of one agent. May be called from many threads at once."""

    definitions: Sequence[Definition]

    def run(self, name: str, given: dict[str, Any]) -> Answer:
        """Run one of them with arguments that were read. Raises ReverieError."""
        ...


DEFAULT = "core"
TOOLSETS: Mapping[str, Callable[[Reverie, str], Toolset]] = {
    DEFAULT: Core,
    "society": Society,
    "admin": Admin,
    "graph": GraphTools,
}
"""By name."""


def checked_toolsets(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of toolsets, each once, in the order of TOOLSETS. Raises InvalidInput."""
    given = set(names)
    for name in sorted(given - TOOLSETS.keys()):
        raise InvalidInput("toolsets", f"there is no {name!r:.60}", f"choose from {', '.join(TOOLSETS)}")
    if not given:
        raise InvalidInput("toolsets", "it names none", f"choose from {', '.join(TOOLSETS)}")
    return tuple(name for name in TOOLSETS if name in given)


class Toolbox:
    """One agent's memory as the tools of some toolsets. May be called from many threads at once."""

    def __init__(self, reverie: Reverie, agent_id: str, toolsets: Iterable[str] = (DEFAULT,)) -> None:
        self.toolsets = checked_toolsets(toolsets)
        self._reverie = reverie
        self._agent: Agent = reverie.agent(agent_id)
        sets = [TOOLSETS[name](reverie, agent_id) for name in self.toolsets]
        self._tools = {
            definition.name: (definition, each) for each in sets for definition in each.definitions
        }

    @property
    def definitions(self) -> Sequence[Definition]:
        """Of all tools, in order."""
        return [definition for definition, _ in self._tools.values()]

    @property
    def instructions(self) -> str:
        """What a model is told of them."""
        return words.instructions(self.toolsets)

    @property
    def places(self) -> Sequence[Place]:
        """What there is to be read without a tool."""
        more = society_places(self._agent, self._reverie) if "society" in self.toolsets else ()
        return [context_place(self._agent), *more]

    @property
    def prompts(self) -> Sequence[words.Told]:
        """What a person may have a host begin with."""
        more = (words.CONSOLIDATING,) if "admin" in self.toolsets else ()
        return [words.USING, *more]

    def call(self, name: str, arguments: Mapping[str, object]) -> Answer:
        """Run one tool. Raises ReverieError."""
        found = self._tools.get(name)
        if found is None:
            raise InvalidInput("tool", f"there is no {name!r:.60}", f"call one of {', '.join(self._tools)}")
        definition, toolset = found
        return toolset.run(name, read_arguments(name, definition.takes, definition.needs, arguments))

    def context(self, task: str | None = None) -> str:
        """Return what to know before a task, or now; "" where nothing is known. Raises ReverieError."""
        return self._agent.context(task, max_tokens=CONTEXT_TOKENS).text
