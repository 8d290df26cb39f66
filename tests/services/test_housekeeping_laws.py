"""What holds of every housekeeping: it makes nothing stronger than its evidence, and twice is as much as once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Agent, Kind, Memory, Priority, Reverie, State
from reverie.domain.housekept import Housekept
from reverie.domain.memory import Origin
from reverie.domain.trust import SourceTrust
from reverie.memory.decay import PRIORITY_WEIGHT, activation_of, faded_confidence
from tests.memory.memories import a_memory
from tests.services.bench import NOON, Clock, opened, state_of
from tests.services.kept_house import kept_house, planted, standing
from tests.services.scripted import Scripted

pytestmark = pytest.mark.slow

SAID = ["Anna drinks green tea", "Anna drinks green tea.", "Anna drinks no green tea", "Ben keeps seven bees"]
ZONES = ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York"]

ages = st.integers(0, 900).map(lambda days: NOON - timedelta(days=days))
memories = st.builds(
    a_memory,
    st.sampled_from(SAID),
    kind=st.sampled_from([Kind.FACT, Kind.PATTERN, Kind.POLICY, Kind.GOAL, Kind.PREFERENCE]),
    priority=st.sampled_from(Priority),
    confidence=st.floats(0, 1),
    confidence_at=ages,
    last_reinforced_at=ages,
    created_at=ages,
    updated_at=ages,
    origin=st.sampled_from([Origin.COMMIT, Origin.LOOP]),
    source_trust=st.sampled_from(SourceTrust),
    state=st.sampled_from(State),
    reinforcement_count=st.integers(1, 30),
    touches=st.integers(0, 30),
    last_touched_at=st.none() | ages,
    pinned=st.booleans(),
    lesson=st.none() | st.sampled_from(["Ask", "Wait"]),
    valid_from=st.none() | st.integers(901, 1000).map(lambda days: NOON - timedelta(days=days)),
    valid_to=st.none() | ages,
)
banks = st.lists(memories, max_size=8)
talks = st.lists(st.tuples(st.sampled_from(SAID), st.integers(0, 9)), max_size=8)
moments = st.integers(-2_000, 20_000).map(lambda days: NOON + timedelta(days=days))


class House:
    """Banks for any number of examples, each an agent of its own."""

    def __init__(self, reverie: Reverie, clock: Clock) -> None:
        self.reverie, self.clock, self._numbers = reverie, clock, count()

    def bank(self, known: list[Memory], talk: list[tuple[str, int]] | None = None) -> Agent:
        self.clock.now = NOON
        agent = self.reverie.agent(f"agent {next(self._numbers)}")
        if talk:
            agent.observe(
                [{"content": text, "time": (NOON - timedelta(days=day)).isoformat()} for text, day in talk]
            )
        planted(agent, *(replace(memory, id=f"m{place}") for place, memory in enumerate(known)))
        return agent

    def kept(self, agent: Agent, at: datetime = NOON) -> Housekept:
        self.clock.now = at
        return kept_house(agent, Scripted())


@pytest.fixture(scope="module")
def house(lasting_place: str) -> Iterator[House]:
    clock = Clock()
    with opened(lasting_place, clock=clock) as reverie:
        yield House(reverie, clock)


some = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@some
@given(banks, talks, moments)
def test_twice_is_as_much_as_once(
    house: House, known: list[Memory], talk: list[tuple[str, int]], now: datetime
) -> None:
    agent = house.bank(known, talk)
    house.kept(agent, now)
    before = state_of(agent)
    assert house.kept(agent, now).changed == 0
    assert state_of(agent) == before


@some
@given(banks, moments)
def test_nothing_grows_stronger_than_its_evidence(house: House, known: list[Memory], now: datetime) -> None:
    agent = house.bank(known)
    before = standing(agent)
    done = house.kept(agent, now)
    after = standing(agent)
    assert after.keys() == before.keys()
    taken: dict[str, list[str]] = {}
    for pair in done.merged:
        taken.setdefault(pair.survivor, [pair.survivor]).append(pair.merged)
    for id, memory in after.items():
        group = [before[each] for each in taken.get(id, [id])]
        last = max(each.fades_from for each in group)
        surest = max(faded_confidence(each.confidence, each.fades_from, last) for each in group)
        assert memory.confidence <= max(surest, before[id].confidence)
        assert memory.reinforcement_count <= sum(each.reinforcement_count for each in group)
        assert memory.touches == sum(each.touches for each in group)
        if len(group) == 1:
            assert faded_confidence(memory.confidence, memory.fades_from, now) == faded_confidence(
                before[id].confidence, before[id].fades_from, now
            )
            assert activation_of(memory, now) == activation_of(before[id], now)
        counts = sum(each.reinforcement_count + each.touches for each in group)
        assert activation_of(memory, now) <= PRIORITY_WEIGHT[before[id].priority] * min(counts, 20)


@some
@given(banks, moments)
def test_nothing_is_lost_or_trusted_more(house: House, known: list[Memory], now: datetime) -> None:
    agent = house.bank(known)
    before = standing(agent)
    house.kept(agent, now)
    for id, memory in standing(agent).items():
        old = before[id]
        assert (memory.essence, memory.kind, memory.priority) == (old.essence, old.kind, old.priority)
        assert (memory.source_trust, memory.origin) == (old.source_trust, old.origin)
        assert memory.lesson == old.lesson or old.lesson is None
        if memory.superseded_by is not None:
            survivor = before[memory.superseded_by]
            assert [*SourceTrust].index(survivor.source_trust) <= [*SourceTrust].index(old.source_trust)


@some
@given(banks, talks, moments, st.sampled_from(ZONES))
def test_a_clock_that_jumped_and_came_back_did_no_harm(
    house: House, known: list[Memory], talk: list[tuple[str, int]], jump: datetime, zone: str
) -> None:
    # What has ended hasn't yet for a clock that went back behind its end: what is said is evidence of it then, rightly.
    known = [
        replace(one, valid_to=None) if one.valid_to is not None and jump < one.valid_to else one
        for one in known
    ]
    straight, round_about = house.bank(known, talk), house.bank(known, talk)
    house.kept(straight)
    round_about.set_profile(time_zone=zone)
    house.kept(round_about, jump)
    house.kept(round_about)

    def told(agent: Agent) -> list[tuple[object, ...]]:
        return sorted(
            (one.essence, one.kind.value, one.state.value, one.superseded_by is None, one.reinforcement_count)
            for one in standing(agent).values()
            if one.origin is not Origin.SLEEP
        )

    assert told(round_about) == told(straight)
