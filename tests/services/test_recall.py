"""recall and recall_episodes: what answers, in which order, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reverie import Agent, EmbedderMismatch, InvalidInput, NotFound, Reverie, State, Strategy
from reverie.embedders.hashing import HashingEmbedder
from reverie.memory.scoring.score import EPISODE_WEIGHTS
from tests.services.bench import DAY, NOON, Clock, kept, opened
from tests.services.conftest import Open

HYBRID = ["semantic", "lexical", "date", "recency", "strength", "newer"]
"""The terms of a hybrid recall of several memories, of which none repeats another."""


@pytest.fixture
def ids(mama: Agent, clock: Clock) -> dict[str, str]:
    """Five memories about tea that differ in all that filters look at."""
    rows: dict[str, dict[str, object]] = {
        "plain": {"essence": "Anna likes green tea in the morning"},
        "policy": {"essence": "Never serve tea to the cat", "kind": "policy", "importance": 0.9},
        "src": {"essence": "The tea module builds with make", "scope": ["src/**"], "confidence": 0.4},
        "tagged": {"essence": "Ben brews tea for five minutes", "tags": ["Kitchen"], "topics": ["brewing"]},
        "entity": {"essence": "Carl sells tea on the market", "entities": ["Carl"], "importance": 0.7},
    }
    made = {}
    for name, row in rows.items():
        made[name] = kept(mama, str(row.pop("essence")), **row).id
        clock.wait(days=1)
    return made


@pytest.mark.parametrize(
    ("given_filter", "names"),
    [
        ({}, ["plain", "policy", "src", "tagged", "entity"]),
        ({"kinds": ["policy", "goal"]}, ["policy"]),
        ({"scope": "docs/a.md"}, ["plain", "policy", "tagged", "entity"]),
        ({"scope": "src/a.py", "kinds": "fact"}, ["plain", "src", "tagged", "entity"]),
        ({"tags": "kitchen"}, ["tagged"]),
        ({"topics": "brewing"}, ["tagged"]),
        ({"entities": "carl"}, ["entity"]),
        ({"tags": "kitchen", "entities": "carl"}, []),
        ({"min_importance": 0.7}, ["policy", "entity"]),
        ({"min_confidence": 0.41}, ["plain", "policy", "tagged", "entity"]),
        ({"since": NOON + 2 * DAY}, ["src", "tagged", "entity"]),
        ({"until": NOON + 2 * DAY}, ["plain", "policy"]),
        ({"since": NOON + DAY, "until": NOON + 2 * DAY}, ["policy"]),
        ({"since": "2026-11-21T12:00", "until": "2026-11-22T12:00"}, ["policy"]),
    ],
)
def test_filters_decide_what_may_answer_at_all(
    mama: Agent, ids: dict[str, str], given_filter: dict[str, object], names: list[str]
) -> None:
    found = mama.recall("who has tea", **given_filter)  # type: ignore[arg-type]
    assert {hit.id for hit in found.hits} == {ids[name] for name in names}
    assert not found.fell_back


def test_min_confidence_is_compared_after_the_fade(mama: Agent, clock: Clock) -> None:
    kept(mama, "Anna likes tea")
    clock.wait(days=31)
    assert mama.recall("tea", min_confidence=0.82).hits == ()
    assert mama.recall("tea", min_confidence=0.8).hits


def test_the_best_comes_first_and_its_terms_explain_its_score(mama: Agent, ids: dict[str, str]) -> None:
    found = mama.recall("Ben brews tea for five minutes", min_score=0)
    assert found.hits[0].id == ids["tagged"]
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    for hit in found.hits:
        assert list(hit.terms) == HYBRID
        assert sum(hit.terms.values()) == pytest.approx(hit.score)
        assert 0 <= hit.relevance <= 1
    assert (found.query, found.strategy, found.considered) == (
        "Ben brews tea for five minutes",
        Strategy.HYBRID,
        5,
    )


def test_limit_counts_hits_and_says_what_was_left_out(mama: Agent, ids: dict[str, str]) -> None:
    whole = [hit.id for hit in mama.recall("tea").hits]
    for limit in (1, 2, 5, 1000):
        found = mama.recall("tea", limit=limit)
        assert [hit.id for hit in found.hits] == whole[:limit]
        assert found.left_out == max(5 - limit, 0)


def test_min_score_is_compared_with_relevance(mama: Agent, ids: dict[str, str]) -> None:
    whole = mama.recall("Ben brews tea", min_score=0).hits
    least = sorted(hit.relevance for hit in whole)[2]
    found = mama.recall("Ben brews tea", min_score=least)
    assert {hit.id for hit in found.hits} == {hit.id for hit in whole if hit.relevance >= least}
    assert found.below_floor == 5 - len(found.hits)
    assert mama.recall("Ben brews tea", min_score=1.0).hits == ()
    assert len(mama.recall("nothing alike", min_score=0.0).hits) == 5


def _words(text: str) -> int:
    return len(text.split())


def _thirds(text: str) -> int:
    return -(-len(text.encode()) // 3)


@given(st.integers(0, 60), st.none() | st.integers(1, 6), st.booleans())
@settings(max_examples=40)
def test_a_token_budget_is_never_exceeded(
    tea_bank: Agent, budget: int, limit: int | None, own_counter: bool
) -> None:
    found = tea_bank.recall("tea", max_tokens=budget, limit=limit, tokens=_words if own_counter else None)
    count = _words if own_counter else _thirds
    assert sum(count(hit.text) for hit in found.hits) <= found.tokens <= budget
    assert limit is None or len(found.hits) <= limit
    assert len(found.hits) + found.left_out + found.below_floor == 6


@pytest.fixture(scope="module")
def tea_bank(lasting_place: str) -> Iterator[Agent]:
    """Six memories of very different lengths."""
    with opened(lasting_place, clock=Clock()) as reverie:
        agent = reverie.agent("mama")
        for n in range(6):
            agent.remember(f"Tea {n}: " + f"cup{n} kettle{n} leaf{n} " * (3 * n))
        yield agent


def test_a_budget_that_nothing_fits_searches_no_deeper(mama: Agent, reverie: Reverie) -> None:
    kept(mama, "Anna likes green tea in the morning and black tea in the afternoon")
    short = kept(mama, "Tea!")
    _put_state(reverie, short.id, State.INACTIVE)
    found = mama.recall("tea", max_tokens=5)
    assert (found.hits, found.left_out, found.fell_back) == ((), 1, False)


@pytest.mark.parametrize("counter", [lambda text: -1, lambda text: 0.5, lambda text: None])
def test_a_counter_that_counts_nonsense_is_refused(mama: Agent, ids: dict[str, str], counter: object) -> None:
    with pytest.raises(InvalidInput, match="tokens"):
        mama.recall("tea", max_tokens=10, tokens=counter)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("strategy", "terms"),
    [("semantic", ["semantic"]), ("lexical", ["lexical"]), ("temporal", ["recency"]), ("topic", ["topic"]),
     ("hybrid", HYBRID)],
)  # fmt: skip
def test_strategies_rank_by_their_terms(
    mama: Agent, ids: dict[str, str], strategy: str, terms: list[str]
) -> None:
    found = mama.recall("brewing tea", strategy=strategy)
    assert found.hits
    assert all(list(hit.terms) == terms for hit in found.hits)


def test_the_topic_strategy_finds_by_topics_and_entities_alone(mama: Agent, ids: dict[str, str]) -> None:
    assert [hit.id for hit in mama.recall("Carl", strategy="topic").hits] == [ids["entity"]]
    assert [hit.id for hit in mama.recall("brewing", strategy="topic").hits] == [ids["tagged"]]
    assert [hit.id for hit in mama.recall("morning", strategy="topic").hits] == [ids["plain"]]
    assert mama.recall("likes", strategy="topic").hits == ()


def test_the_lexical_strategy_needs_a_shared_word(mama: Agent, ids: dict[str, str]) -> None:
    assert [hit.id for hit in mama.recall("module", strategy="lexical").hits] == [ids["src"]]
    assert mama.recall("helicopter", strategy="lexical").hits == ()


def test_without_a_query_the_latest_come_first(mama: Agent, ids: dict[str, str]) -> None:
    found = mama.recall(strategy="temporal", limit=3)
    assert [hit.id for hit in found.hits] == [ids["entity"], ids["tagged"], ids["src"]]
    assert {hit.id for hit in mama.recall().hits} == set(ids.values())


def _put_state(reverie: Reverie, memory_id: str, state: State, superseded_by: str | None = None) -> None:
    with reverie._desk.store.write("mama") as unit:
        memory = unit.memories.get([memory_id])[memory_id]
        unit.memories.update(replace(memory, state=state, superseded_by=superseded_by))


@pytest.mark.parametrize(
    ("state", "superseded", "ordinary"),
    [(State.ACTIVE, False, True), (State.ARCHIVED, False, True), (State.ARCHIVED, True, False),
     (State.INACTIVE, False, False), (State.SUMMARIZED, False, False)],
)  # fmt: skip
def test_states_decide_who_answers_and_deep_recall_asks_all(
    mama: Agent, reverie: Reverie, ids: dict[str, str], state: State, superseded: bool, ordinary: bool
) -> None:
    _put_state(reverie, ids["plain"], state, ids["policy"] if superseded else None)
    assert (ids["plain"] in {hit.id for hit in mama.recall("tea").hits}) is ordinary
    deep = mama.recall("tea", deep=True)
    assert ids["plain"] in {hit.id for hit in deep.hits}
    assert (deep.deep, deep.fell_back) == (True, False)


def test_a_recall_that_finds_nothing_tries_deeper_and_says_so(mama: Agent, reverie: Reverie) -> None:
    memory = kept(mama, "Anna likes tea")
    _put_state(reverie, memory.id, State.INACTIVE)
    found = mama.recall("tea")
    assert [hit.id for hit in found.hits] == [memory.id]
    assert (found.deep, found.fell_back) == (True, True)
    nothing = mama.recall("tea", kinds="goal")
    assert (nothing.hits, nothing.deep, nothing.fell_back) == ((), False, False)


def test_as_of_answers_out_of_what_was_known_then(mama: Agent, ids: dict[str, str]) -> None:
    assert {hit.id for hit in mama.recall("tea", as_of=NOON + DAY).hits} == {ids["plain"], ids["policy"]}
    assert mama.recall("tea", as_of="2020-01-01").hits == ()


def test_without_a_query_the_last_messages_ask(mama: Agent, ids: dict[str, str]) -> None:
    mama.observe(["so what about the market?", "who sells tea on the market"], conversation="c")
    found = mama.recall(conversation="c")
    assert found.hits[0].id == ids["entity"]
    assert found.query == "so what about the market?\nwho sells tea on the market"


def test_a_conversation_with_a_query_keeps_to_what_comes_from_it(mama: Agent, ids: dict[str, str]) -> None:
    source = mama.observe({"content": "Dora hates tea", "ref": "m9"}, conversation="c").episode_ids[0]
    memory = kept(mama, "Dora hates tea", source_episodes=[source])
    found = mama.recall("tea", conversation="c")
    assert [(hit.id, hit.refs) for hit in found.hits] == [(memory.id, ("m9",))]


def test_shared_emotions_lift_a_memory_by_at_most_their_bonus(mama: Agent) -> None:
    sad = kept(mama, "Anna left on Monday", emotions=["sadness", "grief", "neutral"])
    glad = kept(mama, "Anna came on Monday", emotions=["joy", "love", "neutral"])
    found = mama.recall("Monday with Anna", emotions=["sadness", "grief", "neutral"])
    terms = {hit.id: hit.terms["emotion"] for hit in found.hits}
    assert terms[sad.id] == pytest.approx(0.10)
    assert terms[glad.id] == 0.0
    assert found.hits[0].id == sad.id


def test_recall_touches_and_changes_nothing_else(mama: Agent, reverie: Reverie) -> None:
    memory = kept(mama, "Anna likes tea")
    rev = mama.stats().rev
    log = mama.audit()
    first = mama.recall("tea")
    again = mama.recall("tea")
    assert [(h.id, h.score, h.relevance, h.terms) for h in first.hits] == [
        (h.id, h.score, h.relevance, h.terms) for h in again.hits
    ]
    assert mama.stats().pending_touches == 2
    reverie._desk.touches.flush()
    third = mama.recall("tea")
    assert third.hits[0].score == first.hits[0].score
    stored = mama.portrait(memory.id).memory
    assert (stored.touches, stored.last_touched_at, stored.reinforcement_count) == (2, NOON, 1)
    assert (mama.stats().rev, mama.audit()) == (rev, log)
    assert stored.updated_at == memory.updated_at


def test_recall_that_only_looks_touches_nothing(mama: Agent) -> None:
    mama.remember("Anna likes tea")
    assert mama.recall("tea", touch=False).hits
    assert mama.stats().pending_touches == 0
    with pytest.raises(InvalidInput, match="touch"):
        mama.recall("tea", touch="no")  # type: ignore[arg-type]


def test_looking_touches_nothing(mama: Agent) -> None:
    memory = kept(mama, "Anna likes tea")
    mama.observe("tea")
    mama.get(memory.id)
    mama.portrait(memory.id)
    mama.memories(match="tea")
    mama.recall_episodes("tea")
    assert mama.stats().pending_touches == 0


def test_touches_are_written_on_close(open_bank: Open) -> None:
    one = open_bank()
    memory = kept(one.agent("mama"), "Anna likes tea")
    one.agent("mama").recall("tea")
    one.close()
    assert open_bank().agent("mama").portrait(memory.id).memory.touches == 1


def test_a_recall_sees_every_acknowledged_write(open_bank: Open) -> None:
    one, other = open_bank().agent("mama"), open_bank().agent("mama")
    for n in range(5):
        memory = kept(one, f"Guest {n} drinks tea")
        assert memory.id in {hit.id for hit in other.recall(f"Guest {n} tea").hits}
        one.revise(memory.id, essence=f"Guest {n} drinks coffee")
        assert other.recall(f"Guest {n} coffee").hits[0].text == f"Guest {n} drinks coffee"
        one.forget(memory.id)
        assert memory.id not in {hit.id for hit in other.recall(f"Guest {n}").hits}


def test_a_question_is_embedded_once_for_memories_and_messages(open_bank: Open) -> None:
    asked: list[str] = []

    class Counting(HashingEmbedder):
        def embed_query(self, text: str) -> NDArray[np.float32]:
            asked.append(text)
            return super().embed_query(text)

    mama = open_bank(embedder=Counting.for_tests()).agent("mama")
    kept(mama, "Anna sings")
    mama.observe("Ben sails")
    asked.clear()
    mama.recall("Who sings?")
    mama.recall_episodes("Who sings?")
    mama.recall("Who sails?")
    assert asked == ["Who sings?", "Who sails?"]


def test_another_embedder_is_told_what_to_do(open_bank: Open) -> None:
    kept(open_bank().agent("mama"), "Anna likes tea")
    other = open_bank(embedder=HashingEmbedder.for_tests(64)).agent("mama")
    for refused in (
        lambda: other.recall("tea"),
        lambda: other.recall_episodes("tea"),
        lambda: other.remember("Ben likes coffee"),
        lambda: other.observe("hello"),
    ):
        with pytest.raises(
            EmbedderMismatch, match=r"hashing-for-tests-384/1.*hashing-for-tests-64/1.*open it with"
        ):
            refused()
    assert other.stats().memories == 1
    papa = open_bank(embedder=HashingEmbedder.for_tests(64)).agent("papa")
    assert kept(papa, "Ben likes coffee").essence == "Ben likes coffee"


def test_an_empty_bank_answers_with_nothing(mama: Agent) -> None:
    for strategy in Strategy:
        assert mama.recall("tea", strategy=strategy).hits == ()
        assert mama.recall_episodes("tea", strategy=strategy).hits == ()
    assert mama.recall().hits == ()
    assert mama.recall_episodes().hits == ()
    assert mama.stats().rev == 0


def test_a_recall_answers_though_the_clock_went_back(mama: Agent, ids: dict[str, str], clock: Clock) -> None:
    clock.now = NOON - timedelta(days=4000)
    assert len(mama.recall("tea").hits) == 5


def test_a_conversation_that_nobody_had_can_not_ask(mama: Agent) -> None:
    kept(mama, "Anna likes tea")
    for query in (None, "tea"):
        with pytest.raises(NotFound, match="conversation 'nowhere'"):
            mama.recall(query, conversation="nowhere")


PERSON = EPISODE_WEIGHTS["person"]


@pytest.fixture
def talk(mama: Agent, clock: Clock) -> dict[str, str]:
    """Ids by ref of five messages about tea that differ in all that filters look at."""
    rows: list[tuple[dict[str, object], str, str]] = [
        ({"content": "I like green tea", "speaker": "Anna", "ref": "a"}, "one", "api"),
        ({"content": "Tea again?", "speaker": "Ben", "ref": "b", "tags": ["Kitchen"]}, "one", "api"),
        ({"content": "You both drink tea", "role": "agent", "ref": "c", "importance": 0.7}, "one", "api"),
        ({"content": "tea: 3 boxes", "role": "tool", "ref": "d", "topics": ["stock"]}, "two", "web"),
        ({"content": "Al wants tea too", "speaker": "Al", "ref": "e", "entities": ["Al"]}, "two", "room"),
    ]
    made = {}
    for row, conversation, channel in rows:
        made[str(row["ref"])] = mama.observe(row, conversation=conversation, channel=channel).episode_ids[0]
        clock.wait(days=1)
    return made


@pytest.mark.parametrize(
    ("given", "refs"),
    [
        ({}, "abcde"),
        ({"conversations": "one"}, "abc"),
        ({"conversations": ["one", "two"]}, "abcde"),
        ({"channels": ["web", "room"]}, "de"),
        ({"roles": "assistant"}, "c"),
        ({"roles": ["tool", "agent"]}, "cd"),
        ({"speakers": "Ben"}, "b"),
        ({"tags": "kitchen"}, "b"),
        ({"topics": "STOCK"}, "d"),
        ({"entities": "al"}, "e"),
        ({"min_importance": 0.7}, "c"),
        ({"since": NOON + DAY, "until": NOON + 3 * DAY}, "bc"),
        ({"speakers": "Ben", "roles": "tool"}, ""),
    ],
)
def test_filters_decide_which_messages_may_answer(
    mama: Agent, talk: dict[str, str], given: dict[str, object], refs: str
) -> None:
    found = mama.recall_episodes("tea", min_score=0, **given)  # type: ignore[arg-type]
    assert sorted(hit.ref or "" for hit in found.hits) == list(refs)
    assert all(talk[hit.ref or ""] == hit.id for hit in found.hits)


def test_the_terms_explain_the_score(mama: Agent, talk: dict[str, str]) -> None:
    for hit in mama.recall_episodes("green tea", min_score=0).hits:
        assert list(hit.terms) == ["semantic", "lexical", "context", "date", "speaker", "strength"]
        assert sum(hit.terms.values()) == pytest.approx(hit.score)


def test_a_named_speaker_is_boosted_and_nobody_is_filtered(mama: Agent, talk: dict[str, str]) -> None:
    found = mama.recall_episodes("what about Ben and tea?", min_score=0)
    assert {hit.ref: hit.terms["speaker"] for hit in found.hits} == pytest.approx(
        {"a": PERSON, "b": PERSON + EPISODE_WEIGHTS["speaker"], "c": 0, "d": 0, "e": PERSON}
    )


def test_a_name_inside_another_word_boosts_nobody(mama: Agent, talk: dict[str, str]) -> None:
    found = mama.recall_episodes("what did they talk about, after all? tea?", min_score=0)
    assert {hit.ref: hit.terms["speaker"] for hit in found.hits} == pytest.approx(
        {"a": PERSON, "b": PERSON, "c": 0, "d": 0, "e": PERSON}
    )


def test_a_query_of_nothing_but_a_name_still_finds(mama: Agent, talk: dict[str, str]) -> None:
    found = mama.recall_episodes("Al")
    assert found.hits[0].ref == "e"


def test_a_named_speaker_does_not_pull_towards_mentions(mama: Agent) -> None:
    mama.observe([
        {"content": "My sister's wedding is in June", "speaker": "Anna", "ref": "said"},
        {"content": "Anna Anna Anna, where are you Anna", "speaker": "Ben", "ref": "mentioned"},
    ])  # fmt: skip
    assert mama.recall_episodes("when is the wedding of Anna's sister?").hits[0].ref == "said"


def test_limits_and_budgets_hold_here_too(mama: Agent, talk: dict[str, str]) -> None:
    assert len(mama.recall_episodes("tea", limit=2).hits) == 2
    for budget in range(0, 30, 3):
        found = mama.recall_episodes("tea", max_tokens=budget)
        assert found.tokens <= budget
        assert sum(-(-len(hit.text.encode()) // 3) for hit in found.hits) <= budget


def test_without_a_query_the_latest_messages_come(mama: Agent, talk: dict[str, str]) -> None:
    found = mama.recall_episodes(strategy="temporal")
    assert [hit.ref for hit in found.hits] == ["e", "d", "c", "b", "a"]


def test_equal_messages_of_two_agents_stay_with_their_agent(mama: Agent, talk: dict[str, str]) -> None:
    assert all(hit.id in talk.values() for hit in mama.recall_episodes("tea", limit=1000).hits)
