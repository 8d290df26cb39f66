"""Lessons and importance that nobody gave: judged by the mind, on each engine; the mind is a scripted one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from reverie import (
    Agent,
    Backfilled,
    Judgement,
    MindFailed,
    RememberSettings,
    Reverie,
    Settings,
    StoreSettings,
    Unjudged,
)
from tests.services.bench import Clock, kept, repeated
from tests.services.conftest import Open

SETTINGS = Settings(remember=RememberSettings(emotions=False), store=StoreSettings(touch_flush_every=1e6))


class Judge:
    """A mind that judges by a text's last word, and fails when told to; it can do nothing else."""

    id = "judge/1"
    is_local = True
    teaches = True
    fails = False

    def judge(self, memories: Sequence[Unjudged]) -> Sequence[Judgement]:
        if self.fails:
            raise MindFailed(self.id, "it was told to")
        return [
            Judgement(lesson=f"mind the {one.essence.split()[-1]}", importance=len(one.essence) / 100)
            for one in memories
        ]

    def read(self, *given: Any) -> Any:
        raise MindFailed(self.id, "it can't read")

    extract = compress = read


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def judged(open_bank: Open, judge: Judge) -> Agent:
    """An agent whose memories are judged."""
    return _judged(open_bank, judge).agent("mama")


def _judged(open_bank: Open, judge: Judge) -> Reverie:
    return open_bank(mind=judge, settings=SETTINGS)


def test_a_memory_without_lesson_and_importance_gets_both(judged: Agent) -> None:
    memory = kept(judged, "Anna drinks tea")
    assert (memory.lesson, memory.importance) == ("mind the tea", 0.15)
    assert judged.get(memory.id) == memory


def test_what_a_caller_gives_stays(judged: Agent) -> None:
    memory = kept(judged, "Anna drinks tea", lesson="offer it", importance=0.9)
    assert (memory.lesson, memory.importance) == ("offer it", 0.9)
    assert kept(judged, "Anna drinks milk", importance=0.0).importance == 0.0


def test_a_repetition_leaves_the_lesson_that_a_caller_gave(judged: Agent) -> None:
    kept(judged, "Anna drinks tea", lesson="offer it")
    assert repeated(judged, "Anna drinks tea!").lesson == "offer it"


def test_a_repetition_in_the_same_words_fills_what_is_missing(open_bank: Open, judge: Judge) -> None:
    kept(
        open_bank(settings=Settings(mind="none", remember=RememberSettings(emotions=False))).agent("mama"),
        "Anna drinks tea",
    )
    again = repeated(_judged(open_bank, judge).agent("mama"), "Anna drinks tea")
    assert (again.lesson, again.importance) == ("mind the tea", 0.15)


def test_a_mind_that_is_away_is_not_asked_at_each_write(judged: Agent, judge: Judge) -> None:
    judge.is_local = False
    memory = kept(judged, "Anna drinks tea")
    assert (memory.lesson, memory.importance) == (None, None)
    assert judged.jobs.backfill() == Backfilled(judged=1, left=0)
    found = judged.memories()[0]
    assert (found.lesson, found.importance) == ("mind the tea", 0.15)


def test_a_mind_that_fails_leaves_it_open_and_the_memory_is_kept(judged: Agent, judge: Judge) -> None:
    judge.fails = True
    memory = kept(judged, "Anna drinks tea")
    assert (memory.lesson, memory.importance) == (None, None)
    assert judged.jobs.backfill() == Backfilled(judged=0, left=1)


@pytest.mark.parametrize(
    "told",
    [
        Judgement(lesson="mind it", importance=7.0), Judgement(lesson="", importance=0.5),
        Judgement(lesson="x" * 20_000, importance=0.5), Judgement(lesson=7, importance=0.5),  # type: ignore[arg-type]
        None, "text",
    ],
)  # fmt: skip
def test_a_judgement_that_may_not_be_stored_is_left_out_alone(judged: Agent, judge: Judge, told: Any) -> None:
    judge.judge = lambda memories: [Judgement(lesson="mind it", importance=0.5), told]  # type: ignore[method-assign]
    first, second = judged.remember_many(["Anna drinks tea", "Péter keeps bees"])
    assert (first.memory.lesson, first.memory.importance) == ("mind it", 0.5)
    assert (second.memory.lesson, second.memory.importance) == (None, None)


def test_a_mind_that_judges_too_few_is_taken_to_have_failed(judged: Agent, judge: Judge) -> None:
    judge.judge = lambda memories: []  # type: ignore[method-assign]
    assert kept(judged, "Anna drinks tea").lesson is None


def test_a_revised_essence_takes_its_judged_lesson_along(judged: Agent) -> None:
    memory = kept(judged, "Anna drinks tea")
    revised = judged.revise(memory.id, essence="Anna drinks coffee")
    assert (revised.lesson, revised.importance) == ("mind the coffee", 0.18)


def test_a_revised_essence_leaves_a_lesson_that_was_given(judged: Agent) -> None:
    memory = kept(judged, "Anna drinks tea", lesson="offer it", importance=0.9)
    revised = judged.revise(memory.id, essence="Anna drinks coffee")
    assert (revised.lesson, revised.importance) == ("offer it", 0.9)
    again = judged.revise(memory.id, essence="Anna drinks milk", lesson="warm it")
    assert (again.lesson, again.importance) == ("warm it", 0.9)


def test_a_forgotten_judged_lesson_is_left_out(judged: Agent) -> None:
    judged.forget(kept(judged, "Anna drinks tea").id)
    memory = kept(judged, "Péter likes his tea")
    assert (memory.lesson, memory.importance) == (None, 0.19)
    other = kept(judged, "Péter likes coffee")
    assert judged.revise(other.id, essence="Péter would rather have tea").lesson is None


def test_a_backfill_gives_lessons_and_no_new_wording(open_bank: Open, judge: Judge, clock: Clock) -> None:
    first = open_bank(settings=Settings(mind="none", remember=RememberSettings(emotions=False))).agent("mama")
    memory, given = kept(first, "Anna drinks tea"), kept(first, "Péter likes coffee", lesson="offer it")
    clock.wait(days=40)
    mama = _judged(open_bank, judge).agent("mama")
    assert mama.jobs.backfill() == Backfilled(judged=2, left=0)
    assert mama.jobs.backfill() == Backfilled(judged=0, left=0)
    found = mama.portrait(memory.id)
    assert (found.memory.lesson, found.memory.version, list(found.versions)) == ("mind the tea", 1, [])
    assert found.memory.confidence == memory.confidence
    portrait = mama.portrait(given.id).memory
    assert (portrait.lesson, portrait.importance) == ("offer it", 0.18)
    log = [entry for entry in mama.audit() if entry.reason == "backfill"]
    assert [(entry.target, entry.after) for entry in log] == [
        (memory.id, {"importance": 0.15, "lesson": "mind the tea"}), (given.id, {"importance": 0.18}),
    ]  # fmt: skip


def test_a_mind_without_lessons_leaves_nothing_to_judge(open_bank: Open, judge: Judge) -> None:
    judge.teaches = False
    judge.judge = lambda memories: [Judgement(lesson=None, importance=0.5) for _ in memories]  # type: ignore[method-assign]
    kept(
        open_bank(settings=Settings(mind="none", remember=RememberSettings(emotions=False))).agent("mama"),
        "Anna drinks tea",
    )
    mama = _judged(open_bank, judge).agent("mama")
    assert mama.jobs.backfill() == Backfilled(judged=1, left=0)
    judge.fails = True
    assert mama.jobs.backfill() == Backfilled(judged=0, left=0)
    assert kept(mama, "Anna drinks milk", importance=0.2).lesson is None
    judge.teaches = True
    assert mama.jobs.backfill() == Backfilled(judged=0, left=2)
