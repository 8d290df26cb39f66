"""`bench peers`: how peers are compared. Only FTS5 runs here, which needs nothing but Python; no other is installed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bench import locomo_data
from bench.__main__ import main
from bench.locomo_data import Question
from bench.peers import compare
from bench.peers.compare import PEERS, answerable, compared, judged
from bench.peers.contenders import Found, Said
from bench.peers.process import Child, Ended
from bench.vectors import KeptVectors
from reverie.doors.formats.locomo import Session
from reverie.embedders.minilm import MiniLM


class Knowing:
    """A contender that finds every question's evidence at this place, and takes so many seconds for each question."""

    def __init__(self, place: int, seconds: float) -> None:
        self.place, self.seconds = place, seconds
        self.stored: list[tuple[str, str]] = []
        self.asked = 0

    def add(self, bank: str, session: Session) -> float:
        self.stored.append((bank, session.conversation))
        return 0.5

    def search(self, bank: str, questions: Sequence[Question]) -> tuple[Found, list[float]]:
        assert bank in dict(self.stored)
        self.asked += len(questions)
        found: Found = [[None] * self.place + list(question.evidence) for question in questions]
        return found, [self.seconds] * len(questions)


def _column(recall: float, milliseconds: float) -> dict[str, float]:
    return {
        "recall@5": recall,
        "recall@10": recall,
        "mrr": recall,
        "search_p50_ms": milliseconds,
        "search_p95_ms": 2 * milliseconds,
    }


def test_all_store_every_session_and_answer_every_question(little_locomo: Path) -> None:
    dialogues = locomo_data.read(little_locomo)
    first, fifth = Knowing(0, 0.001), Knowing(5, 0.002)
    records = compared({"first": first, "fifth": fifth}, dialogues)
    assert (
        first.stored == fifth.stored == [(one.id, s.conversation) for one in dialogues for s in one.sessions]
    )
    best, late = records["first"].figures(), records["fifth"].figures()
    assert (best["recall@5"], best["recall@10"], best["mrr"]) == (1.0, 1.0, 1.0)
    assert (late["recall@5"], late["recall@10"]) == (0.0, 1.0)
    assert late["mrr"] == pytest.approx(1 / 6)
    assert best["adds_per_s"] == pytest.approx(12 / 2.0)
    assert late["search_p50_ms"] == pytest.approx(2)
    assert late["search_p95_ms"] == pytest.approx(2)


def test_what_is_asked_for_warming_up_counts_nowhere(little_locomo: Path) -> None:
    (dialogue,) = locomo_data.read(little_locomo, ["one"])
    knowing = Knowing(0, 0.001)
    record = compared({"one": knowing}, [dialogue])["one"]
    assert (len(record.found), len(record.seconds), knowing.asked) == (3, 3, 6)


class Ending(Knowing):
    """A contender whose process ends at the first question."""

    def search(self, bank: str, questions: Sequence[Question]) -> tuple[Found, list[float]]:
        raise Ended("the peer's process ended with 1")


def test_a_peer_whose_process_ends_is_left_out_and_the_rest_goes_on(
    little_locomo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = compared({"ends": Ending(0, 1), "stays": Knowing(0, 1)}, locomo_data.read(little_locomo))
    assert list(records) == ["stays"]
    assert len(records["stays"].found) == 6
    assert "ends is left out: the peer's process ended with 1" in capsys.readouterr().out


def test_only_questions_of_categories_1_to_4_with_evidence_are_asked(little_locomo: Path) -> None:
    (dialogue,) = locomo_data.read(little_locomo, ["one"])
    assert [question.category for question in answerable(dialogue)] == [4, 1, 2]


def test_a_lead_is_taken_over_the_best_peer_of_each_column() -> None:
    columns = {"reverie": _column(0.7, 1), "a": _column(0.5, 1), "b": _column(0.75, 1)}
    targets = {target.name: target for target in judged(columns)}
    assert targets["recall@10_lead"].measured == pytest.approx(-0.05)
    assert targets["recall@10_lead"].verdict == "wanted ≥ 0: NOT REACHED"


def test_speed_is_compared_with_the_fastest_peer_that_finds_nearly_as_much() -> None:
    columns = {
        "reverie": _column(0.7, 3),
        "poor": _column(0.5, 1),
        "near": _column(0.56, 4),
        "slow": _column(0.6, 9),
    }
    targets = {target.name: target for target in judged(columns)}
    assert targets["search_p50_ratio"].measured == pytest.approx(3 / 4)
    assert "near's" in targets["search_p50_ratio"].what
    assert targets["search_p95_ratio"].verdict == "told, no target here"


def test_nobody_near_leaves_speed_untold_and_nobody_at_all_everything() -> None:
    assert [one.name for one in judged({"reverie": _column(0.7, 3), "poor": _column(0.5, 1)})] == [
        "recall@5_lead",
        "recall@10_lead",
        "mrr_lead",
    ]
    assert judged({"reverie": _column(0.7, 3)}) == []


def test_peers_are_given_the_speaker_only_where_that_is_asked_for(
    little_locomo: Path, tmp_path: Path
) -> None:
    dialogues = locomo_data.read(little_locomo, ["one"])
    vectors = KeptVectors(MiniLM())
    for speakers, start in ((False, "I adopted"), (True, "Anna: I adopted")):
        Said(dialogues, speakers=speakers).write(tmp_path, vectors)
        texts = json.loads((tmp_path / "texts.json").read_text("utf-8"))
        assert texts[0].startswith(start)
        assert texts[-1] == "Where does Ben live?"
        assert len(texts) == 6 + 5


def test_peers_runs_beside_fts5_and_counts_no_network(
    little_locomo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["peers", "--data", str(little_locomo), "--only", "fts5", "--json"]) == 0
    said = capsys.readouterr().out.splitlines()
    metrics = json.loads(said[-1])
    assert (metrics["turns"], metrics["n"]) == (12, 6)
    assert metrics["reverie_recall@10"] == 1.0
    assert 0 < metrics["fts5_recall@10"] <= 1
    assert metrics["fts5_network_attempts"] == 0
    assert metrics["fts5_search_p50_ms"] > 0
    assert metrics["recall@10_lead"] == pytest.approx(
        metrics["reverie_recall@10"] - metrics["fts5_recall@10"], abs=1e-4
    )
    assert said[0].startswith("  fts5: SQLite 3")


def test_a_peer_that_cannot_be_installed_is_left_out_and_said(
    little_locomo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(name: str) -> Path:
        raise subprocess.CalledProcessError(1, ["pip", name])

    monkeypatch.setattr(compare, "environment", fails)
    assert (
        main(["peers", "--data", str(little_locomo), "--sample", "one", "--only", "chroma", "fts5", "--json"])
        == 0
    )
    said = capsys.readouterr().out
    assert "chroma is left out" in said
    metrics = json.loads(said.splitlines()[-1])
    assert "fts5_mrr" in metrics
    assert not [name for name in metrics if name.startswith("chroma")]


def test_every_peer_has_its_adapter_and_its_pins() -> None:
    for peer in PEERS.values():
        assert peer.adapter.is_file()
        if peer.environment is not None:
            folder = Path(compare.__file__).parent / peer.environment
            pins = (folder / "requirements.txt").read_text("utf-8")
            wanted = re.findall(
                r"^[\w-]+==[\d.]+$", (folder / "requirements.in").read_text("utf-8"), re.MULTILINE
            )
            assert wanted
            assert [line for line in wanted if f"\n{line} \\" not in f"\n{pins}"] == []
            assert "--hash=sha256:" in pins


def test_a_peer_that_asks_for_a_host_is_refused_and_counted(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(
        "import socket\n"
        "class Adapter:\n"
        "    def __init__(self, folder, look):\n"
        "        try:\n"
        "            socket.getaddrinfo('example.org', 443)\n"
        "        except OSError:\n"
        "            pass\n"
        "    @staticmethod\n"
        "    def versions():\n"
        "        return {}\n",
        encoding="utf-8",
    )
    (tmp_path / "texts.json").write_text('["a"]', encoding="utf-8")
    np.save(tmp_path / "vectors.npy", np.zeros((1, 2), np.float32))
    host = Path(compare.__file__).with_name("host.py")
    with Child([sys.executable, "-P", host, adapter, tmp_path], {}) as child:
        assert child.ready == {"versions": {}}
        assert child.ask("attempts") == {"attempts": 1}


def test_a_child_that_is_gone_is_told_from_one_that_answers() -> None:
    talk = "import sys; sys.stdin.readline(); print('{}', flush=True); sys.stdin.close()"
    with Child([sys.executable, "-c", talk], {}) as child:
        for _ in range(2):
            with pytest.raises(Ended, match="ended with 0"):
                child.ask("anything")
