"""`python -m bench dedup` reads every published form of its sets and counts what is merged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.dedup_data import Pair, load

MRPC = """\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String
1\t1\t2\tThe shop "opens at nine" on Monday.\tOn Monday, the shop "opens at nine".
0\t3\t4\tThe train leaves at 7:40\tThe train leaves at 8:40
"""
SICK = """pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment
1\tThe dog is asleep in the barn\tA dog is asleep in the barn\t4.8\tENTAILMENT
2\tThe dog is asleep in the barn\tThe dog is not asleep in the barn\t3.9\tCONTRADICTION
3\tThe dog is asleep in the barn\tTwo men play cards\t1.0\tNEUTRAL
"""
PAWS = """id\tsentence1\tsentence2\tlabel
1\tb'Is tea or milk better ?'\tb"Is milk or tea better ?"\t1
2\tb'Does tea beat milk , or what ?'\tb'Does milk beat tea , or what ?'\t0
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    for name, text in (("mrpc/train.tsv", MRPC), ("sick/SICK_test.txt", SICK), ("other_half.tsv", PAWS)):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "sick" / "readme.txt").write_text("SICK\n\npairs of sentences\n", "utf-8")
    return tmp_path


def test_each_set_is_known_by_its_first_line_wherever_it_lies(pairs: Path) -> None:
    found = load(pairs)
    assert {name: len(of) for name, of in found.items()} == {"mrpc": 2, "sick": 3, "paws": 2}
    assert found["mrpc"][0].one == 'The shop "opens at nine" on Monday.'
    assert [(pair.alike, pair.contradicts) for pair in found["sick"]] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert found["paws"][0] == Pair(
        one="Is tea or milk better ?", other="Is milk or tea better ?", alike=True
    )


def test_a_folder_without_pairs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no set of pairs"):
        load(tmp_path)


def test_what_the_guard_gives_and_costs_is_counted(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dedup", "--data", str(pairs), "--threshold", "0.8", "--json"]) == 0
    said = capsys.readouterr().out
    metrics = json.loads(said.splitlines()[-1])
    for name in ("mrpc", "sick", "paws"):
        assert metrics[f"{name}_precision"] == metrics[f"{name}_recall"] == 1.0
        assert metrics[f"{name}_precision_unguarded"] == 0.5
    assert (metrics["contradictions_merged"], metrics["contradictions_merged_unguarded"]) == (0.0, 1.0)
    assert "mrpc: merged 1/0, number 0/1" in said
    assert "paws: merged 1/0, order 0/1" in said


def test_one_set_alone_is_measured_alone(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dedup", "--data", str(pairs / "mrpc"), "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert "mrpc_recall" in metrics
    assert not [name for name in metrics if name.startswith(("sick", "paws", "contradictions"))]
