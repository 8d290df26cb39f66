"""Sleeping, reading the report and undoing it on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.doors.commands import Cli

CHAT = "\n".join(
    json.dumps({"content": content, "speaker": "Anna", "time": f"2026-03-14T18:0{minute}:00+00:00"})
    for minute, content in enumerate(
        ["I moved to Berlin in February 2026!", "My partner Jonas is a carpenter."]
    )
)


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A bank that knows an old home and was told of a new one."""
    cli("remember", "Anna lives in Munich", "--time", "2026-01-10")
    cli("observe", "-", stdin=CHAT)
    return cli


def test_a_report_says_what_was_changed_and_by_what_words(told: Cli) -> None:
    done = told("sleep")
    assert (done.code, done.err) == (0, "")
    assert "Changed (1)" in done.out
    assert "essence: Anna lives in Munich → Anna lives in Berlin" in done.out
    assert "Learned (" in done.out
    assert "“My partner Jonas is a carpenter.” (Anna, 2026-03-14T18:01:00+00:00)" in done.out
    assert "no cost" in done.out


def test_a_dry_run_shows_the_same_and_changes_nothing(told: Cli) -> None:
    before = told("--json", "list").document
    shown = told("sleep", "--dry-run")
    assert "a dry run: nothing was changed" in shown.out
    assert "Anna lives in Berlin" in shown.out
    assert told("--json", "list").document == before
    assert told("sleeps").code == 1


def test_with_nothing_to_sleep_on_it_says_so(cli: Cli) -> None:
    cli("remember", "Anna lives in Munich")
    done = cli("sleep")
    assert done.code == 1
    assert "nothing was said since" in done.err


def test_a_sleep_is_listed_shown_and_undone(told: Cli) -> None:
    before = told("--json", "list").document
    (report,) = told("--json", "sleep").document["sleeps"]
    id = report["sleep"]["id"]
    assert id in told("sleeps").out
    assert "Changed (1)" in told("diff", id).out
    undone = told("revert", id, "--yes")
    assert undone.code == 0
    assert f"undid sleep {id}" in undone.out
    assert told("--json", "list").document == before
    assert "undone" in told("sleeps").out
    assert told("revert", id, "--yes").code == 2


def test_a_report_tells_what_the_night_made_and_what_it_says_since(told: Cli) -> None:
    (report,) = told("--json", "sleep").document["sleeps"]
    id = report["sleep"]["id"]
    learned = next(one for one in report["changes"] if one["act"] == "learn")
    assert learned["now"] == learned["text"]
    told("revise", learned["target"], "Anna's partner Jonas is a joiner")
    shown = told("diff", id).out
    assert learned["text"] in shown
    assert "since changed, it says now: Anna's partner Jonas is a joiner" in shown
    told("revert", id, "--force", "--yes")
    assert f"{learned['text']}\n   since then: gone" in told("diff", id).out


def test_a_dry_run_tells_both_ends_of_a_connection_by_their_words(cli: Cli) -> None:
    chat = [
        {"content": f"I {some}work at Siemens in Berlin as a clerk.", "speaker": "Anna"}
        for some in ("", "don't ")
    ]
    cli("observe", "-", stdin="\n".join(map(json.dumps, chat)))
    shown = cli("sleep", "--dry-run").out.split("Connected (1)")[1].splitlines()[1]
    assert shown.count("Siemens in Berlin as a clerk") >= 2
    assert " — contradicts — " in shown
    assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", shown)


def test_a_revert_is_asked_about_on_a_terminal_and_needs_yes_elsewhere(told: Cli) -> None:
    id = told("--json", "sleep").document["sleeps"][0]["sleep"]["id"]
    after = told("--json", "list").document
    refused = told("revert", id)
    assert (refused.code, "--yes" in refused.err, refused.out) == (2, True, "")
    no = told("revert", id, stdin="n\n", terminal=True)
    assert (no.code, "Undo this sleep (" in no.err, "Nothing was undone" in no.err) == (1, True, True)
    assert told("--json", "list").document == after
    assert told("revert", id, "--dry-run").code == 0
    assert told("revert", id, stdin="y\n", terminal=True).code == 0
    assert told("--json", "list").document != after


def test_a_sleep_that_later_changes_rest_on_is_undone_only_by_force(told: Cli) -> None:
    (report,) = told("--json", "sleep").document["sleeps"]
    id = report["sleep"]["id"]
    learned = next(one["target"] for one in report["changes"] if one["act"] == "learn")
    told("revise", learned, "Anna's partner Jonas is a joiner")
    refused = told("revert", id)
    assert refused.code == 2
    assert "can't be undone alone" in refused.err
    assert "--force" in refused.err or "force=True" in refused.err
    assert told("revert", id, "--force").code == 2
    asked = told("revert", id, "--force", stdin="n\n", terminal=True)
    assert (asked.code, "later changes would be dropped" in asked.err, "brought back" in asked.err) == (
        1,
        True,
        True,
    )
    assert told("show", learned).code == 0
    assert "dropped" in told("revert", id, "--force", "--dry-run").out
    assert told("revert", id, "--force", "--yes").code == 0
    assert told("show", learned).code == 1


def test_an_unknown_sleep_is_not_found(told: Cli) -> None:
    assert told("diff", "0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e").code == 1
    assert told("revert", "0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e").code == 1


def test_a_paused_agent_does_not_sleep(told: Cli) -> None:
    told("pause")
    refused = told("sleep")
    assert refused.code == 2
    assert "paused" in refused.err


def test_a_worker_does_once_what_is_due(told: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_SET_SLEEP_LEAST", "1")
    monkeypatch.setenv("REVERIE_SET_SLEEP_IDLE_SECONDS", "0")
    done = told.bare("--bank", str(told.bank), "--json", "worker", "--once")
    assert done.code == 0
    assert [*done.document["slept"]] == ["mama"]
    again = told.bare("--bank", str(told.bank), "worker", "--once")
    assert "0 sleeps" in again.out


def test_stats_tells_what_waits_for_sleep_and_when_it_last_slept(told: Cli) -> None:
    assert "2 messages" in told("stats").out.split("to be slept on")[1].splitlines()[0]
    told("sleep")
    after = told("stats").out
    assert "0 messages" in after.split("to be slept on")[1].splitlines()[0]
    assert "job sleep" in after


def test_the_self_portrait_is_shown(cli: Cli) -> None:
    cli("soul", "add", "I would rather ask than guess")
    cli("remember", "Anna keeps bees")
    shown = cli("soul", "portrait", "--refresh").out
    assert shown.index("- I would rather ask than guess") < shown.index("- Anna keeps bees")
