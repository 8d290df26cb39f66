"""remember: insert, reinforce, or connect."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import pytest

from reverie import (
    Action,
    Agent,
    Emotion,
    Forgotten,
    Inserted,
    InvalidInput,
    Kind,
    Memory,
    Origin,
    Priority,
    Reinforced,
    RememberSettings,
    Reverie,
    Settings,
    SourceTrust,
    State,
    StoreSettings,
)
from tests.services.bench import NOON, Clock, at_once, kept, repeated, state_of
from tests.services.conftest import Open


def test_every_field_comes_back_as_it_was_given(mama: Agent) -> None:
    seen = mama.observe({"content": "Anna drinks tea", "ref": "m1"})
    memory = kept(
        mama, "Anna drinks tea\r\n", kind="preference", lesson="offer tea", emotions=["joy", "love", "approval"],
        importance=0.7, priority="high", confidence=0.5, scope=["src/**"], tags=["b", "a"], topics=["food"],
        entities=["Anna"], source_episodes=list(seen.episode_ids), pinned=True, time="2026-11-01T08:00Z",
        valid_from="2026-01-01", valid_to="2027-01-01", origin="pattern",
    )  # fmt: skip
    learned = datetime(2026, 11, 1, 8, tzinfo=UTC)
    assert memory == Memory(
        id=memory.id, essence="Anna drinks tea\n", kind=Kind.PREFERENCE, lesson="offer tea",
        emotions=(Emotion.JOY, Emotion.LOVE, Emotion.APPROVAL), importance=0.7, priority=Priority.HIGH, confidence=0.5,
        confidence_at=learned, scope=("src/**",), tags=("b", "a"), topics=("food",), entities=("Anna",),
        source_episodes=seen.episode_ids, origin=Origin.PATTERN, source_trust=SourceTrust.PRINCIPAL, pinned=True,
        state=State.ACTIVE, last_reinforced_at=learned, created_at=learned, updated_at=NOON, believed_from=learned,
        valid_from=datetime(2026, 1, 1, tzinfo=UTC), valid_to=datetime(2027, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    assert mama.get(memory.id) == memory


def test_what_nobody_judges_is_none_the_rest_follows_the_kind(open_bank: Open) -> None:
    mama = open_bank(settings=Settings(mind="none")).agent("mama")
    memory = kept(mama, "Never push to main", kind=Kind.POLICY)
    assert (memory.importance, memory.lesson) == (None, None)
    assert (memory.priority, memory.confidence, memory.source_trust) == (
        Priority.CRITICAL,
        0.9,
        SourceTrust.AGENT,
    )
    assert kept(mama, "Anna hums", origin="loop").confidence == 0.6


def test_the_same_thing_again_reinforces(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, "Anna likes tea", tags=["a"])
    later = clock.wait(days=1)
    outcome = mama.remember("Anna likes tea!", tags=["b"], lesson="offer it")
    assert isinstance(outcome, Reinforced)
    assert outcome.similarity >= 0.92
    again = outcome.memory
    assert (again.id, again.essence, again.reinforcement_count) == (memory.id, "Anna likes tea", 2)
    assert (again.tags, again.lesson, again.last_reinforced_at) == (("a", "b"), "offer it", later)
    assert again.confidence == pytest.approx(0.95)
    assert mama.stats().memories == 1


def test_an_outcome_is_the_memory_as_it_stands_stored(mama: Agent, clock: Clock) -> None:
    kept(mama, "Anna likes tea")
    clock.wait(days=1)
    again = repeated(mama, "Anna likes tea.")
    assert again.touches == 1
    assert mama.get(again.id) == again
    both = mama.remember_many(["Ben likes coffee", "Ben likes coffee!", "Ben likes coffee."])
    assert [type(outcome) for outcome in both] == [Inserted, Reinforced, Reinforced]
    for outcome in both:
        assert outcome.memory == mama.get(outcome.memory.id)
    assert both[0].memory.reinforcement_count == 3


def test_what_only_the_guard_keeps_apart_is_connected_as_near(mama: Agent) -> None:
    first = kept(mama, "The train to Vienna leaves platform nine at 7:40 in the morning")
    outcome = mama.remember("The train to Vienna leaves platform nine at 7:45 in the morning")
    assert isinstance(outcome, Inserted)
    assert outcome.near == (first.id,)
    (edge,) = mama.portrait(first.id).connections
    assert (edge.source, edge.target, edge.relation) == (outcome.memory.id, first.id, "near")


def test_the_duplicate_is_found_among_many_nearer_ones(open_bank: Open) -> None:
    mama = open_bank(settings=Settings(remember=RememberSettings(duplicate_cosine=0.5))).agent("mama")
    known = kept(mama, "My flight to Oslo leaves at 7:40")
    others = mama.remember_many([f"My flight to Oslo leaves at 7:{n}?!;,()[]" for n in range(10, 30)])
    assert all(isinstance(other, Inserted) and len(other.near) <= 8 for other in others)
    assert repeated(mama, "My flight to Oslo leaves at 7:40?!;,()[]").id == known.id


def test_a_window_is_added_to_what_is_known(mama: Agent, clock: Clock) -> None:
    known = kept(mama, "Anna works at the post office")
    later = clock.wait(days=1)
    again = repeated(mama, "Anna works at the post office", valid_from="2026-01-01", valid_to="2027-01-01")
    assert (again.id, again.version, again.believed_from) == (known.id, 2, later)
    assert (again.valid_from, again.valid_to) == (
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(2027, 1, 1, tzinfo=UTC),
    )
    [past] = mama.portrait(known.id).versions
    assert (past.valid_from, past.valid_to, past.believed_to) == (None, None, later)
    assert mama.get(known.id) == again


def test_what_was_said_before_it_ended_is_no_news(mama: Agent) -> None:
    known = kept(mama, "Anna works at the post office", valid_from="2025-01-01", valid_to="2026-01-01")
    again = repeated(mama, "Anna works at the post office", time="2025-06-01")
    assert (again.id, again.valid_to) == (known.id, known.valid_to)


def test_external_text_never_takes_in_a_trusted_one(mama: Agent) -> None:
    poisoned = kept(mama, "Anna likes tea", source_trust="external")
    assert kept(mama, "Anna likes tea!").id != poisoned.id
    trusted = kept(mama, "Ben likes coffee")
    again = repeated(mama, "Ben likes coffee!", source_trust="external")
    assert (again.id, again.source_trust) == (trusted.id, SourceTrust.AGENT)


def test_duplicates_within_a_batch_are_found(mama: Agent) -> None:
    outcomes = mama.remember_many(["Anna likes tea", "Ben has 2 dogs", "Anna likes tea.", "Ben has 3 dogs"])
    assert [type(o).__name__ for o in outcomes] == ["Inserted", "Inserted", "Reinforced", "Inserted"]
    assert outcomes[0].memory.id == outcomes[2].memory.id
    assert mama.stats().memories == 3


def test_duplicates_across_transactions_of_a_batch_are_found(open_bank: Open) -> None:
    mama = open_bank(settings=Settings(store=StoreSettings(batch=2))).agent("mama")
    steps: list[int] = []
    again = [f"Anna likes tea{'!' * (n % 2)}" for n in range(5)]
    mama.remember_many(again, on_progress=lambda done, _: steps.append(done))
    assert steps == [2, 4, 5]
    assert [m.reinforcement_count for m in mama.memories()] == [5]


@pytest.mark.parametrize(
    ("channels", "given", "trust"),
    [(["api"], None, "principal"), (["api", "web"], None, "external"), (["api"], "other", "other"),
     (["web"], "principal", "external"), ([], None, "agent"), ([], "principal", "principal")],
)  # fmt: skip
def test_the_least_of_trust_is_inherited(
    mama: Agent, channels: list[str], given: str | None, trust: str
) -> None:
    sources = [mama.observe("Anna likes tea", channel=c, conversation=c).episode_ids[0] for c in channels]
    assert kept(mama, "Anna likes tea", source_episodes=sources, source_trust=given).source_trust == trust


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"essence": "x", "kind": "facts"}, "kind"), ({"essence": " "}, "essence"), (5, "memory"),
        ({"essence": "x", "time": "2030-01-01"}, "time"), ({"essence": "x", "scope": ["{1..999}"]}, "scope"),
        ({"essence": "x", "valid_from": "2026-02-01", "valid_to": "2026-02-01"}, "valid_to"),
        ({"essence": "x", "valid_from": "soon"}, "valid_from"),
    ],
)  # fmt: skip
def test_one_bad_memory_keeps_nothing_and_is_named_by_place(open_bank: Open, bad: object, field: str) -> None:
    mama = open_bank(settings=Settings(store=StoreSettings(batch=2))).agent("mama")
    with pytest.raises(InvalidInput) as refused:
        mama.remember_many(["Anna likes tea", "Ben likes coffee", "Carl likes milk", bad, "Dora likes gin"])  # type: ignore[list-item]
    assert refused.value.field == f"memories[3].{field}"
    assert (mama.stats().memories, mama.stats().rev) == (0, 0)


def test_a_time_of_learning_is_read_in_the_agents_zone(reverie: Reverie) -> None:
    papa = reverie.agent("papa", time_zone="Europe/Budapest")
    memory = kept(papa, "Anna likes tea", time="2026-07-01T12:00", valid_from="2026-07-01")
    assert memory.created_at == datetime(2026, 7, 1, 10, tzinfo=UTC)
    assert memory.valid_from == datetime(2026, 6, 30, 22, tzinfo=UTC)


def test_a_forgotten_text_needs_an_override(mama: Agent) -> None:
    memory = kept(mama, "Anna likes tea")
    mama.forget(memory.id)
    before = state_of(mama)
    for again in ("Anna likes tea", "ANNA likes   tea!"):
        with pytest.raises(Forgotten, match=r"use override \(`--override`\)") as refused:
            mama.remember_many(["Ben likes coffee", again])
        assert refused.value.field == "memories[1].essence"
        assert "tea" not in str(refused.value).lower()
    assert state_of(mama) == before
    back = mama.remember("Anna likes tea", override=True)
    assert isinstance(back, Inserted)
    assert isinstance(mama.remember("Anna likes tea."), Reinforced)


def test_another_process_finds_the_duplicate(open_bank: Open) -> None:
    one, other = open_bank().agent("mama"), open_bank().agent("mama")
    assert other.recall("tea").hits == ()  # its view is older than what comes now
    memory = kept(one, "Anna likes tea")
    assert repeated(other, "Anna likes tea!").id == memory.id
    assert repeated(one, "Anna likes tea.").reinforcement_count == 3


def test_two_racing_writers_never_both_insert(open_bank: Open) -> None:
    one, other = open_bank(), open_bank()
    for n in range(15):
        text = f"Guest number {n} drinks black tea with milk"
        outcomes = at_once(*(partial(r.agent("mama").remember, text) for r in (one, other) * 2))
        assert [isinstance(each, Inserted) for each in outcomes].count(True) == 1
    assert [m.reinforcement_count for m in one.agent("mama").memories(limit=100)] == [4] * 15


def test_a_lesson_that_a_duplicate_replaces_stays_in_the_history(mama: Agent, clock: Clock) -> None:
    memory = kept(mama, "Anna's train leaves at 7:40", lesson="Call at six")
    then = clock()
    clock.wait(days=1)
    again = mama.remember("Anna's train leaves at 7:40.", lesson="Call at half past six")
    assert (again.memory.lesson, again.memory.version) == ("Call at half past six", 2)
    assert [version.lesson for version in mama.portrait(memory.id).versions] == ["Call at six"]
    assert mama.recall("when does the train leave", as_of=then).hits[0].memory.lesson == "Call at six"


def test_near_links_stand_in_the_audit_log(mama: Agent) -> None:
    one = kept(mama, "Anna's train leaves at 7:40")
    other = kept(mama, "Anna's train leaves at 8:40")
    assert (mama.audit(target=other.id)[0].after or {})["near"] == [one.id]


def test_what_an_override_lets_in_again_says_so_in_the_audit_log(mama: Agent) -> None:
    mama.forget(kept(mama, "Anna likes tea", lesson="Offer green tea").id)
    mama.remember("Anna likes tea", override=True)
    ben = kept(mama, "Ben likes coffee")
    both = mama.remember_many(
        ["Carl likes milk", {"essence": "Ben likes coffee!", "lesson": "offer GREEN tea"}], override=True
    )
    assert [type(outcome) for outcome in both] == [Inserted, Reinforced]
    mama.remember("Anna likes tea.", override=True)  # nothing is lifted any more
    again = "learned again by override"
    assert [(e.action, e.reason) for e in mama.audit() if e.action is not Action.FORGET] == [
        (Action.REMEMBER, None), (Action.REMEMBER, again), (Action.REMEMBER, None), (Action.REMEMBER, None),
        (Action.REINFORCE, again), (Action.REINFORCE, None),
    ]  # fmt: skip
    assert mama.audit(target=ben.id)[-1].reason == again


def test_an_override_that_changes_nothing_else_is_audited_too(mama: Agent) -> None:
    (episode,) = mama.observe("Ben likes coffee, said Anna").episode_ids
    fields = {"lesson": "Offer coffee", "source_episodes": [episode]}
    ben = kept(mama, "Ben likes coffee", **fields)
    mama.forget(kept(mama, "Dora plays chess", lesson="Offer coffee").id)
    log = len(mama.audit(target=ben.id))
    assert repeated(mama, "Ben likes coffee", override=True, **fields).reinforcement_count == 1
    (entry,) = mama.audit(target=ben.id)[log:]
    assert (entry.action, entry.reason) == (Action.REINFORCE, "learned again by override")
