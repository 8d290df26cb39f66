"""recall_episodes: what was said that answers."""

from __future__ import annotations

import pytest

from reverie import Agent
from reverie.memory.scoring.score import EPISODE_WEIGHTS
from tests.services.bench import DAY, NOON, Clock

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
def test_filters_decide_what_may_answer_at_all(
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


def test_without_a_query_the_latest_come_first(mama: Agent, talk: dict[str, str]) -> None:
    found = mama.recall_episodes(strategy="temporal")
    assert [hit.ref for hit in found.hits] == ["e", "d", "c", "b", "a"]


def test_equal_messages_of_two_agents_stay_with_their_agent(mama: Agent, talk: dict[str, str]) -> None:
    assert all(hit.id in talk.values() for hit in mama.recall_episodes("tea", limit=1000).hits)
