"""Nights with a mind that a test scripts, for the tests of what undoes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie import Agent, Reverie
from reverie.domain.change import (
    Change,
    Connect,
    Contradict,
    Fade,
    Learn,
    Proposal,
    Reinforce,
    Retire,
    Revise,
)
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.sleep import Reverted, SleepReport
from reverie.ports.night import Night
from reverie.services.sleep.revert import revert
from reverie.services.sleep.sleep import sleep
from tests.services.bench import Clock, kept
from tests.services.scripted import Scripted, minded


@dataclass
class Dreamer(Scripted):
    """Proposes what ``dream`` makes of a night."""

    dream: Callable[[Night], Sequence[Change]] = lambda night: ()

    def consolidate(self, night: Night) -> Proposal:
        return Proposal(changes=tuple(self.dream(night)))

    def portray(self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int) -> Mapping[Kind, str]:
        return {kind: "\n".join(one.essence for one in some) for kind, some in memories.items()}


def said_in(night: Night) -> dict[str, str]:
    """The night's episodes: ids by what they say."""
    return {one.content: one.id for cluster in night.clusters for one in cluster.episodes}


def slept(
    reverie: Reverie, *changes: Change, dream: Callable[[Night], Sequence[Change]] | None = None
) -> SleepReport:
    """Mama sleeps; the mind proposes these changes, whose ``sources`` are texts that were said."""

    def proposed(night: Night) -> Sequence[Change]:
        said = said_in(night)
        return [_sourced(change, said) for change in changes]

    _, mama = minded(reverie, Dreamer(dream=dream or proposed))
    return sleep(mama._desk, mama.id, actor="night")


def undone(
    agent: Agent, sleep_id: str, *, change: str | None = None, force: bool = False, dry_run: bool = False
) -> Reverted:
    """What undoing that sleep, or that change of it, did, or would do."""
    return revert(
        agent._desk, agent.id, sleep_id, actor="caller", change=change, force=force, dry_run=dry_run
    )


def _sourced(change: Change, said: dict[str, str]) -> Change:
    if isinstance(change, Connect):
        return change
    return replace(change, sources=tuple(said[text] for text in change.sources))


@dataclass(frozen=True)
class Before:
    """What mama knew before the night."""

    home: Memory
    dog: Memory
    work: Memory
    tea: Memory
    bees: Memory
    trip: Memory


def evening(mama: Agent, clock: Clock) -> Before:
    """A bank with some memories, and a day whose messages no sleep has read."""
    told = mama.observe(["Ben kept bees once"], conversation="long ago").episode_ids
    before = Before(
        home=kept(mama, "Anna lives in Porto", lesson="Ask where she is", source_episodes=told),
        dog=kept(mama, "The dog of Anna is called Rex"),
        work=kept(mama, "Anna works at the harbour office"),
        tea=kept(mama, "Anna drinks green tea in the morning"),
        bees=kept(mama, "Ben keeps seven bees in the garden", source_episodes=told),
        trip=kept(mama, "Ben plans a trip to Vienna"),
    )
    clock.wait(days=1)
    slept_on = mama.observe(
        [
            {"content": text, "speaker": "Anna"}
            for text in (
                "Anna lives in Lisbon", "The dog of Anna is called Rex", "Anna does not work at the harbour office",
                "Ben plays the cello on Sundays", "Anna drinks green tea in the morning",
            )
        ],
        conversation="day",
    )  # fmt: skip
    assert slept_on.stored == 5
    clock.wait(hours=9)
    return before


def whole_night(before: Before) -> Sequence[Change]:
    """A change of every sort."""
    return [
        Revise(
            memory_id=before.home.id, essence="Anna lives in Lisbon", reason="moved", sources=("Anna lives in Lisbon",),
        ),
        Reinforce(memory_id=before.dog.id, reason="again", sources=("The dog of Anna is called Rex",)),
        Learn(essence="Ben plays the cello on Sundays", kind=Kind.ROUTINE, sources=("Ben plays the cello on Sundays",)),
        Learn(
            essence="Anna does not work at the harbour office", kind=Kind.FACT,
            sources=("Anna does not work at the harbour office",),
        ),
        Contradict(memory_id=before.work.id, contradicted_by="new:1", resolution="she left"),
        Fade(
            memory_id=before.bees.id, confidence=0.3, reason="long ago", sources=("Ben plays the cello on Sundays",)
        ),
        Retire(memory_id=before.trip.id, reason="over", sources=("Ben plays the cello on Sundays",)),
        Connect(memory_a=before.bees.id, memory_b="new:0", relation="another thing that Ben does"),
        Connect(memory_a=before.home.id, memory_b=before.dog.id, relation="the dog lives there"),
    ]  # fmt: skip
