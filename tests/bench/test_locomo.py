"""`bench locomo`: budgets of tokens, and what a floor keeps and refuses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bench import locomo_data
from bench.__main__ import main
from bench.locomo_floors import Judged, floor_curve, floor_figures, floor_that_keeps, judged
from bench.vectors import KeptVectors
from reverie import Settings
from reverie.embedders.minilm import MiniLM


def _judged(evidence: float | None, without: float, elsewhere: float | None = None) -> Judged:
    return Judged(evidence=evidence, without=without, elsewhere=elsewhere)


FOUND = [_judged(0.9, 0.1), _judged(0.5, 0.2), _judged(0.3, 0.05), _judged(0.2, 0.4), _judged(None, 0.0)]


def _metrics(arguments: Sequence[str], said: pytest.CaptureFixture[str]) -> dict[str, float]:
    assert main([*arguments, "--json"]) == 0
    return dict(json.loads(said.readouterr().out.splitlines()[-1]))


def test_a_floor_keeps_what_reaches_it_and_refuses_where_nothing_does() -> None:
    assert floor_figures(FOUND, 0.3) == {"kept": 0.75, "refused": 0.8}
    assert floor_figures(FOUND, 0.0) == {"kept": 1.0, "refused": 0.0}


def test_another_bank_counts_only_where_there_is_one() -> None:
    found = [_judged(0.9, 0.1, 0.3), _judged(0.9, 0.1, 0.1), _judged(0.9, 0.1)]
    assert floor_figures(found, 0.2)["refused_elsewhere"] == 0.5
    assert "refused_elsewhere" not in floor_figures(FOUND, 0.2)


@pytest.mark.parametrize(("share", "floor"), [(1.0, 0.2), (0.75, 0.3), (0.74, 0.3), (0.5, 0.5), (0.25, 0.9)])
def test_the_floor_for_a_share_is_the_highest_that_keeps_it(share: float, floor: float) -> None:
    assert floor_that_keeps(FOUND, share) == floor
    assert floor_figures(FOUND, floor)["kept"] >= share
    assert floor_figures(FOUND, floor + 1e-6)["kept"] < share


def test_the_curve_names_floors_and_shares() -> None:
    curve = floor_curve(FOUND, 0.3)
    assert (curve["floor_kept"], curve["floor_refused"], curve["floor_kept_at_0.3"]) == (0.75, 0.8, 0.75)
    assert (curve["floor_keeping_0.97"], curve["floor_refused_keeping_0.97"]) == (0.2, 0.6)


def test_the_evidence_is_gone_for_its_own_question_alone(little_locomo: Path) -> None:
    dialogues = locomo_data.read(little_locomo, ["one"])
    found = judged(dialogues, settings=Settings(), embedder=KeptVectors(MiniLM()))
    assert len(found) == 3
    for one in found:
        assert one.evidence is not None
        assert one.without < one.evidence
        assert one.elsewhere is None


def test_floors_and_budgets_come_beside_the_figures_that_are_always_there(
    little_locomo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = _metrics(["locomo", "--data", str(little_locomo)], capsys)
    keep = ["--keep", str(tmp_path / "kept")]
    metrics = _metrics(["locomo", "--data", str(little_locomo), "--floors", "--budgets", *keep], capsys)
    assert plain.keys() - metrics.keys() == {"observe_per_s", "questions_per_s"}
    assert {name: plain[name] for name in plain if "per_s" not in name} == {
        name: metrics[name] for name in plain if "per_s" not in name
    }
    for prefix in ("", "lexical_", "semantic_"):
        recalls = [metrics[f"{prefix}recall_{budget}_tokens"] for budget in (500, 1000, 2000)]
        assert recalls == sorted(recalls)
        assert recalls[0] > 0.5
        assert metrics[f"{prefix}turns_500_tokens"] <= 6
    assert metrics["floor_kept_at_0.006"] >= metrics["floor_kept_at_0.3"]
    assert metrics["floor_refused_at_0.006"] <= metrics["floor_refused_at_0.3"]
    assert 0 <= metrics["floor_refused_elsewhere"] <= 1
    assert [path.suffix for path in (tmp_path / "kept").iterdir()] == [".npz"]


def test_floors_are_measured_on_files(little_locomo: Path) -> None:
    with pytest.raises(SystemExit, match="leave --url out"):
        main(["locomo", "--data", str(little_locomo), "--floors", "--url", "postgresql://nowhere/"])
