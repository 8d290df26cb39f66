"""The tool that trains the classifier, on a handful of texts of our own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.domain.emotion import Emotion
from reverie.embedders.hashing import HashingEmbedder
from reverie.minds.emotions import EmotionClassifier
from reverie.minds.emotions.weights import read_weights
from tools.emotion_data import read_examples
from tools.emotion_training import Plan, Seen, learn, see
from tools.train_emotions import written

PLAN = replace(Plan(), hidden=8, runs=2, rounds=6, batch=16)
LABELS = list(Emotion)
JOY, FEAR = LABELS.index(Emotion.JOY), LABELS.index(Emotion.FEAR)
PLACES = "Lisbon Porto Szeged Vienna Graz Trieste Bergen Malmo Lyon Ghent".split()
TEXTS = [f"{what} in {place}" for place in PLACES for what in ("such happy days", "a dreadful fright")]
EMBED = HashingEmbedder.for_tests().embed


@pytest.fixture(scope="module")
def seen() -> Seen:
    return see(TEXTS, EMBED(TEXTS))


@pytest.fixture(scope="module")
def gold() -> NDArray[np.bool_]:
    found = np.zeros((len(TEXTS), len(LABELS)), np.bool_)
    found[::2, JOY] = True
    found[1::2, FEAR] = True
    return found


def test_the_same_texts_and_seed_give_the_same_file(seen: Seen, gold: NDArray[np.bool_]) -> None:
    thresholds = np.full(len(LABELS), 0.5, np.float32)
    first, again = (written(learn(seen, gold, PLAN), thresholds) for _ in range(2))
    assert first == again
    assert written(learn(seen, gold, replace(PLAN, seed=9)), thresholds) != first


def test_the_written_classifier_says_the_same(seen: Seen, gold: NDArray[np.bool_], tmp_path: Path) -> None:
    learned = learn(seen, gold, PLAN)
    file = tmp_path / "small.safetensors"
    file.write_bytes(written(learned, np.full(len(LABELS), 0.5, np.float32)))
    shipped = EmotionClassifier(EMBED, weights=lambda: read_weights(file))
    trained = 1 / (1 + np.exp(-learned.logits(seen)))
    np.testing.assert_allclose(shipped.probabilities(TEXTS), trained, atol=0.02)


def test_a_file_of_another_form_is_refused_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "train.tsv"
    file.write_text("so happy\t17,0\tid1\nno labels here\n", "utf-8")
    with pytest.raises(SystemExit, match=r"train\.tsv:2"):
        read_examples(file)
