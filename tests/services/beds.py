"""A bed for an agent: its bank, with a mind that dreams what a test scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie import Agent, Kind, Memory, Reverie
from reverie.domain.change import Change, Contradict, Learn, Proposal, Revise
from reverie.domain.job import SLEEP, JobState
from reverie.domain.memory import Connection
from reverie.domain.sleep import SleepReport
from reverie.ports.night import Night
from reverie.services.sleep.sleep import sleep
from tests.services.bench import kept
from tests.services.scripted import Scripted


@dataclass
class Dreamer(Scripted):
    """Proposes what ``dream`` makes of a night; ``nights`` are those so far."""

    dream: Callable[[Night], Any] = lambda _: Proposal()
    nights: list[Night] = field(default_factory=list)

    def consolidate(self, night: Night) -> Any:
        self.nights.append(night)
        self.meanwhile()
        return self.dream(night)


def each_said(night: Night) -> Proposal:
    """Every episode of the night as a memory of its own words."""
    said = [one for cluster in night.clusters for one in cluster.episodes]
    return Proposal(
        changes=tuple(Learn(essence=one.content, kind=Kind.FACT, sources=(one.id,)) for one in said)
    )


@dataclass
class Bed:
    """An agent's bank with a mind that proposes what it is told to."""

    reverie: Reverie
    agent: Agent
    mind: Dreamer

    def sleep(self, *changes: Change | object, **options: Any) -> SleepReport:
        """Sleeps, with a mind that proposes these changes."""
        self.mind.dream = lambda _: Proposal(changes=changes)  # type: ignore[arg-type]  # also what is no change
        return self.again(**options)

    def again(self, **options: Any) -> SleepReport:
        """Sleeps, with the mind as it is."""
        return sleep(self.reverie._desk, self.agent.id, **{"actor": "caller", **options})

    def said(self, *texts: str, **fields: Any) -> tuple[str, ...]:
        """Observes what the user says; the episodes' ids."""
        shared = {name: fields.pop(name) for name in ("conversation", "channel") if name in fields}
        return tuple(
            self.agent.observe([{"content": text, **fields} for text in texts], **shared).episode_ids
        )

    def knows(self, essence: str, **fields: Any) -> Memory:
        """A memory that a principal gave."""
        return kept(self.agent, essence, **{"source_trust": "principal", **fields})

    def memories(self) -> list[Memory]:
        """All, of every state."""
        return list(self.agent.memories(deep=True, limit=1000))

    def memory(self, id: str) -> Memory:
        """As it stands."""
        with self.reverie._desk.store.read(self.agent.id) as unit:
            return unit.memories.get([id])[id]

    def edges(self) -> list[Connection]:
        """All connections of its memories."""
        ids = [one.id for one in self.memories()]
        with self.reverie._desk.store.read(self.agent.id) as unit:
            return list(unit.memories.connections(ids))

    def job(self) -> JobState:
        """How its sleep stands."""
        with self.reverie._desk.store.read(self.agent.id) as unit:
            return unit.jobs.get(SLEEP)

    def waiting(self) -> int:
        """How many episodes no sleep has read."""
        with self.reverie._desk.store.read(self.agent.id) as unit:
            return unit.episodes.count_unconsolidated()


def bed(reverie: Reverie, *, agent_id: str = "mama", **desk: Any) -> Bed:
    """The bank with such a mind. Patterns don't capture: what a test knows is what it remembers."""
    mind = Dreamer()
    settings = replace(reverie._desk.settings, capture=replace(reverie._desk.settings.capture, enabled=False))
    changed = replace(reverie._desk, **{"mind": mind, "settings": settings, **desk})
    thinking = Reverie(changed, actor="caller")
    return Bed(reverie=thinking, agent=thinking.agent(agent_id), mind=mind)


def learn(essence: str, sources: Sequence[str], **fields: Any) -> Learn:
    """A fact to learn, but for what is given."""
    return Learn(**{"essence": essence, "kind": Kind.FACT, "sources": tuple(sources), **fields})


def revise(known: Memory, essence: str, sources: Sequence[str], **fields: Any) -> Revise:
    """A new wording of a memory."""
    return Revise(
        **{"memory_id": known.id, "essence": essence, "reason": "", "sources": tuple(sources), **fields}
    )


def contradict(known: Memory, by: str, **fields: Any) -> Contradict:
    """What holds against a memory; by default the first that is learned."""
    return Contradict(**{"memory_id": known.id, "contradicted_by": by, "resolution": "", **fields})


def reasons(report: SleepReport) -> list[str]:
    """Why changes were refused."""
    return [one.reason for one in report.sleep.rejected]
