"""The command that judges what has no emotions yet."""

from __future__ import annotations

import pytest

from tests.doors.commands import Cli

pytestmark = pytest.mark.slow

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
