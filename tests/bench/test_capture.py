"""The capture bench: rates and precision out of little data whose answer is known."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bench import capture, secrets
from bench.capture_data import firings, turns
from tests.services.sure import Sure

PREFERENCES = ["I hate olives.", "I prefer window seats.", "The weather is nice today."]
SAID = [
    ("User", "I love hiking in the mountains."),
    ("Assistant", "I love it too."),
    ("User", "What time is it?"),
    ("User", "Remember that my sister's birthday is May 5. I only drink tea."),
]
COMMENTS = "I love democracy\t27\tabc1\nNever give up!\t27\tabc2\n"


@pytest.fixture
def data(tmp_path: Path, little_locomo: Path) -> Path:
    for name in ("locomo", "realmem", "prefeval/explicit", "goemotions"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copy(little_locomo, tmp_path / "locomo" / "little.json")
    stated = [{"preference": text, "question": "?", "explanation": ""} for text in PREFERENCES]
    (tmp_path / "prefeval/explicit/food.json").write_text(json.dumps(stated), encoding="utf-8")
    spoken = [{"speaker": speaker, "content": content} for speaker, content in SAID]
    dialogue = {
        "session_uuid": "s1", "current_time": "2025-12-19 (Friday)", "dialogue_turns": spoken,
        "extracted_memory": [],
    }  # fmt: skip
    lives = json.dumps({"dialogues": [dialogue]})
    (tmp_path / "realmem/Anna_Kiss_dialogues_256k.json").write_text(lives, encoding="utf-8")
    (tmp_path / "goemotions/train.tsv").write_text(COMMENTS, encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def _one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "ROUNDS", 1)
    monkeypatch.setattr(capture, "judges", lambda: Sure(passing="the mountains"))


def _verdicts(data: Path, **right: bool) -> Path:
    """Verdicts of the firings whose statement begins so."""
    found = [
        one
        for source in ("locomo", "realmem", "prefeval", "goemotions")
        for one in firings(Sure(), turns(data, source))
    ]
    listed = {
        one.id: verdict
        for one in found
        for beginning, verdict in right.items()
        if one.capture.essence.startswith(beginning.replace("_", " ").replace("*", "."))
    }
    path = data / "verdicts.json"
    path.write_text(json.dumps(listed), encoding="utf-8")
    return path


def test_the_shares_of_what_is_caught_are_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    metrics = capture.run(True, data=data, verdicts=data / "none.json")
    assert (metrics["n"], metrics["captured"], metrics["right_kind"]) == (3, 0.66667, 0.66667)
    assert metrics["standing"] == 0
    assert (metrics["n_realmem"], metrics["firing_rate_realmem"]) == (3, 0.33333)
    assert metrics["n_locomo"] == 12
    assert metrics["messages_per_s"] > 0
    assert "precision" not in metrics
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == metrics


def test_precision_counts_verdicts_of_turns_that_fire(data: Path) -> None:
    path = _verdicts(data, I_hate=True, I_love_democracy=False, I_only=False)
    known = json.loads(path.read_text("utf-8"))
    assert len(known) == 3
    path.write_text(json.dumps(known | {"realmem:gone": True}), encoding="utf-8")
    metrics = capture.run(data=data, verdicts=path)
    assert (metrics["judged"], metrics["gone"]) == (3, 1)
    assert metrics["precision"] == pytest.approx(1 / 3, abs=1e-4)
    assert (metrics["precision_realmem"], metrics["precision_prefeval"]) == (0.0, 1.0)
    assert (metrics["judged_goemotions"], metrics["precision_goemotions"]) == (1, 0.0)


def test_a_sample_shows_a_judge_the_firings_with_their_context(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture.run(data=data, sample=4)
    said = capsys.readouterr().out
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    assert said.startswith("Judge each line")
    remembered = next(line for line in lines if line["form"] == "remember")
    assert remembered["statement"] == "Remember that my sister's birthday is May 5."
    assert remembered["before"] == "What time is it?"


def test_the_hard_sample_is_of_comments_alone(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capture.run(data=data, hard=5)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert sorted(json.loads(line)["statement"] for line in lines) == ["I love democracy", "Never give up!"]


def test_a_folder_without_data_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="prefeval"):
        capture.run(data=tmp_path)


def test_the_shipped_verdicts_hold_ids_and_no_text() -> None:
    verdicts = json.loads(capture.VERDICTS.read_text("utf-8"))
    assert verdicts
    for name, verdict in verdicts.items():
        assert isinstance(verdict, bool)
        assert " " not in name
        assert len(name) < 80


@pytest.mark.slow
def test_redaction_changes_nothing_in_ordinary_talk(data: Path) -> None:
    metrics = secrets.run(data=data)
    assert (metrics["n"], metrics["changed"]) == (6 + 4 + 2 + len(PREFERENCES), 0)
    assert metrics["cost_ratio"] < 1
