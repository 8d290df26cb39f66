"""Lives whose banks have rows of every sort, and exports of them, for the tests of export and import."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from reverie import Agent, Message
from reverie.domain.change import Spent
from reverie.domain.imported import Imported
from reverie.domain.link import Include, LinkItem, LinkState, LinkTerms, NeuralLink, Side
from reverie.domain.memory import Connection
from reverie.domain.sleep import Act, Rejected, SleepRecord
from reverie.domain.summary import Summary
from reverie.services.codecs.lines import line_of
from reverie.services.exchange.export import canonical, export, seal
from reverie.services.exchange.importing import import_bank
from reverie.services.runtime.queueing import message_writes
from tests.services.bench import NOON, Clock, kept
from tests.services.houses import HOSTILE

Lines = list[dict[str, Any]]


def lived(agent: Agent, clock: Clock) -> None:
    """Every type of line has one at least, in an order of storing that is not the order of ids."""
    seen = agent.observe(
        [
            {
                "content": f"message {number} {HOSTILE}", "speaker": ("Anna", "Péter")[number % 2], "ref": f"r{number}",
                "time": (NOON - timedelta(days=number)).isoformat(), "tags": ["chat"], "outcome": "well",
                "metadata": {"topics": ["tea"], "importance": 0.5},
            }
            for number in range(6)
        ],
        conversation="kitchen",
    )  # fmt: skip
    nuts = kept(agent, "Péter is allergic to peanuts", importance=0.9, source_episodes=[seen.episode_ids[0]])
    kept(agent, "Péter is not allergic to peanuts", importance=-0.0)
    home = kept(agent, "Anna lives in Porto", lesson="ask again", tags=["home"], valid_from="2020-01-01")
    clock.wait(days=1)
    agent.revise(home.id, essence=f"Anna lives in Lisbon {HOSTILE}", reason="she moved")
    agent.revise(home.id, essence="Anna lives in Faro", lesson="look it up")
    newer = kept(agent, "Péter works at the harbour now", supersedes=[kept(agent, "Péter studies ships").id])
    agent.forget(kept(agent, "The PIN is on the yellow note").id)
    agent.forget(seen.episode_ids[5])
    agent.procedures.record("deploy", ["run the tests", "push"])
    agent.procedures.record("deploy", outcome="success", note="it went well")
    goal = agent.goals.add("Learn to sail this year", due="2026-12-31")
    agent.goals.complete(goal.id, note="in May")
    agent.soul.add("Truth before comfort")
    agent.diary.write("Anna told me of Faro", mood="glad", location="Győr", date="2026-11-19")
    agent.diary.write({"felt": ["calm", {"n": 1.5, "so": None}], "of": HOSTILE}, date="2026-11-19")
    agent.relationships.assign("Anna", "friend", 0.5, tone="warm", rationale="She remembers", notes=HOSTILE)
    exact = {"text": HOSTILE, "n": [1.5, -7, 1 << 70, None, True], "crlf": "a\r\nb\x00", "": {}}
    agent.items.put(("users", "anna"), "tea", exact, texts=["green tea", HOSTILE], ttl=timedelta(days=90))
    agent.items.put("notes", "a b", {})
    clock.wait(hours=1)
    agent.relationships.assign("anna", "pen pal", -0.25)
    link = NeuralLink(
        id="l1", side=Side.ASKED, other="kade", state=LinkState.ACCEPTED, message=HOSTILE, asked_at=NOON,
        expires_at=clock(), decided_at=NOON, counts={"memories": 1},
        terms=LinkTerms(include=(Include.SOUL,), kinds=("fact",), scope="a/b", tags=("x",)),
    )  # fmt: skip
    seen_there = kept(agent, "Four gulls sat on the roof of the chapel", kind="observation")
    story = kept(agent, "In spring many birds came to the village", kind="observation")
    with agent._desk.store.write(agent.id) as unit:
        unit.summaries.add(
            Summary(
                memory_id=story.id, job="z2", items=1, began_at=NOON, ended_at=clock(), created_at=clock()
            )
        )
        unit.summaries.cover(story.id, [seen_there.id], clock())
        unit.links.put(link)
        unit.links.add_items([LinkItem(link_id="l1", corpus="memories", source_id="of kade", id=home.id)])
        unit.links.block("mira", NOON)
    agent.recall("Péter peanuts")
    agent.set_profile(time_zone="Europe/Budapest", principals=["Anna"], home="Győr")
    with agent._desk.store.write(agent.id) as unit:
        unit.memories.connect(
            Connection(source=nuts.id, target=newer.id, relation="he told on the same day", created_at=NOON)
        )
        assert unit.watermarks.advance("loop", "kitchen", seen=0, position=4)
        where = {"conversation": "hall", "channel": "api", "override": False}
        waiting = Message(content="I wait outside", time=NOON.isoformat())
        for write in message_writes([(waiting, NOON)], where, lambda: "q1", NOON):
            unit.outbox.add(write)
        unit.sleeps.add(
            SleepRecord(
                id="z1", mind="local/1", started_at=NOON, ended_at=clock(), episodes=seen.episode_ids[:2], clusters=1,
                rejected=(Rejected(act=Act.LEARN, reason="it has no source", text="a claim"),),
                spent=Spent(calls=1, input_tokens=7), notes=("a note",),
            )
        )  # fmt: skip
        unit.episodes.consolidate(seen.episode_ids[:2], clock())


def lines_of(agent: Agent, **how: bool) -> Lines:
    """The agent's export, to be changed at will."""
    return [dict(one) for one in export(agent._desk, agent.id, **how)]


def brought(agent: Agent, lines: Iterable[Mapping[str, object]], **how: Any) -> Imported:
    """These lines in the agent's bank."""
    return import_bank(
        agent._desk, agent.id, [line_of(one).encode() + b"\n" for one in lines], actor="caller", **how
    )


def bank_of(agent: Agent) -> tuple[str, ...]:
    """The bank's canonical lines."""
    return canonical(agent._desk, agent.id)


def lined(body: Lines, *, header: Mapping[str, Any]) -> Lines:
    """The lines with a seal that holds, as a file that was made so."""
    counts, digest = Counter[str](), hashlib.sha256()
    for one in (header, *body):
        counts[str(one["type"])] += 1
        digest.update(f"{line_of(one)}\n".encode())
    return [dict(header), *body, dict(seal(counts, digest.hexdigest()))]
