"""Two agents who share by a neural link, and a bank with something to share."""

from __future__ import annotations

from reverie import Agent, Connection, Memory
from reverie.domain.summary import Summary
from tests.services.bench import NOON, Clock, kept


def share(to: Agent, giver: Agent, **terms: object) -> str:
    """Have ``to`` ask ``giver`` for its memory and get it; return the link's id."""
    asked = to.link.request(giver.id)
    giver.link.accept(asked.id, **terms)  # type: ignore[arg-type]
    return asked.id


def by_essence(agent: Agent) -> dict[str, Memory]:
    """Return all memories of an agent by their words."""
    return {one.essence: one for one in agent.memories(deep=True, limit=1000)}


def lived(kade: Agent, clock: Clock) -> None:
    """Fill a bank with something in every table that is shared."""
    said = kade.observe(
        [{"content": "The ferry leaves at six", "speaker": "Ann", "ref": "r1"}, {"content": "Bring rope"}],
        conversation="harbour", channel="terminal",
    )  # fmt: skip
    ferry = kept(kade, "The ferry leaves at six", source_episodes=said.episode_ids, lesson="Be early")
    clock.wait(days=1)
    kade.revise(ferry.id, essence="The ferry leaves at seven")
    rope = kept(kade, "Rope is sold at the quay", pinned=True, tags=["harbour"])
    kept(kade, "Never lend the boat to strangers", kind="policy", source_trust="principal")
    kade.procedures.record("moor", ["throw the rope", "tie it"], outcome="success", note="dry")
    goal = kade.goals.add("Sail around the island", due="2027-05-01")
    kade.goals.complete(goal.id, note="in May")
    with kade._desk.store.write("kade") as unit:
        unit.memories.connect(
            Connection(source=ferry.id, target=rope.id, relation="supports", created_at=NOON)
        )


def summarized(agent: Agent, summary: Memory, *members: Memory) -> None:
    """Make a memory the summary of others."""
    row = Summary(
        memory_id=summary.id, job="care", items=len(members), began_at=NOON, ended_at=NOON, created_at=NOON
    )
    with agent._desk.store.write(agent.id) as unit:
        unit.summaries.add(row)
        unit.summaries.cover(summary.id, [one.id for one in members], NOON)
