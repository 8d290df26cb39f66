"""Kept vectors: the model is asked once for a text, in a run and between runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.vectors import KeptVectors


class Counting:
    """A model that counts what it is asked. A text's vector says how long it is."""

    id = "counting"
    dimensions = 2
    most_tokens = 256

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.array([[len(text), 0] for text in texts], np.float32).reshape(-1, 2)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.asked.append(text)
        return np.array([0, len(text)], np.float32)

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def test_a_text_is_embedded_once_however_often_it_comes() -> None:
    model = Counting()
    vectors = KeptVectors(model)
    assert vectors.embed(["one", "three", "one"])[:, 0].tolist() == [3, 5, 3]
    assert vectors.embed(["three", "seven!"])[:, 0].tolist() == [5, 6]
    assert model.asked == ["one", "three", "seven!"]


def test_a_question_is_not_taken_for_a_text() -> None:
    model = Counting()
    vectors = KeptVectors(model)
    vectors.embed(["one"])
    assert vectors.embed_query("one").tolist() == vectors.embed_query("one").tolist() == [0, 3]
    assert model.asked == ["one", "one"]


def test_no_texts_give_no_vectors() -> None:
    assert KeptVectors(Counting()).embed([]).shape == (0, 2)


def test_a_caller_that_changes_what_it_got_does_not_change_what_is_kept() -> None:
    vectors = KeptVectors(Counting())
    vectors.embed_query("one")[:] = 9
    vectors.embed(["one"])[:] = 9
    assert vectors.embed_query("one").tolist() == [0, 3]
    assert vectors.embed(["one"]).tolist() == [[3, 0]]


def test_the_next_run_asks_only_for_what_is_new_and_the_file_holds_no_text(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    vectors = KeptVectors(first)
    vectors.embed(["a most secret sentence"])
    vectors.save(tmp_path / "deep" / "kept.npz")
    again = KeptVectors(second)
    again.load(tmp_path / "deep" / "kept.npz")
    assert again.embed(["a most secret sentence", "new"])[:, 0].tolist() == [22, 3]
    assert second.asked == ["new"]
    (kept,) = (tmp_path / "deep").iterdir()
    assert b"secret" not in kept.read_bytes()


def test_loading_what_is_not_there_gives_nothing(tmp_path: Path) -> None:
    vectors = KeptVectors(Counting())
    vectors.load(tmp_path / "nothing.npz")
    assert vectors.embed(["one"]).tolist() == [[3, 0]]
