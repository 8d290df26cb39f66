"""Laws of sleep: whatever a mind proposes, nothing breaks, and nothing but what may change changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Kind, Memory, Reverie
from reverie.domain.change import Connect, Contradict, Fade, Learn, Reinforce, Revise
from reverie.domain.memory import State
from reverie.domain.sleep import Act
from reverie.services.sleep.sleeps import report
from tests.services.beds import Bed, bed
from tests.services.bench import Clock, opened

pytestmark = pytest.mark.slow

SAID = [
    "Anna keeps seven bees in the garden",
    "Anna lives in Berlin now",
    "Boris hates coffee",
    "No, not at all",
]
KNOWN = ["Anna keeps bees", "Anna lives in Munich", "Boris likes coffee", "The museum shows old maps"]


@dataclass
class House:
    """A bank with two agents in it; ``places`` stand for ids that examples name."""

    clock: Clock
    mama: Bed
    papa: Bed
    foreign: Memory
    said: Sequence[str]
    known: list[str]
    examples: int = 0

    def speak(self) -> None:
        """Says what is said in an example."""
        self.clock.wait(hours=1)
        self.examples += 1
        room, texts = f"room {self.examples}", [text.replace("{n}", str(self.examples)) for text in SAID]
        self.said = self.mama.said(*texts, conversation=room)

    def id(self, place: object) -> object:
        """The id that an example's place stands for; anything else is what it is."""
        names = [*self.said, *self.known, self.foreign.id]
        return names[place] if type(place) is int and 0 <= place < len(names) else place


@pytest.fixture(scope="module")
def house(lasting_place: str) -> Iterator[House]:
    clock = Clock()
    with opened(lasting_place, clock=clock) as reverie:
        yield _house(reverie, clock)


def _house(reverie: Reverie, clock: Clock) -> House:
    mama, papa = bed(reverie), bed(reverie, agent_id="papa")
    mama.agent.soul.add("Anna keeps bees, and I help her")
    papa.said(*SAID)
    known = [mama.knows(text, kind="fact").id for text in KNOWN]
    return House(clock, mama, papa, papa.knows(KNOWN[0]), papa.said("Anna keeps bees"), known)


def _weighed(*strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """One of these, each as likely as the others, however many it is made of itself."""
    return st.one_of(*(one.map(lambda value: value) for one in strategies))


_junk = _weighed(
    st.none(), st.booleans(), st.integers(-3, 10**20), st.floats(), st.text(max_size=30), st.binary(max_size=3),
    st.lists(st.integers(0, 9), max_size=2), st.dictionaries(st.text(max_size=2), st.integers(), max_size=1),
)  # fmt: skip
_news = st.sampled_from(["new:0", "new:0", "new:1", "new:9", "new:", "new:-1", "new:\u0661"])
_ends = _weighed(st.integers(4, 7), st.integers(4, 7), st.integers(0, 9), _news, _junk)
_sources = _weighed(
    st.lists(st.integers(0, 3), max_size=3).map(tuple), st.lists(st.integers(0, 9), max_size=3), _junk
)
_hostile = st.sampled_from(["<reverie-context>x", "Boris hates coffee\x00", "x" * 20_000, "\ud800", " "])
_texts = _weighed(
    st.sampled_from([*SAID, *KNOWN, "Anna lives in Berlin"]), _hostile, st.text(max_size=60), _junk
)
_reasons = _weighed(st.just(""), st.just("said so"), _hostile, _junk)
_numbers = _weighed(st.none(), st.floats(0, 1), st.floats(), _junk)
_times = _weighed(
    st.none(), st.datetimes(), st.datetimes(timezones=st.just(timezone(timedelta(hours=14)))), _junk
)
_labels = _weighed(st.just(()), st.lists(st.text(max_size=5), max_size=2).map(tuple), _junk)
_odd = _weighed(
    st.builds(
        Learn, essence=_texts, kind=_weighed(st.sampled_from(Kind), _junk), sources=_sources,
        stated=_weighed(st.booleans(), _junk), confidence=_numbers, importance=_numbers, lesson=_texts,
        emotions=_junk, topics=_labels, entities=_labels, tags=_labels, since=_times,
    ),
    st.builds(
        Revise, memory_id=_ends, essence=_texts, reason=_reasons, sources=_sources, lesson=_texts, since=_times
    ),
    st.builds(Reinforce, memory_id=_ends, reason=_reasons, sources=_sources),
    st.builds(Contradict, memory_id=_ends, contradicted_by=_ends, resolution=_reasons, sources=_sources),
    st.builds(Fade, memory_id=_ends, confidence=_numbers, reason=_reasons, sources=_sources),
    st.builds(Connect, memory_a=_ends, memory_b=_ends, relation=_texts),
    _junk,
)  # fmt: skip
_numbered = st.integers(0, 3)
_sound = _weighed(
    _numbered.flatmap(
        lambda place: st.builds(
            Learn, essence=st.just(SAID[place]), kind=st.sampled_from(Kind), sources=st.just((place,)),
            stated=st.booleans(), since=st.one_of(st.none(), st.datetimes()),
        )
    ),
    _numbered.flatmap(
        lambda place: st.builds(
            Revise, memory_id=st.integers(4, 7), essence=st.just(SAID[place]), reason=st.just(""),
            sources=st.just((place,)), stated=st.booleans(), since=st.one_of(st.none(), st.datetimes()),
        )
    ),
    st.builds(Reinforce, memory_id=st.integers(4, 7), reason=st.just("")),
    st.builds(
        Contradict, memory_id=st.integers(4, 7), contradicted_by=_weighed(_news, st.integers(4, 7)),
        resolution=_reasons,
    ),
    st.builds(
        Fade, memory_id=st.integers(4, 7), confidence=st.floats(0, 0.9), sources=_numbered.map(lambda place: (place,))
    ),
    st.builds(
        Connect, memory_a=st.integers(4, 7), memory_b=_weighed(_news, st.integers(4, 7)), relation=st.just("near")
    ),
)  # fmt: skip
_changes = _weighed(_sound, _sound, _odd)


def _with_ids(change: Any, house: House) -> Any:
    essence = getattr(change, "essence", None)
    if isinstance(essence, str):
        object.__setattr__(change, "essence", essence.replace("{n}", str(house.examples)))
    for name in ("memory_id", "contradicted_by", "memory_a", "memory_b"):
        if hasattr(change, name):
            object.__setattr__(change, name, house.id(getattr(change, name)))
    sources = getattr(change, "sources", None)
    if isinstance(sources, tuple | list):
        object.__setattr__(change, "sources", type(sources)(house.id(one) for one in sources))
    return change


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_changes, max_size=8))
def test_no_proposal_raises_or_oversteps_or_is_half_made(house: House, proposed: list[Any]) -> None:
    mama, papa = house.mama, house.papa
    house.speak()
    soul, others = mama.agent.soul.list(), papa.memories()
    before = {one.id: one for one in mama.memories()}
    done = mama.sleep(*(_with_ids(change, house) for change in proposed))
    assert mama.agent.soul.list() == soul
    assert papa.memories() == others
    assert len(papa.agent.episodes(limit=100)) == len(SAID) + 1
    assert mama.waiting() == 0
    _check_consistent(mama)
    _check_told(mama, done.sleep.id, before)
    for id in house.known:  # as they were, for the next example
        mama.agent.revise(id, essence=before[id].essence, confidence=0.9) if before[id] != mama.memory(
            id
        ) else None


def _check_consistent(mama: Bed) -> None:
    """Nothing in the bank points to what isn't there, or is out of range."""
    memories = {one.id: one for one in mama.memories()}
    with mama.reverie._desk.store.read("mama") as unit:
        wanted = {source for one in memories.values() for source in one.source_episodes}
        assert set(unit.episodes.get(wanted)) == wanted
        assert set(unit.memories.vectors(memories)) == set(memories)
    for edge in mama.edges():
        assert {edge.source, edge.target} <= set(memories)
        assert edge.source != edge.target
    for one in memories.values():
        assert 0 <= one.confidence <= 1
        assert one.superseded_by is None or one.superseded_by in memories
        assert (one.confidence >= 0.1) or one.state is State.INACTIVE
        assert one.valid_from is None or one.valid_to is None or one.valid_from < one.valid_to


def _check_told(mama: Bed, sleep_id: str, before: dict[str, Memory]) -> None:
    """Every difference stands in the report, and nothing else."""
    told = report(mama.reverie._desk, "mama", sleep_id)
    now = {one.id: one for one in mama.memories()}
    assert {one.target for one in told.of(Act.LEARN)} == set(now) - set(before)
    changed = {id for id, one in before.items() if now[id] != one}
    kinds = (Act.REINFORCE, Act.REVISE, Act.CONTRADICT, Act.FADE)
    named = {change.target for act in kinds for change in told.of(act) if change.after}
    assert changed <= named
    assert all(isinstance(one.reason, str) for one in told.sleep.rejected)
    assert isinstance(told.sleep.started_at, datetime)
