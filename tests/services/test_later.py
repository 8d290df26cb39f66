"""recall: of statements that tell of the same the later comes first; what that takes is in the score, and moves
nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from reverie import Agent, MemoryHit, Recall, Strategy
from reverie.domain.meanings import MEANINGS
from reverie.memory.scoring.order import LATER, LOOKED_AT
from reverie.memory.scoring.score import MEMORY_RELEVANCE, leads
from reverie.services.recall.arrange import later_first
from tests.services.bench import DAY, NOON, Clock, kept

MANY = LOOKED_AT + 9
ANIMALS = (
    "otter heron badger lynx stork beaver marten viper swan crane falcon hedgehog weasel owl toad salmon pike trout "
    "moth beetle lark finch robin magpie raven"
).split()
LISBON = "In Lisbon by the sea lives Ana"
PORTO = "Ana has a house in Porto and lives there"
ASKED = "Where does Ana live?"
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


def _taken(found: Recall[MemoryHit]) -> dict[str, float]:
    return {hit.id: hit.terms["newer"] for hit in found.hits if "newer" in hit.terms}


def test_of_two_statements_the_later_comes_first(mama: Agent, clock: Clock) -> None:
    lisbon, porto = _told(mama, clock, "Ana lives in Lisbon", "Ana lives in Porto")
    assert _ids(mama.recall(ASKED)) == [porto, lisbon]
    assert _ids(mama.recall(ASKED, limit=1)) == [porto]
    assert _ids(mama.recall(ASKED, as_of=NOON + timedelta(hours=1))) == [lisbon]


def test_the_later_one_comes_first_though_it_was_stored_first(mama: Agent, clock: Clock) -> None:
    porto = kept(mama, "Ana lives in Porto").id
    lisbon = kept(mama, "Ana lives in Lisbon", time=NOON - 30 * DAY).id
    assert _ids(mama.recall(ASKED)) == [porto, lisbon]


def test_the_earlier_one_loses_and_the_later_nothing(mama: Agent, clock: Clock) -> None:
    lisbon, porto = _told(mama, clock, LISBON, PORTO)
    taken = _taken(mama.recall(ASKED, min_score=0))
    assert -LATER <= taken[lisbon] < 0
    assert taken[porto] == 0


def test_what_is_asked_for_as_it_was_before_loses_nothing(mama: Agent, clock: Clock) -> None:
    _told(mama, clock, LISBON, PORTO)
    assert _taken(mama.recall("Where did Ana live before?", min_score=0)) == {}
    assert _taken(mama.recall("Where did Ana live?", min_score=0)) != {}


def test_a_conversation_alone_asks_for_nothing_later(mama: Agent, clock: Clock) -> None:
    mama.observe(
        [{"role": "user", "content": "Where does Ana live, and was it Lisbon?"}], conversation="talk"
    )
    _told(mama, clock, LISBON, PORTO)
    found = mama.recall(conversation="talk")
    assert len(found.hits) == 2
    assert _taken(found) == {}


@pytest.mark.parametrize("strategy", [one for one in Strategy if one is not Strategy.HYBRID])
def test_other_strategies_are_not_moved(mama: Agent, clock: Clock, strategy: Strategy) -> None:
    _told(mama, clock, LISBON, PORTO, "Ana's mother lives in Faro")
    found = mama.recall(ASKED, strategy=strategy)
    assert found.hits
    assert _taken(found) == {}


def test_without_a_question_and_of_messages_nothing_is_looked_at(mama: Agent, clock: Clock) -> None:
    _told(mama, clock, LISBON, PORTO)
    mama.observe([LISBON, PORTO])
    for hits in (mama.recall().hits, mama.recall_episodes(ASKED).hits):
        assert len(hits) == 2
        assert not any("newer" in hit.terms for hit in hits)


def test_the_terms_add_up_to_the_score_and_are_told_in_words(mama: Agent, clock: Clock) -> None:
    _told(
        mama,
        clock,
        "Ana lives in Lisbon",
        "Ana lives in Porto",
        "Ana's mother lives in Faro",
        "Ben has a red bike",
    )
    found = mama.recall(ASKED, explain=True, min_score=0)
    assert len(found.hits) == 4
    for hit in found.hits:
        assert "newer" in hit.terms
        assert sum(hit.terms.values()) == pytest.approx(hit.score)
        assert hit.explanation is not None
        total, _, parts = hit.explanation.partition(" = ")
        assert float(total) == pytest.approx(hit.score, abs=0.001)
        summands = re.findall(r"[+-]\d\.\d{3}(?= [a-z]+ \()", parts)
        assert sum(map(float, summands)) == pytest.approx(hit.score, abs=0.001 * len(hit.terms))
    assert any(f"newer ({MEANINGS['newer']})" in (hit.explanation or "") for hit in found.hits)


def test_what_stands_behind_those_looked_at_stays_behind(mama: Agent, clock: Clock) -> None:
    found = mama.recall(_zoo(mama, clock), limit=MANY, min_score=0)
    scores = [hit.score for hit in found.hits]
    assert scores == pytest.approx(sorted(scores, reverse=True), abs=1e-9)
    assert len(set(_ids(found))) == MANY
    assert ["newer" in hit.terms for hit in found.hits] == [True] * LOOKED_AT + [False] * (MANY - LOOKED_AT)


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


def test_repetitions_leave_others_their_scores(mama: Agent, clock: Clock) -> None:
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


def test_relevance_is_of_the_question_alone(mama: Agent, clock: Clock) -> None:
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
    curve = MEMORY_RELEVANCE[Strategy.HYBRID]
    about = np.array([sum(hit.terms[name] for name in ("semantic", "lexical", "date")) for hit in found.hits])
    odds = curve.bias + curve.slope * about + curve.lead * leads(about)
    return dict(zip(_ids(found), (1 / (1 + np.exp(-odds))).tolist(), strict=True))


@dataclass
class Vectors:
    """Of a unit what is asked of it here."""

    known: dict[str, Any]

    @property
    def memories(self) -> Vectors:
        return self

    def vectors(self, ids: list[str]) -> dict[str, Any]:
        return {id: self.known[id] for id in ids if id in self.known}


@pytest.fixture
def two(mama: Agent, clock: Clock) -> list[MemoryHit]:
    """The hits of two statements, best first."""
    _told(mama, clock, LISBON, PORTO)
    return list(mama.recall(ASKED, strategy="semantic", min_score=0).hits)


def _arranged(hits: list[MemoryHit], vectors: list[Any], behind: float = 0.0) -> list[MemoryHit]:
    """The hits as two of which each has the vector at its place."""
    known = dict(zip((hit.id for hit in hits), vectors, strict=False))
    return later_first(Vectors(known), hits, behind)  # type: ignore[arg-type]  # of a unit only the vectors are read


def test_all_looked_at_are_lifted_above_the_next(two: list[MemoryHit]) -> None:
    vectors = [np.array([1, 0], np.float32)] * 2
    plain = {hit.id: hit.score for hit in _arranged(two, vectors)}
    behind = min(plain.values()) + 0.01
    assert {hit.id: hit.score for hit in _arranged(two, vectors, behind)} == pytest.approx(
        {id: score + 0.01 for id, score in plain.items()}
    )
    assert {hit.id: hit.score for hit in _arranged(two, vectors, 0.0)} == plain


def test_while_one_is_embedded_anew_nothing_is_moved(two: list[MemoryHit]) -> None:
    one, other = np.array([1, 0], np.float32), np.array([1, 0, 0], np.float32)
    assert _arranged(two, [one]) == two
    assert _arranged(two, [one, other]) == two
    assert _arranged(two, [one, one]) != two
