"""housekeeping: merges what says the same, archives what is stale; nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from reverie import Action, Agent, Kind, Memory, Reverie, State
from reverie.domain.memory import MERGED, SUPPORTS, Connection
from reverie.domain.trust import SourceTrust
from reverie.memory.decay import activation_of
from reverie.services.remember import goals, procedures
from reverie.services.upkeep import merging
from tests.services.bench import DAY, NOON, Clock, kept
from tests.services.kept_house import kept_house, planted, standing, twins

pytestmark = pytest.mark.slow

TEA = "Anna drinks green tea in the morning"


def test_duplicates_become_one_and_the_other_is_kept_superseded(mama: Agent) -> None:
    first, second = twins(TEA, f"{TEA}.")
    planted(mama, first, second)
    (pair,) = kept_house(mama).merged
    assert (pair.survivor, pair.merged) == ("m0", "m1")
    assert pair.similarity > 0.92
    now = standing(mama)
    assert (now["m1"].state, now["m1"].superseded_by) == (State.ARCHIVED, "m0")
    assert (now["m0"].state, now["m0"].essence) == (State.ACTIVE, TEA)
    assert [memory.id for memory in mama.memories()] == ["m0"]


def test_counts_sources_and_labels_are_joined(mama: Agent) -> None:
    one, two, three = mama.observe(["I drink tea", "Green tea", "In the morning"]).episode_ids
    first, second = twins(TEA, TEA)
    first = replace(first, source_episodes=(one, two), tags=("a",), reinforcement_count=3, importance=0.4)
    second = replace(
        second, source_episodes=(three,), tags=("b", "a"), reinforcement_count=2, importance=0.6, pinned=True,
        lesson="Ask which", touches=4, last_touched_at=NOON,
    )  # fmt: skip
    planted(mama, first, replace(second, pinned=False))
    kept_house(mama)
    now = standing(mama)["m0"]
    assert now.source_episodes == tuple(sorted((one, two, three)))
    assert (now.tags, now.importance, now.lesson) == (("a", "b"), 0.6, "Ask which")
    assert (now.reinforcement_count, now.touches, now.last_touched_at) == (5, 4, NOON)
    assert now.last_reinforced_at == second.last_reinforced_at
    assert [past.lesson for past in mama.portrait("m0").versions] == [None]


@pytest.mark.parametrize("windowed", [0, 1])
def test_since_when_something_is_so_is_not_lost_by_a_merge(mama: Agent, windowed: int) -> None:
    both = twins(TEA, TEA)
    both[windowed] = replace(both[windowed], valid_from=NOON - 60 * DAY)
    planted(mama, *both)
    assert len(kept_house(mama).merged) == 1
    now = standing(mama)["m0"]
    assert (now.valid_from, now.version) == (NOON - 60 * DAY, 1 + windowed)
    assert [past.valid_from for past in mama.portrait("m0").versions] == [None] * windowed


def test_the_better_founded_one_survives(mama: Agent) -> None:
    one, two = twins(TEA, TEA)
    planted(mama, replace(one, reinforcement_count=9), replace(two, pinned=True))
    assert [(pair.survivor, pair.merged) for pair in kept_house(mama).merged] == [("m1", "m0")]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"essence": "Anna drinks no green tea in the morning"}, None),
        ({"valid_to": NOON - 90 * DAY}, "validity"),
        ({"source_trust": SourceTrust.EXTERNAL, "lesson": "Pay"}, "trust"),
    ],
    ids=["negation", "validity", "lesson from outside"],
)
def test_what_differs_stays_two(mama: Agent, fields: dict[str, object], reason: str | None) -> None:
    one, two = twins(TEA, TEA)
    planted(mama, one, replace(two, **fields))  # type: ignore[arg-type]  # fields of a memory
    done = kept_house(mama)
    assert done.merged == ()
    assert {memory.id for memory in mama.memories()} == {"m0", "m1"}
    if reason is not None:
        assert done.passed_over[f"near, but apart by {reason}"] == 1


def test_more_than_are_looked_at_at_once_become_one(mama: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "_NEAREST", 4)
    planted(mama, *twins(*[TEA] * 13))
    assert len(kept_house(mama).merged) == 12
    assert [memory.id for memory in mama.memories()] == ["m0"]


def test_edges_of_the_one_are_edges_of_the_survivor(mama: Agent) -> None:
    other = kept(mama, "Tea has caffeine")
    planted(mama, *twins(TEA, TEA))
    with mama._desk.store.write(mama.id) as unit:
        for source, target in (("m1", other.id), (other.id, "m1"), ("m0", "m1")):
            unit.memories.connect(
                Connection(source=source, target=target, relation=SUPPORTS, created_at=NOON)
            )
    kept_house(mama)
    edges = {(edge.source, edge.target, edge.relation) for edge in mama.portrait("m0").connections}
    assert {("m0", other.id, SUPPORTS), (other.id, "m0", SUPPORTS), ("m0", "m1", MERGED)} <= edges


def test_forgetting_the_survivor_forgets_what_was_merged_into_it(mama: Agent) -> None:
    planted(mama, *twins(TEA, f"{TEA}."))
    kept_house(mama)
    assert mama.forget("m0").memories == ("m0", "m1")
    assert standing(mama) == {}


def test_what_was_merged_repeatedly_is_forgotten_as_a_whole(mama: Agent) -> None:
    first, second, third = twins(TEA, f"{TEA}.", f"{TEA}!")
    planted(mama, second, third)
    kept_house(mama)
    planted(mama, replace(first, source_trust=SourceTrust.PRINCIPAL))
    kept_house(mama)
    assert {id: one.superseded_by for id, one in standing(mama).items()} == {
        "m0": None,
        "m1": "m0",
        "m2": "m1",
    }
    mama.forget("m0")
    assert standing(mama) == {}


def test_each_merge_is_in_the_audit_log_of_both(mama: Agent) -> None:
    planted(mama, *twins(TEA, TEA))
    kept_house(mama)
    (survivor,), (other,) = mama.audit(target="m0"), mama.audit(target="m1")
    assert (survivor.action, survivor.actor) == (Action.MERGE, "weekly")
    assert (survivor.reason, other.reason) == ("said the same as m1", "said the same as m0")
    assert other.before == {"state": "active", "superseded_by": None}
    assert other.after == {"state": "archived", "superseded_by": "m0"}
    assert survivor.after is not None
    assert survivor.after["reinforcement_count"] == 2


def test_procedures_are_never_merged_away(mama: Agent) -> None:
    desk = mama._desk
    new = procedures.procedure(desk, "mama", "brew", steps=["boil water", "wait", "pour"], actor="test")
    twin = replace(new.memory, id="m0", source_trust=SourceTrust.PRINCIPAL)
    planted(mama, twin)
    assert kept_house(mama).passed_over["near, but apart by procedure"] == 1
    planted(mama, replace(new.memory, id="m1", pinned=True))
    assert [(pair.survivor, pair.merged) for pair in kept_house(mama).merged] == [(new.id, "m1")]
    assert [one.steps for one in procedures.procedures(desk, "mama")] == [new.steps]


def test_an_achieved_goal_isnt_set_again_by_a_merge(mama: Agent) -> None:
    planted(mama, *twins("Run a marathon", "Run a marathon", kind=Kind.GOAL))
    goals.complete(mama._desk, "mama", "m0", actor="test")
    assert kept_house(mama).passed_over["near, but apart by achieved"] == 1
    assert [goal.id for goal in goals.goals(mama._desk, "mama")] == ["m1"]


def test_a_memory_revised_meanwhile_is_left_for_next_time(
    open_bank: Callable[..., Reverie], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = open_bank().agent("mama"), open_bank().agent("mama")
    planted(ours, *twins(TEA, TEA))
    really = merging._apply

    def apply(*given: object, **named: object) -> object:
        theirs.revise("m1", essence="Anna drinks no tea at all")
        return really(*given, **named)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(merging, "_apply", apply)
    assert kept_house(ours).merged == ()
    assert {memory.essence for memory in theirs.memories()} == {TEA, "Anna drinks no tea at all"}


def test_what_is_stale_is_archived_and_still_found(mama: Agent, clock: Clock) -> None:
    old = kept(mama, "The old printer needs black ink")
    clock.wait(days=181)
    young = kept(mama, TEA)
    done = kept_house(mama)
    assert (done.archived, done.memories) == ((old.id,), 2)
    assert standing(mama)[old.id].state is State.ARCHIVED
    assert standing(mama)[young.id] == young
    assert mama.recall("printer ink").hits[0].id == old.id
    (*_, last) = mama.audit(target=old.id)
    assert (last.action, last.reason, last.before, last.after) == (
        Action.ARCHIVE, "stale", {"state": "active"}, {"state": "archived"},
    )  # fmt: skip


def test_a_memory_is_stale_below_an_activation_of_a_tenth(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, TEA)
    clock.wait(days=179.9)
    assert activation_of(memory, clock.now) > 0.1
    assert kept_house(mama).archived == ()
    clock.wait(days=0.2)
    assert activation_of(memory, clock.now) < 0.1
    assert kept_house(mama).archived == (memory.id,)


def test_what_was_just_recalled_is_not_stale(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, TEA)
    clock.wait(days=400)
    assert mama.recall("green tea").hits
    assert kept_house(mama).archived == ()
    assert standing(mama)[memory.id].touches == 1


@pytest.mark.parametrize(
    ("fields", "reason"), [({"pinned": True}, "pinned"), ({"kind": "policy"}, "baseline")]
)
def test_the_baseline_is_not_archived(
    mama: Agent, clock: Clock, fields: dict[str, object], reason: str
) -> None:
    memory = kept(mama, TEA, **fields)
    clock.wait(days=4000)
    done = kept_house(mama)
    assert (done.archived, done.passed_over[f"stale, but kept as {reason}"]) == ((), 1)
    assert standing(mama)[memory.id] == memory


def test_a_procedure_is_kept_once_it_is_proven(mama: Agent, clock: Clock) -> None:
    ids = {
        outcome: procedures.procedure(
            mama._desk,
            "mama",
            f"brew {outcome}",
            steps=[f"{outcome} {outcome}"],
            outcome=outcome,
            actor="test",
        ).id
        for outcome in ("success", "failure")
    }
    clock.wait(days=4000)
    assert kept_house(mama).archived == (ids["failure"],)


def test_a_goal_is_kept_until_it_is_achieved(mama: Agent, clock: Clock) -> None:
    goal = goals.add(mama._desk, "mama", "Run a marathon", actor="test")
    clock.wait(days=4000)
    assert kept_house(mama).archived == ()
    goals.complete(mama._desk, "mama", goal.id, actor="test")
    assert kept_house(mama).archived == (goal.id,)


def test_new_evidence_brings_an_archived_memory_back_for_good(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, TEA)
    clock.wait(days=400)
    kept_house(mama)
    mama.remember(f"{TEA}.")
    assert kept_house(mama).archived == ()
    assert standing(mama)[memory.id].state is State.ACTIVE


def test_being_recalled_brings_nothing_back(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, TEA)
    clock.wait(days=400)
    kept_house(mama)
    mama.recall("green tea")
    assert kept_house(mama).restored == ()
    assert standing(mama)[memory.id].state is State.ARCHIVED


def test_what_a_clock_ahead_archived_comes_back(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, TEA)
    clock.wait(days=40_000)
    assert kept_house(mama).archived == (memory.id,)
    clock.now = NOON + 7 * DAY
    done = kept_house(mama)
    assert (done.restored, done.archived) == ((memory.id,), ())
    assert replace(standing(mama)[memory.id], updated_at=memory.updated_at) == memory
    assert kept_house(mama).changed == 0


def test_it_reports_how_many_have_faded(mama: Agent, clock: Clock) -> None:
    kept(mama, TEA, pinned=True)
    kept(mama, "Ben likes rain", confidence=0.2, pinned=True)
    assert (kept_house(mama).faded, kept_house(mama).unsure) == (0, 1)
    clock.wait(days=31)
    assert (kept_house(mama).faded, kept_house(mama).unsure) == (1, 1)


def test_an_empty_bank_needs_no_housekeeping(mama: Agent) -> None:
    done = kept_house(mama)
    assert (done.changed, done.memories, done.episodes) == (0, 0, 0)


def test_only_the_agents_own_bank_is_put_in_order(reverie: Reverie, clock: Clock) -> None:
    mama, papa = reverie.agent("mama"), reverie.agent("papa")
    planted(papa, *twins(TEA, TEA))
    theirs: Memory = kept(papa, "Ben likes rain")
    clock.wait(days=4000)
    kept_house(mama)
    assert {memory.state for memory in standing(papa).values()} == {State.ACTIVE}
    assert theirs.id in standing(papa)
