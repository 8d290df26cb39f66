"""Sleeping, reading the report and undoing it on the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.domain.change import NEW, Change, Contradict, Learn, Proposal, Revise
from reverie.domain.kinds import Kind
from reverie.minds.local import LocalMind
from reverie.ports.night import Night
from reverie.ports.search import Floats
from tests.doors.commands import Cli

CHAT = "\n".join(
    json.dumps({"content": content, "speaker": "Anna", "time": f"2026-03-14T18:0{minute}:00+00:00"})
    for minute, content in enumerate(
        ["I moved to Berlin in February 2026!", "My partner Jonas is a carpenter."]
    )
)


_MADE = {
    "My partner Jonas is a carpenter.": "Anna's partner Jonas is a carpenter.",
    "My favourite colour is green.": "Anna's favourite colour is green.",
    "My favourite colour is red now.": "Anna's favourite colour is red now.",
    "I live in Munich.": "Anna lives in Munich.",
    "My IBAN is DE89 3704 0044 0532 0130 00.": "Anna's IBAN is DE89 3704 0044 0532 0130 00.",
    "I work at Siemens in Berlin as a clerk.": "Anna works at Siemens in Berlin as a clerk.",
    "I don't work at Siemens in Berlin as a clerk.": "Anna doesn't work at Siemens in Berlin as a clerk.",
}
_WHY = "the newer statement of a principal holds"
_TURNED = {
    "Anna's favourite colour is green": "red now",
    "Anna works at Siemens in Berlin as a clerk": "don't",
}


@pytest.fixture(autouse=True)
def _a_mind_that_changes_things(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mind of this machine only quotes and links: one in its place that rewords."""

    def consolidate(self: LocalMind, night: Night) -> Proposal:
        return Proposal(changes=tuple(_changes(night, self._embedder.embed(["Anna lives in Munich"]))))

    monkeypatch.setattr(LocalMind, "consolidate", consolidate)


def _changes(night: Night, homes: Floats) -> Iterator[Change]:
    known = {one.essence.rstrip("."): one.id for cluster in night.clusters for one in cluster.known}
    known |= {one.essence.rstrip("."): one.id for one, _ in night.look(homes)}
    said = sorted((one for cluster in night.clusters for one in cluster.episodes), key=lambda one: one.time)
    places: dict[str, str] = {}
    for one in said:
        if one.content in _MADE:
            places[_MADE[one.content]] = f"{NEW}{len(places)}"
            yield Learn(essence=_MADE[one.content], kind=Kind.FACT, sources=(one.id,), stated=True)
    for one in said:
        home = known.get("Anna lives in Munich")
        if one.content.startswith("I moved to Berlin") and home is not None:
            yield Revise(
                memory_id=home, essence="Anna lives in Berlin", reason="she moved", sources=(one.id,)
            )
        made = places.get(_MADE.get(one.content, ""))
        for old, new in _TURNED.items():
            older = known.get(old) or places.get(f"{old}.")
            if new in one.content and made is not None and older is not None:
                yield Contradict(memory_id=older, contradicted_by=made, resolution=_WHY, sources=(one.id,))


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


def test_several_batches_are_told_as_one_total(told: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_SLEEP_BATCH", "1")
    done = told("sleep")
    head, facts, counts, end = done.out.splitlines()
    assert (done.code, head) == (0, "slept in 2 batches")
    assert facts.strip().startswith("2 messages · ")
    assert counts.strip() == "1 learned, 1 changed"
    assert "reverie sleeps show ID" in end
    assert len(told("sleeps", "list", "--json").document) == 2


@pytest.fixture
def turned(cli: Cli) -> Cli:
    """A bank that was told twice of a colour and a home, a sleep between."""
    evenings = (("green", "I live in Munich."), ("red now", "I moved to Berlin last week."))
    for minute, (colour, home) in enumerate(evenings):
        said = (f"My favourite colour is {colour}.", home, "My IBAN is DE89 3704 0044 0532 0130 00.")
        lines = [
            json.dumps({"content": one, "speaker": "Anna", "time": f"2026-03-1{minute}T18:00:00+00:00"})
            for one in said
        ]
        cli("observe", "-", stdin="\n".join(lines))
        if not minute:
            assert cli("sleep").code == 0
    return cli


def test_a_contradiction_is_told_once_with_its_evidence(turned: Cli) -> None:
    report = turned("sleep").out
    assert report.count("what holds: Anna's favourite colour is red now") == 1
    told = report[report.index("Contradicted (1)") :].split("Connected")[0]
    assert "“My favourite colour is red now.” (Anna" in told
    assert "superseded_by" not in told
    assert "— contradicts —" not in report
    assert "the newer statement of a principal holds\n" in told
    assert "what was said later holds" not in told


def test_a_refused_revert_tells_both_wordings_and_no_columns(turned: Cli) -> None:
    turned("sleep")
    first = turned("--json", "sleeps", "list").document[-1]["id"]
    refused = turned("revert", first, "--yes")
    told = " ".join(refused.err.split())
    assert refused.code == 2
    assert "“Anna lives in Munich.” says now: “Anna lives in Berlin”" in told
    assert "its wording" in told
    assert not any(name in told for name in ("believed_from", "confidence_at", "updated_at", "valid_from"))


def test_the_number_of_an_account_is_neither_learned_nor_shown(turned: Cli) -> None:
    turned("sleep")
    assert "DE89" not in turned("list").out
    assert "DE89" not in turned("soul", "show").out
    assert "DE89" in turned("recall", "which IBAN does Anna have?", "--episodes").out


def test_a_dry_run_shows_the_same_and_changes_nothing(told: Cli) -> None:
    before = told("--json", "list").document
    shown = told("sleep", "--dry-run")
    assert "a dry run: nothing was changed" in shown.out
    assert "Anna lives in Berlin" in shown.out
    assert told("--json", "list").document == before
    assert told("sleeps", "list").code == 1


def test_with_nothing_to_sleep_on_it_says_so(cli: Cli) -> None:
    cli("remember", "Anna lives in Munich")
    done = cli("sleep")
    assert done.code == 1
    assert "nothing was said since" in done.err


def test_a_sleep_is_listed_shown_and_undone(told: Cli) -> None:
    before = told("--json", "list").document
    (report,) = told("--json", "sleep").document["sleeps"]
    id = report["sleep"]["id"]
    assert id in told("sleeps", "list").out
    assert "Changed (1)" in told("sleeps", "show", id).out
    undone = told("revert", id, "--yes")
    assert undone.code == 0
    assert f"undid sleep {id}" in undone.out
    assert told("--json", "list").document == before
    assert "undone" in told("sleeps", "list").out
    assert told("revert", id, "--yes").code == 2


def test_a_report_tells_what_became_of_each_memory(told: Cli) -> None:
    (report,) = told("--json", "sleep").document["sleeps"]
    id = report["sleep"]["id"]
    learned = next(one for one in report["changes"] if one["act"] == "learn")
    assert learned["now"] == learned["text"]
    told("revise", learned["target"], "Anna's partner Jonas is a joiner")
    shown = told("sleeps", "show", id).out
    assert learned["text"] in shown
    assert "since changed, it says now: Anna's partner Jonas is a joiner" in shown
    told("revert", id, "--force", "--yes")
    assert f"{learned['text']}\n   since then: gone" in told("sleeps", "show", id).out


def test_a_dry_run_tells_both_sides_of_a_contradiction(cli: Cli) -> None:
    chat = [
        {"content": f"I {some}work at Siemens in Berlin as a clerk.", "speaker": "Anna"}
        for some in ("", "don't ")
    ]
    cli("observe", "-", stdin="\n".join(map(json.dumps, chat)))
    shown = cli("sleep", "--dry-run").out.split("Contradicted (1)")[1].splitlines()
    sides = [line for line in shown if "Siemens in Berlin as a clerk" in line and "“" not in line]
    assert len(sides) >= 2
    assert sides[1].strip().startswith("what holds: ")
    assert not any(re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", line) for line in sides)


def test_a_revert_asks_on_a_terminal_and_needs_yes_elsewhere(told: Cli) -> None:
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


def test_a_sleep_with_later_changes_is_undone_only_by_force(told: Cli) -> None:
    (report,) = told("--json", "sleep").document["sleeps"]
    id = report["sleep"]["id"]
    learned = next(one["target"] for one in report["changes"] if one["act"] == "learn")
    told("revise", learned, "Anna's partner Jonas is a joiner")
    refused = told("revert", id)
    assert refused.code == 2
    assert "can't be undone alone" in refused.err
    assert "force (`--force`) drops these changes too" in refused.err
    assert told("revert", id, "--force").code == 2
    asked = told("revert", id, "--force", stdin="n\n", terminal=True)
    assert (asked.code, "later changes would be dropped" in asked.err, "final" in asked.err) == (
        1,
        True,
        True,
    )
    assert told("show", learned).code == 0
    assert "dropped" in told("revert", id, "--force", "--dry-run").out
    assert told("revert", id, "--force", "--yes").code == 0
    assert told("show", learned).code == 1


def test_one_change_is_undone_by_its_id(told: Cli) -> None:
    before = told("--json", "list").document
    (report,) = told("--json", "sleep").document["sleeps"]
    id = report["sleep"]["id"]
    change = next(one for one in report["changes"] if one["act"] == "learn")
    assert f"change {change['id']}" in told("sleeps", "show", id).out
    asked = told("revert", id, "--change", change["id"], stdin="n\n", terminal=True)
    assert (asked.code, "Undo this change (1 memory removed" in asked.err) == (1, True)
    undone = told("revert", id, "--change", change["id"], "--yes")
    assert undone.code == 0
    assert f"undid change {change['id']}" in undone.out
    assert "wait for the next sleep" not in undone.out
    assert len(told("--json", "list").document) < len(before) + len(report["changes"])
    assert told("show", change["target"]).code == 1
    assert "undone" in told("sleeps", "show", id).out
    assert told("revert", id, "--change", change["id"], "--yes").code == 2
    assert told("revert", id, "--yes").code == 0


def test_a_worker_does_once_what_is_due(told: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_SLEEP_MIN_EPISODES", "1")
    monkeypatch.setenv("REVERIE_SLEEP_IDLE", "0")
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
    shown = cli("soul", "show", "--refresh").out
    assert shown.index("- I would rather ask than guess") < shown.index("- Anna keeps bees")
