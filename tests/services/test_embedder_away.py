"""While the embedder is away: what waits, what is refused whole, and what goes on (``docs/embedders.md``)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reverie import Agent, CaptureSettings, Memory, Queued, RememberSettings, Settings
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
def test_what_must_have_its_answer_at_once_raises_and_changes_nothing(
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
