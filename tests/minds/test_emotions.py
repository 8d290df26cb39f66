"""The emotion classifier: up to three labels for any text, the same every time."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.domain.emotion import Emotion
from reverie.embedders.minilm import MiniLM
from reverie.errors import InvalidInput
from reverie.minds.emotions import EmotionClassifier

pytestmark = pytest.mark.slow

OBVIOUS = {
    "Thank you so much, I really appreciate your help!": Emotion.GRATITUDE,
    "I'm so sorry, please forgive me": Emotion.REMORSE,
    "I love her with all my heart": Emotion.LOVE,
    "That is disgusting, I want to throw up": Emotion.DISGUST,
    "I'm terrified of going back there": Emotion.FEAR,
    "Haha, that was hilarious 😂": Emotion.AMUSEMENT,
    "What do you mean? I don't understand": Emotion.CONFUSION,
    "WOW, I can't believe it happened!": Emotion.SURPRISE,
    "Anna cried all night, she is so sad": Emotion.SADNESS,
    "The meeting is in room 4 at ten": Emotion.NEUTRAL,
}
TEXTS = ["", " ", "a", "😂", "Péter is allergic to peanuts", "日本語のテキスト", "tea\n" * 900, *OBVIOUS]
any_texts = st.text(st.characters(codec=None), max_size=60)


def test_an_obvious_sentence_gets_its_obvious_label(classifier: EmotionClassifier) -> None:
    for labels, (text, label) in zip(classifier.emotions([*OBVIOUS]), OBVIOUS.items(), strict=True):
        assert label in labels, text


@settings(max_examples=40)
@given(st.lists(any_texts, max_size=5))
def test_any_text_has_up_to_three_labels(classifier: EmotionClassifier, texts: Sequence[str]) -> None:
    found = classifier.emotions(texts)
    assert all(len(labels) <= 3 and len(set(labels)) == len(labels) for labels in found)
    assert len(found) == len(texts)


@settings(max_examples=25)
@given(st.lists(any_texts, min_size=1, max_size=6))
def test_a_batch_says_what_each_text_says_alone(classifier: EmotionClassifier, texts: Sequence[str]) -> None:
    alone = np.concatenate([classifier.probabilities([text]) for text in texts])
    assert classifier.probabilities(texts).tobytes() == alone.tobytes()


def test_a_large_batch_is_judged_as_its_texts_are_alone(classifier: EmotionClassifier) -> None:
    many = [f"{text} {number}" for number in range(40) for text in TEXTS]
    vectors = MiniLM().embed(many)
    alone = [classifier.emotions([text], vectors[row : row + 1])[0] for row, text in enumerate(many)]
    assert classifier.emotions(many, vectors) == alone


def test_labels_are_the_most_probable_of_those_that_are_sure(classifier: EmotionClassifier) -> None:
    likely = classifier.probabilities(TEXTS)
    for labels, row in zip(classifier.emotions(TEXTS), likely, strict=True):
        places = [list(Emotion).index(label) for label in labels]
        assert [row[place] for place in places] == [one for one in sorted(row, reverse=True)[:3] if one > 0.5]


def test_vectors_at_hand_spare_the_embedding(classifier: EmotionClassifier) -> None:
    def refuse(_texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        raise AssertionError("it was asked to embed")

    vectors = MiniLM().embed(TEXTS)
    assert EmotionClassifier(refuse).emotions(TEXTS, vectors) == classifier.emotions(TEXTS)


def test_no_text_has_no_labels(classifier: EmotionClassifier) -> None:
    assert classifier.emotions([]) == []
    assert classifier.probabilities([]).shape == (0, 28)


def test_vectors_of_another_shape_are_refused(classifier: EmotionClassifier) -> None:
    for shape in ((1, 383), (2, 384), (384,)):
        with pytest.raises(InvalidInput, match="vectors"):
            classifier.emotions(["one text"], np.zeros(shape, np.float32))


def test_a_text_of_a_megabyte_is_judged_by_its_beginning(classifier: EmotionClassifier) -> None:
    start = "I love this so much! " * 300
    vector = MiniLM().embed([start])
    huge = start + "This is disgusting. " * 50_000
    assert classifier.emotions([huge], vector) == classifier.emotions([start], vector)


def test_many_threads_get_the_same_labels_from_the_first_text_on() -> None:
    fresh = EmotionClassifier(MiniLM().embed)
    vectors = MiniLM().embed(TEXTS)
    expected = EmotionClassifier(MiniLM().embed).emotions(TEXTS, vectors)
    found: list[object] = []
    together = threading.Barrier(8)

    def judge() -> None:
        together.wait()
        for _ in range(5):
            found.append(fresh.emotions(TEXTS, vectors) == expected)

    threads = [threading.Thread(target=judge) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 40


def test_a_mood_is_what_a_text_plainly_shows(classifier: EmotionClassifier) -> None:
    sad = "Anna is so sad that she cried all night, I feel so sad for her"
    moods = classifier.mood([sad, "when does the train to Porto leave?", "The meeting is in room 4 at ten"])
    assert moods == [(Emotion.SADNESS,), (), ()]


@settings(max_examples=25)
@given(any_texts)
def test_a_mood_is_some_of_the_labels_and_nothing_of_asking(classifier: EmotionClassifier, text: str) -> None:
    (mood,) = classifier.mood([text])
    asking = {Emotion.NEUTRAL, Emotion.CURIOSITY, Emotion.CONFUSION}
    assert [label for label in classifier.emotions([text])[0] if label in mood] == list(mood)
    assert asking.isdisjoint(mood)


def test_shouting_is_seen(classifier: EmotionClassifier) -> None:
    vectors = MiniLM().embed(["stop doing that right now"])
    quiet, loud = (
        classifier.probabilities([text], vectors)[0, list(Emotion).index(Emotion.ANGER)]
        for text in ("stop doing that right now", "STOP DOING THAT RIGHT NOW")
    )
    assert loud > quiet
