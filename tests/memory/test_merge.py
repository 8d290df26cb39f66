"""What becomes of two memories that say the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.kinds import Priority
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.trust import SourceTrust
from reverie.memory.change.merge import MergeSide, merge_obstacle, merged, precedence, superseded
from reverie.memory.decay import faded_confidence
from tests.memory.memories import NOON, a_memory, memories

LATER = NOON + timedelta(days=1000)
trusts = st.sampled_from(SourceTrust)


def _first(*these: Memory) -> Memory:
    return min((MergeSide(memory=one) for one in these), key=precedence).memory


@given(memories, memories)
def test_nothing_that_either_held_is_lost(one: Memory, other: Memory) -> None:
    both = merged(one, other, LATER)
    for name in ("tags", "topics", "entities", "source_episodes"):
        assert set(getattr(both, name)) == {*getattr(one, name), *getattr(other, name)}
    assert both.pinned == (one.pinned or other.pinned)
    assert (both.emotions, both.lesson) == (one.emotions or other.emotions, one.lesson or other.lesson)


@given(memories, memories, trusts, trusts)
def test_it_stays_what_it_was(one: Memory, other: Memory, mine: SourceTrust, theirs: SourceTrust) -> None:
    one, other = replace(one, source_trust=mine), replace(other, source_trust=theirs)
    both = merged(one, other, LATER)
    for name in (
        "id",
        "essence",
        "kind",
        "priority",
        "scope",
        "source_trust",
        "origin",
        "created_at",
        "touches",
    ):
        assert getattr(both, name) == getattr(one, name)


@given(memories, memories, trusts, trusts)
def test_merged_confidence_is_at_most_the_surer_ones(
    one: Memory, other: Memory, mine: SourceTrust, theirs: SourceTrust
) -> None:
    one, other = replace(one, source_trust=mine), replace(other, source_trust=theirs)
    both = merged(one, other, LATER)
    heard = [one, other] if mine is theirs else [one]
    assert both.fades_from == max(one.fades_from, other.fades_from)
    assert both.confidence == max(
        faded_confidence(each.confidence, each.fades_from, both.fades_from) for each in heard
    )


@given(memories, memories)
def test_evidence_is_added_up_but_the_same_sources_count_once(one: Memory, other: Memory) -> None:
    known = bool(other.source_episodes) and set(other.source_episodes) <= set(one.source_episodes)
    both = merged(one, other, LATER)
    assert both.reinforcement_count == one.reinforcement_count + other.reinforcement_count - known
    assert both.last_reinforced_at == max(one.last_reinforced_at, other.last_reinforced_at)


def test_what_is_less_trusted_gives_its_evidence_alone() -> None:
    mine = a_memory(source_trust=SourceTrust.PRINCIPAL, confidence=0.5)
    theirs = a_memory(
        source_trust=SourceTrust.OTHER, tags=("ad",), importance=1.0, confidence=1.0, reinforcement_count=3,
        source_episodes=("web",), pinned=True, lesson="Buy",
    )  # fmt: skip
    both = merged(mine, theirs, LATER)
    assert (both.tags, both.importance, both.pinned, both.lesson, both.confidence) == (
        (),
        None,
        False,
        None,
        0.5,
    )
    assert (both.reinforcement_count, both.source_episodes) == (4, ("web",))


def test_a_window_that_the_other_knows_is_kept_if_trusted() -> None:
    since, until = NOON - timedelta(days=9), NOON + timedelta(days=9)
    known, other = a_memory(), a_memory(id="m2", valid_from=since, valid_to=until)
    for one, two in ((known, other), (other, known)):
        both = merged(one, two, LATER)
        assert (both.valid_from, both.valid_to) == (since, until)
    assert merged(known, replace(other, source_trust=SourceTrust.EXTERNAL), LATER).valid_from is None


def test_what_may_not_instruct_gives_no_lesson_and_no_pin() -> None:
    commit = a_memory(origin=Origin.COMMIT, source_trust=SourceTrust.AGENT)
    heard = replace(commit, origin=Origin.LOOP, lesson="Buy", pinned=True, tags=("ad",))
    both = merged(commit, heard, LATER)
    assert (both.lesson, both.pinned, both.tags) == (None, False, ("ad",))
    both = merged(heard, replace(heard, lesson="Sell"), LATER)
    assert (both.lesson is not None, both.pinned) == (True, True)


def test_only_two_that_wait_for_approval_wait_on_as_one() -> None:
    waits = a_memory(needs_review=True)
    assert merged(waits, waits, LATER).needs_review
    assert not merged(waits, a_memory(), LATER).needs_review
    assert not merged(a_memory(), waits, LATER).needs_review


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (State.ACTIVE, State.ARCHIVED, State.ACTIVE),
        (State.ARCHIVED, State.ACTIVE, State.ACTIVE),
        (State.ARCHIVED, State.ARCHIVED, State.ARCHIVED),
    ],
)
def test_what_one_of_them_is_active_for_stays_active(one: State, other: State, both: State) -> None:
    assert merged(a_memory(state=one), a_memory(state=other), LATER).state is both


def test_the_other_is_archived_and_says_who_took_it_in() -> None:
    gone = superseded(a_memory(pinned=True), "m9", LATER)
    assert (gone.state, gone.superseded_by, gone.updated_at) == (State.ARCHIVED, "m9", LATER)
    assert replace(gone, state=State.ACTIVE, superseded_by=None, updated_at=NOON) == a_memory(pinned=True)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"source_trust": SourceTrust.PRINCIPAL}, {"origin": Origin.COMMIT, "pinned": True}),
        ({"source_trust": SourceTrust.OTHER}, {"source_trust": SourceTrust.EXTERNAL, "pinned": True}),
        ({"origin": Origin.COMMIT}, {"origin": Origin.LOOP, "pinned": True}),
        ({}, {"needs_review": True, "pinned": True}),
        ({"pinned": True}, {"priority": Priority.CRITICAL}),
        ({"priority": Priority.HIGH}, {"priority": Priority.MEDIUM, "reinforcement_count": 9}),
        ({"state": State.ACTIVE}, {"state": State.ARCHIVED, "reinforcement_count": 9}),
        ({"reinforcement_count": 2}, {"created_at": NOON - timedelta(days=1)}),
        ({"created_at": NOON - timedelta(days=1)}, {}),
        ({"id": "a"}, {"id": "b"}),
    ],
)
def test_the_better_founded_comes_first(better: dict[str, object], worse: dict[str, object]) -> None:
    good, bad = (a_memory(**one) for one in (better, worse))  # type: ignore[arg-type]  # a memory's fields
    assert _first(good, bad) == _first(bad, good) == good


def test_of_two_alike_the_procedure_comes_first() -> None:
    plain, procedure = MergeSide(memory=a_memory(id="a")), MergeSide(memory=a_memory(id="b"), has_steps=True)
    assert min((plain, procedure), key=precedence) == procedure


@pytest.mark.parametrize(
    ("survivor", "other", "reason"),
    [
        ({}, {}, None),
        ({"has_steps": True}, {}, None),
        ({}, {"has_steps": True}, "procedure"),
        ({"achieved": True}, {}, "achieved"),
        ({}, {"achieved": True}, "achieved"),
        ({"due": NOON}, {}, "due"),
        ({"due": NOON}, {"due": NOON}, None),
    ],
)
def test_procedures_achieved_and_due_goals_stay_apart(
    survivor: dict[str, Any], other: dict[str, Any], reason: str | None
) -> None:
    one, two = MergeSide(memory=a_memory(), **survivor), MergeSide(memory=a_memory(id="m2"), **other)
    assert merge_obstacle(one, two) == reason


def test_what_keeps_a_new_memory_apart_keeps_these_apart() -> None:
    one, two = MergeSide(memory=a_memory("Anna likes tea")), MergeSide(memory=a_memory("Anna dislikes tea"))
    assert merge_obstacle(one, two) is not None
    external = MergeSide(memory=a_memory(source_trust=SourceTrust.EXTERNAL))
    assert merge_obstacle(external, one) == "trust"
    assert merge_obstacle(one, external) is None
