"""The diary on the command line."""

from __future__ import annotations

import pytest

from tests.doors.commands import Cli

pytestmark = pytest.mark.slow
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
