"""recall: the newer of two memories about one thing comes first, repetitions step back, what is over ranks lower."""

from __future__ import annotations

import pytest

from reverie import Agent, Memory, MemoryHit, Recall, Reverie
from reverie.domain.memory import CONTRADICTS, NEAR, Connection
from reverie.memory.scoring.score import MEMORY_WEIGHTS
from tests.services.bench import DAY, NOON, Clock, kept

EARLY = "The night train from Lisbon to Porto leaves at 7:40 on weekdays and stops in Coimbra"
LATE = "The night train from Lisbon to Porto leaves at 8:40 on weekdays and stops in Coimbra"
TEA = "Anna drinks a cup of green tea in the garden every morning"


def _adds_up(found: Recall[MemoryHit]) -> None:
    """What must hold of every answer, whatever was moved."""
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.id for hit in found.hits}) == len(found.hits)
    for hit in found.hits:
        assert sum(hit.terms.values()) == pytest.approx(hit.score)


def _recalled(agent: Agent, query: str, **how: object) -> Recall[MemoryHit]:
    found = agent.recall(query, min_score=0, **how)  # type: ignore[arg-type]
    _adds_up(found)
    return found


def _ids(found: Recall[MemoryHit]) -> list[str]:
    return [hit.id for hit in found.hits]


def _connect(reverie: Reverie, one: Memory, other: Memory, relation: str) -> None:
    with reverie._desk.store.write("mama") as unit:
        unit.memories.connect(Connection(source=one.id, target=other.id, relation=relation, created_at=NOON))


def test_of_two_near_memories_the_newer_stands_first(mama: Agent, clock: Clock) -> None:
    old = kept(mama, EARLY, importance=1.0)
    clock.wait(days=1)
    new = kept(mama, LATE)
    query = "when does the night train from Lisbon to Porto leave on weekdays?"
    assert _ids(_recalled(mama, query)) == [new.id, old.id]
    # Where no other term looks at what was said later, this one does
    found = _recalled(mama, query, strategy="lexical")
    assert _ids(found) == [new.id, old.id]
    assert found.hits[0].terms["newer"] > 0
    assert "newer" not in found.hits[1].terms


def test_a_revised_memory_is_as_new_as_its_wording(mama: Agent, clock: Clock) -> None:
    revised = kept(mama, EARLY.replace("7:40", "6:40"))
    clock.wait(days=1)
    other = kept(mama, EARLY, importance=1.0)
    clock.wait(days=1)
    mama.revise(revised.id, essence=LATE)
    found = _recalled(mama, "when does the night train from Lisbon to Porto leave on weekdays?")
    assert _ids(found) == [revised.id, other.id]


def test_a_newer_one_just_below_the_last_hit_takes_its_place(mama: Agent, clock: Clock) -> None:
    kept(mama, EARLY, importance=1.0)
    clock.wait(days=1)
    new = kept(mama, LATE)
    query = "when does the night train from Lisbon to Porto leave on weekdays?"
    assert _ids(_recalled(mama, query, limit=1)) == [new.id]


def test_who_names_the_older_one_by_its_words_gets_it_first(mama: Agent, clock: Clock) -> None:
    old = kept(mama, EARLY)
    clock.wait(days=1)
    new = kept(mama, LATE)
    query = "does the night train from Lisbon to Porto leave at 7:40 on weekdays?"
    assert _ids(_recalled(mama, query, strategy="lexical")) == [old.id, new.id]


def test_a_newer_memory_of_another_pushes_nobody(mama: Agent, clock: Clock, reverie: Reverie) -> None:
    anna = kept(
        mama, "Annabella's door code at the house by the lake is written on the kettle", importance=0.5
    )
    clock.wait(days=7)
    bert = kept(mama, "Bertram's door code at the house by the lake is written on the kettle")
    _connect(reverie, bert, anna, NEAR)
    assert _ids(_recalled(mama, "what is Annabella's door code?")) == [anna.id, bert.id]
    assert _ids(_recalled(mama, "what is Bertram's door code?")) == [bert.id, anna.id]


def test_what_contradicts_an_older_one_stands_before(mama: Agent, clock: Clock, reverie: Reverie) -> None:
    old = kept(mama, "Anna drives to work in her old red car every day")
    others = [kept(mama, f"Ben's {thing} stands behind the house") for thing in ("table", "ladder", "boat")]
    clock.wait(days=1)
    new = kept(mama, "She sold it and walks now")
    _connect(reverie, new, old, CONTRADICTS)
    query = "does Anna drive to work in her old red car every day?"
    for limit in (1, 2, 5):
        assert _ids(_recalled(mama, query, limit=limit))[:2] == [new.id, old.id][:limit]
    assert set(_ids(_recalled(mama, query))[2:]) == {one.id for one in others}


def test_supporting_memories_keep_the_order_of_scores(mama: Agent, clock: Clock, reverie: Reverie) -> None:
    old = kept(mama, "Anna drives to work in her old red car every day")
    clock.wait(days=1)
    new = kept(mama, "Anna loves her car")
    _connect(reverie, new, old, "supports")
    found = _recalled(mama, "does Anna drive to work in her old red car every day?")
    assert _ids(found) == [old.id, new.id]
    assert all("newer" not in hit.terms for hit in found.hits)


def test_before_a_correction_the_older_answers_alone(mama: Agent, clock: Clock, reverie: Reverie) -> None:
    old = kept(mama, "Anna drives to work in her old red car every day")
    clock.wait(days=9)
    new = kept(mama, "She sold it and walks now")
    _connect(reverie, new, old, CONTRADICTS)
    assert _ids(_recalled(mama, "how does Anna get to work?", as_of=NOON + DAY)) == [old.id]


def _thrice(agent: Agent) -> list[str]:
    """The same words under three kinds, which are kept apart."""
    return [kept(agent, TEA, kind=kind).id for kind in ("fact", "policy", "preference")]


def test_repetitions_step_back_and_others_fill_the_list(mama: Agent) -> None:
    same = _thrice(mama)
    others = [
        kept(mama, essence).id
        for essence in (
            "Green tea grows in the garden of the mayor",
            "Ben mows the garden every other morning",
            "Carl sells cups on the market",
        )
    ]
    query = "who drinks green tea in the garden in the morning?"
    found = _recalled(mama, query, limit=3)
    assert len(found.hits) == 3
    assert len(set(_ids(found)) & set(same)) == 1
    assert found.hits[0].id in same
    assert set(_ids(found)[1:]) <= set(others)
    whole = _recalled(mama, query)
    assert set(_ids(whole)) == {*same, *others}
    assert [hit.terms["repeat"] < 0 for hit in whole.hits if "repeat" in hit.terms] == [True, True]


def test_no_memory_comes_twice_when_hits_are_moved(mama: Agent, clock: Clock, reverie: Reverie) -> None:
    same = _thrice(mama)
    old = kept(mama, "Green tea grows in the garden of the mayor")
    clock.wait(days=1)
    new = kept(mama, "The mayor has a pond now")
    _connect(reverie, new, old, CONTRADICTS)
    for limit in range(1, 7):
        found = _recalled(mama, "who drinks green tea in the garden in the morning?", limit=limit)
        assert len(found.hits) == min(limit, 5)
        assert found.left_out == 5 - len(found.hits)
        ids = _ids(found)
        assert set(ids) <= {*same, old.id, new.id}
        if old.id in ids:
            assert ids.index(new.id) < ids.index(old.id)


def test_by_time_and_without_a_question_nothing_is_moved(mama: Agent, clock: Clock, reverie: Reverie) -> None:
    same = _thrice(mama)
    for found in (mama.recall(), mama.recall("tea", strategy="temporal")):
        assert len(found.hits) == len(same)
        assert not {"newer", "repeat"} & {name for hit in found.hits for name in hit.terms}


@pytest.mark.parametrize(
    "over", [{"valid_to": NOON + DAY}, {"valid_from": NOON + 90 * DAY, "valid_to": NOON + 99 * DAY}]
)
def test_what_isnt_true_now_ranks_behind_what_is(mama: Agent, clock: Clock, over: dict[str, object]) -> None:
    true = kept(mama, "Anna's office is in the tower on Long Street", kind="fact")
    other = kept(mama, "Anna's office is in the tower on Long Street", kind="preference", **over)
    clock.wait(days=2)
    found = _recalled(mama, "where is Anna's office?")
    assert _ids(found) == [true.id, other.id]
    lost = found.hits[0].terms["strength"] - found.hits[1].terms["strength"]
    assert lost == pytest.approx(MEMORY_WEIGHTS["validity"])


def test_at_a_moment_what_was_true_then_counts_as_true(mama: Agent, clock: Clock) -> None:
    kept(mama, "Anna's office is in the tower on Long Street", valid_to=NOON + DAY)
    clock.wait(days=2)
    (now,) = _recalled(mama, "where is Anna's office?").hits
    (then,) = _recalled(mama, "where is Anna's office?", as_of=NOON).hits
    lost = then.terms["strength"] - now.terms["strength"]
    assert lost == pytest.approx(MEMORY_WEIGHTS["validity"], abs=0.001)


def test_who_asks_for_it_gets_the_terms_in_words(mama: Agent) -> None:
    mama.remember("Anna drinks green tea in the garden")
    (hit,) = mama.recall("who drinks green tea?", explain=True).hits
    assert hit.explanation is not None
    assert hit.explanation.startswith(f"{hit.score:.3f} = +")
    assert "how close the meaning is to the question's" in hit.explanation
    assert mama.recall("who drinks green tea?").hits[0].explanation is None
    mama.observe("We drink green tea in the garden")
    (said,) = mama.recall_episodes("who drinks green tea?", explain=True).hits
    assert said.explanation is not None
    assert "lexical" in said.explanation


def test_the_same_words_of_another_speaker_are_no_repetition(mama: Agent) -> None:
    vote = "I vote for the Lisbon trip"
    mama.observe([{"speaker": name, "content": vote} for name in ("Anna", "Ben", "Carl", "Ben")])
    hits = mama.recall_episodes("who votes for the Lisbon trip?", limit=4).hits
    assert [hit.terms.get("repeat", 0) < 0 for hit in hits] == [False, False, False, True]
    assert hits[3].episode.speaker == "Ben"


def test_of_a_series_the_one_that_the_question_names_comes_first(mama: Agent, clock: Clock) -> None:
    for day in range(30):
        clock.wait(days=1)
        mama.remember(f"Anna weighs {60 + day / 10:.1f} kilos")
    hits = mama.recall("when did Anna weigh 61.3 kilos?").hits
    assert hits[0].text == "Anna weighs 61.3 kilos"
