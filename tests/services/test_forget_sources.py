"""A forgotten memory takes the sentences that it rests on with it; what stays of its sources is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Agent, Origin, Reverie, StoreError
from tests.services.bench import Clock, kept, opened
from tests.services.traces import holding

FACTS = [
    (
        "I go to church every Sunday.",
        "Anna goes to church every Sunday",
        "Sunday is when you find me at mass.",
    ),
    ("I do it all by myself.", "Anna does everything alone", "Nobody ever helps."),
    ("My son is four.", "Anna has a son, who is four", "He turned 4 in May."),
    (
        "We met at the pool, and he was so kind!",
        "Anna met him at the pool",
        "It was by the water that I saw him.",
    ),
    ("i run 10k on tuesdays.", "Anna runs ten kilometres each Tuesday", "Tuesdays: running."),
    ("The blue tin holds my PIN.", "Anna's PIN is in the blue tin", "Look into the tin, the blue one."),
    ("Dr. Menon looks after me.", "Anna's doctor is Menon", "Menon is my obstetrician."),
    ("お茶が好きです。", "Anna likes tea", "紅茶も飲む。"),
    ("Tomorrow it's the scan.", "The scan is on 21 November 2026", "They'll scan me in the morning."),
]
"""What is said, how a model words it, and how it is said otherwise."""
SAID, TOLD, OTHERWISE = 0, 1, 2


@dataclass(frozen=True)
class Diary:
    """Messages as (fact, form) pairs; a memory of one fact, or of a run of sentences of the first message."""

    messages: Sequence[Sequence[tuple[int, int]]]
    run: tuple[int, int] | None
    headed: bool

    def text(self, place: int) -> str:
        return " ".join(FACTS[fact][form] for fact, form in self.messages[place])

    @property
    def facts(self) -> set[int]:
        """What the memory tells."""
        first = self.messages[0]
        return {fact for fact, _ in (first[:1] if self.run is None else first[slice(*self.run)])}

    @property
    def essence(self) -> str:
        if self.run is None:
            return FACTS[self.messages[0][0][0]][TOLD]
        quoted = " ".join(FACTS[fact][form] for fact, form in self.messages[0][slice(*self.run)])
        return f"Anna said: {quoted}" if self.headed else quoted


@st.composite
def diaries(draw: st.DrawFn) -> Diary:
    messages = []
    for _ in range(draw(st.integers(1, 3))):
        facts = draw(st.lists(st.sampled_from(range(len(FACTS))), min_size=1, max_size=5, unique=True))
        messages.append([(fact, draw(st.sampled_from([SAID, SAID, OTHERWISE]))) for fact in facts])
    run = None
    if draw(st.booleans()):
        start = draw(st.integers(0, len(messages[0]) - 1))
        run = (start, draw(st.integers(start + 1, len(messages[0]))))
    return Diary(messages, run, draw(st.booleans()))


@pytest.fixture(scope="module")
def agents(lasting_place: str) -> Iterator[tuple[Reverie, Iterator[int]]]:
    with opened(lasting_place, clock=Clock()) as reverie:
        yield reverie, count()


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(diary=diaries())
def test_no_source_states_it_unnamed(agents: tuple[Reverie, Iterator[int]], diary: Diary) -> None:
    reverie, numbers = agents
    agent = reverie.agent(f"agent {next(numbers)}")
    said = [
        agent.observe({"content": diary.text(place), "speaker": "Anna"}, conversation=f"{place}").episode_ids[
            0
        ]
        for place in range(len(diary.messages))
    ]
    memory = kept(agent, diary.essence, source_episodes=said, origin=Origin.SLEEP, source_trust="principal")
    receipt = agent.forget(memory.id)
    named = {*receipt.still_told}
    left = {one.id: one.content for one in agent.episodes()}
    stating = {FACTS[fact][form] for fact in diary.facts for form in (SAID, OTHERWISE)}
    for id, message in zip(said, diary.messages, strict=True):
        rest = left.get(id, "")
        assert id in named or not [one for one in stating if one in rest]
        assert id not in left or {id} & {*named, *receipt.rewritten_episodes}
        for fact, form in message:
            assert fact in diary.facts or FACTS[fact][form] in rest
    if diary.run is not None:  # a quotation: exactly its sentences go
        quoted = diary.messages[0][slice(*diary.run)]
        assert left.get(said[0], "") == " ".join(
            FACTS[fact][form] for fact, form in diary.messages[0] if (fact, form) not in quoted
        )
    gone = [one for one in stating if not any(one in text for text in left.values())]
    assert holding(agent, *gone) == []
    for one in gone:
        assert not [hit for hit in agent.recall_episodes(one, min_score=0).hits if one in hit.text]
    _check_vectors(reverie, agent)


def _check_vectors(reverie: Reverie, agent: Agent) -> None:
    for one in agent.episodes():
        with reverie._desk.store.read(agent.id) as unit:
            vector = unit.episodes.vectors([one.id])[one.id]
        new = reverie._desk.embedder.embed([one.content])[0]
        assert [float(x) for x in vector] == pytest.approx([float(x) for x in new], abs=1e-3)


def test_everyday_words_of_the_loop_leave_a_message(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    said = mama.observe({"content": "I go to church every Sunday", "speaker": "Anna"}).episode_ids
    clock.wait(hours=1)
    mama.attend()
    [memory] = mama.memories()
    assert memory.source_episodes == said
    assert mama.forget(memory.id).episodes == said


def test_a_source_that_says_it_in_other_words_stays_and_is_named(mama: Agent) -> None:
    [said] = mama.observe("Nobody is ever there when I get in. It rains.").episode_ids
    receipt = mama.forget(kept(mama, "Anna lives alone", source_episodes=[said]).id)
    assert (receipt.episodes, receipt.rewritten_episodes, receipt.still_told) == ((), (), (said,))


def test_a_source_is_named_though_no_search_works(mama: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise StoreError("the disk fails")

    [said] = mama.observe("Nobody is ever there when I get in. It rains.").episode_ids
    memory = kept(mama, "Anna lives alone", source_episodes=[said])
    monkeypatch.setattr("reverie.services.forget.still_told.still_told", broken)
    receipt = mama.forget(memory.id)
    assert (receipt.searched, receipt.still_told) == (False, (said,))
