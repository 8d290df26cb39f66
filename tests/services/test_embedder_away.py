"""While the embedder is away: what waits, what is refused whole, and what goes on (``docs/embedders.md``)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie import (
    Agent,
    CaptureSettings,
    DamagedModel,
    EmbedderMismatch,
    Memory,
    Queued,
    RememberSettings,
    Settings,
)
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import EmbedderFailed
from tests.services.bench import kept, state_of
from tests.services.conftest import Open
from tests.services.moody import Moody


@pytest.fixture
def moody() -> Moody:
    return Moody()


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


def test_observe_and_remember_wait(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    assert mama.observe("We moved to Lisbon").queued == 1
    assert isinstance(mama.remember("Learn to sail this year", kind="goal"), Queued)
    moody.broken = False
    mama.jobs.flush()
    assert [one.content for one in mama.episodes()] == ["We moved to Lisbon"]
    assert [goal.memory.essence for goal in mama.goals.list()] == ["Learn to sail this year"]


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
