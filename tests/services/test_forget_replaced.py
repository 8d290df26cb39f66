"""What was replaced doesn't answer as current when what replaced it is forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import Agent, MemoryHit, Recall, State
from reverie.services.recall.arrange import current_first
from tests.services.bench import Clock, kept

OLD, NEW = "Roz is vegetarian since her days at the university", "Roz is not vegetarian any more"
OTHERS = ("Roz drinks rooibos in the evening", "Roz doesn't like oysters", "Roz never eats after nine")
ASKED = "Is Roz vegetarian?"


def _asked(mama: Agent, **how: object) -> Recall[MemoryHit]:
    return mama.recall(ASKED, min_score=0, **how)  # type: ignore[arg-type]  # limit, as_of, deep


def _forgotten(mama: Agent, clock: Clock) -> str:
    """The id of what was replaced by what is forgotten by now."""
    old = kept(mama, OLD)
    for one in OTHERS:
        kept(mama, one)
    clock.wait(days=2)
    new = kept(mama, NEW, supersedes=[old.id])
    clock.wait(days=2)
    mama.forget(new.id)
    return old.id


@pytest.mark.parametrize("strategy", ["hybrid", "semantic", "lexical"])
def test_what_was_replaced_comes_behind_what_is_current(mama: Agent, clock: Clock, strategy: str) -> None:
    old = _forgotten(mama, clock)
    hits = _asked(mama, strategy=strategy, explain=True).hits
    assert [hit.id for hit in hits].index(old) == len(hits) - 1 == len(OTHERS)
    assert hits[-1].memory.state is State.ARCHIVED
    assert hits[-1].terms["newer"] < 0 <= hits[-1].score
    assert "newer" in (hits[-1].explanation or "")
    assert sum(hits[-1].terms.values()) == pytest.approx(hits[-1].score)


def test_a_short_list_shows_what_is_current_in_its_place(mama: Agent, clock: Clock) -> None:
    old = _forgotten(mama, clock)
    for limit in range(1, len(OTHERS) + 1):
        hits = _asked(mama, limit=limit).hits
        assert (len(hits), old in {hit.id for hit in hits}) == (limit, False)


def test_at_that_time_and_deep_it_answers(mama: Agent, clock: Clock) -> None:
    began = clock.now
    old = _forgotten(mama, clock)
    for how in ({"as_of": began}, {"deep": True}):
        first, *_ = _asked(mama, **how).hits
        assert first.id == old
        assert first.terms.get("newer", 0) == 0


def test_alone_it_is_still_found(mama: Agent, clock: Clock) -> None:
    old = _forgotten(mama, clock)
    for one in mama.memories():
        if one.id != old:
            mama.forget(one.id)
    [hit] = _asked(mama).hits
    assert hit.id == old


def test_hits_without_a_point_keep_their_order(mama: Agent, clock: Clock) -> None:
    old = _forgotten(mama, clock)
    hits = [replace(hit, score=0.0) for hit in _asked(mama).hits]
    arranged = current_first(hits, [], lambda _: [], clock.now)
    assert {hit.id for hit in arranged} == {hit.id for hit in hits} > {old}
    assert {hit.score for hit in arranged} == {0.0}
