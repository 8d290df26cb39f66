"""Rooms, and what was said in them, on the command line."""

from __future__ import annotations

import pytest

from reverie.agent.living import Living
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
    really = Living.rooms

    def due(self: Living, **given: object) -> list[RoomView]:
        rooms = really(self, **given)  # type: ignore[arg-type]
        assert isinstance(rooms[0].conversation, Conversation)
        return [RoomView(conversation=rooms[0].conversation, live=1_200, closed=40, is_due=True)]

    monkeypatch.setattr(Living, "rooms", due)
    ran = cli("rooms", "list")
    assert ("1,200 (due)" in ran.out, "reverie self-care" in ran.err) == (True, True)
