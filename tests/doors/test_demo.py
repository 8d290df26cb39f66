from __future__ import annotations

import json
import stat
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from reverie.doors.cli import main
from reverie.doors.cli.demo import QUESTIONS
from tests.doors.commands import Cli


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The demo's own account of itself, with the real embedder."""
    import contextlib
    import io

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["demo", "--json"]) == 0
    document: dict[str, Any] = json.loads(out.getvalue())
    return document


def best(told: dict[str, Any], place: int) -> str:
    text: str = told["answers"][place]["found"]["hits"][0]["text"]
    return text


def test_about_forty_messages_over_three_days_are_observed(told: dict[str, Any]) -> None:
    assert sum(room["stored"] for room in told["observed"].values()) == 41
    assert len(told["observed"]) == 3


def test_a_duplicate_is_reinforced_and_a_changed_fact_revised(told: dict[str, Any]) -> None:
    assert Counter(outcome["outcome"] for outcome in told["kept"]) == {
        "inserted": 8,
        "reinforced": 1,
        "revised": 1,
    }


def test_every_commit_rests_on_what_was_said(told: dict[str, Any]) -> None:
    assert all(memory["source_episodes"] for memory in told["memories"])


@pytest.mark.parametrize(
    ("place", "answer"),
    [
        (0, "allergic to hazelnuts"),
        (1, "on 13 June"),
        (2, "forty centimetres of red ribbon"),
        (3, "on 6 June"),
    ],
    ids=[f"{question.text} {question.as_of or ''}" for question in QUESTIONS],
)
def test_each_question_finds_its_answer_first(told: dict[str, Any], place: int, answer: str) -> None:
    assert answer in best(told, place)


def test_the_conversation_ships_as_json_lines_that_observe_reads(cli: Cli) -> None:
    file = files("reverie").joinpath("demo", "conversation.jsonl")
    assert cli("observe", str(file)).out == "stored 41 messages in 3 conversations, 0 known already\n"


def test_the_demo_shows_what_is_in_the_bank(cli: Cli) -> None:
    out = cli.bare("demo").out
    assert (
        out.index("Observed:")
        < out.index("Remembered:")
        < out.index("Recalled from memory")
        < out.index("In the bank")
    )
    assert "lesson" in out
    assert "not yet judged" not in out


def test_nothing_of_the_user_is_touched(cli: Cli) -> None:
    cli.bare("demo")
    assert [path for path in Path.home().rglob("*") if path.is_file()] == []


def test_a_kept_demo_opens_with_the_key_beside_it(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept.bank"
    cli.bare("demo", "--keep", str(kept))
    monkeypatch.setenv("REVERIE_KEY_FILE", f"{kept}.key")
    assert cli("list", "--bank", str(kept)).code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file modes")
def test_the_key_of_a_kept_demo_is_for_its_owner_alone(cli: Cli, tmp_path: Path) -> None:
    kept = tmp_path / "kept.bank"
    cli.bare("demo", "--keep", str(kept))
    assert stat.S_IMODE(Path(f"{kept}.key").stat().st_mode) == 0o600


def test_a_kept_demo_overwrites_nothing(cli: Cli, tmp_path: Path) -> None:
    mine = tmp_path / "mine.bank"
    mine.write_text("mine")
    assert (cli.bare("demo", "--keep", str(mine)).code, mine.read_text()) == (2, "mine")
