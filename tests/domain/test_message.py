"""Messages as callers hand them in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.domain.message import EpisodeMetadata, Message, Role
from reverie.errors import InvalidInput

SECRET = "the launch code is 8841"


def test_a_plain_text_is_said_by_the_user() -> None:
    assert Message.of("hello") == Message(content="hello", role=Role.USER)


def test_a_message_is_itself() -> None:
    message = Message(content="hello")
    assert Message.of(message) is message


def test_a_mapping_gives_every_field() -> None:
    message = Message.of(
        {
            "content": "done", "role": "assistant", "speaker": "Bot", "time": "2026-11-20T09:30:00Z", "ref": "m1",
            "outcome": "success", "tags": ["b", "a", "b"], "task_type": "coding", "tools_used": ["git"],
            "emotional_tone": "calm", "topics": ["ci"], "entities": ["Anna"], "importance": 1,
        }
    )  # fmt: skip
    assert message == Message(
        content="done", role=Role.AGENT, speaker="Bot", time="2026-11-20T09:30:00Z", ref="m1", outcome="success",
        tags=("b", "a"),
        metadata=EpisodeMetadata(
            task_type="coding", tools_used=("git",), emotional_tone="calm", topics=("ci",), entities=("Anna",),
            importance=1.0,
        ),
    )  # fmt: skip


def test_the_synonyms_of_others_are_understood() -> None:
    given = {"content": "hi", "name": "Anna", "timestamp": datetime(2026, 1, 2, tzinfo=UTC), "id": "m1"}
    message = Message.of(given)
    assert (message.speaker, message.time, message.ref) == ("Anna", datetime(2026, 1, 2, tzinfo=UTC), "m1")


def test_none_means_not_given() -> None:
    given = {"content": "hi", "name": None, "speaker": "Anna", "time": None, "metadata": None, "topics": None}
    assert Message.of(given) == Message(content="hi", speaker="Anna")


def test_metadata_may_be_nested_flat_or_split() -> None:
    whole = Message(content="hi", metadata=EpisodeMetadata(topics=("a",), importance=0.5))
    for given in (
        {"content": "hi", "topics": ["a"], "importance": 0.5},
        {"content": "hi", "metadata": {"topics": ["a"], "importance": 0.5}},
        {"content": "hi", "metadata": {"topics": ["a"], "entities": None}, "importance": 0.5},
        {"content": "hi", "importance": 0.5, "metadata": EpisodeMetadata(topics=("a",))},
        {"content": "hi", "metadata": EpisodeMetadata(topics=("a",)), "importance": 0.5},
    ):
        assert Message.of(given) == whole


@pytest.mark.parametrize(
    "given",
    [
        {"content": "hi", "name": "Anna", "speaker": "Ben"},
        {"content": "hi", "id": "1", "ref": "1"},
        {"content": "hi", "timestamp": "2026-01-01", "time": "2026-01-01"},
        {"content": "hi", "topics": ["a"], "metadata": {"topics": ["b"]}},
        {"content": "hi", "metadata": {"topics": ["b"]}, "topics": ["a"]},
        {"content": "hi", "metadata": EpisodeMetadata(topics=("b",)), "topics": ["a"]},
    ],
)
def test_a_field_given_twice_is_refused_in_whatever_order(given: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match="given twice; give it once"):
        Message.of(given)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "content"),
        ({"content": None}, "content"),
        ({"content": ""}, "content"),
        ({"content": ["a"]}, "content"),
        ({"content": "x" * ((1 << 20) + 1)}, "content"),
        ({"content": SECRET, "text": "x"}, "message"),
        ({"content": SECRET, 5: "x"}, "message"),
        ({"content": SECRET, "role": "boss"}, "role"),
        ({"content": SECRET, "role": 5}, "role"),
        ({"content": SECRET, "speaker": ""}, "speaker"),
        ({"content": SECRET, "ref": 17}, "ref"),
        ({"content": SECRET, "time": 5}, "time"),
        ({"content": SECRET, "time": "noon"}, "time"),
        ({"content": SECRET, "outcome": "a\nb"}, "outcome"),
        ({"content": SECRET, "tags": "work"}, "tags"),
        ({"content": SECRET, "importance": 2}, "importance"),
        ({"content": SECRET, "topics": 5}, "topics"),
        ({"content": SECRET, "task_type": ""}, "task_type"),
        ({"content": SECRET, "metadata": 5}, "metadata"),
        ({"content": SECRET, "metadata": {"mood": "x"}}, "metadata"),
        ({"content": SECRET, "metadata": {5: "x"}}, "metadata"),
        (5, "message"),
        (None, "message"),
        (b"hello", "message"),
        (["hello"], "message"),
    ],
)
def test_a_bad_message_is_refused_by_field_without_its_content(given: object, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Message.of(given)
    assert refused.value.field == field
    assert refused.value.remedy
    assert SECRET not in str(refused.value)


def test_a_message_built_directly_is_checked_just_as_well() -> None:
    with pytest.raises(InvalidInput, match="metadata"):
        Message(content="hi", metadata={"topics": ["a"]})  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="time"):
        Message(content="hi", time=5)  # type: ignore[arg-type]


def test_content_is_stored_as_said_but_normalized() -> None:
    assert Message.of("  spaced\r\n\x07 out ").content == "  spaced\n out "
