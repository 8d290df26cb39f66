"""A process that forks while it has a bank open."""

from __future__ import annotations

import pytest

from tests.crash.fleet import Child, Fleet, Place
from tests.crash.kills import on
from tests.crash.proof import opened, prove
from tests.crash.story import Content, Step

Based = tuple[Place, Content]

BEFORE: Step = ("remember", 50)
AFTER: Step = ("remember", 51)


def _forked(fleet: Fleet, place: Place) -> Child:
    [parent] = fleet.start()
    parent.open(place).ask(*BEFORE)
    parent.ask("recall", 50)
    parent.ask("fork")
    return parent


def test_a_bank_from_before_a_fork_is_closed_in_the_fork_alone(fleet: Fleet, base: Based) -> None:
    place, content = base
    parent = _forked(fleet, place)
    steps: list[Step] = [
        ("remember", 100),
        ("observe", 100, 3),
        ("revise", 1),
        ("forget", 1),
        ("recall", 1),
        ("hold",),
    ]
    for step in steps:
        answer = parent.try_to("in_fork", *step)
        assert answer["error"] == "Closed"
        assert "before a fork" in answer["text"]
        assert "Reverie.open" in answer["text"]
    parent.ask(*AFTER)
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(BEFORE, AFTER))


@pytest.mark.parametrize("way", ["close", "kill"])
def test_the_end_of_a_fork_leaves_the_parents_lock_alone(fleet: Fleet, base: Based, way: str) -> None:
    place, content = base
    parent = _forked(fleet, place)
    parent.ask("hold")
    if way == "close":
        parent.try_to("in_fork", "close")
    parent.ask("kill_fork")
    other = fleet.start()[0].open(place, busy_seconds=0.05)
    assert other.try_to("remember", 60)["error"] == "Busy"
    parent.ask("release")
    parent.ask(*AFTER)
    parent.ask("close")
    parent.end()
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(BEFORE, AFTER))


@pytest.mark.parametrize("end", ["close", "kill_fork"])
@pytest.mark.parametrize("third", [False, True], ids=["alone", "beside a third process"])
def test_a_fork_that_opens_the_bank_anew_loses_nothing(
    fleet: Fleet, base: Based, end: str, third: bool
) -> None:
    place, content = base
    parent = _forked(fleet, place)
    answer = parent.try_to("in_fork", *on(place, ("open",)))
    refused = "error" in answer
    if refused:
        assert answer["error"] == "Closed"
        assert "fork" in answer["text"]
    parent.ask("close")
    done = [BEFORE]
    if third:
        fleet.start()[0].open(place).ask("remember", 52)
        done += [("remember", 52)]
    if not refused:
        assert parent.ask("in_fork", *AFTER)["inserted"]
        done += [AFTER]
        if end == "close":
            parent.ask("in_fork", "close")
    parent.ask("kill_fork")
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(*done))


def test_closing_what_a_fork_inherited_lets_it_open_nothing(fleet: Fleet, base: Based) -> None:
    place, content = base
    parent = _forked(fleet, place)
    parent.try_to("in_fork", "close")
    answer = parent.try_to("in_fork", *on(place, ("open",)))
    assert answer["error"] == "Closed"
    parent.ask(*AFTER)
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(BEFORE, AFTER))
