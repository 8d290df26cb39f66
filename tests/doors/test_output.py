from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from reverie.client import Agent, Reverie
from reverie.doors.cli import main
from reverie.errors import Busy
from tests.doors.commands import Cli


def test_the_version_is_printed(cli: Cli) -> None:
    assert cli.bare("--version").out.startswith("reverie 0.")


@pytest.mark.parametrize("arguments", [("--version", "--json"), ("--json", "--version")])
def test_the_version_is_json_where_json_was_asked_for(cli: Cli, arguments: tuple[str, ...]) -> None:
    assert cli.bare(*arguments).document["version"].startswith("0.")


def test_no_command_shows_the_help(cli: Cli) -> None:
    ran = cli.bare()
    assert (ran.code, "Usage: reverie" in ran.out) == (0, True)


def test_an_error_in_json_names_field_problem_and_remedy(cli: Cli) -> None:
    error = cli("remember", "x", "--importance", "7", "--json").error
    assert (error["field"], error["problem"], error["remedy"]) == (
        "--importance",
        "7.0 is not a number from 0 to 1",
        "give one",
    )


def test_what_a_terminal_can_not_show_comes_as_an_escape(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.remember("Péter 漢字")
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    code = main(["list", "--bank", str(cli.bank), "--agent", "mama"])
    assert (code, raw.getvalue().splitlines()[0]) == (0, rb"P\xe9ter \u6f22\u5b57")


def test_json_is_ascii_where_stdout_is_not_unicode(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.remember("Péter 漢字")
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    main(["list", "--bank", str(cli.bank), "--agent", "mama", "--json"])
    assert json.loads(raw.getvalue().decode("ascii"))[0]["essence"] == "Péter 漢字"


@pytest.mark.parametrize("columns", ["20", "40", "200"])
def test_a_narrow_terminal_loses_no_word(cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    cli.remember("Anna is allergic to nuts")
    monkeypatch.setenv("COLUMNS", columns)
    shown = cli("stats").out + cli("recall", "nuts", "--explain").out
    assert {"Anna", "allergic", "nuts", "semantic", "conversations"} <= set(shown.split())


@pytest.mark.parametrize("columns", ["20", "40", "60", "200"])
def test_a_narrow_terminal_shows_whole_talks(cli: Cli, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    room = "a-conversation-with-a-long-name"
    cli.observe(
        {"content": "a", "speaker": "Annamária", "conversation": room, "time": "2026-03-01T10:00+01:00"}
    )
    monkeypatch.setenv("COLUMNS", columns)
    shown = cli("rooms", "list").out
    told = {room, "Annamária", "2026-03-01T09:00:00+00:00", "api", "1"}
    assert told <= set(shown.split())
    for name in ("channel", "live", "closed", "last", "participants"):
        assert name in shown


def test_no_color_is_used_where_stdout_is_no_terminal(cli: Cli) -> None:
    cli.remember("Anna is allergic to nuts")
    assert "\x1b" not in cli("stats").out + cli("recall", "nuts", "--explain").out


@pytest.mark.parametrize(
    "arguments", [("recall", "nuts"), ("list",), ("stats",), ("check",), ("remember", "something else")]
)
def test_a_failure_at_closing_takes_no_result_along(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    left = list[Reverie]()

    def failing(bank: Reverie) -> None:
        left.append(bank)
        raise Busy("some.bank", 30.0)

    cli.remember("Anna is allergic to nuts")
    for form in ((), ("--json",)):
        with monkeypatch.context() as patch:
            patch.setattr(Reverie, "close", failing)
            ran = cli(*arguments, *form)
        left.pop().close()  # its thread would go on for as long as nobody collects it, and write after the test
        assert (ran.code, len(ran.out) > 20) == (3, True)


@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("option", ["--agent", "--bank"])
@pytest.mark.parametrize("empty", ["", " "])
def test_an_option_given_empty_is_not_the_default(cli: Cli, option: str, where: str, empty: str) -> None:
    cli.bare("init")
    given = (option, empty)
    ran = cli.bare(*given, "remember", "x") if where == "before" else cli.bare("remember", "x", *given)
    assert (ran.code, ran.err.startswith(f"reverie: {option}: it is empty")) == (2, True)
    assert cli.bare("list").code == 1


def test_a_failing_disk_is_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Iterator[None]:
        raise OSError(5, "Input/output error", "some.file")

    cli("init")
    monkeypatch.setattr(Agent, "stats", broken)
    ran = cli("stats")
    assert (ran.code, ran.err) == (3, "reverie: Input/output error (some.file)\n")
