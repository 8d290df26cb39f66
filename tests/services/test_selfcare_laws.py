"""What holds of every self-care: undone, it has never been; and whatever goes, nothing else is lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Agent, Reverie, SelfCareSettings
from reverie.domain.summary import SelfCareReport
from tests.services.bench import NOON, Clock, opened
from tests.services.cared import Narrator, narrated, observed, states, talked
from tests.services.exports import bank_of

pytestmark = pytest.mark.slow

places = st.integers(0, 10**6)
deeds = st.lists(
    st.tuples(st.sampled_from(["observe", "say", "pin", "forget", "unsay", "care"]), places),
    min_size=2,
    max_size=8,
)


class House:
    """Banks for any number of examples, each an agent of its own."""

    def __init__(self, reverie: Reverie, clock: Clock) -> None:
        self.clock, self._numbers, self._reverie = clock, count(), reverie
        self.seen = 0

    def agent(self) -> Agent:
        self.clock.now = NOON
        mama, _ = narrated(
            self._reverie,
            Narrator(),
            self_care=SelfCareSettings(min_observations=3, batch=5, target=60, live_entries=14),
        )
        return Reverie(mama._desk, actor="caller").agent(f"agent {next(self._numbers)}")

    def do(self, agent: Agent, deed: str, place: int) -> SelfCareReport | None:
        """One deed; the report where it was a self-care that did something."""
        self.clock.wait(minutes=10)
        known = sorted(states(agent))
        said = [one.id for one in agent.episodes(limit=1000)]
        match deed:
            case "observe":
                self.seen += 1
                observed(agent, self.clock, place % 9, first=20 * self.seen)
            case "say":
                talked(agent, place % 20, f"talk {place % 3}")
                self.clock.wait(minutes=place % 90)
            case "pin" if known:
                agent.revise(known[place % len(known)], pinned=True)
            case "forget" if known:
                agent.forget(known[place % len(known)])
            case "unsay" if said:
                agent.forget(said[place % len(said)])
            case "care":
                report = agent.self_care()
                return report or None
        return None


@pytest.fixture(scope="module")
def house(lasting_place: str) -> Iterator[House]:
    clock = Clock()
    with opened(lasting_place, clock=clock) as reverie:
        yield House(reverie, clock)


some = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _is_sound(agent: Agent) -> None:
    """Whatever is summarized is under a summary, and each summary stands for what it says."""
    found, covered = states(agent), dict[str, int]()
    for one in agent.summaries.list(limit=1000):
        opened = agent.summaries.expand(one.memory_id)
        assert len(opened.memories) + len(opened.episodes) == one.items
        for each in opened.memories:
            assert str(each.state) == "summarized"
            covered[each.id] = covered.get(each.id, 0) + 1
        if one.conversation is not None:
            assert one.first is not None
            assert [each.position for each in opened.episodes][:: one.items - 1 or 1][0] == one.first
    assert {id for id, state in found.items() if state == "summarized"} == set(covered)
    assert set(covered.values()) <= {1}
    with agent._desk.store.read(agent.id) as unit:
        assert sum(unit.summaries.live().values()) == sum(room.live for room in unit.summaries.rooms())


@some
@given(deeds)
def test_each_item_is_live_or_summarized_once_or_forgotten(house: House, life: list[tuple[str, int]]) -> None:
    agent = house.agent()
    for deed, place in [("observe", 8), ("say", 19), *life, ("care", 0)]:
        house.do(agent, deed, place)
        _is_sound(agent)


@some
@given(deeds)
def test_self_cares_that_are_undone_one_by_one_have_never_been(
    house: House, life: list[tuple[str, int]]
) -> None:
    agent = house.agent()
    for deed, place in [("observe", 8), ("say", 19), *life]:
        house.do(agent, deed, place)
    done: list[tuple[str, tuple[str, ...]]] = []
    for _ in range(3):
        before = bank_of(agent)
        report = house.do(agent, "care", 0)
        if report is not None:
            done.append((report.id, before))
        house.clock.wait(hours=2)
    for job, before in reversed(done):
        assert bank_of(agent) != before
        agent.revert(job)
        assert bank_of(agent) == before
        _is_sound(agent)
