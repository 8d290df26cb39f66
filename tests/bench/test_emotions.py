"""The command that measures the emotion classifier."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.__main__ import main
from reverie.domain.emotion import Emotion

LABELS = list(Emotion)
SAID = {
    "Thank you so much for your help!": Emotion.GRATITUDE,
    "I love her with all my heart": Emotion.LOVE,
    "I'm so sorry, please forgive me": Emotion.REMORSE,
    "The meeting is in room 4 at ten": Emotion.NEUTRAL,
}


@pytest.fixture
def split(tmp_path: Path) -> Path:
    """A little file of GoEmotions' form, with texts of our own."""
    file = tmp_path / "little.tsv"
    lines = [f"{text}\t{LABELS.index(label)}\tid{place}" for place, (text, label) in enumerate(SAID.items())]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def test_emotions_ends_on_its_figures(split: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emotions", "--data", str(split), "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (metrics["n"], metrics["top3_hit"]) == (4, 1.0)
    assert metrics["macro_f1"] == pytest.approx(4 / 28, rel=0.01)
    assert metrics["texts_per_s"] > metrics["embed_per_s"] > 0


def test_without_json_each_label_has_a_line(split: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["emotions", "--data", str(split)])
    said = capsys.readouterr().out
    assert [label for label in LABELS if f"  {label} " not in said] == []


def test_a_file_without_texts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text("", "utf-8")
    with pytest.raises(SystemExit, match="no texts"):
        main(["emotions", "--data", str(tmp_path / "empty.tsv")])
