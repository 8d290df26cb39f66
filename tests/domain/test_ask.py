"""Questions and their filters, checked."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from reverie.domain.ask import Ask, filter_of
from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.message import Role
from reverie.domain.query import Filter, Strategy
from reverie.errors import InvalidInput

BUDAPEST = ZoneInfo("Europe/Budapest")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("query", ""), ("query", 5), ("query", "x" * ((1 << 20) + 1)), ("strategy", "psychic"), ("strategy", None),
        ("limit", 0), ("limit", 1001), ("limit", 2.0), ("limit", True), ("limit", "5"), ("max_tokens", -1),
        ("max_tokens", 0.5), ("min_score", 1.5), ("min_score", float("nan")), ("emotions", ["happy"]),
        ("emotions", 5), ("deep", "yes"), ("deep", None), ("conversation", ""), ("conversation", 5), ("tokens", 5),
    ],
)  # fmt: skip
def test_a_bad_question_is_refused_naming_its_field(field: str, value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        Ask(**{"query": "what?", "filter": Filter(), field: value})  # type: ignore[arg-type]
    assert refused.value.field == field
    assert refused.value.remedy


def test_a_question_is_normalized() -> None:
    ask = Ask(
        query="what\r\nnow\x00?",
        filter=Filter(),
        strategy="Semantic",  # type: ignore[arg-type]
        emotions=["JOY", "joy", "love"],  # type: ignore[list-item]
        min_score=1,
    )
    assert (ask.query, ask.strategy, ask.min_score) == ("what\nnow?", Strategy.SEMANTIC, 1.0)
    assert ask.emotions == (Emotion.JOY, Emotion.LOVE)


def test_one_emotion_may_stand_alone_and_none_is_not_ungiven() -> None:
    assert Ask(query="x", filter=Filter(), emotions="joy").emotions == (Emotion.JOY,)  # type: ignore[arg-type]
    assert Ask(query="x", filter=Filter(), emotions=[]).emotions == ()
    assert Ask(query="x", filter=Filter()).emotions is None


@pytest.mark.parametrize("strategy", [Strategy.SEMANTIC, Strategy.LEXICAL, Strategy.TOPIC])
def test_searching_by_content_needs_a_query_or_a_conversation(strategy: Strategy) -> None:
    with pytest.raises(InvalidInput, match="needs one"):
        Ask(query=None, filter=Filter(), strategy=strategy)
    assert Ask(query=None, filter=Filter(), strategy=strategy, conversation="main").query is None


def test_a_filter_takes_one_name_or_many() -> None:
    made = filter_of(
        {
            "kinds": "Fact", "tags": "work", "topics": ["a", "b"], "roles": ["assistant"], "scope": "src/a.py",
            "since": "2026-07-01", "until": datetime(2026, 7, 2, tzinfo=UTC), "min_importance": 1, "speakers": None,
        },
        zone=BUDAPEST,
        memories=True,
    )  # fmt: skip
    assert made == Filter(
        kinds=frozenset({Kind.FACT}), tags=frozenset({"work"}), topics=frozenset({"a", "b"}),
        roles=frozenset({Role.AGENT}), scope="src/a.py", since=datetime(2026, 6, 30, 22, tzinfo=UTC),
        until=datetime(2026, 7, 2, tzinfo=UTC), min_importance=1.0,
        states=frozenset({State.ACTIVE, State.ARCHIVED}),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kinds", "facts"), ("kinds", 5), ("kinds", ["fact", []]), ("roles", "boss"), ("tags", 5), ("tags", [" a"]),
        ("speakers", [5]), ("conversations", ["\n"]), ("since", 5), ("until", "soon"), ("min_importance", 2),
        ("min_confidence", "x"), ("scope", ""), ("scope", 5), ("channels", b"api"),
    ],
)  # fmt: skip
def test_a_bad_filter_is_refused_naming_the_argument(name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        filter_of({name: value}, zone=UTC, memories=True)
    assert refused.value.field.removesuffix("s") == name.removesuffix("s")
