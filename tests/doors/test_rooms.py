"""Rooms, what was said in them, and the diary on the command line."""

from __future__ import annotations

import pytest

from reverie import Society
from reverie.domain.message import Conversation
from reverie.domain.room import RoomView
from tests.doors.commands import Cli

pytestmark = pytest.mark.slow


def test_what_is_said_in_a_room_reaches_every_member(cli: Cli) -> None:
    told = cli("rooms", "say", "plaza", "mama", "The ferry leaves at six", "--members", "mama,papa")
    assert (told.code, sorted(line.split(" (")[0] for line in told.out.splitlines())) == (
        0, ["mama: heard", "papa: heard"],
    )  # fmt: skip
    for agent in ("mama", "papa"):
        (said,) = cli("rooms", "show", "--json", "--agent", agent).document
        assert (said["content"], said["conversation"]) == ("The ferry leaves at six", "plaza")


def test_members_need_naming_once(cli: Cli) -> None:
    cli("rooms", "say", "plaza", "mama", "Hello", "--members", "mama", "--members", "papa")
    heard = cli("rooms", "say", "plaza", "Anna", "Wait for me!", "--json").document
    assert sorted(heard) == ["mama", "papa"]
    nobody = cli("rooms", "say", "square", "Anna", "Hello?")
    assert (nobody.code, "--members a,b" in nobody.err) == (2, True)


def test_a_repetition_of_a_ref_is_told(cli: Cli) -> None:
    for outcome in ("mama: heard (", "mama: heard it already\n"):
        ran = cli(
            "rooms", "say", "plaza", "Anna", "Hello", "--members", "mama", "--ref", "m1",
            "--time", "2026-05-13T10:00:00+00:00",
        )  # fmt: skip
        assert ran.out.startswith(outcome)


def test_rooms_are_listed_with_who_takes_part(cli: Cli) -> None:
    cli("rooms", "say", "plaza", "Anna", "Hello", "--members", "mama,papa")
    cli("rooms", "say", "pier", "papa", "Fish!", "--members", "mama,papa")
    shown = cli("rooms", "list").out
    assert ("plaza" in shown, "pier" in shown, "Anna" in shown) == (True, True, True)
    assert [
        one["conversation"]["id"] for one in cli("rooms", "list", "--with", "papa", "--json").document
    ] == ["pier"]
    assert cli("rooms", "list", "--limit", "1").err == "There may be more: --after pier\n"
    assert [
        one["conversation"]["id"] for one in cli("rooms", "list", "--after", "pier", "--json").document
    ] == ["plaza"]
    nobody = cli("rooms", "list", "--with", "Zed")
    assert (nobody.code, nobody.err) == (
        1,
        "There is no conversation: `reverie observe` and `reverie rooms say` store messages.\n",
    )


def test_what_was_said_is_shown_by_whom_and_when(cli: Cli) -> None:
    for day in (1, 2, 3):
        time = f"2026-05-0{day}T10:00:00+00:00"
        cli("rooms", "say", "plaza", "Anna", f"Day {day}", "--members", "mama", "--time", time)
    cli("rooms", "say", "pier", "papa", "Fish!", "--members", "mama")

    def said(*arguments: str) -> list[str]:
        return [one["content"] for one in cli("rooms", "show", *arguments, "--json").document]

    assert said("--with", "anna") == ["Day 1", "Day 2", "Day 3"]
    assert said("--with", "Anna", "--since", "2026-05-02", "--until", "2026-05-03") == ["Day 2"]
    assert said("--newest", "--limit", "1") == ["Fish!"]
    assert "Anna: Day 1" in cli("rooms", "show").out
    assert (cli("rooms", "show", "--with", "Zed").code, cli("rooms", "show", "--limit", "2").err[:9]) == (
        1,
        "There may",
    )


def test_what_is_due_is_marked_and_said_what_to_do_about(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("rooms", "say", "plaza", "Anna", "Hello", "--members", "mama")
    really = Society.rooms

    def due(self: Society, **given: object) -> list[RoomView]:
        rooms = really(self, **given)  # type: ignore[arg-type]
        assert isinstance(rooms[0].conversation, Conversation)
        return [RoomView(conversation=rooms[0].conversation, live=1_200, closed=40, is_due=True)]

    monkeypatch.setattr(Society, "rooms", due)
    ran = cli("rooms", "list")
    assert ("1,200 (due)" in ran.out, "reverie self-care" in ran.err) == (True, True)


DAY = "2026-05-13"


def test_a_page_grows_by_what_is_written_on_its_date(cli: Cli) -> None:
    first = cli("diary", "add", "Kade kept his word.", "--mood", "hopeful", "--date", DAY)
    assert (first.code, first.out) == (0, f"wrote on {DAY} (1 note on this page)\n")
    again = cli("diary", "add", "Rain.", "--mood", "calm", "--location", "Harbour", "--date", DAY)
    assert again.out == f"wrote on {DAY} (2 notes on this page)\n"
    head, *notes = cli("diary", "show", DAY).out.splitlines()
    assert head == f"{DAY}, Wednesday · calm · Harbour"
    assert notes[0].endswith("(hopeful)  Kade kept his word.")
    assert notes[1].endswith("  Rain.")


def test_text_comes_from_a_pipe_too(cli: Cli) -> None:
    assert cli("diary", "add", "--date", DAY, stdin="Two lines\nof text\n").code == 0
    assert cli("diary", "add", "-", "--date", DAY, stdin="more").code == 0
    notes = cli("diary", "show", DAY, "--json").document["notes"]
    assert [note["body"] for note in notes] == [{"text": "Two lines\nof text"}, {"text": "more"}]


def test_a_structured_body_is_kept_and_shown_by_its_names(cli: Cli) -> None:
    body = '{"plans": ["mend the roof"], "weather": "rain"}'
    assert cli("diary", "add", "Wet.", "--body-json", body, "--date", DAY).code == 0
    (note,) = cli("diary", "show", DAY, "--json").document["notes"]
    assert note["body"] == {"text": "Wet.", "plans": ["mend the roof"], "weather": "rain"}
    shown = [line.strip() for line in cli("diary", "show", DAY).out.splitlines()[2:]]
    assert shown == ['plans: ["mend the roof"]', "weather: rain"]


def test_a_pipe_that_is_no_text_is_refused(cli: Cli) -> None:
    ran = cli("diary", "add", stdin=b"\xff\xfe\x00")
    assert (ran.code, "UTF-8" in ran.err) == (2, True)
    assert not cli.bank.exists()


def test_pages_are_found_by_words_and_dates(cli: Cli) -> None:
    for day, text in (("01", "Kade walks"), ("02", "Kade sold the map"), ("03", "Rain")):
        cli("diary", "add", text, "--date", f"2026-05-{day}")

    def dates(*arguments: str) -> list[str]:
        return [page["date"] for page in cli("diary", *arguments, "--json").document]

    assert dates("search", "kade") == ["2026-05-02", "2026-05-01"]
    assert dates("search", "map", "kade") == ["2026-05-02"]
    assert dates("search", "kade", "--until", "2026-05-02") == ["2026-05-01"]
    assert dates("list", "--since", "2026-05-02") == ["2026-05-02", "2026-05-03"]
    assert dates("list", "--newest", "--limit", "1") == ["2026-05-03"]
    assert "There may be more" in cli("diary", "list", "--limit", "1").err
    assert (cli("diary", "search", "storm").code, cli("diary", "list", "--until", "2026-01-01").code) == (
        1,
        1,
    )


def test_a_month_is_seen_at_a_glance(cli: Cli) -> None:
    cli("diary", "add", "Kade kept his word.", "--mood", "hopeful", "--location", "Harbour", "--date", DAY)
    shown = cli("diary", "month", "2026-05")
    for part in (DAY, "hopeful", "Harbour", "Kade kept his word.", "moods", "hopeful 1"):
        assert part in shown.out
    assert cli("diary", "month", "2026-05", "--json").document["month"] == "2026-05"
    empty = cli("diary", "month", "2026-06")
    assert (empty.code, empty.out, empty.err) == (1, "", "Nothing was written in 2026-06.\n")


def test_a_page_that_is_removed_is_gone_and_not_written_again(cli: Cli) -> None:
    cli("diary", "add", "Kade kept his word.", "--date", DAY)
    assert cli("diary", "remove", DAY, "--yes").out == f"removed {DAY} (1 note)\n"
    missing = cli("diary", "show", DAY)
    assert (missing.code, "reverie diary list" in missing.err) == (1, True)
    refused = cli("diary", "add", "Kade kept his word.", "--date", DAY)
    assert (refused.code, "--override" in refused.err) == (2, True)
    assert cli("diary", "add", "Kade kept his word.", "--date", DAY, "--override").code == 0
