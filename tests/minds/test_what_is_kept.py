"""Ordinary talk: what lasts is kept, small talk isn't, and importance is in the order in which people would put it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from statistics import mean

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.domain.snippet import Extracted
from reverie.embedders.minilm import MiniLM
from reverie.minds.emotions import EmotionClassifier
from reverie.minds.local import LocalMind
from reverie.rules.label_words import WEAK
from reverie.rules.terms import terms
from tests.minds.talks import AGENT, NAMELESS, Talk, episode, read, snippet

WANTED = 0.9
Judged = tuple[Talk, bool, Sequence[Extracted]]


@pytest.fixture(scope="module")
def mind(classifier: EmotionClassifier) -> LocalMind:
    return LocalMind(MiniLM(), classifier.emotions)


def somewhat(vectors: NDArray[np.float32]) -> Sequence[float]:
    return [0.4] * len(vectors)


def judged(mind: LocalMind, talks: Sequence[Talk]) -> list[Judged]:
    """Each talk by itself and within other talk: whether that went as its file says, and what was extracted."""
    found: list[Judged] = []
    for place, talk in enumerate(talks):
        for told in talk.snippets(place):
            kept = mind.extract(told, somewhat)
            words = talk.words.casefold()
            right = any(words in one.essence.casefold() for one in kept) if words else not kept
            found.append((talk, right, kept))
    return found


@pytest.fixture(scope="module")
def to_keep(mind: LocalMind) -> list[Judged]:
    return judged(mind, read("said_to_keep.txt"))


@pytest.fixture(scope="module")
def to_leave(mind: LocalMind) -> list[Judged]:
    return judged(mind, read("said_to_leave.txt"))


def share(found: Sequence[Judged]) -> float:
    return mean(right for _, right, _ in found)


def test_what_lasts_is_kept(to_keep: list[Judged]) -> None:
    assert len(to_keep) >= 120
    assert share(to_keep) >= WANTED


def test_small_talk_passing_states_and_requests_are_not(to_leave: list[Judged]) -> None:
    assert len(to_leave) >= 120
    assert share(to_leave) >= WANTED


def test_talk_that_was_set_aside_goes_as_well(mind: LocalMind) -> None:
    talks = read("said_unseen.txt")
    assert share(judged(mind, [talk for talk in talks if talk.words])) >= WANTED
    assert share(judged(mind, [talk for talk in talks if not talk.words])) >= WANTED


def test_importance_goes_from_health_and_loss_over_home_and_work_to_likes_and_small_events(
    to_keep: list[Judged],
) -> None:
    of: dict[str, list[float]] = defaultdict(list)
    for talk, _, kept in to_keep:
        of[talk.about] += [one.importance for one in kept if talk.words.casefold() in one.essence.casefold()]
    grave = min(mean(of["health"]), mean(of["loss"]))
    life = [mean(of[about]) for about in ("home", "job", "family")]
    assert grave > max(life)
    assert min(life) > mean(of["likes"]) > mean(of["events"])


def test_essences_stand_by_themselves(to_keep: list[Judged]) -> None:
    for _, _, kept in to_keep:
        for one in kept:
            assert not re.match(r"(?:and|but|so|oh|well|by the way)\b", one.essence, re.IGNORECASE)
            assert not re.search(r"!|\b(?:I|my|I'm)\b", one.essence)
            assert one.essence.endswith(".")


def test_lessons_share_a_word_with_their_essence_and_most_differ(to_keep: list[Judged]) -> None:
    lessons = {one.essence: one.lesson for _, _, kept in to_keep for one in kept}
    assert len(set(lessons.values())) >= 0.8 * len(lessons)
    for essence, lesson in lessons.items():
        assert any(word not in WEAK for word in set(terms(essence)) & set(terms(lesson or "")))


def test_where_it_was_is_told_for_there(mind: LocalMind) -> None:
    told = snippet(("Anna", "I moved to Lisbon in May. My sister Clara has lived there for years."))
    assert "Anna's sister Clara has lived in Lisbon for years." in [
        one.essence for one in mind.extract(told, somewhat)
    ]


def test_what_the_agent_says_of_itself_is_no_fact_about_people(mind: LocalMind) -> None:
    told = snippet(
        (NAMELESS, "Tell me a story about yourself."),
        (AGENT, "My sister Clara lives in Porto and I am vegan."),
    )
    assert mind.extract(told, somewhat) == []


def test_messages_are_read_in_the_same_order(mind: LocalMind) -> None:
    said = [
        "I am allergic to peanuts.",
        "I moved to Lisbon last week!",
        "My favourite band is Big Thief.",
        "I'm on the train right now.",
    ]
    messages = [episode(place, "Anna", text) for place, text in enumerate(said)]
    found = mind.read(messages, np.zeros((len(said), 384), np.float32), [None] * len(said))
    weights = [one.importance for one in found]
    assert weights == sorted(weights, reverse=True)
    assert weights[2] > 2 * weights[3]
