"""Processes killed while they move a bank to another embedder, or store what waited: nothing is lost, nothing comes
twice, and the next call goes on.
"""

from __future__ import annotations

import pytest

from reverie import Agent, EmbedderMismatch
from reverie.embedders.hashing import HashingEmbedder
from tests.contract.store_engines import ENGINES
from tests.crash.fleet import Fleet
from tests.crash.story import AGENT, small
from tests.services.moody import Moody

FACTS = [f"fact {number} is about {letter * 5}" for number, letter in enumerate("abcd")]
OLD, NEW = HashingEmbedder.for_tests(), HashingEmbedder.for_tests(48)


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest) -> str:
    return ENGINES[request.param].place(request)


def _killed(fleet: Fleet, verb: str, place: str, at: int) -> str | None:
    """The stage after which the process died; None where it came to its end before."""
    [child] = fleet.start()
    child.send((verb, place, at))
    answer = child.answer()
    assert answer is not None
    if "killed" not in answer:
        assert "error" not in answer
        child.end()
        return None
    child.answers_until_death()
    return str(answer["killed"])


def _everything(agent: Agent) -> tuple[object, ...]:
    return agent.memories(deep=True, limit=100), agent.episodes(limit=100), agent.audit(limit=100)


def test_a_killed_move_leaves_the_old_embedder_or_the_new_one(place: str, fleet: Fleet) -> None:
    with small(place, OLD) as reverie:
        mama = reverie.agent(AGENT)
        mama.observe([f"message {number}" for number in range(6)])
        for fact in FACTS:
            mama.remember(fact)
        mama.revise(mama.memories()[0].id, essence="another fact entirely")
        before = _everything(mama)
    ended = list[str | None]()
    for at in range(1, 40):
        ended.append(_killed(fleet, "reembed", place, at))
        with small(place, OLD) as reverie:
            mama = reverie.agent(AGENT)
            try:
                assert mama.recall_episodes("message 3", min_score=0).hits[0].text == "message 3"
            except EmbedderMismatch:
                break
            assert _everything(mama) == before
            assert list(reverie.check()) == []
    assert "_replace" in ended, "none was killed within the switch"
    with small(place, NEW) as reverie:
        mama = reverie.agent(AGENT)
        assert _everything(mama) == before
        assert mama.recall_episodes("message 3", min_score=0).hits[0].text == "message 3"
        assert list(reverie.check()) == []


def test_a_killed_flush_stores_all_that_waited_once(place: str, fleet: Fleet) -> None:
    moody = Moody()
    with small(place, moody) as reverie:
        mama = reverie.agent(AGENT)
        moody.broken = True
        for number, fact in enumerate(FACTS):
            mama.observe([f"message {number} {part}" for part in "abc"])
            mama.remember(fact)
    ended = [_killed(fleet, "flush", place, 1 + at % 3) for at in range(8)]
    assert {"_take", "_append"} <= set(ended)
    assert _killed(fleet, "flush", place, 1_000) is None
    with small(place, Moody()) as reverie:
        mama = reverie.agent(AGENT)
        said = sorted(mama.episodes(limit=100), key=lambda one: one.position)
        assert [one.content for one in said] == [
            f"message {number} {part}" for number in range(4) for part in "abc"
        ]
        assert sorted(one.essence for one in mama.memories()) == FACTS
        assert mama.stats().queued == 0
        assert list(reverie.check()) == []
