"""diary: one page a date of the agent's own zone, and laws of any writing and forgetting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from reverie import Action, Agent, Forgotten, InvalidInput, NotFound, Reverie, Settings
from reverie.domain.diary import MAX_NOTES, DiaryDay, DiaryEntry, DiaryNote
from reverie.language.lexical_terms import keywords
from reverie.memory.forgetting.traces import same_text
from reverie.memory.society.diary import forgettable, told_by
from reverie.services.society import diary as service
from tests.services.bench import NOON, Clock, kept, opened, state_of
from tests.services.conftest import Open

pytestmark = pytest.mark.slow

STORM = "A storm kept every boat in the harbour"
TODAY = "2026-11-20"
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def _dates(pages: object) -> list[str]:
    return [page.date for page in pages]  # type: ignore[attr-defined]


def test_a_page_is_the_agents_date_wherever_its_clock_stands(mama: Agent, clock: Clock) -> None:
    mama.set_profile(time_zone="America/New_York")
    clock.now = datetime(2026, 5, 14, 2, 0, tzinfo=UTC)
    assert mama.diary.write("late").date == "2026-05-13"
    assert mama.diary.page().date == "2026-05-13"
    assert mama.diary.month().month == "2026-05"
    clock.now = datetime(2026, 5, 14, 5, 0, tzinfo=UTC)
    assert mama.diary.write("after midnight").date == "2026-05-14"
    with pytest.raises(NotFound, match="diary page"):
        mama.diary.page("2026-05-12")


def test_writing_again_on_a_date_adds_a_note(mama: Agent, clock: Clock) -> None:
    first = mama.diary.write(STORM, mood=" rather\tlow ", location="Harbour", date=date(2026, 11, 20))
    later = clock.wait(hours=3)
    page = mama.diary.write({"n": [1, 2.5, None, True]}, mood="calm")
    assert first.notes == (DiaryNote(at=NOON, body={"text": STORM}, mood="rather low", location="Harbour"),)
    assert page == DiaryEntry(
        date=TODAY, mood="calm", location="Harbour", created_at=NOON, updated_at=later,
        notes=(*first.notes, DiaryNote(at=later, body={"n": [1, 2.5, None, True]}, mood="calm")),
    )  # fmt: skip
    assert mama.diary.pages() == [page]


def test_where_no_place_is_given_it_is_where_the_agent_is(mama: Agent) -> None:
    mama.set_profile(location="Győr")
    assert mama.diary.write("home again").location == "Győr"
    assert mama.diary.write("and off", location="Wien").location == "Wien"


@pytest.mark.parametrize(
    "given",
    [
        datetime(2026, 11, 19, 23, 30, tzinfo=UTC),
        datetime(2026, 11, 20, 9, tzinfo=UTC).replace(tzinfo=None),
        "2026-11-20",
    ],
)
def test_a_date_may_be_given_as_text_date_or_time(mama: Agent, given: object) -> None:
    mama.set_profile(time_zone="Europe/Budapest")
    assert mama.diary.write("tea", date=given).date == TODAY  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "given", ["20261120", "2026-W47-5", "2026-02-30", "2026-11-20T10:00", "", 7, "\u0662026-11-20"]
)
def test_what_is_no_date_is_refused_everywhere(mama: Agent, given: str) -> None:
    for call in (
        lambda: mama.diary.write("x", date=given), lambda: mama.diary.page(given), lambda: mama.diary.remove(given),
        lambda: mama.diary.pages(since=given), lambda: mama.diary.search("x", until=given),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match="is no date"):
            call()
    assert mama.stats().rev == 0


@pytest.mark.parametrize(
    "given", [datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))), datetime.max.replace(tzinfo=UTC)]
)
def test_a_time_whose_date_no_calendar_has_is_refused(mama: Agent, given: datetime) -> None:
    mama.set_profile(time_zone="Europe/Budapest")
    with pytest.raises(InvalidInput, match="date"):
        mama.diary.page(given)
    with pytest.raises(InvalidInput, match="until"):
        mama.diary.pages(until=given)


def test_pages_and_findings_lie_between_two_dates(mama: Agent) -> None:
    dates = ["2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"]
    for one in dates:
        mama.diary.write(f"{STORM} on {one}", date=one)
    assert _dates(mama.diary.pages()) == dates
    assert _dates(mama.diary.pages(since="2026-02-01", until="2026-03-01")) == dates[1:3]
    assert _dates(mama.diary.pages(newest_first=True, limit=2)) == dates[:1:-1]
    assert _dates(mama.diary.search("storms", since=date(2026, 2, 1))) == dates[:0:-1]
    assert _dates(mama.diary.search("storm", limit=1)) == dates[-1:]
    with pytest.raises(InvalidInput, match="until"):
        mama.diary.pages(since="2026-03-01", until="2026-03-01")


def test_a_search_looks_into_bodies_moods_and_places(mama: Agent) -> None:
    mama.diary.write({"a": [{"b": "Péter sailed"}]}, mood="Glad", location="Porto", date="2026-05-01")
    mama.diary.write("Peter stayed", date="2026-05-02")
    assert _dates(mama.diary.search("péter")) == ["2026-05-02", "2026-05-01"]
    assert _dates(mama.diary.search("SAILING peter")) == ["2026-05-01"]
    assert _dates(mama.diary.search("glad porto")) == ["2026-05-01"]
    assert _dates(mama.diary.search("peter glad stayed")) == []
    for nothing in ("", " ", "…!?"):
        with pytest.raises(InvalidInput, match="keywords"):
            mama.diary.search(nothing)


def test_a_month_lists_days_and_counts_moods_and_places(mama: Agent) -> None:
    mama.diary.write(f"{STORM}. " * 9, mood="low", location="Harbour", date="2026-05-30")
    mama.diary.write("calmer", mood="calm", date="2026-05-30")
    mama.diary.write({"n": 1, "so": {"text": "  it\nwas "}}, mood="calm", date="2026-05-01")
    mama.diary.write({"n": 1}, date="2026-06-01")
    told = mama.diary.month("2026-05")
    assert told.days == (
        DiaryDay(date="2026-05-01", mood="calm", location=None, notes=1, begins="it was"),
        DiaryDay(date="2026-05-30", mood="calm", location="Harbour", notes=2, begins=f"{STORM}. {STORM}.…"),
    )
    assert (told.moods, told.locations) == ((("calm", 2), ("low", 1)), (("Harbour", 1),))
    assert mama.diary.month("2026-06").days[0].begins == '{"n": 1}'
    assert mama.diary.month().days == ()
    for wrong in ("2026-13", "2026", "2026-5", 5):
        with pytest.raises(InvalidInput, match="month"):
            mama.diary.month(wrong)  # type: ignore[arg-type]


def test_secrets_go_out_at_any_depth_and_from_keys_and_moods(mama: Agent) -> None:
    body = {"a": [{"b": f"it is {SECRET}"}], f"key {SECRET}": 1, "password": "hunter2-Xy7Qz9", "safe": "tea"}
    page = mama.diary.write(body, mood=f"sly {SECRET}")
    told = repr((page, mama.audit(), mama.diary.search("tea")))
    assert SECRET not in told
    assert "hunter2" not in told
    assert page.notes[0].body["safe"] == "tea"


def test_a_text_that_was_all_private_is_refused(mama: Agent) -> None:
    with pytest.raises(InvalidInput, match="body"):
        mama.diary.write("<private>nothing else</private>")
    assert mama.diary.pages() == []


@pytest.mark.parametrize("body", ["", " \n", None, 7, {}, [], {"n": float("nan")}, {1: "x"}, {"x": {1, 2}}])
def test_what_is_no_note_is_refused_and_changes_nothing(mama: Agent, body: object) -> None:
    kept(mama, STORM)
    before = state_of(mama)
    with pytest.raises(InvalidInput, match="body"):
        mama.diary.write(body)  # type: ignore[arg-type]
    assert state_of(mama) == before


def test_a_full_page_takes_no_further_note(mama: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_NOTES == 1_000
    monkeypatch.setattr(service, "MAX_NOTES", 2)
    mama.diary.write("one")
    mama.diary.write("two")
    with pytest.raises(InvalidInput, match="2 notes"):
        mama.diary.write("three")
    assert len(mama.diary.page().notes) == 2


def test_each_note_stands_in_the_audit_log(mama: Agent) -> None:
    mama.diary.write(STORM, mood="low")
    mama.diary.write({"n": 1})
    first, second = mama.audit(target=TODAY)
    assert (first.action, first.before) == (Action.DIARY, None)
    assert first.after == {"body": {"text": STORM}, "mood": "low", "location": None}
    assert (second.before, second.after) == ({"notes": 1}, {"body": {"n": 1}, "mood": None, "location": None})


def test_what_was_forgotten_is_written_only_with_override(mama: Agent) -> None:
    mama.forget(kept(mama, STORM).id)
    for body in (STORM, {"deep": [{"x": STORM.upper()}]}):
        with pytest.raises(Forgotten):
            mama.diary.write(body)
    assert mama.diary.pages() == []
    assert mama.diary.write(STORM, override=True).notes[0].body == {"text": STORM}
    assert mama.diary.write(STORM).notes[1].body == {"text": STORM}


def test_a_page_that_is_removed_leaves_no_word_and_no_way_back(mama: Agent) -> None:
    other = mama.diary.write("The zebra slept", date="2026-11-19")
    page = mama.diary.write({"what": f"{STORM}, zanzibar", "who": "Kade"}, mood="zanzibarian")
    assert mama.diary.remove(TODAY) == page
    assert mama.diary.pages() == [other]
    assert mama.diary.search("storm") == mama.diary.search("zanzibarian") == []
    assert "zanzibar" not in repr(mama.audit())
    assert "zebra" in repr(mama.audit())
    assert mama.audit()[-1].action == Action.FORGET
    for body in ({"what": f"{STORM}, zanzibar", "who": "Kade"}, f"{STORM}, Zanzibar!"):
        with pytest.raises(Forgotten):
            mama.diary.write(body)
    assert mama.diary.write({"who": "Kade"}).notes[0].body == {"who": "Kade"}
    with pytest.raises(NotFound):
        mama.diary.remove("2026-11-01")
    with pytest.raises(InvalidInput):
        mama.diary.remove(None)  # type: ignore[arg-type]


def test_another_process_reads_what_was_written(open_bank: Open) -> None:
    page = open_bank(settings=Settings()).agent("mama").diary.write(STORM)
    assert open_bank().agent("mama").diary.page(TODAY) == page
    assert open_bank().agent("mama").stats().diary == 1


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
