"""Vectors of late: the same as the embedder's, asked for once, and never more than a few."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.services.runtime.recent_embedder import RecentEmbedder


class Counting:
    """Gives each text a vector of its own, and counts what it was asked for."""

    id, dimensions, most_tokens = "counting/1", 2, 256

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if isinstance(texts, str):
            raise TypeError("one string")
        self.asked += texts
        return np.array([[len(text), sum(map(ord, text))] for text in texts], np.float32).reshape(-1, 2)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embed([text])[0]
        return vector

    def count_tokens(self, text: str) -> int:
        return len(text)


def test_a_text_is_embedded_once_and_its_vector_is_the_embedders() -> None:
    inner = Counting()
    model = RecentEmbedder(inner)
    first = model.embed(["a", "b", "a"])
    second = model.embed(["c", "a"])
    assert inner.asked == ["a", "b", "c"]
    assert np.array_equal(first, Counting().embed(["a", "b", "a"]))
    assert np.array_equal(second, Counting().embed(["c", "a"]))


def test_what_a_caller_does_with_a_vector_changes_no_later_one() -> None:
    model = RecentEmbedder(Counting())
    model.embed(["a"])[:] = 0
    assert np.array_equal(model.embed(["a"]), Counting().embed(["a"]))


def test_it_keeps_few_and_the_latest() -> None:
    inner = Counting()
    model = RecentEmbedder(inner, most=2)
    model.embed(["a", "b", "c"])
    model.embed(["b", "c"])
    assert inner.asked == ["a", "b", "c"]
    model.embed(["a"])
    assert inner.asked == ["a", "b", "c", "a"]


def test_what_it_keeps_of_a_large_batch_does_not_keep_the_batch() -> None:
    model = RecentEmbedder(Counting())
    model.embed([f"text {number}" for number in range(1000)])
    assert all(vector.base is None for vector in model._known.values())  # what it holds on to


def test_a_failing_embedder_leaves_nothing_behind() -> None:
    class Failing(Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            vectors = super().embed(texts)
            if len(self.asked) == 1:
                raise ConnectionError
            return vectors

    inner = Failing()
    model = RecentEmbedder(inner)
    with pytest.raises(ConnectionError):
        model.embed(["a"])
    assert model.embed(["a"]).shape == (1, 2)
    assert inner.asked == ["a", "a"]


def test_it_is_the_embedder_in_all_else() -> None:
    model = RecentEmbedder(Counting())
    assert (model.id, model.dimensions, model.most_tokens) == ("counting/1", 2, 256)
    assert model.count_tokens("four") == 4
    assert np.array_equal(model.embed_query("a"), Counting().embed_query("a"))
    assert model.embed([]).shape == (0, 2)
    with pytest.raises(TypeError):
        model.embed("one string")
