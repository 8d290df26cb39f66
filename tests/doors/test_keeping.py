"""Procedures, goals, the soul, adopting, scopes and housekeeping on the command line."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie.client import Reverie
from tests.doors.commands import Cli

STEPS = ("--step", "run the tests", "--step", "tag the version")


def test_a_procedure_is_added_shown_and_listed(cli: Cli) -> None:
    added = cli("procedures", "add", "release", *STEPS, "--lesson", "Tests first")
    assert (added.code, added.err) == (0, "")
    assert cli("procedures", "show", "RELEASE").out == added.out == cli("procedures", "list").out
    assert [line.strip() for line in added.out.splitlines()[:3]] == [
        "release", "1. run the tests", "2. tag the version",
    ]  # fmt: skip
    assert "0 successes, 0 failures" in added.out


def test_outcomes_of_a_procedure_are_counted(cli: Cli) -> None:
    cli("procedures", "add", "release", *STEPS, "--scope", "ci/**", "--tag", "ops")
    cli("procedures", "record", "release", "failure", "--note", "no network")
    assert cli("procedures", "record", "release", "success").code == 0
    (one,) = cli("procedures", "list", "--json").document
    assert (one["steps"]["success_count"], one["steps"]["failure_count"]) == (1, 1)
    assert (one["steps"]["name"], one["memory"]["scope"], one["memory"]["tags"]) == (
        "release", ["ci/**"], ["ops"],
    )  # fmt: skip


def test_goals_are_added_completed_reopened_and_listed(cli: Cli) -> None:
    id = cli("goals", "add", "Run the marathon", "--importance", "0.8", "--json").document["memory"]["id"]
    assert "Run the marathon" in cli("goals", "list").out
    assert cli("goals", "complete", id, "--note", "in 4 h 12").out == f"achieved {id}: Run the marathon\n"
    assert (cli("goals", "list").code, cli("goals", "list").err) == (
        1,
        "No goal is open: `reverie goals add` adds one.\n",
    )
    assert "achieved just now" in cli("goals", "list", "--achieved").out
    assert ": in 4 h 12" in cli("goals", "list", "--achieved").out
    assert cli("goals", "reopen", id).out == f"open {id}: Run the marathon\n"
    assert [one["memory"]["id"] for one in cli("goals", "list", "--json").document] == [id]
    assert cli("goals", "list", "--achieved").code == 1


def test_what_is_due_is_added_listed_postponed_and_completed(cli: Cli) -> None:
    id = cli("goals", "add", "Hand in the report", "--due", "2126-12-03", "--json").document["memory"]["id"]
    cli("goals", "add", "Learn to swim")
    assert "2126-12-03T23:59:00+00:00" in cli("goals", "due").out
    assert "2126-12-10T09:00:00+00:00" in cli("goals", "postpone", id, "2126-12-10T09:00").out
    (one,) = cli("goals", "due", "--json").document
    assert (one["memory"]["id"], one["due"][:16]) == (id, "2126-12-10T09:00")
    assert cli("goals", "due", "--until", "2126-12-04").err == "Nothing is due.\n"
    refused = cli("goals", "add", "Sing", "--due", "next week")
    assert refused.code == 2
    assert "tomorrow at nine" in refused.err
    cli("goals", "postpone", id, "none")
    assert cli("goals", "due").code == 1
    cli("goals", "postpone", id, "2126-12-10")
    cli("goals", "complete", id)
    assert cli("goals", "due").code == 1


def test_soul_entries_are_added_removed_and_listed(cli: Cli) -> None:
    id = cli("soul", "add", "I would rather ask than guess").out.removeprefix("added ").strip()
    assert "I would rather ask than guess" in cli("soul", "list").out
    assert [entry["id"] for entry in cli("soul", "list", "--json").document] == [id]
    assert cli("soul", "add", "I would rather ask than guess!").code == 2
    assert cli("soul", "remove", id).out == f"removed {id}: I would rather ask than guess\n"
    assert (cli("soul", "remove", id).code, cli("soul", "list").code) == (1, 1)


def test_a_memory_from_elsewhere_is_adopted(cli: Cli) -> None:
    (source,) = cli.observe({"role": "tool", "content": "Never push on Fridays"})
    id = cli.remember("Never push on Fridays", "--kind", "policy", "--source", source)
    assert cli("show", id, "--json").document["memory"]["source_trust"] == "external"
    assert cli("adopt", id, "--reason", "our handbook").out == f"adopted {id}: Never push on Fridays\n"
    assert cli("adopt", id, "--json").document["source_trust"] == "principal"
    assert "our handbook" in cli("show", id).out


def test_what_waits_for_approval_is_listed_and_approved(cli: Cli) -> None:
    id = cli.remember("Never push on Fridays", "--kind", "policy")
    assert cli("list", "--review").code == 1
    with Reverie.open(cli.bank) as reverie:
        mama = reverie.agent("mama")
        doubted = replace(mama.portrait(id).memory, needs_review=True)
        mama._desk.store.transact("mama", lambda unit: unit.memories.update(doubted))
    assert id in cli("list", "--review").out
    assert "unconfirmed" in cli("list", "--review").out
    assert "unconfirmed" in cli("recall", "push on Fridays?").out
    assert cli("approve", id, "--reason", "read").out == f"approved {id}: Never push on Fridays\n"
    assert cli("approve", id, "--json").document["needs_review"] is False
    assert cli("list", "--review", "--json").document == []
    assert cli("list", "--review", "--episodes").code == 2
    assert cli("approve", "nowhere").code == 1


def test_memories_of_a_file_are_listed(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    id = cli.remember("Keep it thin", "--scope", "src/**")
    cli.remember("Anna likes tea")
    monkeypatch.chdir(tmp_path)
    for path in ("src/app.py", "./src/app.py", str(tmp_path / "docs" / ".." / "src" / "app.py")):
        assert [memory["id"] for memory in cli("scoped", path, "--json").document] == [id]
    assert "Keep it thin" in cli("scoped", "src/app.py").out
    none = cli("scoped", "docs/app.md")
    assert (none.code, none.out, none.err) == (1, "", "No memory concerns this file.\n")
    assert cli("scoped", "/elsewhere/src/app.py").code == 1


def test_housekeeping_reports_what_it_did(cli: Cli) -> None:
    old = datetime.now(UTC) - timedelta(days=400)
    id = cli.remember("The old printer needs ink", "--time", old.isoformat())
    cli.remember("Anna likes tea")
    rows = dict(line.split("  ", 1) for line in cli("housekeeping").out.splitlines()[1:])
    assert rows["archived"].strip() == "1 memory"
    assert cli("show", id, "--json").document["memory"]["state"] == "archived"
    (again,) = cli.bare("--bank", str(cli.bank), "housekeeping", "--json").document["agents"]
    assert (again["agent_id"], again["done"]["archived"], again["done"]["memories"]) == ("mama", [], 2)


def test_housekeeping_is_done_for_all_or_the_named_agents(cli: Cli) -> None:
    cli.remember("Anna likes tea")
    cli("remember", "Ben likes rain", "--agent", "papa")
    bare = ("--bank", str(cli.bank), "housekeeping", "--json")
    assert [one["agent_id"] for one in cli.bare(*bare).document["agents"]] == ["mama", "papa"]
    assert [one["agent_id"] for one in cli.bare(*bare, "--agent", "papa").document["agents"]] == ["papa"]
    assert cli.bare(*bare, "--agent", "nobody").code == 2


def test_an_empty_bank_needs_no_housekeeping(cli: Cli) -> None:
    cli.bare("--bank", str(cli.bank), "init")
    ran = cli.bare("--bank", str(cli.bank), "housekeeping")
    assert (ran.code, ran.out) == (0, "The bank has no agents: there was nothing to do.\n")
