"""forget takes what was written into the diary and assigned to others, wherever it stands, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from reverie import Agent, Forgotten
from tests.services.bench import NOON, Clock
from tests.services.exports import brought, lines_of
from tests.services.test_forget_slept import WORD
from tests.services.traces import rows_of

pytestmark = pytest.mark.slow

LATE = f"The {WORD} left the harbour at night"


def _all(agent: Agent) -> str:
    """Every row of every table, and the whole export."""
    return repr(rows_of(agent)) + json.dumps(lines_of(agent, with_vectors=True), ensure_ascii=False)


def _lived(mama: Agent, clock: Clock) -> None:
    """Three days; what is said on the second holds the word."""
    mama.diary.write("A calm morning", mood="calm")
    mama.relationships.assign("Kade", "ally", 0.5, notes="Owes me a map", rationale="He kept his word")
    clock.wait(days=1)
    mama.diary.write(LATE, mood=f"{WORD}ish", location=f"{WORD} bay", date="2026-11-20")
    mama.diary.write({"deep": [{"seen": LATE}], "n": 1})
    mama.relationships.assign("Kade", f"{WORD}_hunter", -0.5, tone=f"{WORD}ly", notes=f"Owes me a {WORD}")
    mama.relationships.assign("Anna", "friend", rationale=LATE)
    clock.wait(days=1)
    mama.diary.write("A calm evening", date="2026-11-20")
    mama.relationships.assign("Kade", trust=0.25)
    mama.relationships.assign("Kade", "rival", notes="Nothing owed")


def _by_range(mama: Agent) -> None:
    receipt = mama.forget(since=NOON.replace(day=21), until=NOON.replace(day=22))
    assert (receipt.diary, receipt.relationships) == (("2026-11-20", "2026-11-21"), ("Anna", "Kade"))
    page = mama.diary.page("2026-11-20")
    assert [note.body["text"] for note in page.notes] == ["A calm morning", "A calm evening"]
    assert (page.mood, page.location, len(mama.diary.pages())) == ("calm", None, 1)
    told = [(view.type, view.trust, view.tone, view.notes) for view in mama.relationships.history()]
    assert told == [
        ("ally", 0.5, None, "Owes me a map"), ("ally", 0.25, None, "Owes me a map"),
        ("rival", 0.25, None, "Nothing owed"),
    ]  # fmt: skip
    assert [view.rationale for view in mama.relationships.history()] == ["He kept his word", None, None]
    assert "A calm morning" in repr(mama.audit())


def _by_everything(mama: Agent) -> None:
    receipt = mama.forget(everything=True)
    assert (receipt.diary, receipt.relationships) == (("2026-11-20", "2026-11-21"), ("Anna", "Kade"))
    assert [*mama.diary.pages(), *mama.relationships.history()] == []
    assert "calm" not in repr(mama.audit())


def _one_by_one(mama: Agent) -> None:
    for date in ("2026-11-20", "2026-11-21"):
        mama.diary.remove(date)
    for other in ("Kade", "Anna"):
        mama.relationships.remove(other)


WAYS = [_by_range, _by_everything, _one_by_one]


@pytest.mark.parametrize("way", WAYS)
def test_no_row_nor_export_holds_a_word(mama: Agent, clock: Clock, way: Callable[[Agent], None]) -> None:
    _lived(mama, clock)
    assert _all(mama).count(WORD) > 9
    way(mama)
    assert WORD not in _all(mama)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_brings_back_a_word_of_it(mama: Agent, clock: Clock, way: Callable[[Agent], None]) -> None:
    _lived(mama, clock)
    lines = lines_of(mama)
    way(mama)
    left = mama.diary.pages(), mama.relationships.history()
    for write in (
        lambda: mama.diary.write(LATE.upper()), lambda: mama.relationships.assign("Anna", rationale=LATE),
        lambda: mama.diary.write({"n": 1, "deep": [{"seen": LATE}]}, date="2026-11-21"),
    ):  # fmt: skip
        with pytest.raises(Forgotten):
            write()
    done = brought(mama, lines, on_conflict="skip")
    assert WORD not in _all(mama)
    if way is _by_range:
        assert (mama.diary.pages(), mama.relationships.history()) == left
        assert (done.counts["diary"].added, done.counts["relationship"].added) == (0, 0)


def test_an_open_range_takes_all_of_its_side(mama: Agent, clock: Clock) -> None:
    _lived(mama, clock)
    mama.forget(until=NOON.replace(day=22))
    assert [note.body["text"] for note in mama.diary.page("2026-11-20").notes] == ["A calm evening"]
    assert [(view.type, view.notes) for view in mama.relationships.history()] == [
        ("neutral", None), ("rival", "Nothing owed")
    ]  # fmt: skip


def test_a_range_without_either_leaves_both_untouched(mama: Agent, clock: Clock) -> None:
    _lived(mama, clock)
    mama.soul.add("I keep my word")
    held = mama.diary.pages(), mama.relationships.history(), mama.soul.list()
    receipt = mama.forget(since=NOON.replace(day=25))
    assert (receipt.diary, receipt.relationships) == ((), ())
    assert (mama.diary.pages(), mama.relationships.history(), mama.soul.list()) == held
