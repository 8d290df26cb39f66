"""What holds of every sleep, whatever its mind proposes: undone, it has never been."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reverie import Agent, Reverie
from reverie.domain.change import Change, Connect, Contradict, Fade, Learn, Reinforce, Revise
from reverie.domain.kinds import Kind
from reverie.domain.sleep import SleepReport
from reverie.errors import NotRevertible
from reverie.ports.night import Night
from reverie.services.sleep.sleep import sleep
from tests.services.bench import NOON, Clock, opened
from tests.services.exports import bank_of
from tests.services.nights import Dreamer, said_in, undone
from tests.services.scripted import minded

pytestmark = pytest.mark.slow

SAID = [
    "Anna lives in Porto", "Anna lives in Lisbon", "Anna does not live in Porto", "Anna drinks green tea",
    "Anna drinks no green tea", "Ben keeps seven bees", "Ben keeps nine bees", "Ben plays the cello",
]  # fmt: skip
places = st.integers(0, 7)
drafts = st.fixed_dictionaries(
    {
        "essence": st.sampled_from(SAID),
        "lesson": st.none() | st.just("Ask again"),
        "confidence": st.none() | st.sampled_from([0.1, 0.4, 1.0]),
        "kind": st.sampled_from(["fact", "preference", "observation"]),
    }
)
changes = st.tuples(
    st.sampled_from(["learn", "reinforce", "revise", "contradict", "fade", "connect"]), places, places
)
nights = st.lists(
    st.tuples(st.lists(st.sampled_from(SAID), min_size=1, max_size=6), st.lists(changes, max_size=8)),
    min_size=1, max_size=3,
)  # fmt: skip
made: Counter[str] = Counter()
KNOWN = [
    {"essence": text, "lesson": None, "confidence": None, "kind": "fact"}
    for text in (SAID[0], SAID[7], SAID[3])
]
EACH = [
    (
        [SAID[0], SAID[5], SAID[7]],
        [("reinforce", 0, 0), ("learn", 0, 1), ("connect", 0, 2), ("fade", 2, 0), ("contradict", 1, 0)],
    ),
    ([SAID[6], SAID[3]], [("revise", 0, 0), ("reinforce", 2, 1), ("contradict", 4, 0)]),
]
"""Nights with every sort of change."""


class House:
    """Banks for any number of examples, each an agent of its own."""

    def __init__(self, reverie: Reverie, clock: Clock) -> None:
        self.clock, self._numbers, self._dreamer = clock, count(), Dreamer()
        thinking, _ = minded(reverie, self._dreamer)
        self._reverie = thinking

    def agent(self, known: Sequence[dict[str, object]]) -> Agent:
        self.clock.now = NOON
        agent = self._reverie.agent(f"agent {next(self._numbers)}")
        agent.observe("Hello", conversation="long ago")
        for draft in known:
            agent.remember_many([draft])
        return agent

    def night(
        self, agent: Agent, said: Sequence[str], proposed: Sequence[tuple[str, int, int]]
    ) -> SleepReport:
        self.clock.wait(hours=9)
        self._dreamer.dream = lambda night: _changes(night, said, proposed)
        report = sleep(agent._desk, agent.id, actor="night")
        made.update(str(change.act) for change in report.changes)
        self.clock.wait(hours=1)
        return report


def _changes(night: Night, said: Sequence[str], proposed: Sequence[tuple[str, int, int]]) -> Sequence[Change]:
    """Changes of these sorts, about what the night shows at those places, worded as something that was said."""
    known = sorted({one.id for cluster in night.clusters for one in cluster.known})
    ids = said_in(night)
    found: list[Change] = []
    learned = 0
    for sort, place, other in proposed:
        text = said[other % len(said)]
        sources = (ids[text],)
        if sort == "learn":
            found.append(Learn(essence=text, kind=Kind.FACT, sources=sources, lesson=None))
            learned += 1
            continue
        if not known:
            continue
        id, beside = known[place % len(known)], known[other % len(known)]
        if learned and place % 2:
            beside = f"new:{other % learned}"
        match sort:
            case "reinforce":
                found.append(Reinforce(memory_id=id, reason="again"))
            case "revise":
                found.append(Revise(memory_id=id, essence=text, reason="another value", sources=sources))
            case "contradict":
                found.append(Contradict(memory_id=id, contradicted_by=beside, resolution="the later"))
            case "fade":
                found.append(Fade(memory_id=id, confidence=place / 10, sources=sources))
            case "connect":
                found.append(Connect(memory_a=id, memory_b=beside, relation=f"relation {other}"))
    return found


@pytest.fixture(scope="module")
def house(lasting_place: str) -> Iterator[House]:
    clock = Clock()
    made.clear()
    with opened(lasting_place, clock=clock) as reverie:
        yield House(reverie, clock)
    assert set(made) == {"learn", "reinforce", "revise", "contradict", "fade", "connect"}, made


some = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@some
@example(known=KNOWN, life=EACH)
@given(known=st.lists(drafts, max_size=6), life=nights)
def test_nights_that_are_undone_one_by_one_have_never_been(
    house: House, known: list[dict[str, object]], life: list[tuple[list[str], list[tuple[str, int, int]]]]
) -> None:
    agent = house.agent(known)
    told: list[tuple[str, tuple[str, ...]]] = []
    for number, (said, proposed) in enumerate(life):
        agent.observe(said, conversation=f"day {number}")
        before = bank_of(agent)
        told.append((house.night(agent, said, proposed).sleep.id, before))
    for number, (sleep_id, before) in reversed([*enumerate(told)]):
        undone(agent, sleep_id)
        later = [f'"day {day}"' for day in range(number + 1, len(life))]
        left = [line for line in bank_of(agent) if not any(day in line for day in later)]
        assert left == [*before]


@some
@example(known=KNOWN, life=EACH)
@example(
    known=[
        {"essence": text, "lesson": None, "confidence": None, "kind": "fact"} for text in (SAID[0], SAID[7])
    ],
    life=[
        ([SAID[0], SAID[0], SAID[5], SAID[0]], [("learn", 0, 0), ("learn", 0, 0), ("learn", 0, 2)]),
        ([SAID[6]], [("fade", 0, 0), ("fade", 0, 0)]),
        ([SAID[6]], [("revise", 7, 0), ("contradict", 0, 5)]),
    ],
)
@given(known=st.lists(drafts, max_size=6), life=nights)
def test_a_forced_revert_leaves_memories_as_they_were(
    house: House, known: list[dict[str, object]], life: list[tuple[list[str], list[tuple[str, int, int]]]]
) -> None:
    agent = house.agent(known)
    reports: list[SleepReport] = []
    before: dict[str, dict[str, object]] = {}
    for number, (said, proposed) in enumerate(life):
        agent.observe(said, conversation=f"day {number}")
        before = before if reports else _memories(agent)
        reports.append(house.night(agent, said, proposed))
    first = reports[0]
    with suppress(NotRevertible):
        alone = undone(agent, first.sleep.id, dry_run=True)
        assert alone.dropped == ()
    shown = undone(agent, first.sleep.id, dry_run=True, force=True)
    done = undone(agent, first.sleep.id, force=True)
    assert (done.removed, done.restored, done.edges, done.dropped) == (
        shown.removed, shown.restored, shown.edges, shown.dropped,
    )  # fmt: skip
    after = _memories(agent)
    assert not set(done.removed) & after.keys()
    touched = {change.target for change in first.changes if change.before} & before.keys()
    assert touched <= set(done.restored)
    for id in before.keys() & done.restored:
        if id in touched:
            assert after[id] == before[id]
        else:  # another night superseded it by what went: that goes back; what else other nights did stays
            assert after[id]["superseded_by"] not in done.removed
            if after[id]["superseded_by"] is None:
                assert after[id]["state"] != "archived" or before[id]["state"] == "archived"


@some
@example(known=KNOWN, life=EACH, order=[])
@example(known=KNOWN, life=EACH, order=[0, 1, 2, 3, 4, 5, 6, 7])
@given(known=st.lists(drafts, max_size=6), life=nights, order=st.lists(places, max_size=8))
def test_changes_that_are_undone_one_by_one_are_a_night_undone(
    house: House, known: list[dict[str, object]], life: list[tuple[list[str], list[tuple[str, int, int]]]],
    order: list[int],
) -> None:  # fmt: skip
    agent = house.agent(known)
    told: list[tuple[tuple[str, ...], SleepReport]] = []
    for number, (said, proposed) in enumerate(life):
        agent.observe(said, conversation=f"day {number}")
        told.append((bank_of(agent), house.night(agent, said, proposed)))
    before, report = told[-1]
    changes = [one.id for one in report.changes]
    for place in order:  # any of them first, as far as they may be
        if changes and _stands(agent, report, id := changes[place % len(changes)]):
            with suppress(NotRevertible):
                undone(agent, report.sleep.id, change=id)
    for id in reversed(changes):
        if _stands(agent, report, id):
            undone(agent, report.sleep.id, change=id)
    assert all(one.undone_at for one in agent.jobs.diff(report.sleep.id).changes)
    undone(agent, report.sleep.id)  # its episodes are to be slept on again
    assert bank_of(agent) == before


def _stands(agent: Agent, report: SleepReport, id: str) -> bool:
    return any(one.id == id and one.undone_at is None for one in agent.jobs.diff(report.sleep.id).changes)


def _memories(agent: Agent) -> dict[str, dict[str, object]]:
    lines = [json.loads(line) for line in bank_of(agent)]
    return {one["id"]: one for one in lines if one["type"] == "memory"}
