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
from tools.emotion_data import f1_by_label, read_examples, top_hit
from tools.emotion_training import Plan, Seen, learn, see
from tools.train_emotions import best_thresholds, cross_validated, written

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


def test_the_written_classifier_says_what_the_trained_one_says(
    seen: Seen, gold: NDArray[np.bool_], tmp_path: Path
) -> None:
    learned = learn(seen, gold, PLAN)
    file = tmp_path / "small.safetensors"
    file.write_bytes(written(learned, np.full(len(LABELS), 0.5, np.float32)))
    shipped = EmotionClassifier(EMBED, weights=lambda: read_weights(file))
    trained = 1 / (1 + np.exp(-learned.logits(seen)))
    np.testing.assert_allclose(shipped.probabilities(TEXTS), trained, atol=0.02)


def test_it_learns_what_the_texts_have_in_common(seen: Seen, gold: NDArray[np.bool_]) -> None:
    likely = cross_validated(seen, gold, replace(PLAN, runs=1, rounds=12, layer_rate=0.02))
    assert (likely[::2, JOY] > likely[::2, FEAR]).all()
    assert (likely[1::2, FEAR] > likely[1::2, JOY]).all()


def test_a_threshold_is_where_f1_is_best() -> None:
    scores = np.linspace(0.99, 0.01, 200, dtype=np.float32)[:, None]
    truth = (scores > 0.7)[:]
    (threshold,) = best_thresholds(scores, truth)
    assert 0.6 < threshold < 0.8
    assert f1_by_label(scores, truth, np.array([threshold]))[0] > 0.9


def test_figures_count_labels_and_hits() -> None:
    likely = np.array([[0.9, 0.2, 0.3, 0.1], [0.1, 0.8, 0.7, 0.6]], np.float32)
    gold = np.array([[True, False, False, False], [True, True, False, False]])
    assert f1_by_label(likely, gold, np.full(4, 0.5, np.float32)).tolist() == pytest.approx([2 / 3, 1, 0, 0])
    assert top_hit(likely, gold, count=1) == 1.0
    assert top_hit(likely, ~gold, count=1) == 0.0


def test_a_file_of_another_form_is_refused_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "train.tsv"
    file.write_text("so happy\t17,0\tid1\nno labels here\n", "utf-8")
    with pytest.raises(SystemExit, match=r"train\.tsv:2"):
        read_examples(file)


def test_labels_in_another_order_are_refused(tmp_path: Path) -> None:
    (tmp_path / "labels.txt").write_text("joy\nfear\n", "utf-8")
    (tmp_path / "train.tsv").write_text("so happy\t17\tid1\n", "utf-8")
    with pytest.raises(SystemExit, match=r"labels\.txt"):
        read_examples(tmp_path / "train.tsv")


def test_examples_are_texts_with_their_labels(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("so happy\t17,0\tid1\nodd\u2028text\t27\tid2\n", "utf-8")
    examples = read_examples(tmp_path / "train.tsv")
    assert examples.texts == ["so happy", "odd\u2028text"]
    assert [np.flatnonzero(row).tolist() for row in examples.gold] == [[0, 17], [27]]
