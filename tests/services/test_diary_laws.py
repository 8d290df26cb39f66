"""What holds of every diary: what is written stays and is found until it is forgotten, and nothing else goes then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from reverie import Agent, Forgotten, InvalidInput, NotFound, Reverie
from reverie.domain.diary import DiaryNote
from reverie.language.lexical_terms import keywords
from reverie.memory.forgetting.traces import same_text
from reverie.memory.society.diary import forgettable, told_by
from tests.services.bench import NOON, Clock, opened

pytestmark = pytest.mark.slow

DAYS = [date(2026, 5, 1) + timedelta(days=number) for number in range(4)]
days = st.sampled_from(DAYS)
words = st.sampled_from(["storm", "harbour", "Kade", "tea", "Péter", "map", "the", "日本", "🜍", "x1", "42"])
texts = st.lists(words, min_size=1, max_size=5).map(" ".join)
bodies = texts | st.dictionaries(
    words, texts | st.lists(texts | st.integers(0, 9), max_size=3), min_size=1, max_size=3
)


class Diaries(RuleBasedStateMachine):
    """A diary beside the list of all notes that it should hold."""

    reverie: Reverie
    clock: Clock
    numbers: Iterator[int]

    @initialize()
    def begin(self) -> None:
        self.clock.now = NOON
        self.agent: Agent = self.reverie.agent(f"agent {next(self.numbers)}")
        self.soul = self.agent.soul.add("I keep my word")
        self.agent.relationships.assign("Kade", "ally", notes="Owes me a map")
        self.view = self.agent.relationships.history()
        self.clock.wait(days=1)
        self.notes: list[tuple[str, DiaryNote]] = []
        self.gone: list[str] = []

    @rule(body=bodies, day=days, mood=st.none() | words)
    def write(self, body: object, day: date, mood: str | None) -> None:
        self.clock.wait(hours=1)
        try:
            page = self.agent.diary.write(body, mood=mood, date=day)  # type: ignore[arg-type]
        except Forgotten:
            told = told_by(day.isoformat(), {"text": body} if isinstance(body, str) else body)  # type: ignore[arg-type]
            assert any(same_text(text, gone) for text in told for gone in self.gone)
            return
        self.notes.append((day.isoformat(), page.notes[-1]))

    @rule(day=days)
    def remove(self, day: date) -> None:
        with suppress(NotFound):
            self.agent.diary.remove(day)
        self._went(lambda name, _: name == day.isoformat())

    @rule(hours=st.integers(0, 30), long=st.integers(1, 5))
    def forget(self, hours: int, long: int) -> None:
        since = NOON + timedelta(days=1, hours=hours)
        until = since + timedelta(hours=long)
        self.agent.forget(since=since, until=until)
        self._went(lambda _, note: since <= note.at < until)

    @rule(keyword=texts)
    def search(self, keyword: str) -> None:
        wanted = set(keywords(keyword))
        try:
            found = {page.date for page in self.agent.diary.search(keyword)}
        except InvalidInput:
            assert not wanted
            return
        held: dict[str, set[str]] = {}
        for name, note in self.notes:
            said = " ".join([str([*note.body.values()]), note.mood or ""])
            held.setdefault(name, set()).update(keywords(said))
        assert found == {name for name, said in held.items() if wanted <= said}

    @invariant()
    def every_other_note_is_there(self) -> None:
        if not hasattr(self, "agent"):
            return
        pages = self.agent.diary.pages()
        assert [(page.date, note) for page in pages for note in page.notes] == sorted(
            self.notes, key=lambda each: (each[0], each[1].at)
        )
        assert self.agent.stats().diary == len({name for name, _ in self.notes})
        assert list(self.agent.soul.list()) == [self.soul]
        assert self.agent.relationships.history() == self.view

    def _went(self, goes: object) -> None:
        went = [each for each in self.notes if goes(*each)]  # type: ignore[operator]
        self.notes = [each for each in self.notes if each not in went]
        self.gone += [text for name, note in went for text in forgettable(name, note.body)]


def test_a_diary_loses_nothing_but_what_is_forgotten(lasting_place: str) -> None:
    clock = Clock()
    with opened(lasting_place, clock=clock) as reverie:
        Diaries.reverie, Diaries.clock, Diaries.numbers = reverie, clock, count()
        run_state_machine_as_test(
            Diaries,
            settings=settings(
                max_examples=15,
                stateful_step_count=12,
                deadline=None,
                suppress_health_check=[HealthCheck.too_slow],
            ),
        )
