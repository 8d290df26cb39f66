"""Gists: what blocks for prompts are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from reverie.domain.gist import Gist
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.trust import SourceTrust
from reverie.ports.store import Store
from tests.contract.store_rows import FIRST, LAST, a_memory, after, keep

POLICY, PREFERENCE = Kind.POLICY, Kind.PREFERENCE
CRITICAL, HIGH, MEDIUM = Priority.CRITICAL, Priority.HIGH, Priority.MEDIUM


def policy(id: str, **fields: object) -> Memory:
    return a_memory(id, **{"kind": POLICY, "priority": CRITICAL, **fields})


def gist(memory: Memory) -> Gist:
    return Gist(**{field.name: getattr(memory, field.name) for field in fields(Gist)})


def ids(gists: Sequence[Gist]) -> list[str]:
    return [one.id for one in gists]


def test_standing_memories_come_by_kind_and_priority(store: Store) -> None:
    with store.write("mama") as unit:
        keep(
            unit, policy("m3"), policy("m1", kind=PREFERENCE, priority=HIGH), policy("m2", priority=HIGH),
            policy("m4", kind=PREFERENCE, priority=MEDIUM), policy("m5", kind=Kind.FACT),
            policy("m6", superseded_by="m1"),
            *(policy(f"n{state}", state=state) for state in State if state is not State.ACTIVE),
        )  # fmt: skip
    with store.read("mama") as unit:
        standing = unit.memories.standing
        assert ids(standing([POLICY, PREFERENCE], [CRITICAL, HIGH])) == ["m1", "m2", "m3"]
        assert ids(standing([POLICY], [CRITICAL])) == ["m3"]
        assert ids(standing([PREFERENCE], [MEDIUM])) == ["m4"]
        assert standing([Kind.WORKFLOW], [CRITICAL]) == []
        assert standing([], [CRITICAL]) == standing([POLICY], []) == []


def test_what_stands_has_all_that_a_gist_has(store: Store) -> None:
    whole = policy(
        "m1", touches=2, last_touched_at=after(days=1), scope=("src/**", "*.py"), origin=Origin.PATTERN,
        source_trust=SourceTrust.PRINCIPAL, reinforcement_count=3, last_reinforced_at=after(days=2),
        needs_review=True, valid_from=FIRST, valid_to=LAST, essence="two\nlines \u2028 and a \U0001f70d",
    )  # fmt: skip
    with store.write("mama") as unit:
        keep(unit, whole, policy("m2"))
    with store.read("mama") as unit:
        assert unit.memories.standing([POLICY], [CRITICAL]) == [gist(whole), gist(policy("m2"))]
        assert unit.memories.gists(["m2", "m1"]) == {"m1": gist(whole), "m2": gist(policy("m2"))}


def test_only_active_unsuperseded_memories_have_a_gist(store: Store) -> None:
    with store.write("mama") as unit:
        keep(
            unit, a_memory("m1"), a_memory("m2", superseded_by="m1"),
            *(a_memory(f"n{state}", state=state) for state in State if state is not State.ACTIVE),
        )  # fmt: skip
    with store.read("mama") as unit:
        asked = ["m1", "m2", "nobody", *(f"n{state}" for state in State)]
        assert unit.memories.gists(asked) == {"m1": gist(a_memory("m1"))}
        assert unit.memories.gists([]) == {}


def test_nothing_of_another_agent_stands(store: Store) -> None:
    with store.write("papa") as unit:
        keep(unit, policy("m1"))
    with store.read("mama") as unit:
        assert unit.memories.standing([POLICY], [CRITICAL]) == []
        assert unit.memories.gists(["m1"]) == {}


def test_any_number_of_gists_may_be_asked_for(store: Store) -> None:
    many = [a_memory(f"m{number:04}") for number in range(1_100)]
    with store.write("mama") as unit:
        keep(unit, *many)
        unit.memories.touch({one.id: (1, after()) for one in many[::7]})
    with store.read("mama") as unit:
        every = [one.id for one in many]
        whole = unit.memories.get(every)
        assert unit.memories.gists(every) == {id: gist(one) for id, one in whole.items()}


def test_the_surest_are_without_what_waits_for_approval(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2", needs_review=True))
        assert [one.id for one in unit.memories.surest(Kind.FACT, 5)] == ["m1"]
