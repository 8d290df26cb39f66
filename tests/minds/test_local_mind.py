"""LocalMind: what it keeps of talk, what it leaves, and what it never does."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.domain.emotion import Emotion
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.message import Role
from reverie.domain.snippet import Extracted, Snippet, Unjudged
from reverie.domain.trust import SourceTrust
from reverie.embedders.hashing import HashingEmbedder
from reverie.embedders.minilm import MiniLM
from reverie.minds.emotions import EmotionClassifier
from reverie.minds.local import LocalMind

FRIDAY = datetime(2026, 11, 20, 9, tzinfo=UTC)
Said = tuple[str | None, str]
"""Who says what; None for the agent, "" for a user without a name."""


def unknown(vectors: NDArray[np.float32]) -> Sequence[float]:
    return [-1.0] * len(vectors)


def known(vectors: NDArray[np.float32]) -> Sequence[float]:
    return [1.0] * len(vectors)


@pytest.fixture(scope="session")
def mind(classifier: EmotionClassifier) -> LocalMind:
    return LocalMind(MiniLM(), classifier.emotions)


def episode(place: int, said: Said) -> Episode:
    speaker, content = said
    time = FRIDAY + timedelta(minutes=place)
    return Episode(
        id=f"e{place}",
        conversation="talk",
        position=place,
        time=time,
        observed_at=time,
        channel="api",
        role=Role.AGENT if speaker is None else Role.USER,
        speaker=speaker or None,
        content=content,
        source_trust=SourceTrust.AGENT if speaker is None else SourceTrust.PRINCIPAL,
    )


def snippet(*said: Said, fresh: int | None = None) -> Snippet:
    messages = tuple(episode(place, one) for place, one in enumerate(said))
    return Snippet(agent_id="a", zone=UTC, messages=messages, fresh=len(said) if fresh is None else fresh)


def essences(mind: LocalMind, *said: Said) -> list[str]:
    return [one.essence for one in mind.extract(snippet(*said), unknown)]


def test_what_somebody_says_of_themselves_is_kept_with_name_and_date(mind: LocalMind) -> None:
    assert essences(mind, ("Anna", "I moved to Lisbon last week.")) == [
        "Anna moved to Lisbon in the week of 9 November 2026."
    ]


def test_who_has_no_name_is_the_user(mind: LocalMind) -> None:
    assert essences(mind, ("", "I'm allergic to peanuts and I carry an EpiPen.")) == [
        "The user is allergic to peanuts and they carry an EpiPen."
    ]


@pytest.mark.parametrize(
    "talk",
    [
        [("Anna", "Hi there!"), (None, "Hello Anna! How can I help you today?")],
        [
            ("Anna", "Thanks so much, that's great!"),
            (None, "You're welcome! Let me know if you need anything."),
        ],
        [("Anna", "Good morning, how are you?"), (None, "I'm fine, thank you!")],
        [("Anna", "ok"), (None, "Great!")],
        [("Ben", "lol yeah"), ("Eva", "haha right")],
        [("Anna", "What is the capital of France?")],
        [("Anna", "Could you tell me whether I should take the train to Porto?")],
        [("Anna", "See you later, bye!")],
    ],
)
def test_small_talk_and_questions_leave_nothing(mind: LocalMind, talk: list[Said]) -> None:
    assert essences(mind, *talk) == []


@pytest.mark.parametrize(
    "pasted",
    [
        "```\n# I am allergic to peanuts and live in Porto with my sister Clara.\n```",
        "> I am allergic to peanuts and live in Porto with my sister Clara.",
        '"I am allergic to peanuts and live in Porto with my sister Clara."',
    ],
)
def test_what_is_pasted_or_quoted_leaves_nothing(mind: LocalMind, pasted: str) -> None:
    assert essences(mind, ("Anna", f"What does this mean?\n{pasted}")) == []


def test_what_tools_and_the_system_say_leaves_nothing(mind: LocalMind) -> None:
    said = episode(0, ("", "I moved to Lisbon last week."))
    for role in (Role.TOOL, Role.SYSTEM):
        whole = Snippet(agent_id="a", zone=UTC, messages=(replace(said, role=role),), fresh=1)
        assert mind.extract(whole, unknown) == []


def test_a_short_answer_is_kept_with_its_question(mind: LocalMind) -> None:
    found = mind.extract(
        snippet((None, "What is your budget for the trip to Porto?"), ("Tom", "About 1,200 euros."), fresh=1),
        unknown,
    )
    assert [one.essence for one in found] == [
        'Asked "What is your budget for the trip to Porto?", Tom answered: About 1,200 euros.'
    ]
    assert found[0].sources == ("e0", "e1")


def test_only_new_messages_are_sources(mind: LocalMind) -> None:
    found = mind.extract(
        snippet(
            ("Anna", "I moved to Lisbon last week."), ("Anna", "My sister Clara lives in Porto."), fresh=1
        ),
        unknown,
    )
    assert [one.sources for one in found] == [("e1",)]


def test_the_same_thing_said_twice_in_a_snippet_is_one_memory(mind: LocalMind) -> None:
    said = "My sister Clara lives in Porto with two dogs."
    assert len(essences(mind, ("Anna", said), ("Anna", said))) == 1


def test_the_most_important_comes_first(mind: LocalMind) -> None:
    found = mind.extract(
        snippet(
            ("Ben", "I run 5 km every morning before work."),
            ("Anna", "My flight TP1931 to Porto leaves on 3 December 2026 at 9:40 from Terminal 1."),
        ),
        unknown,
    )
    weights = [one.importance for one in found]
    assert len(found) == 2
    assert weights == sorted(weights, reverse=True)


def test_what_the_bank_knows_matters_less(mind: LocalMind) -> None:
    told = snippet(("Anna", "I moved to Lisbon last week."))
    free = LocalMind(MiniLM(), floor=0.0)
    assert free.extract(told, known)[0].importance < free.extract(told, unknown)[0].importance


def test_a_floor_of_one_lets_nothing_in() -> None:
    told = snippet(("Anna", "I moved to Lisbon last week."))
    assert LocalMind(MiniLM(), floor=1.0).extract(told, unknown) == []


def test_every_proposal_is_whole(mind: LocalMind) -> None:
    found = mind.extract(
        snippet(("Anna", "My mother Clara was diagnosed with diabetes yesterday, I'm so sad.")), unknown
    )
    assert len(found) == 1
    one = found[0]
    assert (
        one.essence == "Anna's mother Clara was diagnosed with diabetes on 19 November 2026, Anna is so sad."
    )
    assert one.stated
    assert one.emotions
    assert one.emotions[0] is Emotion.SADNESS
    assert one.lesson
    assert "Clara" in one.entities
    assert 0 < one.importance <= 1


def test_what_the_agent_did_is_kept_as_inferred_where_it_belongs_to_what_is_known(mind: LocalMind) -> None:
    said = "I've booked your flight TP1931 from Lisbon to Porto for 3 December 2026 at 9:40."
    talk = snippet(("Anna", "Please book it, I need to be in Porto by ten."), (None, said))
    found = mind.extract(talk, lambda vectors: [0.7] * len(vectors))
    assert [(one.essence, one.stated) for one in found] == [
        (
            "The assistant has booked Anna's flight TP1931 from Lisbon to Porto for 3 December 2026 at 9:40.",
            False,
        )
    ]


def test_the_same_snippet_gives_the_same_memories_in_any_thread(mind: LocalMind) -> None:
    told = snippet(("Anna", "I moved to Lisbon last week. My sister Clara lives in Porto."))
    found: list[Sequence[Extracted]] = []
    threads = [threading.Thread(target=lambda: found.append(mind.extract(told, unknown))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 4
    assert found[0]


def test_a_mind_loads_nothing_before_its_first_call() -> None:
    class Untouchable:
        def __getattribute__(self, name: str) -> object:
            raise AssertionError(name)

    LocalMind(Untouchable())  # type: ignore[arg-type]  # the point


def test_any_embedder_will_do() -> None:
    found = LocalMind(HashingEmbedder.for_tests(), floor=0.0).extract(
        snippet(("Anna", "I moved to Lisbon last week.")), unknown
    )
    assert [one.emotions for one in found] == [None]


def test_what_is_judged_lies_between_nothing_and_all(mind: LocalMind) -> None:
    judged = mind.judge([Unjudged(essence=text, kind=Kind.FACT) for text in ("", "ok", "🙂", "x " * 5000)])
    assert [0 <= one.importance <= 1 and one.lesson is None for one in judged] == [True] * 4


def test_a_fact_with_names_and_numbers_is_judged_more_important_than_small_talk(mind: LocalMind) -> None:
    fact, talk = mind.judge(
        [
            Unjudged(
                essence="Anna's flight TP1931 from Lisbon to Porto leaves on 3 December 2026.", kind=Kind.FACT
            ),
            Unjudged(essence="That sounds great, thanks!", kind=Kind.FACT),
        ]
    )
    assert fact.importance > talk.importance


def test_the_tone_is_the_strongest_emotion(mind: LocalMind) -> None:
    felt = (Emotion.JOY, Emotion.LOVE, Emotion.NEUTRAL)
    read = mind.read([episode(0, ("Anna", "Yay!"))], np.zeros((1, 384), np.float32), [felt])
    assert [one.emotional_tone for one in read] == ["joy"]
