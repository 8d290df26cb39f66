"""supersedes: a new memory takes the place of an older one, which stays for the past and for deep recall."""

from __future__ import annotations

from datetime import datetime

import pytest

from reverie import Action, Agent, InvalidInput, NotFound, State
from tests.services.bench import DAY, NOON, Clock, kept

QUESTION = "where does Anna live"


def _texts(mama: Agent, **how: object) -> list[str]:
    return [hit.text for hit in mama.recall(QUESTION, min_score=0, **how).hits]  # type: ignore[arg-type]  # as given


def test_what_is_superseded_answers_no_more_but_is_kept(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, "Anna lives in Porto")
    moved = clock.wait(days=10)
    lisbon = mama.remember("Anna has gone to live in Lisbon", supersedes=[porto.id]).memory
    old = mama.show(porto.id).memory
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
    assert mama.show(porto.id).memory.valid_to == learned
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
    assert mama.show(porto.id).memory.superseded_by is None


def test_an_unknown_memory_is_named_and_nothing_is_kept(mama: Agent) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        mama.remember("Anna has gone to live in Lisbon", supersedes=["nowhere"])
    assert mama.memories(deep=True) == []


def test_another_agents_memory_cant_be_superseded(mama: Agent, reverie: object) -> None:
    theirs = kept(reverie.agent("papa"), "Anna lives in Porto")  # type: ignore[attr-defined]  # the fixture's
    with pytest.raises(NotFound):
        mama.remember("Anna has gone to live in Lisbon", supersedes=[theirs.id])


def test_what_is_no_list_of_ids_is_refused(mama: Agent) -> None:
    with pytest.raises(InvalidInput, match="supersedes"):
        mama.remember("Anna has gone to live in Lisbon", supersedes=[7])


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
    assert (again.memory.state, mama.show(porto.id).memory.state) == (State.ACTIVE, State.ACTIVE)


def test_an_outcome_tells_the_memory_at_the_batchs_end(mama: Agent) -> None:
    porto = kept(mama, "Anna lives in Porto")
    moved = {"essence": "Anna has gone to live in Lisbon", "supersedes": [porto.id]}
    again, _ = mama.remember_many(["Anna lives in Porto", moved])
    assert again.memory == mama.show(porto.id).memory
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
    assert mama.show(porto.id).memory.superseded_by is None
    assert set(_texts(mama)) == {"Anna lives in Porto", "Anna lives for music"}


def test_a_future_truth_leaves_the_old_one_answering(mama: Agent, clock: Clock) -> None:
    mia = kept(mama, "Mia leads the house where Anna lives")
    later = NOON + 100 * DAY
    mama.remember("Noah has taken over the house where Anna lives", supersedes=[mia.id], valid_from=later)
    now = mama.show(mia.id).memory
    assert (now.state, now.superseded_by, now.valid_to) == (State.ACTIVE, None, later)
    assert _texts(mama)[0] == mia.essence
    assert _texts(mama, as_of=NOON + 1 * DAY)[0] == mia.essence
