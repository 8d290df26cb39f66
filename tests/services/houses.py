"""Two places to move between, lives for the banks in them, and ways to compare what they hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from reverie import Agent, Busy, EpisodeHit, MemoryHit, Recall, Reverie, Settings, StoreSettings
from reverie.embedders.hashing import HashingEmbedder
from reverie.ports.transfer import AGENT
from reverie.services.exchange import transfer
from reverie.store import transfer as rows
from tests.contract.store_rows import upkeep
from tests.services.bench import KEY, NOON, Clock, kept
from tests.tables import TABLES, UNREVISED

HOSTILE = "'; DROP TABLE agents; -- \\ % _ ? $1 \u202e 🜍 נָא 日本 \t\n\u2028 {}"
FEW = 4
PAIRS = [("sqlite", "sqlite"), ("sqlite", "postgres"), ("postgres", "sqlite")]
# Touches are written when a test says so, not when time has passed.
SETTINGS = Settings(store=StoreSettings(touch_flush_every=1e6))


@dataclass
class Houses:
    """``old`` and ``new``: two places, each of an engine; ``again`` opens one of them once more."""

    engines: tuple[str, str]
    clock: Clock
    folder: Path
    database: Callable[[str], str]
    held: ExitStack
    places: list[str | Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name, engine in zip(("old", "new"), self.engines, strict=True):
            self.places.append(self.folder / f"{name}.bank" if engine == "sqlite" else self.database(name))
        self.old, self.new = self.again(0), self.again(1)

    def again(self, place: int) -> Reverie:
        where = self.places[place]
        key = KEY if isinstance(where, Path) else None
        embedder = HashingEmbedder.for_tests()
        return self.held.enter_context(
            Reverie.open(where, key=key, embedder=embedder, clock=self.clock, settings=SETTINGS)
        )


def live(agent: Agent, clock: Clock, rounds: int = 20) -> None:
    """Every table gets rows, in an order of storing that is not the order of ids or times."""
    seen = agent.observe(
        [
            {
                "content": f"message {number} {HOSTILE}", "speaker": ("Anna", "Péter")[number % 2], "ref": f"r{number}",
                "time": (NOON - timedelta(days=number)).isoformat(),
            }
            for number in range(rounds)
        ],
        conversation=f"room {HOSTILE.strip().splitlines()[0][:40].strip()}".replace("\t", " "),
    )  # fmt: skip
    memories = [
        kept(
            agent,
            f"fact {number} is about {'abcdefghij'[number % 10] * 5} {number * 7}",
            tags=[f"tag{number % 3}"],
        )
        for number in range(rounds)
    ]
    kept(agent, "Péter is allergic to peanuts", importance=0.9, source_episodes=[seen.episode_ids[0]])
    kept(agent, "Péter is not allergic to peanuts", importance=-0.0)
    clock.wait(days=1)
    agent.revise(
        memories[3].id, essence=f"the third fact {HOSTILE}", reason="more is known", lesson="ask twice"
    )
    agent.revise(memories[4].id, importance=0.125)
    agent.forget(memories[5].id)
    agent.forget(seen.episode_ids[7])
    agent.recall("Péter peanuts")
    agent.set_profile(time_zone="Europe/Budapest", principals=["Anna"], home="Győr")
    with agent._desk.store.write(agent.id) as unit:
        upkeep(unit, unit.conversations.list(limit=1)[0].id)
    agent._desk.waiting.note(agent.id, empty=False)  # as if the writes that wait had come by it


def shown(agent: Agent) -> Sequence[object]:
    """Everything that the public API shows of a bank as it lies there, for comparing."""
    memories = agent.memories(deep=True, limit=1000)
    portraits = [agent.portrait(memory.id) for memory in memories]
    numbers = agent.stats()
    return (
        memories, [(one.memory, one.versions, one.connections) for one in portraits],
        agent.episodes(limit=1000), agent.episodes(match="message 12"), agent.memories(match="third fact"),
        agent.conversations(limit=1000), agent.audit(limit=1000), agent.profile, numbers.speakers, numbers.rev,
    )  # fmt: skip


def answers(agent: Agent) -> dict[str, float]:
    """What the recalls find, with the scores."""
    found: list[tuple[str, Recall[MemoryHit] | Recall[EpisodeHit]]] = []
    for query in ("what is Péter allergic to?", "fact 11", "the third fact"):
        for strategy in ("hybrid", "semantic", "lexical"):
            found.append((query + strategy, agent.recall(query, min_score=0, limit=50, strategy=strategy)))
    for query in ("message 3", "Anna message"):
        found.append((query, agent.recall_episodes(query, min_score=0, limit=50)))
    found.append(("past", agent.recall("fact 3", as_of=NOON, min_score=0)))
    return {f"{query}: {hit.id} {hit.text}": hit.score for query, recall in found for hit in recall.hits}


def alike(one: Agent, other: Agent) -> None:
    """Both show the same and answer the same; engines round a cosine's last digits differently."""
    assert shown(one) == shown(other)
    assert answers(one) == pytest.approx(answers(other), abs=1e-4)


def settled(*places: Reverie) -> None:
    """Touches of the recalls so far are written."""
    for reverie in places:
        reverie._desk.touches.flush()


def tables_of(reverie: Reverie, agent_id: str = "mama") -> dict[str, object]:
    """Every raw row."""
    with reverie._desk.store.read(agent_id) as unit:
        return {
            table: [row for page in unit.transfer.pages(table) for row in page]
            for table in (*TABLES, *UNREVISED, AGENT)
        }


def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least FEW rows a transaction, and hardly more."""
    monkeypatch.setattr(transfer, "_MANY", FEW)
    monkeypatch.setattr(rows, "_PAGE", FEW)


def interrupted(houses: Houses, writes: int | None = None) -> None:
    """A copy that broke off after so many transactions; by default before the last one."""
    really, left = transfer._AgentCopy._write, [10_000 if writes is None else writes]

    def breaking(job: transfer._AgentCopy, pieces: Sequence[transfer.Piece]) -> None:
        if not left[0]:
            raise Busy("the test", 0)
        left[0] -= 1
        really(job, pieces)

    def broken(job: transfer._AgentCopy, _: Sequence[transfer.Piece]) -> None:
        raise Busy("the test", 0)

    with pytest.MonkeyPatch.context() as patch:
        small_pages(patch)
        patch.setattr(transfer._AgentCopy, "_write", breaking)
        patch.setattr(transfer._AgentCopy, "_finish", broken)
        with pytest.raises(Busy):
            houses.old.copy_to(houses.new)
    assert writes is None or not left[0]
