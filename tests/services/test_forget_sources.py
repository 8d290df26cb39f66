"""A forgotten memory takes its sentences along; what still tells of it is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Agent, Origin, Reverie, StoreError
from reverie.language.lexical_terms import terms
from reverie.services.forget import still_told as module
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


DOSE = "I take 50 micrograms of levothyroxine every morning"
ECHO = {"role": "agent", "content": "Noted: 50 micrograms of levothyroxine each morning."}
OTHERS = ("Good morning!", "We walked the dog by the river.", "I take the bus at eight every morning.")


def test_an_assistants_echo_of_a_forgotten_message_is_named(mama: Agent) -> None:
    said, echo, *_ = mama.observe([{"content": DOSE}, ECHO, *OTHERS]).episode_ids
    receipt = mama.forget(said)
    assert receipt.still_told == (echo,)
    assert mama.get(echo).id == echo
    assert mama.forget(echo).still_told == ()
    assert not mama.recall_episodes("levothyroxine").hits


def test_messages_with_a_rare_word_of_it_are_named(mama: Agent) -> None:
    said, echo, asked, *_ = mama.observe(
        [{"content": DOSE}, ECHO, {"content": "Did the levothyroxine help?", "role": "agent"}, *OTHERS]
    ).episode_ids
    memory = kept(mama, "Mara takes 50 micrograms of levothyroxine every morning", source_episodes=[said])
    receipt = mama.forget(memory.id)
    assert (receipt.episodes, receipt.still_told) == ((said,), (echo, asked))


@pytest.mark.parametrize(
    ("said", "echo"),
    [
        ("I go to church every Sunday.", "You go to church every Sunday, noted."),
        ("My son is in hospital.", "I hope your son gets out of hospital soon."),
        ("I quit my job last week.", "Sorry to hear that you quit your job!"),
        ("We met Zsolt. I moved out last month.", "You moved out last month, noted."),
        ("I smoke.", "You smoke, noted."),
    ],
)
def test_an_echo_of_everyday_words_alone_is_named(mama: Agent, said: str, echo: str) -> None:
    first, second, *_ = mama.observe(
        [{"content": said}, {"content": echo, "role": "agent"}, *OTHERS, "It was hot last week.", "Hello!"]
    ).episode_ids
    assert mama.forget(first).still_told == (second,)


def test_everyday_words_and_speakers_alone_tell_nothing(mama: Agent) -> None:
    said, *_ = mama.observe(
        [{"content": "I like tea in the morning, Anna", "speaker": "Mara"},
         {"content": "Good morning Mara, here is your tea", "speaker": "Anna"},
         {"content": "Anna is here, I like that", "speaker": "Mara"}]
    ).episode_ids  # fmt: skip
    assert mama.forget(said).still_told == ()


def test_forgetting_a_room_or_a_time_names_what_others_say(mama: Agent) -> None:
    (first,) = mama.observe([{"content": DOSE, "time": "2026-01-01"}], conversation="a").episode_ids
    (second,) = mama.observe([{**ECHO, "time": "2026-01-02"}], conversation="b").episode_ids
    assert mama.forget(conversation="a").still_told == (second,)
    (third,) = mama.observe([{"content": "Levothyroxine is what I take.", "time": "2026-01-03"}]).episode_ids
    assert mama.forget(since="2026-01-02", until="2026-01-03").still_told == (third,)
    assert first not in {one.id for one in mama.episodes()}


def test_nothing_is_left_to_tell_where_everything_goes(mama: Agent) -> None:
    mama.observe([{"content": DOSE}, ECHO])
    assert mama.forget(everything=True).still_told == ()


def test_others_banks_are_not_looked_at(reverie: Reverie, mama: Agent) -> None:
    said, echo = mama.observe([{"content": DOSE}, ECHO]).episode_ids
    papa = reverie.agent("papa")
    told = papa.observe([{"content": DOSE}, ECHO]).episode_ids
    assert mama.forget(said).still_told == (echo,)
    assert tuple(one.id for one in papa.episodes()) == told


def test_what_cannot_be_looked_up_costs_no_receipt(
    mama: Agent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said, echo = mama.observe([{"content": DOSE}, ECHO]).episode_ids

    def broken(*_: object) -> None:
        raise StoreError("the disk fails")

    for name in ("reverie.services.forget.still_told.still_told", "reverie.services.forget.forget.holders"):
        monkeypatch.setattr(name, broken)
    receipt = mama.forget(said)
    assert (receipt.episodes, receipt.still_told, receipt.searched) == ((said,), (), False)
    assert any("could not be looked up" in one for one in receipt.elsewhere)
    assert [one.id for one in mama.episodes()] == [echo]
    assert "StoreError" in caplog.text
    monkeypatch.undo()
    assert mama.forget(echo).searched


def test_speakers_are_read_once_for_all_that_went(mama: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(text: str) -> list[str]:
        read.append(text)
        return terms(text)

    monkeypatch.setattr(module, "terms", noted)
    mama.observe(
        [{"content": f"{DOSE} {place}", "speaker": "Mara Holm"} for place in range(30)], conversation="a"
    )
    mama.observe([{"content": "Good morning!", "speaker": "Mara Holm"}], conversation="b")
    mama.forget(conversation="a")
    assert read.count("Mara Holm") == 1
