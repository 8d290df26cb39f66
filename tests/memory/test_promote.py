"""What recurs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust
from reverie.memory.change.recurrence import (
    day_of,
    event_of,
    is_event,
    may_recur,
    recurring,
    says_the_same,
)
from tests.memory.memories import NOON

BEES = "Péter keeps seven bees in the garden"


def _said(content: str = BEES, days: float = 0, **fields: object) -> Episode:
    time = NOON - timedelta(days=days)
    one = Episode(
        id=f"e{days}", conversation="main", position=0, time=time, observed_at=NOON, channel="api", role=Role.USER,
        speaker="Anna", content=content, source_trust=SourceTrust.PRINCIPAL,
    )  # fmt: skip
    return replace(one, **fields)  # type: ignore[arg-type]  # an episode's fields


@pytest.mark.parametrize(
    ("fields", "may"),
    [
        ({}, True),
        ({"content": "Do you keep bees?"}, False),
        ({"content": "Bees"}, False),
        ({"content": "Yes, it is"}, False),
        ({"content": "bees " * 300}, False),
        ({"role": Role.AGENT}, False),
        ({"role": Role.AGENT, "outcome": "failure"}, True),
        ({"role": Role.AGENT, "tags": ("deploy",)}, True),
        ({"role": Role.AGENT, "conversation": "events"}, True),
        ({"role": Role.TOOL, "tags": ("deploy",)}, False),
        ({"role": Role.SYSTEM}, False),
    ],
)
def test_statements_of_people_and_events_of_the_agent_may_recur(fields: dict[str, object], may: bool) -> None:
    assert may_recur(_said(**fields)) is may  # type: ignore[arg-type]  # an episode's fields


def test_what_a_person_says_is_no_event() -> None:
    assert not is_event(_said(outcome="failure", tags=("deploy",), conversation="events"))


@pytest.mark.parametrize(
    ("fields", "same"),
    [
        ({}, True),
        ({"content": f"{BEES}!"}, True),
        ({"content": "Péter keeps nine bees in the garden"}, False),
        ({"content": "Péter keeps no bees in the garden"}, False),
        ({"speaker": "Ben"}, False),
        ({"speaker": None}, False),
        ({"role": Role.AGENT}, False),
        ({"outcome": "failure"}, False),
    ],
)
def test_the_same_person_says_the_same_with_the_same_outcome(fields: dict[str, object], same: bool) -> None:
    assert says_the_same(_said(), _said(**fields)) is same  # type: ignore[arg-type]  # an episode's fields


@pytest.mark.parametrize(
    ("days", "recurs"),
    [
        ((0, 1, 2), True),
        ((0, 0.1, 1), True),
        ((0, 0.1, 0.2), False),
        ((0, 1), False),
        ((), False),
        ((5,) * 9, False),
    ],
)
def test_three_times_on_two_days_is_recurring(days: Sequence[float], recurs: bool) -> None:
    found = recurring([_said(days=day) for day in days], UTC, least=3, days=2)
    assert (found is not None) is recurs


def test_they_come_in_order_of_time() -> None:
    found = recurring([_said(days=day) for day in (1, 9, 4)], UTC, least=3, days=2)
    assert found is not None
    assert [one.id for one in found] == ["e9", "e4", "e1"]


def test_the_more_trusted_stand_alone_where_they_suffice() -> None:
    mine = [_said(days=day) for day in (1, 2, 3)]
    theirs = [_said(days=day, source_trust=SourceTrust.EXTERNAL) for day in (4, 5, 6)]
    assert recurring([*theirs, *mine], UTC, least=3, days=2) == (mine[2], mine[1], mine[0])
    assert len(recurring([*theirs, *mine[:2]], UTC, least=3, days=2) or ()) == 5


def test_of_a_message_stored_twice_the_more_trusted_counts() -> None:
    copy = _said(days=1, id="copy", source_trust=SourceTrust.EXTERNAL)
    assert recurring([copy, _said(days=1), _said(days=2)], UTC, least=2, days=2) == (
        _said(days=2),
        _said(days=1),
    )


@given(st.lists(st.tuples(st.floats(0, 9), st.sampled_from(SourceTrust)), max_size=8), st.randoms())
def test_the_order_in_which_they_are_given_makes_no_difference(
    given_days: list[tuple[float, SourceTrust]], random: object
) -> None:
    episodes = [_said(days=day, source_trust=trust) for day, trust in given_days]
    shuffled = [*episodes]
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis' own
    one, other = (recurring(some, UTC, least=3, days=2) for some in (episodes, shuffled))
    assert (one is None) == (other is None)
    assert [each.time for each in one or ()] == [each.time for each in other or ()]


def test_a_day_is_a_day_of_the_zone() -> None:
    moment = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    assert day_of(moment, ZoneInfo("Europe/Budapest")).day == 21
    assert day_of(datetime(1, 1, 1, tzinfo=UTC), ZoneInfo("America/New_York")).day == 1


def test_an_event_is_told_by_its_latest_episode_with_its_outcome() -> None:
    events = [_said("It ran", days=2, outcome="failure"), _said("It ran!", days=1, outcome="failure")]
    assert event_of(events) == ("It ran!: failure", ())
    assert event_of([_said("It ended in failure", outcome="failure")]) == ("It ended in failure", ())


def test_only_tags_that_all_events_have_are_kept() -> None:
    events = [_said(days=2, tags=("a", "b", "c")), _said(days=1, tags=("c", "a"))]
    assert event_of(events)[1] == ("c", "a")
