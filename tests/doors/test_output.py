"""What a command prints: JSON, words, escapes, its exit code, and the page that shows its help."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import errors
from reverie.client import Agent, Reverie
from reverie.doors.cli import main, words
from reverie.doors.cli.codes import EXIT_CODES, Code, code_of
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import Busy
from tests.doors.commands import Cli
from tools.make_cli_docs import PAGE, page


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


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.NotFound("memory", "x"), Code.NOTHING),
        (errors.InvalidInput("limit", "it is odd", "even it"), Code.BAD_INPUT),
        (errors.RefConflict("m1", "main"), Code.BAD_INPUT),
        (errors.Forgotten("essence"), Code.BAD_INPUT),
        (errors.WrongKey("x.bank", "REVERIE_KEY"), Code.NO_BANK),
        (errors.DamagedFile("x.bank"), Code.NO_BANK),
        (errors.DiskFull("x.bank"), Code.NO_BANK),
        (errors.Busy("x.bank", 30.0), Code.NO_BANK),
        (errors.EmbedderMismatch("mama", "a", "b"), Code.NO_BANK),
        (errors.EmbedderFailed("a", "it answered 500"), Code.NO_BANK),
        (errors.Closed("it was closed"), Code.NO_BANK),
        (errors.NoBank("x.bank"), Code.NO_BANK),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_every_error_has_its_exit_code(error: errors.ReverieError, code: Code) -> None:
    assert code_of(error) is code


@pytest.mark.parametrize("code", Code)
def test_every_exit_code_is_explained_in_the_help(code: Code) -> None:
    assert f"{code.value} " in EXIT_CODES


def test_an_interrupted_import_is_an_interruption(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A C library that a signal meets while it is imported raises ImportError because of KeyboardInterrupt."""

    def interrupted(*_: object, **__: object) -> None:
        raise ImportError("initialization failed") from KeyboardInterrupt()

    monkeypatch.setattr(HashingEmbedder, "embed", interrupted)
    ran = cli("remember", "Anna lives in Porto")
    assert ran.code == 130
    assert "interrupted" in ran.err


NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "text"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=61), "2 months ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(days=-3), "in 3 days"),
    ],
)
def test_an_age_is_told_in_its_largest_whole_unit(passed: timedelta, text: str) -> None:
    assert words.age(NOW - passed, NOW) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (1023, "1023 B"), (2048, "2.0 KiB"), (3 << 30, "3.0 GiB")]
)
def test_a_size_is_told_in_binary_units(count: int, text: str) -> None:
    assert words.size(count) == text


@given(st.lists(st.floats(0, 1), max_size=9))
def test_rounded_terms_add_up_to_the_rounded_sum(values: list[float]) -> None:
    shown, total = words.rounded_to_sum(values, 3)
    assert sum(round(value * 1000) for value in shown) == round(total * 1000)


@given(st.lists(st.floats(0, 1), max_size=9))
def test_no_term_is_moved_by_more_than_a_unit_of_its_last_digit(values: list[float]) -> None:
    shown, _ = words.rounded_to_sum(values, 3)
    assert all(abs(one - other) <= 0.001 + 1e-9 for one, other in zip(shown, values, strict=True))


def test_the_page_of_the_command_line_is_what_the_help_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python tools/make_cli_docs.py`"


def test_the_page_is_the_docs_own() -> None:
    assert Path(__file__).resolve().parents[2] / "docs" / "cli.md" == PAGE
