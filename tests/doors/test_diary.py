"""The diary on the command line."""

from __future__ import annotations

import pytest

from tests.doors.commands import Cli

pytestmark = pytest.mark.slow
DAY = "2026-05-13"


def test_a_page_grows_by_what_is_written_on_its_date(cli: Cli) -> None:
    first = cli("diary", "write", "Kade kept his word.", "--mood", "hopeful", "--date", DAY)
    assert (first.code, first.out) == (0, f"wrote on {DAY} (1 note on this page)\n")
    again = cli("diary", "write", "Rain.", "--mood", "calm", "--location", "Harbour", "--date", DAY)
    assert again.out == f"wrote on {DAY} (2 notes on this page)\n"
    head, *notes = cli("diary", "page", DAY).out.splitlines()
    assert head == f"{DAY}, Wednesday · calm · Harbour"
    assert notes[0].endswith("(hopeful)  Kade kept his word.")
    assert notes[1].endswith("  Rain.")


def test_text_comes_from_a_pipe_too(cli: Cli) -> None:
    assert cli("diary", "write", "--date", DAY, stdin="Two lines\nof text\n").code == 0
    assert cli("diary", "write", "-", "--date", DAY, stdin="more").code == 0
    notes = cli("diary", "page", DAY, "--json").document["notes"]
    assert [note["body"] for note in notes] == [{"text": "Two lines\nof text"}, {"text": "more"}]


def test_a_structured_body_is_kept_and_shown_by_its_names(cli: Cli) -> None:
    body = '{"plans": ["mend the roof"], "weather": "rain"}'
    assert cli("diary", "write", "Wet.", "--body-json", body, "--date", DAY).code == 0
    (note,) = cli("diary", "page", DAY, "--json").document["notes"]
    assert note["body"] == {"text": "Wet.", "plans": ["mend the roof"], "weather": "rain"}
    shown = [line.strip() for line in cli("diary", "page", DAY).out.splitlines()[2:]]
    assert shown == ['plans: ["mend the roof"]', "weather: rain"]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("diary", "write", "x", "--body-json", "{"), "--body-json"),
        (("diary", "write", "--body-json", "[1]"), "--body-json"),
        (("diary", "write", "--body-json", '{"a": NaN}'), "--body-json"),
        (("diary", "write", "--body-json", '{"a": 1, "a": 2}'), "--body-json"),
        (("diary", "remove", DAY), "diary remove"),
        (("diary", "write", "x", "--body-json", '{"text": "y"}'), "TEXT"),
        (("diary", "write", " "), "TEXT"),
        (("diary", "write", "x", "--date", "tomorrow"), "--date"),
        (("diary", "page", "2026-13-01"), "--date"),
        (("diary", "month", "May"), "MONTH"),
        (("diary", "search", " "), "WORDS"),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(cli: Cli, arguments: tuple[str, ...], field: str) -> None:
    cli("diary", "write", "Kade kept his word.", "--date", DAY)
    cli("init")
    ran = cli(*arguments, "--json")
    assert (ran.code, ran.error["field"]) == (2, field)


def test_a_pipe_that_is_no_text_is_refused(cli: Cli) -> None:
    ran = cli("diary", "write", stdin=b"\xff\xfe\x00")
    assert (ran.code, "UTF-8" in ran.err) == (2, True)
    assert not cli.bank.exists()


def test_pages_are_found_by_words_and_dates(cli: Cli) -> None:
    for day, text in (("01", "Kade walks"), ("02", "Kade sold the map"), ("03", "Rain")):
        cli("diary", "write", text, "--date", f"2026-05-{day}")

    def dates(*arguments: str) -> list[str]:
        return [page["date"] for page in cli("diary", *arguments, "--json").document]

    assert dates("search", "kade") == ["2026-05-02", "2026-05-01"]
    assert dates("search", "map", "kade") == ["2026-05-02"]
    assert dates("search", "kade", "--until", "2026-05-02") == ["2026-05-01"]
    assert dates("pages", "--since", "2026-05-02") == ["2026-05-02", "2026-05-03"]
    assert dates("pages", "--newest", "--limit", "1") == ["2026-05-03"]
    assert "There may be more" in cli("diary", "pages", "--limit", "1").err
    assert (cli("diary", "search", "storm").code, cli("diary", "pages", "--until", "2026-01-01").code) == (
        1,
        1,
    )


def test_a_month_is_seen_at_a_glance(cli: Cli) -> None:
    cli("diary", "write", "Kade kept his word.", "--mood", "hopeful", "--location", "Harbour", "--date", DAY)
    shown = cli("diary", "month", "2026-05")
    for part in (DAY, "hopeful", "Harbour", "Kade kept his word.", "moods", "hopeful 1"):
        assert part in shown.out
    assert cli("diary", "month", "2026-05", "--json").document["month"] == "2026-05"
    empty = cli("diary", "month", "2026-06")
    assert (empty.code, empty.out, empty.err) == (1, "", "Nothing was written in 2026-06.\n")


def test_a_page_that_is_removed_is_gone_and_not_written_again(cli: Cli) -> None:
    cli("diary", "write", "Kade kept his word.", "--date", DAY)
    assert cli("diary", "remove", DAY, "--yes").out == f"removed {DAY} (1 note)\n"
    missing = cli("diary", "page", DAY)
    assert (missing.code, "reverie diary pages" in missing.err) == (1, True)
    refused = cli("diary", "write", "Kade kept his word.", "--date", DAY)
    assert (refused.code, "--override" in refused.err) == (2, True)
    assert cli("diary", "write", "Kade kept his word.", "--date", DAY, "--override").code == 0


def test_a_command_that_reads_makes_no_bank(cli: Cli) -> None:
    assert cli("diary", "pages").code == 3
    assert not cli.bank.exists()


@pytest.mark.parametrize("group", ["diary", "relate", "link"])
def test_a_group_without_a_command_shows_its_commands(cli: Cli, group: str) -> None:
    ran = cli(group)
    assert (ran.code, "Usage" in ran.out, ran.err) == (0, True, "")
