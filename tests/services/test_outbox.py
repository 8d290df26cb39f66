"""Laws of writes that an embedder gave no vectors for: they wait in the bank, and nothing is lost or stored twice."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import pytest

from reverie import (
    Agent,
    EmbedderMismatch,
    Inserted,
    InvalidInput,
    RefConflict,
    Reinforced,
    RememberSettings,
    Settings,
    StoreSettings,
)
from reverie.domain.outcome import Queued
from reverie.domain.query import Strategy
from reverie.errors import EmbedderFailed, Forgotten
from reverie.services.observe import outbox
from reverie.services.runtime.waiting import Waiting
from tests.services.bench import Clock, at_once
from tests.services.conftest import Open
from tests.services.moody import Moody, flush, kept, raw, said, told, waiting

pytestmark = pytest.mark.slow

SECRET = "AKIAIOSFODNN7EXAMPLQ"


@pytest.fixture
def mama(open_bank: Open, moody: Moody) -> Agent:
    return open_bank(
        embedder=moody,
        settings=Settings(store=StoreSettings(batch=4), remember=RememberSettings(emotions=False)),
    ).agent("mama")


def test_messages_wait_and_are_stored_in_order_before_the_next(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    seen = told(mama, *[f"message {number}" for number in range(10)])
    assert (seen.queued, seen.stored, seen.episode_ids) == (10, 0, ())
    assert told(mama, "message 10").queued == 1
    assert mama.episodes() == []
    moody.broken = False
    seen = told(mama, "message 11")
    assert (seen.queued, seen.stored) == (0, 1)
    assert said(mama) == [f"message {number}" for number in range(12)]
    assert waiting(mama) == 0


def test_memories_wait_under_the_id_that_they_will_have(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    (outcome,) = kept(mama, {"essence": "Anna lives in Lisbon", "tags": ["home"], "importance": 0.7})
    assert isinstance(outcome, Queued)
    assert mama.memories() == []
    moody.broken = False
    assert flush(mama) == (1, 0, 0)
    (there,) = mama.memories()
    assert there.id == outcome.memory.id
    assert (there.essence, there.tags, there.importance) == ("Anna lives in Lisbon", ("home",), 0.7)


def test_the_times_of_what_waited_are_those_of_its_telling(mama: Agent, moody: Moody, clock: Clock) -> None:
    moody.broken = True
    then = clock.now
    told(mama, "I moved today", {"content": "An old one", "time": "2026-01-02T03:04:05+00:00"})
    kept(mama, "Anna moved", {"essence": "Anna was away", "valid_to": "2026-02-01T00:00:00+00:00"})
    clock.wait(days=2)
    moody.broken = False
    assert flush(mama) == (4, 0, 0)
    times = {one.content: one.time.isoformat() for one in mama.episodes()}
    assert times == {"I moved today": then.isoformat(), "An old one": "2026-01-02T03:04:05+00:00"}
    told_then = {one.essence: (one.created_at, one.valid_to) for one in mama.memories()}
    assert told_then["Anna moved"] == (then, None)
    assert told_then["Anna was away"] == (then, datetime(2026, 2, 1, tzinfo=UTC))


def test_every_field_of_a_message_survives_the_wait(mama: Agent, moody: Moody) -> None:
    message = {
        "content": "It broke at  two\n🜍 \"quoted\"", "role": "agent", "speaker": "Péter", "ref": "r1",
        "outcome": "worse",
        "tags": ["a", "b"], "task_type": "deploy", "tools_used": ["ssh"], "emotional_tone": "tense",
        "topics": ["deploy"], "entities": ["Péter"], "importance": 0.25,
    }  # fmt: skip
    moody.broken = True
    told(mama, message)
    moody.broken = False
    flush(mama)
    (later,) = mama.episodes()
    told(mama, {**message, "ref": "r2"}, conversation="other")
    (now,) = mama.episodes(conversations="other")
    same = ("content", "role", "speaker", "outcome", "tags", "metadata", "channel", "source_trust")
    assert [getattr(later, name) for name in same] == [getattr(now, name) for name in same]
    assert later.ref == "r1"


def test_a_batch_that_fails_midway_lets_the_rest_wait(mama: Agent, moody: Moody) -> None:
    moody.left = 6  # the second part of four is too much
    seen = told(mama, *[f"message {number}" for number in range(10)])
    assert (seen.stored, seen.queued) == (4, 6)
    assert len(seen.episode_ids) == 4
    moody.left, moody.broken = None, False
    flush(mama)
    assert said(mama) == [f"message {number}" for number in range(10)]


def test_observing_again_what_waits_stores_it_once(mama: Agent, moody: Moody) -> None:
    batch = [{"content": f"message {number}", "ref": f"r{number}"} for number in range(5)]
    moody.broken = True
    told(mama, *batch)
    told(mama, *batch)
    moody.broken = False
    seen = told(mama, *batch)
    assert (seen.stored, seen.known) == (0, 5)
    assert said(mama) == [f"message {number}" for number in range(5)]


def test_what_is_known_is_told_while_the_rest_waits(mama: Agent, moody: Moody) -> None:
    first = told(mama, {"content": "one", "ref": "r1"})
    moody.broken = True
    seen = told(mama, {"content": "one", "ref": "r1"}, {"content": "two", "ref": "r2"})
    assert (seen.episode_ids, seen.known, seen.queued) == (first.episode_ids, 1, 1)
    with pytest.raises(RefConflict):
        told(mama, {"content": "other words", "ref": "r1"})


def test_secrets_are_taken_out_before_anything_waits(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    seen = told(mama, f"the key is {SECRET}")
    kept(mama, f"the key is {SECRET}")
    assert seen.redacted
    assert SECRET not in raw(mama)
    counters = mama.stats().counters
    moody.broken = False
    flush(mama)
    assert {name: count for name, count in mama.stats().counters.items() if name.startswith("redacted")} == {
        name: count for name, count in counters.items() if name.startswith("redacted")
    }


def test_what_can_be_refused_is_refused_at_once(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    with pytest.raises(InvalidInput):
        told(mama, {"content": ""})
    with pytest.raises(InvalidInput):
        kept(mama, {"essence": "x", "importance": 7})
    assert waiting(mama) == 0


def test_a_capture_waits_too(mama: Agent, moody: Moody) -> None:
    moody.left = 1  # the message itself is embedded, what it states no more
    seen = told(mama, "I prefer tabs over spaces.")
    assert seen.stored == 1
    assert waiting(mama) == 1
    moody.left, moody.broken = None, False
    flush(mama)
    assert [one.id for one in mama.memories()] == list(seen.captured)


def test_what_waited_is_captured_when_it_is_stored(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    told(mama, "I prefer tabs over spaces.")
    moody.broken = False
    flush(mama)
    assert ["tabs" in one.essence for one in mama.memories()] == [True]


def test_a_waiting_messages_capture_comes_before_later_ones(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    told(mama, "I prefer tabs over spaces.")
    kept(mama, "Anna lives in Lisbon")
    moody.broken = False
    assert flush(mama) == (2, 0, 0)
    told_of = [str(one.after["essence"]) for one in mama.audit() if one.after is not None]
    assert ["tabs" in essence for essence in told_of] == [True, False]


def test_a_memory_that_waited_may_prove_to_be_known(mama: Agent, moody: Moody) -> None:
    (first,) = kept(mama, "Anna's train leaves at 7:40")
    moody.broken = True
    kept(mama, "Anna's train leaves at 7:40.")
    moody.broken = False
    assert flush(mama) == (1, 0, 0)
    assert [one.id for one in mama.memories()] == [first.memory.id]
    assert mama.memories()[0].reinforcement_count == 2


def test_without_leave_to_wait_the_failure_is_raised(mama: Agent, moody: Moody) -> None:
    from reverie.services.remember.writing import remember

    moody.broken = True
    with pytest.raises(EmbedderFailed):
        remember(mama._desk, "mama", ["Anna lives in Lisbon"], actor="loop")
    assert waiting(mama) == 0


def test_a_flush_that_fails_in_the_middle_goes_on_there(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    for number in range(10):
        told(mama, f"message {number}")
    moody.broken, moody.left = False, 4
    flush(mama)
    assert said(mama) == [f"message {number}" for number in range(4)]
    moody.broken, moody.left = False, None
    assert flush(mama) == (6, 0, 0)
    assert said(mama) == [f"message {number}" for number in range(10)]


def test_two_that_flush_at_once_store_everything_once(mama: Agent, moody: Moody, open_bank: Open) -> None:
    moody.broken = True
    for number in range(12):
        told(mama, f"message {number}")
        kept(mama, f"fact {number} of {'abcdefghijkl'[number] * 6}")
    moody.broken = False
    other = open_bank(
        embedder=Moody(),
        settings=Settings(store=StoreSettings(batch=4), remember=RememberSettings(emotions=False)),
    ).agent("mama")
    at_once(lambda: flush(mama), lambda: flush(other))
    assert said(mama) == [f"message {number}" for number in range(12)]
    assert len(mama.memories()) == 12
    assert waiting(mama) == 0


def test_what_another_process_let_wait_goes_first(mama: Agent, moody: Moody, open_bank: Open) -> None:
    moody.broken = True
    told(mama, "first")
    other = open_bank(embedder=Moody(), settings=Settings(remember=RememberSettings(emotions=False))).agent(
        "mama"
    )
    told(other, "second")
    assert said(mama) == ["first", "second"]


def test_what_is_told_behind_what_waits_waits_too(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    told(mama, "first")
    moody.broken, moody.failures = False, 2  # the flush fails, and what asks whether it answers at all
    assert told(mama, "second").queued == 1
    moody.failures = 2
    assert isinstance(kept(mama, "a third thing")[0], Queued)
    told(mama, "fourth")
    assert said(mama) == ["first", "second", "fourth"]
    assert [one.essence for one in mama.memories()] == ["a third thing"]


def test_recall_goes_by_words_while_the_embedder_fails(mama: Agent, moody: Moody) -> None:
    kept(mama, "Péter is allergic to peanuts")
    told(mama, "Péter asked about peanuts", "We went to Porto")
    moody.broken = True
    for found in (mama.recall("peanuts"), mama.recall("peanuts", strategy="semantic")):
        assert [hit.text for hit in found.hits] == ["Péter is allergic to peanuts"]
        assert found.words_only
        assert found.strategy is Strategy.LEXICAL
    assert mama.recall_episodes("peanuts").words_only
    assert [hit.text for hit in mama.recall_episodes("Porto").hits] == ["We went to Porto"]
    assert not mama.recall("peanuts", strategy="lexical").words_only
    moody.broken = False
    assert not mama.recall("peanuts").words_only


def test_a_block_holds_the_baseline_while_the_embedder_fails(mama: Agent, moody: Moody) -> None:
    kept(mama, {"essence": "Always answer in Hungarian", "kind": "policy"})
    moody.broken = True
    assert "Hungarian" in mama.context(task="answer a letter").text


def test_another_embedders_bank_takes_nothing(mama: Agent, moody: Moody, open_bank: Open) -> None:
    told(mama, "one")
    other = open_bank(embedder=Moody(64), settings=Settings(remember=RememberSettings(emotions=False))).agent(
        "mama"
    )
    other._desk.embedder.broken = True  # type: ignore[attr-defined]
    with pytest.raises(EmbedderMismatch):
        told(other, "two")
    assert waiting(mama) == 0


def test_stats_tell_how_much_waits(mama: Agent, moody: Moody) -> None:
    assert mama.stats().queued == 0
    moody.broken = True
    kept(mama, "one fact", "another of them")
    assert mama.stats().queued == 2


def test_an_agent_that_never_wrote_may_let_wait(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    told(mama, "hello")
    assert mama._desk.store.agent_ids() == ["mama"]
    moody.broken = False
    done = outbox.flush_all(mama._desk)
    assert (done.stored, done.left) == (1, 0)


def test_no_log_holds_what_waits(mama: Agent, moody: Moody, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    moody.broken = True
    told(mama, "the safe's combination is twelve")
    kept(mama, "the safe's combination is twelve")
    flush(mama)
    assert "wait" in caplog.text
    assert "combination" not in caplog.text


def test_an_empty_outbox_is_rarely_looked_at(mama: Agent) -> None:
    now = [0.0]
    known = Waiting(lambda: now[0])
    assert known.may_hold("mama")
    known.note("mama", empty=True)
    assert not known.may_hold("mama")
    now[0] = 1.0
    assert known.may_hold("mama")
    known.note("mama", empty=True)
    known.note("mama", empty=False)
    assert known.may_hold("mama")
    with pytest.raises(EmbedderFailed):
        known.check("mama", "any")


def test_a_waiting_write_of_forgotten_text_is_dropped(mama: Agent, moody: Moody) -> None:
    told(mama, {"content": "Anna lives in Lisbon", "ref": "r1"})
    (known,) = kept(mama, "Anna lives in Lisbon")
    moody.broken = True
    kept(mama, "Péter lives in Porto", "Anna lives in  LISBON!", "Klára lives in Győr")
    moody.broken = False
    with mama._desk.store.write(
        "mama"
    ) as unit:  # as another process' forget that could not see what waits here
        waits = unit.outbox.list()
        unit.outbox.clear()
    mama.forget(known.memory.id)
    with mama._desk.store.write("mama") as unit:
        for write in waits:
            unit.outbox.add(write)
    assert flush(mama) == (2, 1, 0)
    assert {one.essence for one in mama.memories()} == {"Péter lives in Porto", "Klára lives in Győr"}
    assert mama.stats().counters[outbox.REFUSED] == 1
    with pytest.raises(Forgotten):
        kept(mama, "Anna lives in Lisbon")


def test_a_memory_is_kept_though_what_it_supersedes_is_gone(mama: Agent, moody: Moody) -> None:
    (old,) = kept(mama, "Anna lives in Porto")
    moody.broken = True
    kept(mama, {"essence": "Anna works from Lisbon", "supersedes": [old.memory.id]})
    moody.broken = False
    with mama._desk.store.write("mama") as unit:
        unit.memories.delete([old.memory.id])
    assert flush(mama) == (1, 0, 0)
    outcome = kept(mama, "Anna works from Lisbon")[0]
    assert isinstance(outcome, Reinforced)
    assert not isinstance(outcome, Inserted)
