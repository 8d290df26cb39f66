"""What holds of every bank: its export makes an equal one, on either engine, with and without vectors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reverie import Agent, Reverie, ReverieError
from reverie.domain.memory import Connection
from reverie.domain.text import checked_text
from tests.services.bench import NOON, Clock, opened
from tests.services.exports import bank_of, brought, lines_of

pytestmark = pytest.mark.slow

texts = st.text(max_size=40)
names = st.sampled_from(["Anna", "Péter", "日本 🜍"]) | texts
few = st.lists(texts, max_size=3)
bodies = st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | texts, st.lists, max_leaves=4
    ),
)
times = st.datetimes(timezones=st.timezones()).map(lambda moment: moment.isoformat())
acts = st.one_of(
    st.tuples(st.just("say"), texts, names, few, st.none() | times),
    st.tuples(st.just("keep"), texts, texts, few, st.floats(0, 1)),
    st.tuples(st.just("revise"), texts, texts, few, st.floats(0, 1)),
    st.tuples(st.just("forget"), st.integers(0, 9)),
    st.tuples(st.just("soul"), texts),
    st.tuples(st.just("diary"), texts | bodies, texts, st.dates()),
    st.tuples(st.just("relate"), names, names, texts, st.floats(-1, 1)),
    st.tuples(st.just("procedure"), texts, few, texts),
    st.tuples(st.just("goal"), texts, texts),
    st.tuples(st.just("replace"), texts, st.integers(0, 9)),
    st.tuples(st.just("profile"), texts, few),
    st.tuples(st.just("connect"), st.integers(0, 9), names),
)
SOCIAL: list[tuple[object, ...]] = [
    ("keep", "It rains", "", [], 0.5), ("forget", 0),
    ("keep", "Anna lives in Porto", "", [], 0.5), ("keep", "Ben sails ships", "", [], 0.5), ("connect", 1, "knows"),
    ("diary", {"met": ["Anna", 1.5]}, "glad", "2026-05-13"), ("relate", "Anna", "ally", "Owes me a map", 0.5),
    ("say", "Good evening", "Anna", [], None), ("soul", "Be kind"),
]  # fmt: skip


class House:
    """Banks for any number of examples, each an agent of its own."""

    def __init__(self, reverie: Reverie, clock: Clock) -> None:
        self._reverie, self._clock, self._numbers = reverie, clock, count()

    def agent(self) -> Agent:
        self._clock.now = NOON
        return self._reverie.agent(f"agent {next(self._numbers)}")

    def lived(self, life: list[tuple[object, ...]]) -> Agent:
        """What can't be done isn't; something always is."""
        agent = self.agent()
        agent.set_profile(home="Győr")
        for act in life:
            self._clock.wait(hours=1)
            with suppress(ReverieError):
                _do(agent, str(act[0]), *act[1:])
        return agent


def _do(agent: Agent, verb: str, *given: Any) -> None:  # the verbs check what they are given
    held = agent.memories(deep=True, limit=99)
    match verb, given:
        case "say", (content, name, tags, time):
            agent.observe(
                {"content": content, "speaker": name or None, "tags": tags, "time": time},
                conversation=str(name),
            )
        case "keep", (essence, lesson, tags, number):
            sources = [one.id for one in agent.episodes(limit=2)]
            agent.remember_many(
                [
                    {
                        "essence": essence,
                        "lesson": lesson or None,
                        "tags": tags,
                        "importance": number,
                        "source_episodes": sources,
                    }
                ]
            )
        case "revise", (essence, lesson, tags, number) if held:
            agent.revise(held[-1].id, essence=essence, lesson=lesson or "…", tags=tags, confidence=number)
        case "forget", (int(place),) if held:
            agent.forget(held[place % len(held)].id)
        case "replace", (str(essence), int(place)) if held:
            agent.remember(essence, supersedes=[held[place % len(held)].id])
        case "soul", (str(text),):
            agent.soul.add(text)
        case "diary", (body, mood, date):
            agent.diary.write(body, mood=mood or None, date=date)
        case "relate", (str(name), str(type), str(notes), float(trust)):
            agent.relationships.assign(name or "Kade", type or None, trust, notes=notes or None)
        case "procedure", (str(name), list(steps), str(note)):
            agent.procedures.record(name, steps)
            agent.procedures.record(name, outcome="failure", note=note or None)
        case "goal", (str(text), str(note)):
            agent.goals.complete(agent.goals.add(text).id, note=note or None)
        case "connect", (int(place), str(relation)) if held:
            edge = Connection(
                source=held[0].id, target=held[place % len(held)].id, relation=relation, created_at=NOON
            )
            with agent._desk.store.write(agent.id) as unit:
                unit.memories.connect(
                    replace(edge, relation=checked_text(relation, "relation", most_bytes=99))
                )
        case "profile", (str(name), list(names)):
            agent.set_profile(location=name, principals=names)


@pytest.fixture(scope="module")
def house(lasting_place: str) -> Iterator[House]:
    clock = Clock()
    with opened(lasting_place, clock=clock) as reverie:
        yield House(reverie, clock)


some = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@some
@example(life=SOCIAL, with_log=True, with_vectors=False)
@given(life=st.lists(acts, max_size=12), with_log=st.booleans(), with_vectors=st.booleans())
def test_the_import_of_an_export_is_an_equal_bank(
    house: House, life: list[tuple[object, ...]], with_log: bool, with_vectors: bool
) -> None:
    lived, new = house.lived(life), house.agent()
    lines = lines_of(lived, with_log=with_log, with_vectors=with_vectors)
    done = brought(new, lines)
    assert bank_of(new) == bank_of(lived)
    assert sum(one.added for one in done.counts.values()) == len(lines) - 2
    assert brought(new, lines).changed == 0
    assert bank_of(new) == bank_of(lived)
    again = lines_of(new, with_log=False, with_vectors=with_vectors)
    if not with_log:
        assert again[1:-1] == lines[1:-1]


def test_a_life_that_is_always_tried_holds_each_type(house: House) -> None:
    types = {one["type"] for one in lines_of(house.lived(SOCIAL), with_log=True)}
    assert types >= {
        "conversation", "episode", "memory", "connection", "soul", "diary", "relationship", "tombstone", "audit"
    }  # fmt: skip


@some
@given(st.lists(acts, max_size=8), st.lists(acts, max_size=8), st.sampled_from(["skip", "replace", "newer"]))
def test_two_banks_become_one_whatever_they_hold(
    house: House, life: list[tuple[object, ...]], other: list[tuple[object, ...]], rule: str
) -> None:
    one, two = house.lived(life), house.lived(other)
    held = {each.id for each in two.memories(deep=True, limit=99)}
    lines = lines_of(one)
    told = brought(two, lines, on_conflict=rule, dry_run=True)
    done = brought(two, lines, on_conflict=rule)
    assert told.counts == done.counts
    now = {each.id for each in two.memories(deep=True, limit=99)}
    assert held <= now
    assert len(now - held) == (done.counts["memory"].added if "memory" in done.counts else 0)
    once = bank_of(two)
    brought(two, lines, on_conflict=rule)
    assert bank_of(two) == once
