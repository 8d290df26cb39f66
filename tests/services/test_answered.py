"""recall: of the best hits, those that answer come first; what that adds is in the score, and moves nothing else."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from reverie import Agent, MemoryHit, Recall, Strategy
from reverie.rules.answering import GROUPS, LOOKED_AT
from reverie.rules.score import MEMORY_RELEVANCE
from tests.services.bench import DAY, NOON, Clock, kept

MANY = LOOKED_AT + 9
ANIMALS = (
    "otter heron badger lynx stork beaver marten viper swan crane falcon hedgehog weasel owl toad salmon pike trout "
    "moth beetle lark finch robin magpie raven"
).split()
SCHOOL = "Anna's choir meets in the old school by the church"


def _told(agent: Agent, clock: Clock, *said: str) -> list[str]:
    """The ids of memories of successive days."""
    ids = []
    for text in said:
        ids.append(kept(agent, text).id)
        clock.wait(days=1)
    return ids


def _zoo(agent: Agent, clock: Clock) -> str:
    """More memories than are looked at, which answer more or less well; gives the question."""
    for place, animal in enumerate(ANIMALS[:MANY]):
        words = " ".join(("river", "meadow", "night", "winter")[: place % 5])
        kept(
            agent,
            f"The {animal} {('sleeps', 'was seen at 7:30')[place % 2]} {words}",
            importance=place / MANY,
        )
        clock.wait(hours=5)
    return "What time did she see one by the river on the meadow in a winter night?"


def _ids(found: Recall[MemoryHit]) -> list[str]:
    return [hit.id for hit in found.hits]


def test_of_two_statements_the_later_comes_first_and_at_a_moment_between_them_the_earlier(
    mama: Agent, clock: Clock
) -> None:
    lisbon, porto = _told(mama, clock, "Ana lives in Lisbon", "Ana lives in Porto")
    assert _ids(mama.recall("Where does Ana live?")) == [porto, lisbon]
    assert _ids(mama.recall("Where does Ana live?", limit=1)) == [porto]
    assert _ids(mama.recall("Where does Ana live?", as_of=NOON + timedelta(hours=1))) == [lisbon]


def test_the_later_one_comes_first_though_it_was_stored_first(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, "Ana lives in Porto").id
    lisbon = kept(mama, "Ana lives in Lisbon", time=NOON - 30 * DAY).id
    assert _ids(mama.recall("Where does Ana live?")) == [porto, lisbon]


def test_what_holds_the_time_that_is_asked_for_comes_first_though_it_has_fewer_of_the_words(
    mama: Agent, clock: Clock
) -> None:
    talk, time = _told(
        mama, clock, "The choir of Anna meets and talks", "Choir: Tuesdays at 7:30 pm they meet"
    )
    assert _ids(mama.recall("What time does the choir of Anna meet?")) == [time, talk]
    assert _ids(mama.recall("What time does the choir of Anna meet?", strategy="lexical")) == [talk, time]


def test_a_hit_alone_has_the_terms_too(mama: Agent) -> None:
    kept(mama, "Ana lives in Lisbon")
    (hit,) = mama.recall("Where does Ana live?").hits
    assert set(GROUPS) <= set(hit.terms)
    assert sum(hit.terms.values()) == pytest.approx(hit.score)


def test_a_conversation_alone_asks_nothing(mama: Agent, clock: Clock) -> None:
    mama.observe(
        [{"role": "user", "content": "Where does Ana live, and was it Lisbon?"}], conversation="talk"
    )
    _told(mama, clock, "Ana lives in Lisbon", "Ana lives in Porto")
    hits = mama.recall(conversation="talk").hits
    assert len(hits) == 2
    assert all(set(GROUPS).isdisjoint(hit.terms) for hit in hits)


def test_the_terms_add_up_to_the_score_and_are_told_in_words(mama: Agent, clock: Clock) -> None:
    _told(
        mama,
        clock,
        "Ana lives in Lisbon",
        "Ana lives in Porto",
        "Ana's mother lives in Faro",
        "Ben has a red bike",
    )
    found = mama.recall("Where does Ana live?", explain=True, min_score=0)
    assert len(found.hits) == 4
    for hit in found.hits:
        assert set(GROUPS) < set(hit.terms)
        assert sum(hit.terms.values()) == pytest.approx(hit.score)
        assert hit.explanation is not None
        total, _, parts = hit.explanation.partition(" = ")
        assert float(total) == pytest.approx(hit.score, abs=0.001)
        summands = re.findall(r"[+-]\d\.\d{3}(?= [a-z]+ \()", parts)
        assert sum(map(float, summands)) == pytest.approx(hit.score, abs=0.001 * len(hit.terms))
    assert any("asks for" in (hit.explanation or "") for hit in found.hits)


def test_what_stands_behind_those_that_are_looked_at_stays_behind_as_it_was(
    mama: Agent, clock: Clock
) -> None:
    found = mama.recall(_zoo(mama, clock), limit=MANY, min_score=0)
    scores = [hit.score for hit in found.hits]
    assert scores == pytest.approx(sorted(scores, reverse=True), abs=1e-9)
    assert len(set(_ids(found))) == MANY
    looked = [set(GROUPS) <= set(hit.terms) for hit in found.hits]
    assert looked == [True] * LOOKED_AT + [False] * (MANY - LOOKED_AT)


def test_a_larger_limit_only_adds_hits(mama: Agent, clock: Clock) -> None:
    question = _zoo(mama, clock)
    whole = [(hit.id, hit.score) for hit in mama.recall(question, limit=MANY, min_score=0).hits]
    for limit in (1, 2, 5, LOOKED_AT - 1, LOOKED_AT, LOOKED_AT + 1, MANY - 1):
        found = mama.recall(question, limit=limit, min_score=0)
        assert [(hit.id, hit.score) for hit in found.hits] == whole[:limit]
        assert found.left_out == MANY - limit


def test_with_a_budget_alone_the_order_is_the_same(mama: Agent, clock: Clock) -> None:
    question = _zoo(mama, clock)
    whole = _ids(mama.recall(question, limit=MANY, min_score=0))
    assert _ids(mama.recall(question, max_tokens=100_000, min_score=0)) == whole
    few = _ids(mama.recall(question, max_tokens=9, tokens=lambda text: 1, min_score=0))
    assert few == whole[:9]


def test_where_some_repeat_the_others_have_the_same_scores_whatever_the_limit(
    mama: Agent, clock: Clock
) -> None:
    for kind in ("fact", "policy", "preference"):
        kept(mama, SCHOOL, kind=kind)
    kept(mama, "Anna's choir talks about the meeting and the choir and the time that the choir needs")
    kept(mama, "Anna's choir sang at the time of the great storm with another choir")
    clock.wait(days=1)
    kept(mama, "Ben said: the choir meets on Tuesday at 7:30 pm in the old school")
    whole = {hit.id: hit.score for hit in mama.recall("When does the choir meet?", min_score=0).hits}
    assert len(whole) == 6
    for limit in range(1, 6):
        hits = mama.recall("When does the choir meet?", min_score=0, limit=limit).hits
        assert len({hit.id for hit in hits}) == limit
        assert [hit.score for hit in hits if hit.text != SCHOOL] == pytest.approx(
            [whole[hit.id] for hit in hits if hit.text != SCHOOL]
        )


def test_no_score_falls_below_nothing(mama: Agent) -> None:
    for text in ("The mother has a dog.", "A cat: something", "Was it? Imagine a dream", "Ben said: no"):
        kept(mama, text, importance=1.0, time=NOON - 900 * DAY)
    found = mama.recall("What colour is the bike?", min_score=0)
    assert len(found.hits) == 4
    assert min(hit.score for hit in found.hits) >= -1e-9


@pytest.mark.parametrize("strategy", [one for one in Strategy if one is not Strategy.HYBRID])
def test_other_strategies_are_not_moved(mama: Agent, clock: Clock, strategy: Strategy) -> None:
    _told(mama, clock, "Ana lives in Lisbon", "Ana lives in Porto", "Ana's mother lives in Faro")
    hits = mama.recall("Where does Ana live?", strategy=strategy).hits
    assert hits
    assert not set(GROUPS) & {name for hit in hits for name in hit.terms}


def test_without_a_question_and_of_messages_nothing_is_looked_at(mama: Agent, clock: Clock) -> None:
    _told(mama, clock, "Ana lives in Lisbon", "Ana lives in Porto")
    mama.observe(["Ana lives in Lisbon", "Ana lives in Porto"])
    for hits in (mama.recall().hits, mama.recall_episodes("Where does Ana live?").hits):
        assert len(hits) == 2
        assert not set(GROUPS) & {name for hit in hits for name in hit.terms}


def test_relevance_is_of_the_question_alone_and_decides_what_passes(mama: Agent, clock: Clock) -> None:
    question = _zoo(mama, clock)
    found = mama.recall(question, limit=MANY, min_score=0)
    assert _relevances(found) == pytest.approx(_by_hand(found))
    least = sorted(_relevances(found).values())[MANY // 2]
    passed = {id for id, value in _relevances(found).items() if value >= least}
    assert set(_ids(mama.recall(question, limit=MANY, min_score=least))) == passed
    assert 0 < len(passed) < MANY


def _relevances(found: Recall[MemoryHit]) -> dict[str, float]:
    return {hit.id: hit.relevance for hit in found.hits}


def _by_hand(found: Recall[MemoryHit]) -> dict[str, float]:
    """The logistic curve over the terms that are about the question, without those that came later."""
    bias, slope = MEMORY_RELEVANCE[Strategy.HYBRID]
    about = {hit.id: sum(hit.terms[name] for name in ("semantic", "lexical", "date")) for hit in found.hits}
    return {id: 1 / (1 + 2.718281828459045 ** -(bias + slope * value)) for id, value in about.items()}
