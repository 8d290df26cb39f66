"""What grows stale, and what is kept all the same."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given

from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, Origin
from reverie.memory.change.staleness import is_stale, kept_for, last_seen
from reverie.memory.decay import activation_of
from tests.memory.memories import NOON, a_memory, memories, moments


@given(memories, moments)
def test_stale_is_what_has_less_activation_than_that(memory: Memory, now: datetime) -> None:
    assert is_stale(memory, now, 0.1) == (activation_of(memory, now) < 0.1)


def test_without_evidence_a_memory_is_stale_in_half_a_year() -> None:
    memory = a_memory(priority=Priority.NORMAL)
    assert not is_stale(memory, NOON + timedelta(days=179), 0.1)
    assert is_stale(memory, NOON + timedelta(days=181), 0.1)


def test_a_clock_that_went_backwards_makes_nothing_stale() -> None:
    assert not is_stale(a_memory(), NOON - timedelta(days=9999), 0.1)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, None),
        ({"pinned": True}, "pinned"),
        ({"kind": Kind.POLICY, "priority": Priority.CRITICAL}, "baseline"),
        ({"kind": Kind.ARCHITECTURE, "priority": Priority.HIGH}, "baseline"),
        ({"kind": Kind.PREFERENCE, "priority": Priority.HIGH}, "baseline"),
        ({"kind": Kind.PREFERENCE, "priority": Priority.MEDIUM}, None),
        ({"kind": Kind.PITFALL, "priority": Priority.CRITICAL}, None),
        ({"kind": Kind.GOAL}, "open goal"),
        ({"kind": Kind.GOAL, "origin": Origin.LOOP}, None),
    ],
)
def test_what_prompts_rest_on_is_kept(fields: dict[str, object], reason: str | None) -> None:
    memory = a_memory(**fields)  # type: ignore[arg-type]  # a memory's fields
    assert kept_for(memory, proven=False, achieved=False) == reason


def test_a_procedure_is_kept_once_it_succeeded() -> None:
    workflow = a_memory(kind=Kind.WORKFLOW, priority=Priority.HIGH)
    assert kept_for(workflow, proven=True, achieved=False) == "proven procedure"
    assert kept_for(workflow, proven=False, achieved=False) is None


def test_an_achieved_goal_is_kept_no_longer() -> None:
    assert kept_for(a_memory(kind=Kind.GOAL), proven=False, achieved=True) is None
    due = a_memory(kind=Kind.GOAL, origin=Origin.PATTERN)
    assert kept_for(due, proven=False, achieved=False, due=True) == "open goal"
    assert kept_for(due, proven=False, achieved=False) is None


def test_last_seen_is_the_latest_of_three_times() -> None:
    day = timedelta(days=1)
    assert last_seen(a_memory()) == NOON
    assert last_seen(a_memory(last_reinforced_at=NOON + day)) == NOON + day
    assert (
        last_seen(a_memory(last_reinforced_at=NOON + day, last_touched_at=NOON + 2 * day)) == NOON + 2 * day
    )
