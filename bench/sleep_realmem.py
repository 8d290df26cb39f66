"""RealMem, slept on: gold memories in the bank with sleep and without, duplicates, what is unsupported."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench import places, realmem_data
from bench.realmem import Calendar
from bench.realmem_data import Fact, Persona, Session
from bench.vectors import kept_vectors
from reverie import Agent, Settings
from reverie.domain.memory import Memory, Origin, State
from reverie.memory.dedupe.guard import kinds_compatible, texts_differ
from reverie.ports.embedder import Embedder

Vectors = NDArray[np.float32]
MATCH = 0.70
"""Cosine from which an essence says what a gold memory of its session says."""
_DUPLICATE = 0.92
_SAMPLED = 100
_PAGE = 1000
_AT_ONCE = 2
_LATER = timedelta(hours=6)


@dataclass(frozen=True, kw_only=True, slots=True)
class Gold:
    """The gold memories of a life by session, with their vectors."""

    facts: tuple[Fact, ...]
    session_of: tuple[int, ...]
    vectors: Vectors

    @classmethod
    def of(cls, sessions: Sequence[Session], embedder: Embedder) -> Gold:
        """Those of the sessions."""
        pairs = [(fact, place) for place, session in enumerate(sessions) for fact in session.facts]
        return cls(
            facts=tuple(fact for fact, _ in pairs),
            session_of=tuple(place for _, place in pairs),
            vectors=embedder.embed([fact.text for fact, _ in pairs]),
        )

    def met(self, vectors: Vectors, sessions: Sequence[set[int]]) -> list[list[int]]:
        """For each essence the facts of its sessions that it says."""
        if not self.facts or not len(vectors):
            return [[] for _ in sessions]
        near = vectors @ self.vectors.T >= MATCH
        return [
            [fact for fact in np.flatnonzero(row).tolist() if self.session_of[fact] in where]
            for row, where in zip(near, sessions, strict=True)
        ]


@dataclass(kw_only=True, slots=True)
class Kept:
    """What a life left in its bank: the memories that ordinary recall can find, and their sources."""

    memories: list[Memory] = field(default_factory=list)
    sessions: list[set[int]] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    of_sleep: set[str] = field(default_factory=set)


@dataclass(kw_only=True, slots=True)
class _Tally:
    gold: int = 0
    met: int = 0
    kept: int = 0
    right: int = 0
    duplicates: int = 0

    def add(self, kept: Kept, gold: Gold, vectors: Vectors) -> None:
        hits = gold.met(vectors, kept.sessions)
        self.gold += len(gold.facts)
        self.met += len({fact for facts in hits for fact in facts})
        self.kept += len(kept.memories)
        self.right += sum(map(bool, hits))
        self.duplicates += duplicates(kept.memories, vectors)


def measured(
    data: Path,
    persona: Sequence[str],
    verdicts: Path,
    *,
    sample: Path | None,
    keep: Path | None,
    url: str | None,
) -> dict[str, float]:
    """The metrics; with ``sample`` the file for a judge is written too."""
    before, after = _Tally(), _Tally()
    drawn: dict[str, tuple[Memory, Kept]] = {}
    start = time.perf_counter()
    with kept_vectors(Settings(), keep) as embedder:
        for one in realmem_data.read(data, persona):
            gold = Gold.of(one.sessions, embedder)
            for tally, asleep in ((before, False), (after, True)):
                kept = lived(one, embedder, asleep=asleep, url=url)
                tally.add(kept, gold, embedder.embed([memory.essence for memory in kept.memories]))
                if asleep:
                    drawn |= {
                        word_key(one.id, memory, kept): (memory, kept)
                        for memory in kept.memories
                        if memory.id in kept.of_sleep
                    }
            print(f"  {one.id}: lived twice, {time.perf_counter() - start:.0f} s", flush=True)
    chosen = sorted(drawn, key=lambda key: hashlib.sha256(key.encode()).digest())[:_SAMPLED]
    if sample is not None:
        _write(sample, [(key, *drawn[key]) for key in chosen])
    return {
        "gold_recall_before": before.met / max(1, before.gold), "gold_recall_after": after.met / max(1, after.gold),
        "precision_before": before.right / max(1, before.kept), "precision_after": after.right / max(1, after.kept),
        "duplicates_per_100_before": 100 * before.duplicates / max(1, before.kept),
        "duplicates_per_100": 100 * after.duplicates / max(1, after.kept),
        **_judged(chosen, json.loads(verdicts.read_text("utf-8")) if verdicts.exists() else {}),
        "gold": after.gold, "memories_before": before.kept, "memories_after": after.kept, "by_sleep": len(drawn),
    }  # fmt: skip


def lived(persona: Persona, embedder: Embedder, *, asleep: bool, url: str | None = None) -> Kept:
    """A persona's life with the memory loop; asleep after every session."""
    calendar = Calendar()
    with places.empty(url, embedder=embedder, clock=calendar) as reverie:
        agent = reverie.agent(persona.id)
        for place, session in enumerate(persona.sessions):
            _observe(agent, place, session, calendar)
            if asleep:
                calendar.now += _LATER
                agent.sleep_through()
        return _kept(agent)


def _observe(agent: Agent, place: int, session: Session, calendar: Calendar) -> None:
    # Nameless, as in ``bench extract``: the gold memories say "the user"
    messages = [replace(turn.message, speaker=None) for turn in session.turns if turn.message is not None]
    calendar.now = max(calendar.now, session.end)
    for first in range(0, len(messages), _AT_ONCE):  # as the worker beside a chat would
        agent.observe(messages[first : first + _AT_ONCE], conversation=str(place))
        agent.attend(conversation=str(place))


def _kept(agent: Agent) -> Kept:
    kept = Kept()
    episodes: dict[str, int] = {}
    after: str | None = None
    while page := agent.episodes(limit=_PAGE, after=after):
        episodes |= {one.id: int(one.conversation) for one in page}
        kept.said |= {one.id: f"{one.speaker or one.role}: {one.content}" for one in page}
        after = page[-1].id
    after = None
    while some := agent.memories(limit=_PAGE, after=after):
        for memory in some:
            if memory.state is State.ACTIVE:
                kept.memories.append(memory)
                kept.sessions.append({episodes[key] for key in memory.source_episodes if key in episodes})
        after = some[-1].id
    reports = [agent.diff(record.id) for record in agent.sleeps(limit=_PAGE)]
    kept.of_sleep = {
        change.target for report in reports for change in report.changes if change.act in ("learn", "revise")
    }
    kept.of_sleep |= {memory.id for memory in kept.memories if memory.origin is Origin.SLEEP}
    return kept


def duplicates(memories: Sequence[Memory], vectors: Vectors) -> int:
    """Pairs that the guard doesn't tell apart, though their cosine says that they are one."""
    if not memories:
        return 0
    found = 0
    for one, other in zip(*np.nonzero(np.triu(vectors @ vectors.T >= _DUPLICATE, 1)), strict=True):
        first, second = memories[one], memories[other]
        found += (
            kinds_compatible(first.kind, second.kind) and texts_differ(first.essence, second.essence) is None
        )
    return found


def word_key(persona: str, memory: Memory, kept: Kept) -> str:
    """What names a memory in the file of verdicts: a digest of what it says and of what its sources say."""
    said = "\n".join(sorted(kept.said.get(key, "") for key in memory.source_episodes))
    digest = hashlib.sha256("\0".join((memory.essence, said)).encode()).hexdigest()
    return f"{persona}:{digest[:12]}"


def _write(path: Path, chosen: Sequence[tuple[str, Memory, Kept]]) -> None:
    """For a judge, a JSON object a line: does what was said carry the memory?"""
    with path.open("w", encoding="utf-8") as file:
        for key, memory, kept in chosen:
            sources = [kept.said[one] for one in memory.source_episodes if one in kept.said]
            told = {"id": key, "memory": memory.essence, "kind": str(memory.kind), "sources": sources}
            file.write(json.dumps(told, ensure_ascii=False) + "\n")


def _judged(chosen: Sequence[str], verdicts: Mapping[str, bool]) -> dict[str, float]:
    """``verdicts``: whether its episodes carry it."""
    known = [verdicts[key] for key in chosen if key in verdicts]
    found: dict[str, float] = {"sampled": len(chosen), "judged": len(known)}
    if known:
        found["unsupported_share"] = known.count(False) / len(known)
    return found


__all__ = ["MATCH", "Kept", "duplicates", "lived", "measured", "word_key"]
