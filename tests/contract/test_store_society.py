"""What an agent keeps of its days and of others, on every engine: the diary and relationships."""

from __future__ import annotations

from dataclasses import replace

from reverie.domain.diary import DiaryNote
from reverie.domain.message import Role
from reverie.domain.relationship import Meetings
from reverie.ports.store import Store, Unit
from tests.contract.store_rows import FIRST, LAST, NOW, a_page, a_view, after, an_episode, tell

HOSTILE = "'; DROP TABLE diary; -- \\ % ? $1 \u202e 🜍 נָא 日本 \t\n {}"


def _rev(store: Store) -> int:
    with store.read("mama") as unit:
        return unit.agents.rev()


def test_a_page_comes_back_whole_until_it_is_replaced(store: Store) -> None:
    notes = (
        DiaryNote(at=FIRST, body={HOSTILE: [HOSTILE, {"n": -0.5, "b": True, "x": None}]}, location=HOSTILE),
        DiaryNote(at=LAST, body={"text": HOSTILE}, mood=HOSTILE),
    )
    page = a_page("2026-05-01", *notes, mood=HOSTILE, location=None, created_at=FIRST, updated_at=LAST)
    with store.write("mama") as unit:
        unit.diary.put(page, {"drop", "diary"})
        assert unit.diary.get(["2026-05-01", "2026-05-02"]) == {"2026-05-01": page}
        later = replace(page, notes=(*notes, DiaryNote(at=NOW, body={"n": 1})))
        unit.diary.put(later, {"drop"})
        assert unit.diary.get(["2026-05-01"]) == {"2026-05-01": later}
        assert unit.diary.search(["diary"]) == []
        assert unit.diary.search(["drop"]) == ["2026-05-01"]
        assert unit.diary.count() == 1
    with store.read("papa") as unit:
        assert (unit.diary.get(["2026-05-01"]), unit.diary.search(["drop"]), unit.diary.count()) == (
            {},
            [],
            0,
        )


def test_pages_come_in_order_of_date_from_and_before_one(store: Store) -> None:
    dates = ["0999-12-31", "2026-05-01", "2026-05-02", "2026-06-01"]
    with store.write("mama") as unit:
        for date in reversed(dates):
            unit.diary.put(a_page(date), {"tea", date})
    with store.read("mama") as unit:
        assert [page.date for page in unit.diary.list()] == dates
        assert [page.date for page in unit.diary.list(newest_first=True, limit=2)] == dates[:1:-1]
        between = unit.diary.list(since="2026-05-01", until="2026-06-01")
        assert [page.date for page in between] == dates[1:3]
        assert unit.diary.search(["tea"]) == dates
        assert unit.diary.search(["tea"], since="2026-05-02", until="2026-06-01") == ["2026-05-02"]
        assert unit.diary.search(["tea", "2026-05-01"]) == ["2026-05-01"]
        assert unit.diary.search(["tea", "milk"]) == []


def test_a_page_goes_with_its_words(store: Store) -> None:
    with store.write("mama") as unit:
        for date in ("2026-05-01", "2026-05-02"):
            unit.diary.put(a_page(date), {"tea"})
        unit.diary.delete(["2026-05-01", "2026-05-09"])
        assert [page.date for page in unit.diary.list()] == unit.diary.search(["tea"]) == ["2026-05-02"]
        assert unit.transfer.count("diary_words") == 1


def test_the_last_view_by_name_in_any_case_is_the_present_one(store: Store) -> None:
    first, second = (
        a_view("v1", "Kade", at=after(days=2)),
        a_view("v2", "KADE", at=NOW, type="rival", trust=-1.0),
    )
    other = a_view("v3", "äther", tone=None, rationale=None, notes=HOSTILE)
    with store.write("mama") as unit:
        for view in (other, second, first):
            unit.relationships.add(view)
        assert unit.relationships.present() == [second, other]
        assert unit.relationships.present(["kade", "nobody"]) == [second]
        assert unit.relationships.present([]) == []
        assert unit.relationships.history("Kade") == [first, second]
        assert unit.relationships.history("ÄTHER") == [other]
        assert unit.relationships.history() == [first, second, other]
        unit.relationships.delete(["v2", "v9"])
        assert unit.relationships.present() == [first, other]
    with store.read("papa") as unit:
        assert unit.relationships.present() == unit.relationships.history() == []


def test_only_what_changes_something_bumps_the_revision(store: Store) -> None:
    acts = [
        lambda unit: unit.diary.put(a_page("2026-05-01"), {"tea"}),
        lambda unit: unit.diary.delete(["2026-05-01"]),
        lambda unit: unit.relationships.add(a_view("v1")),
        lambda unit: unit.relationships.delete(["v1"]),
    ]
    for act in acts:
        before = _rev(store)
        with store.write("mama") as unit:
            act(unit)  # type: ignore[no-untyped-call]
        assert _rev(store) == before + 1
    before = _rev(store)
    with store.write("mama") as unit:
        unit.diary.delete(["2026-05-01"])
        unit.relationships.delete(["v1"])
    assert _rev(store) == before


def _talks(unit: Unit) -> None:
    tell(
        unit, an_episode("e1", 0, speaker="Kade", time=NOW), an_episode("e2", 1, speaker="Anna", time=after(days=1)),
        an_episode("e3", 2, speaker="Kade", time=after(days=3)), an_episode("e4", 3, role=Role.TOOL, speaker="look_up"),
        an_episode("e5", 4, role=Role.SYSTEM, speaker="admin"), an_episode("e6", 5),
    )  # fmt: skip
    tell(unit, an_episode("e7", 0, conversation="hall", speaker="Kade", time=after(days=5)))
    tell(unit, an_episode("e8", 0, conversation="link:x", channel="link", speaker="Mallory"))


KADE = Meetings(other="Kade", messages=3, conversations=2, first_at=NOW, last_at=after(days=5))
ANNA = Meetings(other="Anna", messages=1, conversations=1, first_at=NOW, last_at=after(days=3))


def test_meetings_count_people_in_own_conversations_alone(
    store: Store,
) -> None:
    with store.write("mama") as unit:
        _talks(unit)
        assert unit.conversations.meetings() == [ANNA, KADE]
        assert unit.conversations.meetings(["Kade", "look_up", "Mallory", "nobody"]) == [KADE]
        assert unit.conversations.meetings([]) == []
        assert {"Anna", "Kade", "look_up", "admin"} <= set(unit.conversations.speakers())
    with store.read("papa") as unit:
        assert (unit.conversations.meetings(), unit.conversations.speakers()) == ([], [])


def test_meetings_until_a_time_are_what_was_said_until_then(store: Store) -> None:
    with store.write("mama") as unit:
        _talks(unit)
        assert unit.conversations.meetings(until=LAST) == [ANNA, KADE]
        assert unit.conversations.meetings(until=after(days=1)) == [
            replace(ANNA, last_at=after(days=1)),
            replace(KADE, messages=1, conversations=1, last_at=after(days=1)),
        ]
        assert unit.conversations.meetings(["Kade"], until=NOW) == [
            replace(KADE, messages=1, conversations=1, last_at=NOW)
        ]
        assert unit.conversations.meetings(until=FIRST) == []
