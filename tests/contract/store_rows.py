"""Makers of rows for the store's laws: whole by default, each field to be replaced."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.domain.agent import Agent
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.change import Spent
from reverie.domain.diary import DiaryEntry, DiaryNote
from reverie.domain.episode import Episode
from reverie.domain.goal import Achieved
from reverie.domain.item import Item
from reverie.domain.kinds import Kind, Priority
from reverie.domain.link import LinkItem, NeuralLink, Side
from reverie.domain.memory import Memory, Origin, Version
from reverie.domain.message import Role
from reverie.domain.procedure import Run, Steps
from reverie.domain.queued import QueuedWrite
from reverie.domain.relationship import View
from reverie.domain.sleep import Act, Rejected, SleepRecord
from reverie.domain.soul import SoulEntry
from reverie.domain.summary import Summary
from reverie.domain.trust import SourceTrust
from reverie.ports.store import Unit

NOW = datetime(2026, 11, 20, 9, 30, 15, 123457, tzinfo=UTC)
FIRST = datetime(1, 1, 1, tzinfo=UTC)
LAST = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
DIMENSIONS = 8
SECRET = bytes(range(32))


def after(**spans: float) -> datetime:
    """So much after NOW."""
    return NOW + timedelta(**spans)


def vectors(count: int, seed: int = 0) -> NDArray[np.float32]:
    """Different vectors."""
    return np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)


def an_agent(id: str = "mama", **fields: Any) -> Agent:
    usual: dict[str, Any] = {"id": id, "created_at": NOW}
    return Agent(**usual | fields)


def an_episode(id: str, position: int = 0, **fields: Any) -> Episode:
    usual: dict[str, Any] = {
        "id": id, "conversation": "kitchen", "position": position, "time": NOW, "observed_at": NOW,
        "channel": "terminal", "role": Role.USER, "speaker": None, "content": f"words of {id}",
        "source_trust": SourceTrust.PRINCIPAL,
    }  # fmt: skip
    return Episode(**usual | fields)


def a_memory(id: str, **fields: Any) -> Memory:
    usual: dict[str, Any] = {
        "id": id, "essence": f"essence of {id}", "kind": Kind.FACT, "priority": Priority.NORMAL, "confidence": 0.9,
        "confidence_at": NOW, "origin": Origin.COMMIT, "source_trust": SourceTrust.AGENT, "last_reinforced_at": NOW,
        "created_at": NOW, "updated_at": NOW, "believed_from": NOW,
    }  # fmt: skip
    return Memory(**usual | fields)


def a_version(memory_id: str, version: int, **fields: Any) -> Version:
    usual: dict[str, Any] = {
        "memory_id": memory_id, "version": version, "essence": f"wording {version}", "lesson": None,
        "believed_from": NOW, "believed_to": after(days=version), "valid_from": None, "valid_to": None,
    }  # fmt: skip
    return Version(**usual | fields)


def an_entry(id: str, target: str = "m1", **fields: Any) -> AuditEntry:
    usual: dict[str, Any] = {
        "id": id, "at": NOW, "actor": "cli", "action": Action.REVISE, "target": target,
        "before": {"essence": "old", "tags": ["a"], "confidence": 0.25}, "after": {"essence": "new"}, "reason": "why",
    }  # fmt: skip
    return AuditEntry(**usual | fields)


def a_sleep(id: str, **fields: Any) -> SleepRecord:
    usual: dict[str, Any] = {
        "id": id, "mind": "local/1", "started_at": NOW, "ended_at": after(seconds=2), "episodes": ("e1", "e2"),
        "clusters": 2, "notes": ("a note",),
        "spent": Spent(calls=1, input_tokens=20, output_tokens=3, micro_dollars=40),
        "rejected": (Rejected(act=Act.LEARN, reason="it has no source", target=None, text="a claim"),),
    }  # fmt: skip
    return SleepRecord(**usual | fields)


def a_page(date: str, *notes: DiaryNote, **fields: Any) -> DiaryEntry:
    usual: dict[str, Any] = {
        "date": date, "mood": "glad", "location": "Harbour",
        "notes": notes or (DiaryNote(at=NOW, body={"text": f"words of {date}", "n": [1.5, None]}, mood="glad"),),
        "created_at": NOW, "updated_at": NOW,
    }  # fmt: skip
    return DiaryEntry(**usual | fields)


def a_view(id: str, other: str = "Kade", **fields: Any) -> View:
    usual: dict[str, Any] = {
        "id": id, "other": other, "at": NOW, "type": "ally", "trust": 0.25, "tone": "warm", "rationale": f"why {id}",
        "notes": f"notes of {id}",
    }  # fmt: skip
    return View(**usual | fields)


def an_item(id: str, key: str = "tea", **fields: Any) -> Item:
    usual: dict[str, Any] = {
        "id": id, "namespace": ("users", "anna"), "key": key, "value": {"likes": f"{key} of {id}"},
        "texts": (f"she likes {key}", key), "created_at": NOW, "updated_at": NOW,
    }  # fmt: skip
    return Item(**usual | fields)


def settle(unit: Unit, id: str = "mama") -> None:
    """Makes the agent, so that the unit may write anything."""
    unit.agents.put(an_agent(id), SECRET)
    unit.agents.set_embedder("test/8", DIMENSIONS)


def tell(unit: Unit, *episodes: Episode) -> None:
    """Adds episodes with some vectors."""
    unit.episodes.add(episodes, vectors(len(episodes)))


def keep(unit: Unit, *memories: Memory) -> None:
    """Adds memories with some vectors."""
    unit.memories.add(memories, vectors(len(memories)))


def upkeep(unit: Unit, conversation: str = "kitchen") -> None:
    """Rows in every table beside messages and memories; in two of most, the later key first."""
    for number in (2, 1):
        unit.soul.add(SoulEntry(id=f"s{number}", text="I believe", created_at=NOW))
        unit.procedures.put(Steps(memory_id=f"m{number}", name=f"name {number}", steps=("one", "two")))
        unit.procedures.record(f"m{number}", Run(id="r1", at=NOW, succeeded=True, note="went well"))
        unit.goals.achieve(Achieved(memory_id=f"m{number}", at=NOW, note=None))
        unit.dues.put(f"m{number}", NOW)
        unit.diary.put(a_page(f"2026-05-0{number}"), {"tea", f"word{number}"})
        unit.relationships.add(a_view(f"v{number}"))
        item = an_item(f"i{number}", f"key {number}", ttl=timedelta(days=1), expires_at=after(days=1))
        unit.items.put([item])
        unit.items.keep_vectors("test/8", [(item, vectors(2))])
        unit.summaries.add(
            Summary(
                memory_id=f"m{number}", job="j1", conversation=conversation, first=number, last=number, items=1,
                began_at=NOW, ended_at=NOW, created_at=NOW,
            )
        )  # fmt: skip
        unit.links.put(
            NeuralLink(
                id=f"l{number}", side=Side.ASKED, other="papa", message="hi", asked_at=NOW, expires_at=NOW
            )
        )
        unit.links.add_items([LinkItem(link_id=f"l{number}", corpus="memories", source_id="x", id="m1")])
        unit.links.block(f"mallory{number}", NOW)
    assert unit.watermarks.fail("loop", conversation, seen=0, parked_until=NOW)
    unit.counters.add({"loop.skipped": 3, "a": 1})
    unit.digests.put(bytes(32), "a summary", NOW)
    for number in (2, 1):
        unit.sleeps.add(a_sleep(f"z{number}"))
        waiting: dict[str, object] = {"conversation": "kitchen", "channel": "api", "override": False}
        waiting["messages"] = [{"content": "hi", "role": "user"}]
        unit.outbox.add(QueuedWrite(id=f"q{number}", at=NOW, verb="observe", payload=waiting))


def ids(rows: Sequence[Episode] | Sequence[Memory]) -> list[str]:
    return [row.id for row in rows]
