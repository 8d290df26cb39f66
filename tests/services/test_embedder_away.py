"""While an embedder fails or another serves: what waits, what goes by words, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie import (
    Agent,
    CaptureSettings,
    DamagedModel,
    EmbedderMismatch,
    Memory,
    RememberSettings,
    Settings,
)
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import EmbedderFailed
from reverie.services.runtime.recent_embedder import RecentEmbedder
from tests.services.bench import kept, state_of
from tests.services.conftest import Open
from tests.services.moody import Moody


@pytest.fixture
def mama(open_bank: Open, moody: Moody) -> Agent:
    return open_bank(
        embedder=moody,
        settings=Settings(remember=RememberSettings(emotions=False), capture=CaptureSettings(enabled=False)),
    ).agent("mama")


def _revise(mama: Agent, known: Memory) -> object:
    return mama.revise(known.id, essence="Anna lives in Faro")


def _new_procedure(mama: Agent, _: Memory) -> object:
    return mama.procedures.record("release", ["run the tests", "tag"])


def _next_procedure(mama: Agent, _: Memory) -> object:
    return mama.procedures.record("deploy", ["run the tests", "look", "push"])


def _goal(mama: Agent, _: Memory) -> object:
    return mama.goals.add("Learn to sail this year")


@pytest.mark.parametrize("verb", [_revise, _new_procedure, _next_procedure, _goal])
def test_what_needs_an_answer_at_once_raises_and_changes_nothing(
    mama: Agent, moody: Moody, verb: Callable[[Agent, Memory], object]
) -> None:
    known = kept(mama, "Anna lives in Lisbon")
    mama.procedures.record("deploy", ["run the tests", "push"])
    before = state_of(mama)
    moody.broken = True
    with pytest.raises(EmbedderFailed):
        verb(mama, known)
    assert state_of(mama) == before
    assert mama.stats().queued == 0
    moody.broken = False
    assert verb(mama, known) is not None


def test_a_revision_without_new_words_needs_no_embedder(mama: Agent, moody: Moody) -> None:
    known = kept(mama, "Anna lives in Lisbon")
    moody.broken = True
    assert mama.revise(known.id, lesson="ask her first").lesson == "ask her first"


class _Broken:
    """Fails at questions."""

    def __init__(self, dimensions: int) -> None:
        self._whole = HashingEmbedder.for_tests(dimensions)

    def __getattr__(self, name: str) -> object:
        return getattr(self._whole, name)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        raise DamagedModel("weights", f"can't read {len(text)} characters")


def test_a_damaged_model_fails_a_recall_by_meaning_alone(open_bank: Open) -> None:
    kept(open_bank().agent("mama"), "Anna likes green tea")
    broken = open_bank(embedder=_Broken(384)).agent("mama")
    with pytest.raises(DamagedModel):
        broken.recall("tea")
    with pytest.raises(DamagedModel):
        broken.recall_episodes("tea")
    assert broken.recall("tea", strategy="lexical").hits


def test_another_embedder_is_named_before_it_is_asked(open_bank: Open) -> None:
    kept(open_bank().agent("mama"), "Anna likes green tea")
    with pytest.raises(EmbedderMismatch):
        open_bank(embedder=_Broken(100)).agent("mama").recall("tea")


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
