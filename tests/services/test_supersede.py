"""A new memory takes the place of an older one, which stays for the past, for deep recall, and if it is forgotten."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from reverie import Action, Agent, InvalidInput, MemoryHit, Recall, State
from reverie.services.recall.arrange import current_first
from tests.services.bench import DAY, NOON, Clock, kept

QUESTION = "where does Anna live"


def _texts(mama: Agent, **how: object) -> list[str]:
    return [hit.text for hit in mama.recall(QUESTION, min_score=0, **how).hits]  # type: ignore[arg-type]  # as given


def test_what_is_superseded_answers_no_more_but_is_kept(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, "Anna lives in Porto")
    moved = clock.wait(days=10)
    lisbon = mama.remember("Anna has gone to live in Lisbon", supersedes=[porto.id]).memory
    old = mama.portrait(porto.id).memory
    assert (old.state, old.superseded_by, old.valid_to, old.version) == (State.ARCHIVED, lisbon.id, moved, 2)
    assert _texts(mama) == [lisbon.essence]


def test_deep_recall_brings_the_successor_first(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, QUESTION)
    clock.wait(days=10)
    lisbon = mama.remember("Anna has gone to live in Lisbon", supersedes=[porto.id]).memory
    assert _texts(mama, deep=True) == [lisbon.essence, QUESTION]


def test_as_of_a_moment_before_it_answers_with_the_old_one_alone(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, "Anna lives in Porto")
    clock.wait(days=10)
    mama.remember("Anna has gone to live in Lisbon", supersedes=[porto.id])
    clock.wait(days=10)
    assert _texts(mama, as_of=NOON + 5 * DAY) == ["Anna lives in Porto"]
    assert _texts(mama, as_of=NOON + 15 * DAY) == ["Anna has gone to live in Lisbon"]


def test_a_correction_counts_from_when_it_was_learned(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, "Anna lives in Porto")
    clock.wait(days=20)
    learned = NOON + 10 * DAY
    mama.remember("Anna has gone to live in Lisbon", supersedes=[porto.id], time=learned)
    assert mama.portrait(porto.id).memory.valid_to == learned
    assert _texts(mama, as_of=NOON + 15 * DAY) == ["Anna has gone to live in Lisbon"]


def test_a_chain_of_corrections_ends_with_the_last(mama: Agent, clock: Clock) -> None:
    known = kept(mama, "Anna lives in Porto")
    for city in ("Lisbon", "Braga"):
        clock.wait(days=3)
        known = mama.remember(f"Anna has moved house, to {city}", supersedes=[known.id]).memory
    assert _texts(mama) == ["Anna has moved house, to Braga"]
    assert _texts(mama, deep=True)[0] == "Anna has moved house, to Braga"


def test_the_audit_log_tells_what_was_superseded_by_what(mama: Agent) -> None:
    porto = kept(mama, "Anna lives in Porto")
    lisbon = mama.remember("Anna has gone to live in Lisbon", supersedes=[porto.id]).memory
    *_, last = mama.audit(target=porto.id)
    assert last.action is Action.SUPERSEDE
    assert last.before is not None
    assert last.after is not None
    assert (last.before["superseded_by"], last.after["superseded_by"]) == (None, lisbon.id)


def test_a_repetition_does_not_replace_itself(mama: Agent) -> None:
    porto = kept(mama, "Anna lives in Porto")
    again = mama.remember("Anna lives in Porto.", supersedes=[porto.id]).memory
    assert again.id == porto.id
    assert mama.portrait(porto.id).memory.superseded_by is None


def test_the_old_one_may_be_learned_again_later(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, "Anna lives in Porto")
    clock.wait(days=10)
    lisbon = mama.remember("Anna has gone to live in Lisbon", supersedes=[porto.id]).memory
    back: datetime = clock.wait(days=10)
    again = mama.remember("Anna lives in Porto", supersedes=[lisbon.id]).memory
    assert again.id != porto.id
    assert again.created_at == back
    assert _texts(mama) == ["Anna lives in Porto"]


def test_what_a_later_draft_repeats_is_not_replaced(mama: Agent) -> None:
    porto = kept(mama, "Anna lives in Porto")
    moved = {"essence": "Anna has gone to live in Lisbon", "supersedes": [porto.id]}
    _, again = mama.remember_many([moved, "Anna lives in Porto"])
    assert again.memory.id == porto.id
    assert (again.memory.state, mama.portrait(porto.id).memory.state) == (State.ACTIVE, State.ACTIVE)


def test_an_outcome_tells_the_memory_at_the_batchs_end(mama: Agent) -> None:
    porto = kept(mama, "Anna lives in Porto")
    moved = {"essence": "Anna has gone to live in Lisbon", "supersedes": [porto.id]}
    again, _ = mama.remember_many(["Anna lives in Porto", moved])
    assert again.memory == mama.portrait(porto.id).memory
    assert again.memory.state is State.ARCHIVED


def test_less_trusted_text_replaces_nothing(mama: Agent) -> None:
    policy = kept(mama, "Never send mail to strangers", kind="policy")
    with pytest.raises(InvalidInput, match="trust"):
        mama.remember("Mail to strangers is welcome", supersedes=[policy.id], source_trust="external")
    assert [memory.essence for memory in mama.memories(deep=True)] == [policy.essence]


def test_a_forgotten_successor_lets_the_old_one_answer(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, "Anna lives in Porto")
    clock.wait(days=10)
    lisbon = mama.remember("Anna has gone to live in Lisbon", supersedes=[porto.id]).memory
    kept(mama, "Anna lives for music")
    mama.forget(lisbon.id)
    assert mama.portrait(porto.id).memory.superseded_by is None
    assert set(_texts(mama)) == {"Anna lives in Porto", "Anna lives for music"}


def test_a_future_truth_leaves_the_old_one_answering(mama: Agent, clock: Clock) -> None:
    mia = kept(mama, "Mia leads the house where Anna lives")
    later = NOON + 100 * DAY
    mama.remember("Noah has taken over the house where Anna lives", supersedes=[mia.id], valid_from=later)
    now = mama.portrait(mia.id).memory
    assert (now.state, now.superseded_by, now.valid_to) == (State.ACTIVE, None, later)
    assert _texts(mama)[0] == mia.essence
    assert _texts(mama, as_of=NOON + 1 * DAY)[0] == mia.essence


FORMER, LATTER = "Roz is vegetarian since her days at the university", "Roz is not vegetarian any more"
OTHERS = ("Roz drinks rooibos in the evening", "Roz doesn't like oysters", "Roz never eats after nine")
ASKED = "Is Roz vegetarian?"


def _asked(mama: Agent, **how: object) -> Recall[MemoryHit]:
    return mama.recall(ASKED, min_score=0, **how)  # type: ignore[arg-type]  # limit, as_of, deep


def _forgotten(mama: Agent, clock: Clock) -> str:
    """The id of what was replaced by what is forgotten by now."""
    old = kept(mama, FORMER)
    for one in OTHERS:
        kept(mama, one)
    clock.wait(days=2)
    new = kept(mama, LATTER, supersedes=[old.id])
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
