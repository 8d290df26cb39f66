"""Messages are read while they are observed, by the mind of this machine: task type, tone and importance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from reverie import Agent, Episode, LLMSettings, Reverie, Settings, SourceTrust
from reverie.domain.emotion import Emotions
from reverie.domain.snippet import Reading
from reverie.errors import MindFailed
from reverie.ports.search import Floats
from tests.services.conftest import Open
from tests.services.scripted import Scripted


@dataclass
class Reader:
    """Sees the same in every message; ``seen`` are those it was shown."""

    is_local: bool = True
    seen: list[Episode] = field(default_factory=list)
    id = "reader/1"

    def read(
        self, messages: Sequence[Episode], vectors: Floats, felt: Sequence[Emotions | None]
    ) -> Sequence[Reading]:
        assert len(messages) == len(vectors) == len(felt)
        self.seen.extend(messages)
        return [Reading(task_type="planning", emotional_tone="joy", importance=0.5) for _ in messages]


@pytest.fixture
def reader() -> Reader:
    return Reader()


@pytest.fixture
def read_by(reverie: Reverie, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """An agent whose messages the reader reads."""
    object.__setattr__(reverie._desk, "mind", reader)
    monkeypatch.setattr(type(reverie._desk), "felt", lambda _, texts, __: [None] * len(texts))
    return reverie.agent("mama")


def _metadata(episode: Episode) -> tuple[str | None, str | None, float | None]:
    meta = episode.metadata
    return meta.task_type, meta.emotional_tone, meta.importance


def test_what_the_mind_sees_is_stored_with_the_message(read_by: Agent) -> None:
    read_by.observe(["Let us plan the trip", "and the budget"])
    assert [_metadata(one) for one in read_by.episodes()] == [("planning", "joy", 0.5)] * 2


def test_what_the_caller_says_wins(read_by: Agent) -> None:
    given = {"content": "Let us plan", "task_type": "coding", "emotional_tone": "calm", "importance": 0.0}
    read_by.observe([given, {"content": "Another", "importance": 0.25}])
    assert [_metadata(one) for one in read_by.episodes()] == [
        ("coding", "calm", 0.0),
        ("planning", "joy", 0.25),
    ]


def test_the_mind_is_shown_messages_as_they_will_be_stored(read_by: Agent, reader: Reader) -> None:
    read_by.observe(
        [{"content": "Let us plan", "speaker": "Anna", "time": "2026-11-01T08:00:00Z"}],
        conversation="c",
        channel="web",
    )
    (seen,), (stored,) = reader.seen, read_by.episodes()
    for name in ("content", "speaker", "time", "conversation", "channel", "role", "source_trust"):
        assert getattr(seen, name) == getattr(stored, name)
    assert seen.source_trust is SourceTrust.EXTERNAL


def test_known_messages_are_not_read_again(read_by: Agent, reader: Reader) -> None:
    batch = [{"content": "one", "ref": "1"}, {"content": "two", "ref": "2"}]
    read_by.observe(batch[:1])
    read_by.observe(batch)
    assert [one.content for one in reader.seen] == ["one", "two"]


def test_a_mind_that_is_away_is_not_asked_at_each_message(read_by: Agent, reader: Reader) -> None:
    reader.is_local = False
    read_by.observe("Let us plan the trip")
    assert reader.seen == []
    assert _metadata(read_by.episodes()[0]) == (None, None, None)


def test_without_a_mind_nothing_is_read(open_bank: Open) -> None:
    mama = open_bank(settings=Settings(mind="none")).agent("mama")
    mama.observe("Let us plan the trip")
    assert _metadata(mama.episodes()[0]) == (None, None, None)


def test_the_built_in_mind_sees_questions_and_importance(mama: Agent) -> None:
    mama.observe(["What time is it?", "Please book the flight."])
    assert [one.metadata.task_type for one in mama.episodes()] == ["question", None]
    assert all(one.metadata.importance is not None for one in mama.episodes())


@pytest.mark.parametrize(
    "failure", [MindFailed("reader/1", "its secret-word answer is no JSON"), RuntimeError("secret-word")]
)
def test_a_mind_that_fails_leaves_the_message_unread_and_stored(
    read_by: Agent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, failure: Exception
) -> None:
    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(Reader, "read", fail)
    assert read_by.observe("Let us plan the trip").stored == 1
    assert _metadata(read_by.episodes()[0]) == (None, None, None)
    assert "unread" in caplog.text
    assert "secret-word" not in caplog.text
    assert "plan the trip" not in caplog.text


def test_a_mind_that_reads_too_little_leaves_all(read_by: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Reader, "read", lambda *_: [Reading(task_type="planning", emotional_tone=None, importance=0.5)]
    )
    read_by.observe(["Let us plan the trip", "and the budget"])
    assert [_metadata(one) for one in read_by.episodes()] == [(None, None, None)] * 2


@pytest.mark.parametrize(
    "seen",
    [
        Reading(task_type="planning", emotional_tone="joy", importance=7.0),
        Reading(task_type="", emotional_tone="joy", importance=0.5), None, "text",
    ],
)  # fmt: skip
def test_unfit_parts_of_a_reading_go(read_by: Agent, monkeypatch: pytest.MonkeyPatch, seen: object) -> None:
    good = Reading(task_type="casual", emotional_tone="joy", importance=0.25)
    monkeypatch.setattr(Reader, "read", lambda *_: [good, seen])
    assert read_by.observe(["Let us plan the trip", "and the budget"]).stored == 2
    assert [_metadata(one)[2] for one in read_by.episodes()] == [0.25, None]


def _away() -> Scripted:
    mind = Scripted()
    mind.is_local = False
    return mind


def _minded(reverie: Reverie, mind: Scripted, home: Scripted) -> Agent:
    return Reverie(replace(reverie._desk, mind=mind, home=home), actor="test").agent("mama")


def test_messages_are_read_by_the_mind_of_this_machine(reverie: Reverie) -> None:
    away, home = _away(), Scripted()
    mama = _minded(reverie, away, home)
    (message,) = mama.observe("Anna moved to Lisbon").episode_ids
    assert mama.attend().snippets == 1
    assert (len(home.seen), away.seen) == (1, [])
    assert mama.episodes()[0].metadata.importance == 0.5
    assert mama.memories()[0].source_episodes == (message,)


def test_a_mind_that_may_read_what_was_said_does(open_bank: Open) -> None:
    away, home = _away(), Scripted()
    mama = _minded(open_bank(settings=Settings(llm=LLMSettings(send_raw=True))), away, home)
    mama.observe("Anna moved to Lisbon")
    assert mama.attend().snippets == 1
    assert (len(away.seen), home.seen) == (1, [])


def test_what_is_written_is_judged_here_at_once(reverie: Reverie) -> None:
    for mind in (_away(), Scripted()):
        mind.judge = None  # type: ignore[method-assign,assignment]  # to be asked would fail
        mama = _minded(reverie, mind, Scripted())
        kept = mama.remember(f"Anna drinks tea at {'home' if mind.is_local else 'work'}").memory
        assert (kept.lesson, kept.importance) == ("Judged", 0.5)
