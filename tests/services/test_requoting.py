"""Memories that earlier versions worded become quotations, or are marked; on both engines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from reverie import (
    Action,
    Agent,
    CaptureSettings,
    EmbedderFailed,
    Memory,
    RememberSettings,
    Settings,
    StoreSettings,
)
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Origin, Quoted
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.embedders.hashing import HashingEmbedder
from reverie.memory.trust import may_instruct
from reverie.services.runtime.requoting import DONE, DUE
from tests.contract.store_rows import a_memory, a_sleep, an_entry
from tests.services.bench import NOON, kept
from tests.services.conftest import Open
from tests.services.exports import bank_of, brought, lined, lines_of

BORN = {
    "confidence_at": NOON, "last_reinforced_at": NOON, "created_at": NOON, "updated_at": NOON, "believed_from": NOON,
    "source_trust": SourceTrust.PRINCIPAL,
}  # fmt: skip
TALK = [
    {"role": "user", "speaker": "Anna", "content": "Good morning!", "time": "2026-11-18T08:00:00+00:00"},
    {"role": "assistant", "content": "Morning.\nWhere do you live now?", "time": "2026-11-18T08:01:00+00:00"},
    {
        "role": "user", "speaker": "Anna", "time": "2026-11-18T08:02:00+00:00",
        "content": "We moved to Porto  yesterday. Never book flights before nine.",
    },
]  # fmt: skip


def _old(agent: Agent, *memories: Memory, due: bool = True) -> None:
    """Puts memories into the bank as an earlier version stored them, and the counter as the migration did."""
    embed = HashingEmbedder.for_tests().embed
    with agent._desk.store.write(agent.id) as unit:
        agent._desk.begin(unit, agent.id)
        if memories:
            unit.memories.add(memories, embed([one.essence for one in memories]))
        unit.counters.add({DUE: 1} if due else {})


def _worded(id: str, essence: str, *sources: str, origin: Origin = Origin.SLEEP, **fields: Any) -> Memory:
    return a_memory(
        id, essence=essence, source_episodes=tuple(sorted(sources)), origin=origin, **BORN | fields
    )


def _told(agent: Agent) -> tuple[str, ...]:
    return agent.observe(TALK, conversation="kitchen").episode_ids


def _vector(agent: Agent, id: str) -> Any:
    with agent._desk.reading(agent.id) as unit:
        return unit.memories.vectors([id])[id]


@pytest.fixture
def plain(open_bank: Open) -> Agent:
    """An agent that keeps nothing by itself."""
    return open_bank(
        settings=Settings(
            mind="none", capture=CaptureSettings(enabled=False), remember=RememberSettings(emotions=False)
        )
    ).agent("mama")


def test_a_wording_that_its_message_says_becomes_a_quotation(plain: Agent) -> None:
    _, asked, said = _told(plain)
    essence = "Anna lives in Porto: Anna said: We moved to Porto yesterday. Before that: Anna lives in Faro."
    _old(plain, _worded("m1", essence, asked, said))
    plain.housekeeping()
    memory = plain.get("m1")
    assert isinstance(memory, Memory)
    assert (memory.essence, memory.origin) == ("We moved to Porto  yesterday.", Origin.SLEEP)
    assert memory.quoted == Quoted(
        episode=said, role=Role.USER, speaker="Anna", at=plain.episodes(limit=3)[2].time,
        answers="Where do you live now?", dates=(("yesterday", "2026-11-17"),),
    )  # fmt: skip
    fresh = HashingEmbedder.for_tests().embed([memory.essence])[0]
    assert np.allclose(_vector(plain, "m1"), fresh, atol=1e-3)
    [change] = plain.audit(actions=["migrate"])
    assert (change.action, change.target, (change.before or {})["essence"]) == (Action.MIGRATE, "m1", essence)


@pytest.mark.parametrize("verb", ["housekeeping", "backfill", "sleep"])
def test_every_upkeep_goes_over_an_old_bank(open_bank: Open, verb: str) -> None:
    mama = open_bank(settings=Settings(capture=CaptureSettings(enabled=False))).agent("mama")
    *_, said = _told(mama)
    _old(mama, _worded("m1", "Anna said: We moved to Porto yesterday.", said))
    getattr(mama, verb)()
    assert [one.target for one in mama.audit(actions=["migrate"])] == ["m1"]


RULE: dict[str, Any] = {"kind": Kind.POLICY, "priority": Priority.CRITICAL, "origin": Origin.PATTERN}


def test_what_no_message_says_is_kept_marked_and_instructs_nobody(plain: Agent) -> None:
    *_, said = _told(plain)
    _old(
        plain,
        _worded("m1", "Never book flights before nine", said, **RULE),
        _worded("m2", "Never send the user flights on Fridays", said, **RULE),
        _worded("m3", "Anna told of flights to Porto, said Anna", said),
    )
    assert "Never send the user" in plain.context("book flights").text.partition("## What")[0]
    plain.housekeeping()
    quoted, rule = plain.get("m1"), plain.get("m2")
    assert isinstance(quoted, Memory)
    assert isinstance(rule, Memory)
    assert (may_instruct(quoted), may_instruct(rule)) == (True, False)
    assert (rule.essence, rule.origin, rule.confidence) == (
        "Never send the user flights on Fridays", Origin.EARLIER, 0.5,
    )  # fmt: skip
    shown = plain.context("What flights to Porto did Anna tell of?").text
    assert "worded by an earlier version] Anna told of flights" in shown
    assert "Never send the user" not in shown
    assert plain.revise("m3", essence="Anna flies to Porto in May").origin is Origin.COMMIT
    assert may_instruct(plain.adopt("m2"))


def test_what_a_model_or_a_caller_worded_stays_as_it_is(plain: Agent) -> None:
    *_, said = _told(plain)
    _old(
        plain,
        _worded("m1", "Anna has lived in Porto since November", said),
        _worded("m2", "Anna hates early flights", said),
        _worded("m3", "Anna said: We moved to Porto yesterday.", said, origin=Origin.COMMIT),
    )
    with plain._desk.store.write("mama") as unit:
        unit.sleeps.add(a_sleep("z1", mind="llm/anthropic:claude"))
        worded = {"essence": "it"}
        unit.audit.add(
            [
                an_entry("a1", "m1", action=Action.REMEMBER, before=None, after=worded, job="z1"),
                an_entry("a2", "m2", after=worded),
            ]
        )
    before = plain.memories(limit=10)
    plain.housekeeping()
    assert plain.memories(limit=10) == before


class _Failing(HashingEmbedder):
    """Fails from the given call on."""

    left = 1

    def embed(self, texts: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise EmbedderFailed("tests", "it is away")
        return super().embed(texts)


def test_an_interruption_loses_nothing_and_the_bank_is_gone_over_once(open_bank: Open, plain: Agent) -> None:
    *_, said = _told(plain)
    essence = "Anna said: We moved to Porto yesterday."
    _old(plain, *(_worded(f"m{number}", essence, said) for number in range(3)))
    settings = Settings(
        mind="none",
        capture=CaptureSettings(enabled=False),
        remember=RememberSettings(emotions=False),
        store=StoreSettings(batch=1),
    )
    interrupted = open_bank(settings=settings, embedder=_Failing.for_tests()).agent("mama")
    with pytest.raises(EmbedderFailed):
        interrupted.housekeeping()
    assert [one.quoted is not None for one in plain.memories(limit=10)] == [True, False, False]
    plain.housekeeping()
    assert all(one.quoted is not None for one in plain.memories(limit=10, deep=True))
    assert len(plain.audit(actions=["migrate"])) == 3
    with plain._desk.reading("mama") as unit:
        counts = unit.counters.all()
    assert counts[DUE] == counts[DONE]
    _old(plain, _worded("m9", "Anna enjoys sailing boats", said), due=False)
    plain.housekeeping()
    later = plain.get("m9")
    assert isinstance(later, Memory)
    assert later.origin is Origin.SLEEP


def _of_version_1(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    header: Mapping[str, Any] = {**lines[0], "version": 1}
    return lined([{k: v for k, v in one.items() if k != "quoted"} for one in lines[1:-1]], header=header)


def test_an_old_export_is_quoted_as_it_comes_in(plain: Agent) -> None:
    *_, said = _told(plain)
    _old(plain, _worded("m1", "Anna said: We moved to Porto yesterday.", said), due=False)
    _old(plain, _worded("m2", "Anna enjoys sailing boats", said), due=False)
    kept(plain, "Anna said: it is mine")
    lines = lines_of(plain)
    assert lines[0]["version"] == 2
    _old(plain)
    assert lines_of(plain)[0]["version"] == 1  # as long as the bank wasn't gone over
    old, new = (Agent(plain._desk, id, actor="caller") for id in ("old", "new"))
    brought(old, _of_version_1(lines))
    told = {one.essence: (one.origin, one.quoted is not None) for one in old.memories(limit=10)}
    assert told == {
        "We moved to Porto  yesterday.": (Origin.SLEEP, True),
        "Anna enjoys sailing boats": (Origin.EARLIER, False),
        "Anna said: it is mine": (Origin.COMMIT, False),
    }
    brought(new, lines)
    assert bank_of(new) == bank_of(plain)
