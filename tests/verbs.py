"""The verbs of the Python door, found by reflection, and with what each is called where nothing is wrong."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from types import TracebackType
from typing import Any

from reverie import Agent, Draft, EpisodeMetadata, Message, Reverie, ReverieError
from reverie.agent import facets
from reverie.agent.base import Base
from reverie.aio import AsyncAgent, AsyncReverie
from reverie.aio.client import AsyncRoom

_MESSAGE = [
    field.name for kind in (Message, EpisodeMetadata) for field in fields(kind) if field.name != "metadata"
]
# Parameters that hold one value of many fields
_INSIDE: Mapping[str, Callable[[str, object], object]] = {
    "Agent.observe.messages": lambda name, value: [{"content": "Hello", name: value}],
    "Agent.window.messages": lambda name, value: [{"content": "Hello", name: value}],
    "Agent.remember_many.memories": lambda name, value: [{"essence": "Anna sings", name: value}],
}
_INNER = {"messages": _MESSAGE, "memories": [field.name for field in fields(Draft)]}


@dataclass(frozen=True, kw_only=True)
class Place:
    """One place of a verb where a caller puts a value."""

    verb: str
    """Such as ``Agent.goals.add``."""
    name: str
    """The parameter, or the field of its value: ``messages.speaker``."""
    annotation: str = ""

    def arguments(self, value: object) -> dict[str, Any]:
        """The value as the verb's keywords say it."""
        name, _, inner = self.name.partition(".")
        return {name: _INSIDE[f"{self.verb}.{name}"](inner, value) if inner else value}


def places() -> Iterator[Place]:
    """Every place of every public verb of ``Reverie``, ``Agent``, its facets and ``Room``."""
    for owner, kind in _owners():
        for name, function in inspect.getmembers(kind, inspect.isroutine):
            if not name.startswith("_"):
                yield from _places(f"{owner}.{name}", function)


def _owners() -> Iterator[tuple[str, type]]:
    yield from (("Reverie", Reverie), ("Agent", Agent), ("Room", facets.Room))
    for name, value in inspect.getmembers(Agent, lambda member: isinstance(member, property)):
        kind = inspect.signature(value.fget, eval_str=True).return_annotation
        if isinstance(kind, type) and issubclass(kind, Base):
            yield f"Agent.{name}", kind


def _places(verb: str, function: Callable[..., object]) -> Iterator[Place]:
    for name, parameter in inspect.signature(function).parameters.items():
        if name != "self":
            yield Place(verb=verb, name=name, annotation=str(parameter.annotation))
            if f"{verb}.{name}" in _INSIDE:
                yield from (Place(verb=verb, name=f"{name}.{inner}") for inner in _INNER[name])


class Tried:
    """A block whose error, if it raises one, is kept and not raised."""

    error: BaseException | None = None

    def __enter__(self) -> Tried:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.error = error
        return isinstance(error, Exception)

    @property
    def wrong(self) -> str | None:
        """The kind of an error that isn't ours."""
        return None if isinstance(self.error, ReverieError | None) else type(self.error).__name__


@dataclass(frozen=True, kw_only=True)
class Ground:
    """An agent with something of everything, for verbs to be called on."""

    reverie: Reverie
    agent: Agent
    ids: Mapping[str, str]

    @classmethod
    def of(cls, reverie: Reverie, name: str) -> Ground:
        """An agent of that name, which has never written, and another beside it."""
        agent, other = reverie.agent(name), reverie.agent(f"{name}-other")
        said = agent.observe(["I like tea", "I moved to Lisbon"], conversation="chat")
        memory = agent.remember("Anna lives in Lisbon").memory
        agent.procedures.record("cook", ["boil", "eat"])
        agent.diary.write("Kade kept his word", date="2026-05-13")
        agent.relationships.assign("Anna", "friend", 0.5)
        other.remember("The keeper has the map")
        came = agent.link.request(other.id)
        other.link.accept(came.id)
        ids = {
            "memory": memory.id, "episode": said.episode_ids[0], "goal": agent.goals.add("Learn to sail").id,
            "soul": agent.soul.add("I ask first").id, "came": came.id, "asked": other.link.request(agent.id).id,
            "other": other.id,
        }  # fmt: skip
        return cls(reverie=reverie, agent=agent, ids=ids)

    def call(self, verb: str, *, twin: bool = False, **given: object) -> object:
        """Calls a verb, or its asynchronous ``twin``, with this, and with what it needs beside."""
        function = self._function(verb, twin=twin)
        given = {**(_BESIDE.get(verb, {}) if given else {}), **given}
        needed = [
            name
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.default is parameter.empty
        ]
        done = function(**{name: self._usual(verb, name) for name in needed if name not in given}, **given)
        if inspect.iscoroutine(done):
            return asyncio.run(done)
        if isinstance(done, AsyncIterator):
            return asyncio.run(_listed(done))
        return list(done) if isinstance(done, Iterator) else done

    def _function(self, verb: str, *, twin: bool) -> Callable[..., Any]:
        first, *rest = verb.split(".")
        on: Any = {"Reverie": self.reverie, "Agent": self.agent}.get(first)
        if first == "Room":
            on = self.reverie.room("plaza", [self.agent.id, self.ids["other"]])
        if twin:
            door, twins = on, dict[str, Any]()
            twins |= {"Reverie": AsyncReverie, "Agent": partial(AsyncAgent, self.agent.id), "Room": AsyncRoom}
            on = twins[first](lambda: door)
        for name in rest:
            on = getattr(on, name)
        made: Callable[..., Any] = on
        return made

    def _usual(self, verb: str, name: str) -> object:
        own = {
            "Agent.goals.complete.id": self.ids["goal"], "Agent.goals.reopen.id": self.ids["goal"],
            "Agent.soul.remove.id": self.ids["soul"], "Agent.link.accept.id": self.ids["asked"],
            "Agent.link.decline.id": self.ids["asked"], "Reverie.agent.id": self.agent.id, "Reverie.room.id": "plaza",
            "Agent.relationships.assign.other": "Kade", "Agent.link.request.to": self.ids["other"],
        }  # fmt: skip
        if verb.startswith("Agent.link.") and name == "id":
            return own.get(f"{verb}.{name}", self.ids["came"])
        return own.get(f"{verb}.{name}") or _USUAL.get(name) or self.ids["memory"]


async def _listed(items: AsyncIterator[object]) -> list[object]:
    return [one async for one in items]


_BESIDE: Mapping[str, Mapping[str, object]] = {
    "Agent.revise": {"essence": "Anna lives in Rome"},
    "Agent.procedures.record": {"steps": ["boil", "serve"], "outcome": "success"},
    "Agent.relationships.assign": {"trust": 0.4},
}
"""Without these, what else is given would change nothing."""
_USUAL: Mapping[str, object] = {
    "messages": ["Hello"], "essence": "Anna sings", "memories": ["Anna sings"], "content": "Anna sings",
    "event": "It rained", "name": "cook", "path": "src/main.py", "max_tokens": 4_000, "text": "I keep my word",
    "body": "It rained", "date": "2026-05-13", "keywords": "word", "other": "Anna", "members": ["nova", "kade"],
    "speaker": "Kade", "lines": [], "source": ["Anna: Hi", "Anna: Ho"], "ids": [],
    "namespace": ("users", "anna"), "key": "tea", "value": {"likes": "tea"}, "changes": [],
}  # fmt: skip
