"""Summaries that came by a link beside the agent's own, over what both of them know."""

from __future__ import annotations

import pytest

from reverie import Agent, Reverie, SelfCareSettings
from tests.services.bench import Clock, kept
from tests.services.cared import Narrator, narrated, observed, saw, states
from tests.services.conftest import Open

pytestmark = pytest.mark.slow


@pytest.fixture
def two(open_bank: Open) -> tuple[Agent, Agent]:
    """Mama, and nova whose bank she may have; both care for themselves from five observations on."""
    mama, _ = narrated(open_bank(), Narrator(), self_care=SelfCareSettings(min_observations=5))
    return mama, Reverie(mama._desk, actor="caller").agent("nova")


def _saw(agent: Agent) -> list[str]:
    return [kept(agent, saw(number), kind="observation").id for number in range(6)]


def _shared(to: Agent, of: Agent) -> None:
    of.link.accept(to.link.request(of.id).id)


def test_originals_stay_when_anothers_summary_falls(two: tuple[Agent, Agent], clock: Clock) -> None:
    mama, nova = two
    own = _saw(mama)
    _saw(nova)
    observed(nova, clock, 2, first=500)
    nova.self_care()
    report = mama.self_care()
    _shared(mama, nova)
    [foreign] = [one for one in mama.memories(deep=True) if "number 500" in one.essence and one.learned_from]
    receipt = mama.forget(foreign.id)
    assert len(receipt.summaries) == 1
    assert not {*own} & {*receipt.reactivated_memories}
    assert {states(mama)[id] for id in own} == {"summarized"}
    assert {*mama.revert(report.id).restored} == {*own}


def test_what_stayed_active_is_not_reported_as_active_again(two: tuple[Agent, Agent], clock: Clock) -> None:
    mama, nova = two
    own = _saw(mama)
    clock.wait(minutes=7)
    _saw(nova)
    _shared(mama, nova)
    nova.self_care()
    clock.wait(hours=1)
    _shared(mama, nova)
    assert {states(mama)[id] for id in own} == {"active"}
    receipt = mama.forget(own[0])
    assert len(receipt.summaries) == 1
    assert receipt.reactivated_memories == ()


def test_a_summary_of_memories_closes_no_room_there(two: tuple[Agent, Agent], clock: Clock) -> None:
    """Not even one whose name reads like no name."""
    mama, nova = two
    nova.observe("Kade keeps bees", conversation="None")
    _saw(nova)
    nova.self_care()
    _shared(mama, nova)
    [summary] = mama.summaries.list()
    assert summary.conversation is None
    assert not any(one.conversation is not None for one in nova.summaries.list())
