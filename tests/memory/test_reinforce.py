"""What new evidence does to a memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given

from reverie.domain.memory import Memory, Origin, State
from reverie.domain.trust import SourceTrust
from reverie.memory.change.merge import confirmed, reinforced
from reverie.memory.decay import faded_confidence
from tests.memory.memories import NOON, a_memory, memories

LATER = NOON + timedelta(days=1000)


@given(memories, memories)
def test_known_evidence_changes_nothing_again(known: Memory, new: Memory) -> None:
    new = replace(new, source_episodes=(*new.source_episodes, "z"))
    once = reinforced(known, new, LATER)
    assert reinforced(once, new, LATER + timedelta(days=1)) == once


@given(memories, memories)
def test_nothing_that_either_held_is_lost(known: Memory, new: Memory) -> None:
    both = reinforced(known, new, LATER)
    for name in ("tags", "topics", "entities", "source_episodes"):
        assert set(getattr(both, name)) == {*getattr(known, name), *getattr(new, name)}
    assert both.pinned == (known.pinned or new.pinned)
    assert both.emotions == (new.emotions or known.emotions)
    assert both.lesson == (new.lesson or known.lesson)
    assert (both.id, both.essence, both.created_at, both.version) == (
        known.id, known.essence, known.created_at, known.version,
    )  # fmt: skip


@given(memories, memories)
def test_importance_never_falls_and_confidence_stays_a_share(known: Memory, new: Memory) -> None:
    both = reinforced(known, new, LATER)
    assert 0 <= both.confidence <= 1
    judged = [value for value in (known.importance, new.importance) if value is not None]
    assert both.importance == (max(judged) if judged else None)


@given(memories, memories)
def test_evidence_never_lowers_the_faded_confidence(known: Memory, new: Memory) -> None:
    both = reinforced(known, new, LATER)
    then = both.fades_from
    assert both.confidence >= faded_confidence(known.confidence, known.fades_from, then)


@given(memories, memories)
def test_only_new_evidence_counts(known: Memory, new: Memory) -> None:
    both = reinforced(known, new, LATER)
    is_known = bool(new.source_episodes) and set(new.source_episodes) <= set(known.source_episodes)
    assert both.reinforcement_count == known.reinforcement_count + (not is_known)
    if is_known:
        assert (both.state, both.confidence, both.fades_from) == (
            known.state,
            known.confidence,
            known.fades_from,
        )
    else:
        assert both.state is State.ACTIVE


def test_evidence_adds_a_twentieth_to_what_the_fade_has_left() -> None:
    later = NOON + timedelta(days=60)
    both = reinforced(a_memory(confidence=0.9), a_memory(created_at=later), LATER)
    assert both.confidence == pytest.approx(0.9 * 0.9 * 0.9 + 0.05)
    assert (both.confidence_at, both.last_reinforced_at, both.updated_at) == (later, later, LATER)


def test_confidence_ends_at_one() -> None:
    assert reinforced(a_memory(confidence=0.99), a_memory(), NOON).confidence == 1.0


def test_old_evidence_that_comes_late_refreshes_nothing() -> None:
    old = a_memory(created_at=NOON - timedelta(days=400))
    both = reinforced(a_memory(), old, LATER)
    assert both.last_reinforced_at == NOON
    assert both.reinforcement_count == 2


@pytest.mark.parametrize("state", [State.ARCHIVED, State.INACTIVE])
def test_evidence_brings_a_memory_back_with_a_least_confidence(state: State) -> None:
    known = a_memory(state=state, confidence=0.0, superseded_by="m9")
    both = reinforced(known, a_memory(), NOON)
    assert (both.state, both.confidence, both.superseded_by) == (State.ACTIVE, 0.1, None)


def test_less_trusted_text_is_evidence_but_does_not_weigh_itself() -> None:
    known = a_memory(source_trust=SourceTrust.PRINCIPAL, importance=0.4, tags=("a",))
    new = a_memory(source_trust=SourceTrust.EXTERNAL, importance=1.0, tags=("b",), source_episodes=("web",))
    both = reinforced(known, new, LATER)
    assert (both.importance, both.tags) == (0.4, ("a",))
    assert both.reinforcement_count == known.reinforcement_count + 1
    assert "web" in both.source_episodes


def test_a_window_is_taken_only_from_what_is_trusted_alike() -> None:
    since = NOON - timedelta(days=9)
    for new in (a_memory(valid_from=since), a_memory(valid_from=since, source_episodes=("a",))):
        known = a_memory(source_episodes=("a",))
        assert reinforced(known, new, LATER).valid_from == since
        assert reinforced(a_memory(valid_from=NOON), new, LATER).valid_from == NOON
        poisoned = replace(new, source_trust=SourceTrust.EXTERNAL)
        assert reinforced(known, poisoned, LATER).valid_from is None


def test_what_may_not_instruct_gives_no_lesson_and_no_pin() -> None:
    commit = a_memory(origin=Origin.COMMIT, source_trust=SourceTrust.AGENT)
    heard = replace(commit, origin=Origin.LOOP, lesson="Buy", pinned=True, tags=("ad",))
    both = reinforced(commit, heard, LATER)
    assert (both.lesson, both.pinned, both.tags) == (None, False, ("ad",))
    both = reinforced(heard, replace(heard, lesson="Sell"), LATER)
    assert (both.lesson is not None, both.pinned) == (True, True)


@given(memories)
def test_a_confirmation_changes_strength_and_state_alone(known: Memory) -> None:
    after = confirmed(known, LATER)
    assert after.reinforcement_count == known.reinforcement_count + 1
    assert after.state is State.ACTIVE
    untouched = "essence lesson emotions importance tags topics entities source_episodes pinned kind".split()
    assert all(getattr(after, name) == getattr(known, name) for name in untouched)


def test_the_same_words_without_doubt_approve() -> None:
    waits = a_memory(needs_review=True)
    assert not reinforced(waits, a_memory(), LATER).needs_review
    assert reinforced(waits, waits, LATER).needs_review
    assert reinforced(waits, a_memory(source_trust=SourceTrust.EXTERNAL), LATER).needs_review
    assert confirmed(waits, LATER).needs_review
    assert not reinforced(a_memory(), waits, LATER).needs_review
