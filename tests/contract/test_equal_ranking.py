"""Given equal hits both engines rank alike: the same ids in the same order, with the same numbers and reasons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from bench.invented import invent
from reverie import Agent
from tests.contract.ranking_lives import WHAT, Twins, happen, told
from tests.contract.store_engines import OTHERS, SPREAD_ENGINES
from tests.services.bench import DAY, NOON

pytestmark = pytest.mark.slow

COUNT = 300
ROUNDS = 4
STRATEGIES = ("hybrid", "semantic", "lexical", "topic", "temporal")
QUERIES = (
    *(one.question for number in (0, 2) for one in invent(11, number * COUNT, 1)),
    "what did Anna and Péter say about the garden?",
    "health work travel",
)
OF_MEMORIES: dict[str, dict[str, Any]] = {
    "all": {},
    "kinds": {"kinds": ["fact", "goal"]},
    "scope": {"scope": "src/a/b.py"},
    "tags": {"tags": ["Work", "health", "food", "travel"]},
    "topics": {"topics": ["WORK", "health", "food", "travel"], "limit": 50},
    "entities": {"entities": ["anna", "Péter", "John"]},
    "important": {"min_importance": 0.6},
    "sure": {"min_confidence": 0.5},
    "span": {"since": NOON + 15 * DAY, "until": NOON + 45 * DAY},
    "deep": {"deep": True, "limit": 100},
    "early": {"as_of": NOON + 10 * DAY},
    "before the changes": {"as_of": NOON + 79 * DAY, "limit": 100},
    "between the changes": {"as_of": NOON + 110 * DAY, "deep": True, "limit": 100},
    "past and filtered": {"as_of": NOON + 100 * DAY, "min_confidence": 0.4, "kinds": "fact", "scope": "docs/a.md"},
    "moved": {"emotions": ["joy", "fear", "grief"]},
    "conversation": {"conversation": "kitchen", "limit": 50},
    "budget": {"max_tokens": 200},
}  # fmt: skip
OF_EPISODES: dict[str, dict[str, Any]] = {
    "all": {"limit": 50},
    "conversations": {"conversations": ["kitchen", "office"]},
    "channels": {"channels": "web"},
    "roles": {"roles": "tool"},
    "speakers": {"speakers": ["Anna", "Péter", "John"]},
    "tags": {"tags": ["Work", "health", "food", "travel"]},
    "topics": {"topics": ["WORK", "health", "food", "travel"]},
    "entities": {"entities": ["anna", "Péter", "John"]},
    "important": {"min_importance": 0.6},
    "span": {"since": NOON + 15 * DAY, "until": NOON + 45 * DAY, "limit": 100},
    "several": {"roles": "user", "conversations": "garden", "min_importance": 0.2, "until": NOON + 45 * DAY},
    "budget": {"max_tokens": 200},
}


@pytest.fixture(scope="module", params=OTHERS)
def lived(request: pytest.FixtureRequest) -> Iterator[Twins]:
    """Agents who have been told much, and to whom much has happened since."""
    with ExitStack() as held:
        places = [
            held.enter_context(SPREAD_ENGINES[name].lasting_place(request))
            for name in ("sqlite", request.param)
        ]
        twins = held.enter_context(Twins(places))
        made = told(twins, COUNT, ROUNDS)
        for _ in range(8):
            for what in WHAT:
                happen(twins, made, what)
        yield twins


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("given", OF_MEMORIES)
def test_both_engines_rank_the_same_memories_alike(lived: Twins, given: str, strategy: str) -> None:
    asked = OF_MEMORIES[given] | {"strategy": strategy}
    found = [lived.ask(partial(Agent.recall, query=query, **asked)) for query in QUERIES]
    assert any(len(one.hits) > 1 for one in found)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("given", OF_EPISODES)
def test_both_engines_rank_the_same_messages_alike(lived: Twins, given: str, strategy: str) -> None:
    asked = OF_EPISODES[given] | {"strategy": strategy}
    found = [lived.ask(partial(Agent.recall_episodes, query=query, **asked)) for query in QUERIES]
    assert any(len(one.hits) > 1 for one in found)


def test_both_engines_put_the_same_first_where_nothing_is_asked(lived: Twins) -> None:
    for ask in (Agent.recall, Agent.recall_episodes):
        for strategy in ("hybrid", "temporal"):
            assert len(lived.ask(partial(ask, strategy=strategy, limit=40)).hits) == 40
    assert lived.ask(partial(Agent.recall, conversation="garden")).hits


def test_both_engines_list_the_same_and_hold_the_same_history(lived: Twins) -> None:
    memories = lived.both(lambda agent: agent.memories(deep=True, limit=1000))
    assert len({memory.state for memory in memories}) == 4
    shown = lived.both(lambda agent: [agent.portrait(memory.id) for memory in memories])
    assert any(portrait.versions for portrait in shown)
    assert lived.both(lambda agent: agent.memories(match="weeks waiting", limit=1000))
    assert lived.both(lambda agent: agent.episodes(match="weeks waiting", limit=1000))
    assert lived.both(lambda agent: agent.episodes(newest_first=True, limit=1000))
    assert lived.both(lambda agent: agent.conversations(limit=1000))
    log = lived.both(lambda agent: agent.audit(limit=1000))
    assert any(entry.reason == "some of its sentences were forgotten" for entry in log)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("what", WHAT)
def test_both_engines_rank_alike_right_after(what: str, other: str, request: pytest.FixtureRequest) -> None:
    places = [SPREAD_ENGINES[name].place(request) for name in ("sqlite", other)]
    with Twins(places) as twins:
        made = told(twins, 20, 2)
        questions = ["what did Anna and Péter say about the garden?", "health work travel"]
        for _ in range(4):
            happen(twins, made, what)
            for query in questions:
                assert twins.ask(partial(Agent.recall, query=query, min_score=0, limit=50)).hits
                twins.ask(
                    partial(
                        Agent.recall, query=query, min_score=0, limit=50, as_of=NOON + 39 * DAY, deep=True
                    )
                )
                assert twins.ask(partial(Agent.recall_episodes, query=query, min_score=0, limit=50)).hits
