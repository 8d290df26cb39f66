"""Self-care, its summaries and its undoing, and backfill on the command line."""

from __future__ import annotations

import json

import pytest

from tests.doors.commands import Cli

pytestmark = pytest.mark.slow
WHAT = ("walks to the harbour", "mends a net", "draws a map", "argues about the ferry", "sells fish")


@pytest.fixture
def weary(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """An agent of forty observations, of which five are enough to summarize."""
    monkeypatch.setenv("REVERIE_SELF_CARE_MIN_OBSERVATIONS", "5")
    monkeypatch.setenv("REVERIE_REMEMBER_EMOTIONS", "false")
    for number, what in enumerate(WHAT * 2):
        cli.remember(
            f"Kade {what} on day {number}", "--kind", "observation", "--time", f"2026-05-{number + 1:02}"
        )
    return cli


def test_a_report_says_what_was_summarized_and_how_to_undo_it(weary: Cli) -> None:
    done = weary("self-care")
    assert done.code == 0
    assert "10 memories under 1 summary" in done.out
    assert "stands for 10 memories, 2026-05-01T00:00:00+00:00 to 2026-05-10T00:00:00+00:00" in done.out
    assert "reverie revert" in done.err


def test_a_dry_run_shows_the_same_and_changes_nothing(weary: Cli) -> None:
    before = weary("list", "--json").document
    shown = weary("self-care", "--dry-run").out
    assert ("a dry run: nothing was changed" in shown, "10 memories under 1 summary" in shown) == (True, True)
    assert weary("list", "--json").document == before
    assert weary("summaries", "list").code == 1


def test_a_summary_is_listed_expanded_told_of_and_undone(weary: Cli) -> None:
    before = weary("list", "--json").document
    report = weary("self-care", "--json").document
    (summary,) = weary("summaries", "list", "--json").document
    assert (summary["memory_id"], summary["job"]) == (report["summaries"][0], report["id"])
    assert summary["memory_id"] in weary("summaries", "list").out
    expanded = weary("summaries", "show", summary["memory_id"])
    assert all(f"Kade {what}" in expanded.out for what in WHAT)
    assert len(weary("summaries", "show", summary["memory_id"], "--json").document["memories"]) == 10
    told = weary("sleeps", "show", report["id"])
    assert (told.code, "summarized" in told.out, summary["memory_id"] in told.out) == (0, True, True)
    assert weary("sleeps", "show", report["id"], "--json").document["counts"]["summarized"] == 10
    undone = weary("revert", report["id"], "--yes")
    assert (undone.code, undone.out.startswith(f"undid self-care {report['id']}")) == (0, True)
    assert "1 summary" in undone.out
    assert weary("list", "--json").document == before
    assert "undone" in weary("sleeps", "show", report["id"]).out


def test_what_is_closed_is_shown_with_its_conversation(weary: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_SELF_CARE_LIVE_ENTRIES", "20")
    for room in ("pier", "plaza"):
        said = [
            json.dumps(
                {"content": f"Kade: meet me at the {room}, {n}", "time": f"2026-05-01T10:{n:02}:00+00:00"}
            )
            for n in range(20)
        ]
        weary("observe", "-", "--conversation", room, stdin="\n".join(said))
    assert "(due)" in weary("rooms", "list").out
    done = weary("self-care").out
    assert ("Closed" in done, "stands for 20 messages of pier" in done) == (True, True)


def test_it_declines_politely_with_too_little(cli: Cli) -> None:
    cli("init")
    ran = cli("self-care")
    assert (ran.code, ran.out.startswith("nothing was done: "), ran.err) == (0, True, "")
    assert "30" in cli("self-care", "--json").document["declined"]


def test_away_from_home_it_says_how_to_be_home(weary: Cli) -> None:
    weary("profile", "--home", "Light house", "--location", "Harbour")
    ran = weary("self-care")
    assert (ran.code, "'Harbour'" in ran.out) == (0, True)
    assert ran.err == "once it is back: reverie profile --location 'Light house'\n"
    weary("profile", "--location", "Light house")
    assert "10 memories under 1 summary" in weary("self-care").out


def test_what_is_no_summary_cannot_be_expanded(weary: Cli) -> None:
    id = weary.remember("Anna lives in Munich")
    assert (weary("summaries", "show", id).code, weary("summaries", "show", "nowhere").code) == (2, 1)


def test_stats_tell_when_self_care_is_due(weary: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    weary("diary", "add", "Rain.")
    weary("relationships", "add", "Kade", "--type", "ally")
    shown = " ".join(weary("stats").out.split())
    assert ("1 diary page, 1 relationship, 0 summaries" in shown, "due" in shown) == (True, False)
    monkeypatch.setenv("REVERIE_SELF_CARE_CEILING", "20")
    monkeypatch.setenv("REVERIE_SELF_CARE_TARGET", "10")
    assert "due: reverie self-care" in " ".join(weary("stats").out.split())


def test_a_receipt_tells_what_went_of_diary_and_relationships(weary: Cli) -> None:
    weary("diary", "add", "Rain.")
    weary("relationships", "add", "Kade", "--type", "ally")
    weary("self-care")
    one = weary("list", "--deep", "--json").document[0]["id"]
    assert "no longer summarized" in weary("forget", one, "--yes").out
    gone = weary("forget", "--everything", "--yes").out
    assert "1 diary page, 1 relationship" in " ".join(gone.split())
    assert gone.count("diary page") == 1


def test_a_context_knows_with_whom_the_agent_speaks(cli: Cli) -> None:
    cli("relationships", "add", "Kade", "--type", "rival", "--notes", "He sold the map")
    assert "He sold the map" in cli("context", "--with", "kade").out
    assert "Kade" not in cli("context", "--with", "Zed").out


GLAD = "Thank you so much for the wonderful present!"


@pytest.fixture
def unjudged(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> str:
    """A memory that nobody has judged, in a bank of two agents; its id."""
    with monkeypatch.context() as patch:
        patch.setenv("REVERIE_REMEMBER_EMOTIONS", "false")
        cli("remember", "the printer has no paper", "--agent", "papa")
        return cli.remember(GLAD)


@pytest.mark.usefixtures("real_feelings")
def test_backfill_judges_the_agents_memories(cli: Cli, unjudged: str) -> None:
    assert cli("show", unjudged, "--json").document["memory"]["emotions"] is None
    ran = cli("backfill")
    assert (ran.code, ran.out) == (0, "mama: 1 memory judged\n")
    assert cli("show", unjudged, "--json").document["memory"]["emotions"][0] == "gratitude"


def test_backfill_without_an_agent_judges_for_all(cli: Cli, unjudged: str) -> None:
    ran = cli.bare("backfill", "--bank", str(cli.bank), "--json")
    assert ran.document == {
        "agents": [{"agent_id": "mama", "judged": 1, "left": 0}, {"agent_id": "papa", "judged": 1, "left": 0}]
    }


def test_a_second_backfill_finds_nothing_to_judge(cli: Cli, unjudged: str) -> None:
    cli("backfill")
    assert cli("backfill").out == "mama: 0 memories judged\n"


def test_backfill_says_if_judging_is_off(cli: Cli, unjudged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_REMEMBER_EMOTIONS", "0")
    monkeypatch.setenv("REVERIE_MIND", "none")
    ran = cli("backfill")
    assert ran.code == 2
    assert "Settings.remember.emotions" in ran.err
