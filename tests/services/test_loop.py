"""loop: memories out of conversations. The mind is scripted, so that what is made of its proposals can be told."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from reverie import (
    Action,
    Agent,
    Busy,
    EmbedderMismatch,
    LLMSettings,
    LoopSettings,
    Memory,
    Origin,
    Reverie,
    Settings,
)
from reverie.domain.attended import Attended
from reverie.domain.snippet import Extracted, Snippet
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import MindFailed, StoreError, Unreachable
from reverie.services.loop import keeping, loop
from reverie.services.loop.proposals import drop_forgotten
from reverie.services.runtime.desk import Desk
from tests.services.bench import NOON, Clock
from tests.services.conftest import Open
from tests.services.scripted import FELT, Scripted, minded, proposal

FACTS = [
    "Anna moved to Lisbon in spring", "Péter keeps seven bees", "The boiler was repaired on Tuesday",
    "Zoe plays the cello in an orchestra", "Ben bakes rye bread at night", "The cat sleeps on the piano",
    "Mum paints harbours with oil", "The tax return is due in May", "Omar swims before work",
    "A neighbour borrowed the ladder", "The museum shows old maps", "Clara reads about volcanoes",
    "Our train to Vienna was cancelled", "The garden needs a fence", "Jonas lost his umbrella",
    "The dentist moved downtown", "Ida collects stamps from Peru", "The choir rehearses on Fridays",
]  # fmt: skip


def _memories(agent: Agent) -> Sequence[Memory]:
    return agent.memories(deep=True, limit=1000)


def _counters(reverie: Reverie) -> dict[str, int]:
    with reverie._desk.store.read("mama") as unit:
        return dict(unit.counters.all())


def _position(reverie: Reverie, conversation: str = "main") -> int:
    with reverie._desk.store.read("mama") as unit:
        return unit.watermarks.get(keeping.JOB, conversation).position


def test_what_was_said_becomes_a_memory_with_all_its_dimensions(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    seen = mama.observe({"content": FACTS[0], "speaker": "Anna", "time": "2026-11-19T08:00Z"})
    done = thinking.attend("mama")
    [memory] = _memories(mama)
    assert (done.conversations, done.snippets, done.inserted, done.left) == (1, 1, (memory.id,), 0)
    assert (memory.essence, memory.origin, memory.source_episodes) == (
        FACTS[0], Origin.LOOP, seen.episode_ids,
    )  # fmt: skip
    assert (memory.emotions, memory.importance, memory.lesson) == (FELT, 0.7, "Ask again")
    assert (memory.confidence, memory.source_trust.value) == (0.9, "principal")
    assert memory.created_at == NOON - timedelta(hours=28)  # learned when it was said
    assert [entry.action for entry in mama.audit(target=memory.id)] == [Action.REMEMBER]


def test_a_snippet_is_the_last_six_messages(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    mama.observe(FACTS[:4])
    thinking.attend("mama")
    mama.observe(FACTS[4])
    thinking.attend("mama")
    mama.observe(FACTS[5:8])
    thinking.attend("mama")
    assert mind.read_contents == [(FACTS[:4], 4), (FACTS[:5], 1), (FACTS[2:8], 3)]
    assert sorted(memory.essence for memory in _memories(mama)) == sorted(FACTS[:8])


def test_small_talk_leaves_no_memory_and_is_done_with(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted(lambda _: []))
    mama.observe(["Hi!", "Hello, how are you?"])
    done = thinking.attend("mama")
    assert (done.snippets, done.inserted) == (1, ())
    assert _position(thinking) == 2
    assert not thinking.attend("mama")


def test_more_messages_than_a_snippet_holds_are_read_in_several(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    mama.observe(FACTS[:2])
    thinking.attend("mama")
    mama.observe(FACTS[2:16])
    assert thinking.attend("mama").snippets == 3
    assert mind.read_contents[1:] == [(FACTS[:4], 2), (FACTS[4:10], 6), (FACTS[10:16], 6)]
    assert len(_memories(mama)) == 16


def test_a_burst_of_a_thousand_messages_is_four_extractions(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted(lambda _: []))
    mama.observe([f"message {number}" for number in range(1000)])
    done = thinking.attend("mama")
    assert (done.snippets, done.skipped, len(mind.seen)) == (4, 976, 4)
    assert [text for texts, fresh in mind.read_contents for text in texts[-fresh:]] == [
        f"message {number}" for number in range(976, 1000)
    ]
    assert _counters(thinking) == {"loop.skipped": 976, "loop.snippets": 4}
    assert not any(episode.consolidated for episode in mama.episodes(limit=1000))  # left to sleep
    assert not thinking.attend("mama")


def test_how_much_is_read_at_once_can_be_set(open_bank: Open) -> None:
    mind = Scripted(lambda _: [])
    thinking, mama = minded(
        open_bank(settings=Settings(loop=LoopSettings(snippet_messages=2, burst_snippets=3))), mind
    )
    mama.observe(FACTS[:9])
    assert thinking.attend("mama").skipped == 3
    assert mind.read_contents == [(FACTS[3:5], 2), (FACTS[5:7], 2), (FACTS[7:9], 2)]


def test_every_conversation_is_read_the_longest_silent_first(reverie: Reverie, clock: Clock) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    for number, room in enumerate(("c", "a", "b")):
        mama.observe(FACTS[number], conversation=room)
        clock.wait(minutes=1)
    assert thinking.attend("mama").conversations == 3
    assert [texts for texts, _ in mind.read_contents] == [[FACTS[0]], [FACTS[1]], [FACTS[2]]]


def test_a_conversation_may_be_attended_alone(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    mama.observe(FACTS[0], conversation="a")
    mama.observe(FACTS[1], conversation="b")
    done = loop.attend(thinking._desk, "mama", conversation="b", actor="me")
    assert done.conversations == 1
    assert [memory.essence for memory in _memories(mama)] == [FACTS[1]]
    assert loop.attend(thinking._desk, "mama", conversation="nowhere", actor="me") == Attended()


def test_the_mind_is_told_how_well_the_bank_knows_a_vector(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    mama.observe("hm")
    thinking.attend("mama")
    mama.observe("aha")
    thinking.attend("mama")
    empty, known = mind.familiarity
    assert empty == -1.0
    assert -1.0 < known < 1.0


def test_the_same_thing_said_again_reinforces(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    mama.observe(FACTS[0], conversation="a")
    thinking.attend("mama")
    mama.observe(FACTS[0], conversation="b")
    done = thinking.attend("mama")
    [memory] = _memories(mama)
    assert (done.inserted, done.reinforced, memory.reinforcement_count) == ((), (memory.id,), 2)


def test_without_a_mind_nothing_is_read_and_nothing_lost(reverie: Reverie) -> None:
    unthinking, mama = minded(reverie, None)
    mama.observe(FACTS[:3])
    assert unthinking.attend("mama") == unthinking.attend() == Attended()
    thinking, _ = minded(reverie, Scripted())
    assert len(thinking.attend("mama").inserted) == 3


def test_a_mind_that_is_away_reads_nothing_unless_it_may(open_bank: Open) -> None:
    away = Scripted()
    away.is_local = False
    _, mama = minded(open_bank(), away)
    mama.observe("Anna moved to Lisbon")
    assert (mama.attend().snippets, away.seen) == (0, [])
    _, mama = minded(open_bank(settings=Settings(llm=LLMSettings(send_raw=True))), away)
    assert (mama.attend().snippets, len(away.seen)) == (1, 1)


def test_wrong_proposals_are_refused_alone_and_counted(reverie: Reverie) -> None:
    def script(snippet: Snippet) -> object:
        first, second = snippet.messages
        return [proposal(first), proposal(first, sources=("unknown",)), "no proposal", proposal(second)]

    thinking, mama = minded(reverie, Scripted(script))
    mama.observe(FACTS[:2])
    done = thinking.attend("mama")
    assert done.rejected == {"sources": 1, "malformed": 1}
    assert sorted(memory.essence for memory in _memories(mama)) == sorted(FACTS[:2])
    assert _counters(thinking) == {"loop.rejected": 2, "loop.snippets": 1}


def test_a_text_that_was_forgotten_is_not_learned_again(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    forgotten = mama.remember(FACTS[0]).memory
    mama.forget(forgotten.id)
    mama.observe(FACTS[:2])
    assert thinking.attend("mama").rejected == {"forgotten": 1}
    assert [memory.essence for memory in _memories(mama)] == [FACTS[1]]


def test_a_text_forgotten_meanwhile_is_not_kept(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    known = mama.remember(FACTS[0]).memory
    mama.observe(["hm", FACTS[0]])

    def late(*given: object) -> None:
        drop_forgotten(*given)  # type: ignore[arg-type]
        if len(mind.seen) == 1:
            mama.forget(known.id)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "drop_forgotten", late)
        done = thinking.attend("mama")
    assert (len(mind.seen), done.rejected) == (2, {"forgotten": 1})
    assert FACTS[0] not in {memory.essence for memory in _memories(mama)}
    assert _position(thinking) == 2


def test_a_message_forgotten_meanwhile_leaves_nothing(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    seen = mama.observe(FACTS[:3])
    mind.meanwhile = lambda: mama.forget(seen.episode_ids[1])
    done = thinking.attend("mama")
    assert [texts for texts, _ in mind.read_contents] == [FACTS[:3], [FACTS[0], FACTS[2]]]
    assert (done.snippets, len(done.inserted)) == (1, 2)
    assert FACTS[1] not in {memory.essence for memory in _memories(mama)}


def test_a_conversation_forgotten_meanwhile_leaves_nothing(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    mama.observe(FACTS[:2])
    mind.meanwhile = lambda: mama.forget(conversation="main")
    assert thinking.attend("mama").inserted == ()
    mama.observe(FACTS[3])  # the room begins anew, and so does its watermark
    assert len(thinking.attend("mama").inserted) == 1
    assert [memory.essence for memory in _memories(mama)] == [FACTS[3]]


def test_forgotten_messages_leave_nothing_to_read(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    mama.observe(FACTS[0])
    thinking.attend("mama")
    mama.forget(mama.observe(FACTS[1]).episode_ids[0])
    done = thinking.attend("mama")
    assert (done.snippets, done.skipped, len(mind.seen)) == (0, 0, 1)
    assert not thinking.attend("mama")


def test_messages_that_come_meanwhile_are_for_the_next_round(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    mama.observe(FACTS[:2])
    mind.meanwhile = lambda: mama.observe(FACTS[2])
    assert len(thinking.attend("mama").inserted) == 2
    assert len(thinking.attend("mama").inserted) == 1
    assert mind.read_contents == [(FACTS[:2], 2), (FACTS[:3], 1)]


def test_of_two_that_read_the_same_snippet_one_writes(open_bank: Open) -> None:
    one, other = (minded(open_bank(), Scripted())[0] for _ in range(2))
    mama = one.agent("mama")
    mama.observe(FACTS[:3])
    mind = one._desk.mind
    assert isinstance(mind, Scripted)
    rival: list[Attended] = []
    mind.meanwhile = lambda: rival.append(other.attend("mama"))
    done = one.attend("mama")
    assert (len(rival[0].inserted), done.inserted, done.snippets, done.left) == (3, (), 0, 1)
    assert {memory.reinforcement_count for memory in _memories(mama)} == {1}
    assert one.attend("mama") == Attended()
    assert _counters(one)["loop.snippets"] == 1


class _Stubborn:
    """Fails so often before it gives in."""

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.left = error, times

    def __call__(self, snippet: Snippet) -> Sequence[Extracted]:
        self.left -= 1
        if self.left >= 0:
            raise self.error
        return [proposal(message) for message in snippet.new]


@pytest.mark.parametrize(
    "error", [MindFailed("scripted", "no answer"), ValueError("Anna moved to Lisbon"), Busy("the file", 1)]
)
def test_a_failure_is_parked_with_a_growing_pause(
    reverie: Reverie, clock: Clock, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    thinking, mama = minded(reverie, Scripted(_Stubborn(error, 3)))
    mama.observe(FACTS[:2])
    with caplog.at_level(logging.DEBUG):
        for pause in (30, 60, 120):
            assert thinking.attend("mama").failures == 1
            clock.wait(seconds=pause - 1)
            assert not thinking.attend("mama")
            clock.wait(seconds=1)
    with thinking._desk.store.read("mama") as unit:
        [mark] = unit.watermarks.failing(keeping.JOB)
    assert (mark.failures, mark.position) == (3, 0)
    assert len(thinking.attend("mama").inserted) == 2
    assert _counters(thinking) == {"loop.failures": 3, "loop.snippets": 1}
    with thinking._desk.store.read("mama") as unit:
        assert unit.watermarks.failing(keeping.JOB) == []
    assert len(caplog.records) == 3
    assert "Lisbon" not in caplog.text


def test_a_pause_is_at_most_an_hour(reverie: Reverie, clock: Clock) -> None:
    thinking, mama = minded(reverie, Scripted(_Stubborn(MindFailed("scripted", "no answer"), 99)))
    mama.observe(FACTS[0])
    for _ in range(12):
        assert thinking.attend("mama").failures == 1
        clock.wait(hours=1)


def test_a_conversation_that_fails_keeps_no_other_waiting(reverie: Reverie, clock: Clock) -> None:
    def script(snippet: Snippet) -> object:
        if snippet.messages[0].conversation == "bad":
            raise MindFailed("scripted", "no answer")
        return [proposal(message) for message in snippet.new]

    thinking, mama = minded(reverie, Scripted(script))
    mama.observe(FACTS[0], conversation="bad")
    clock.wait(minutes=1)
    mama.observe(FACTS[1], conversation="good")
    done = thinking.attend("mama")
    assert (done.conversations, done.failures, len(done.inserted)) == (2, 1, 1)


def test_what_was_read_before_a_failure_stays_done(reverie: Reverie, clock: Clock) -> None:
    calls = Counter[str]()

    def script(snippet: Snippet) -> object:
        calls["all"] += 1
        if calls["all"] == 2:
            raise MindFailed("scripted", "no answer")
        return [proposal(message) for message in snippet.new]

    thinking, mama = minded(reverie, Scripted(script))
    mama.observe(FACTS[:12])
    done = thinking.attend("mama")
    assert (done.snippets, done.failures, len(done.inserted), _position(thinking)) == (1, 1, 6, 6)
    clock.wait(minutes=1)
    assert len(thinking.attend("mama").inserted) == 6
    assert {memory.reinforcement_count for memory in _memories(mama)} == {1}


def test_a_named_conversation_is_tried_though_it_is_parked(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted(_Stubborn(MindFailed("scripted", "no answer"), 1)))
    mama.observe(FACTS[0])
    thinking.attend("mama")
    assert not thinking.attend("mama")
    assert loop.attend(thinking._desk, "mama", conversation="main", actor="me").inserted


def test_a_round_that_is_stopped_leaves_the_rest_pending(reverie: Reverie) -> None:
    mind, stop = Scripted(), threading.Event()
    thinking, mama = minded(reverie, mind)
    mama.observe(FACTS[:12], conversation="a")
    mama.observe(FACTS[12:], conversation="b")
    mind.meanwhile = stop.set
    done = loop.attend(thinking._desk, "mama", actor="me", stop=stop)
    assert (done.snippets, done.conversations, done.left) == (1, 1, 2)
    assert (_position(thinking, "a"), _position(thinking, "b")) == (6, 0)
    assert len((done + thinking.attend("mama")).inserted) == len(FACTS)


def test_all_agents_are_attended_or_only_dirty_ones(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    papa = thinking.agent("papa")
    papa.observe(FACTS[0])
    mama.observe(FACTS[1])
    assert len(thinking.attend().inserted) == 2
    mama.observe(FACTS[2])
    assert thinking._desk.dirty.take() == ["mama"]
    papa.observe(FACTS[3])
    assert len(thinking.attend(everyone=False).inserted) == 1
    assert sorted(memory.essence for memory in papa.memories()) == sorted([FACTS[0], FACTS[3]])
    assert not thinking.attend(everyone=False)
    assert len(thinking.attend().inserted) == 1


def test_what_a_stopped_round_left_is_dirty_for_the_next(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    thinking.attend()
    mama.observe(FACTS[0])
    stop = threading.Event()
    stop.set()
    assert not thinking.attend(stop=stop)
    assert len(thinking.attend(everyone=False).inserted) == 1


def test_an_agent_of_another_embedder_keeps_no_other_waiting(open_bank: Open) -> None:
    other = open_bank(embedder=HashingEmbedder.for_tests(64))
    other.agent("aunt").observe(FACTS[0])
    thinking, mama = minded(open_bank(), Scripted())
    mama.observe(FACTS[1])
    done = thinking.attend()
    assert (done.failures, len(done.inserted)) == (1, 1)
    with pytest.raises(EmbedderMismatch):
        thinking.attend("aunt")


def test_an_agent_being_copied_is_left_alone(reverie: Reverie, monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    mama.observe(FACTS[0])
    store = thinking._desk.store
    with store.read("mama") as unit:
        monkeypatch.setattr(type(unit.transfer), "under_way", lambda _: object())
        assert thinking.attend("mama") == Attended()
    assert mind.seen == []


def test_a_round_that_can_write_nothing_raises(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, mind := Scripted())
    mama.observe(FACTS[0])

    def refused(*_: object, **__: object) -> object:
        raise Busy("the file", 1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(thinking._desk.store), "transact", refused)
        with pytest.raises(Busy):
            thinking.attend()
    assert len(mind.seen) == 1
    assert len(thinking.attend(everyone=False).inserted) == 1


def test_actors_sign_what_their_rounds_keep(reverie: Reverie) -> None:
    signed = Reverie(replace(reverie._desk, mind=Scripted()), actor="night shift")
    signed.agent("mama").observe(FACTS[0])
    signed.attend()
    assert signed.agent("mama").audit()[-1].actor == "night shift"


TEA = "Anna likes green tea in the morning"
BEES = "Péter keeps seven bees in the garden"


def test_an_agent_that_fails_keeps_no_other_waiting(
    reverie: Reverie, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    thinking, mama = minded(reverie, Scripted())
    mama.observe(BEES)
    thinking.agent("aunt").observe(TEA)
    really = loop.attend

    def fail(desk: Desk, agent_id: str, **more: Any) -> Attended:
        if agent_id == "aunt":
            raise StoreError(TEA)
        return really(desk, agent_id, **more)

    monkeypatch.setattr(loop, "attend", fail)
    done = thinking.attend()
    assert (done.failures, len(done.inserted)) == (1, 1)
    assert "StoreError" in caplog.text
    assert TEA not in caplog.text


@pytest.mark.parametrize(
    ("error", "asked"),
    [(StoreError("damaged"), ["aunt", "mama"]), (Unreachable("the server", "it went away"), ["aunt"])],
    ids=["each for itself", "all at once"],
)
def test_a_round_that_fails_for_all_raises_and_all_stay_dirty(
    reverie: Reverie, monkeypatch: pytest.MonkeyPatch, error: StoreError, asked: list[str]
) -> None:
    thinking, mama = minded(reverie, Scripted())
    mama.observe(BEES)
    thinking.agent("aunt").observe(TEA)
    seen: list[str] = []

    def fail(_: Desk, agent_id: str, **more: object) -> Attended:
        seen.append(agent_id)
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(loop, "attend", fail)
        with pytest.raises(type(error)):
            thinking.attend()
    assert seen == asked
    assert len(thinking.attend(everyone=False).inserted) == 2
