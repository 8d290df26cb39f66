"""The demo: what it tells of itself, and that it leaves the user's files alone."""

from __future__ import annotations

import contextlib
import io
import json
import stat
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from reverie.doors.cli import main
from tests.doors.commands import Cli

ANSWERS = ("allergic to hazelnuts", "on 13 June", "forty centimetres of red ribbon", "on 6 June")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The demo's own account of itself, with the real embedder."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["demo", "--json"]) == 0
    return json.loads(out.getvalue())


def test_the_demo_observes_and_keeps_what_matters(told: Any) -> None:
    stored = [room["stored"] for room in told["observed"].values()]
    assert (len(stored), sum(stored)) == (3, 41)
    outcomes = Counter(outcome["outcome"] for outcome in told["kept"])
    assert outcomes == {"inserted": 8, "reinforced": 1, "revised": 1}
    assert all(memory["source_episodes"] for memory in told["memories"])


@pytest.mark.parametrize(("place", "answer"), [*enumerate(ANSWERS)])
def test_each_question_finds_its_answer_first(told: Any, place: int, answer: str) -> None:
    assert answer in told["answers"][place]["found"]["hits"][0]["text"]


def test_the_conversation_ships_as_json_lines_that_observe_reads(cli: Cli) -> None:
    file = files("reverie").joinpath("demo", "conversation.jsonl")
    assert cli("observe", str(file)).out == "stored 41 messages in 3 conversations, 0 known already\n"


def test_the_demo_shows_each_step_and_touches_no_file_of_yours(cli: Cli) -> None:
    out = cli.bare("demo").out
    steps = ("Observed:", "Remembered:", "Recalled from memory", "In the bank")
    assert sorted(steps, key=out.index) == [*steps]
    assert ("lesson" in out, "not yet judged" in out) == (True, False)
    assert [path for path in Path.home().rglob("*") if path.is_file()] == []


def test_a_kept_demo_has_its_key_beside_it(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, mine = tmp_path / "kept.bank", tmp_path / "mine.bank"
    cli.bare("demo", "--keep", str(kept))
    monkeypatch.setenv("REVERIE_KEY_FILE", f"{kept}.key")
    assert cli("list", "--bank", str(kept)).code == 0
    if sys.platform != "win32":  # Windows has no file modes
        assert stat.S_IMODE(Path(f"{kept}.key").stat().st_mode) == 0o600
    mine.write_text("mine")
    assert (cli.bare("demo", "--keep", str(mine)).code, mine.read_text()) == (2, "mine")
