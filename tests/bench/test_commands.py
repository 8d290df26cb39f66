"""Every command runs from end to end on little data, and its last line is its metrics as one flat JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bench import living
from bench.__main__ import COMMANDS, main
from bench.filling import AGENT, bank, opened
from bench.timing import TimedEmbedder
from reverie.embedders.minilm import MiniLM
from reverie.store.sqlite.search import SqliteSearch

pytestmark = pytest.mark.slow


def _metrics(arguments: Sequence[str], said: pytest.CaptureFixture[str]) -> dict[str, float]:
    assert main([*arguments, "--json"]) == 0
    metrics = json.loads(said.readouterr().out.splitlines()[-1])
    assert all(isinstance(value, int | float) for value in metrics.values())
    return dict(metrics)


def test_locomo_finds_the_evidence_of_easy_questions(
    little_locomo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = _metrics(["locomo", "--data", str(little_locomo)], capsys)
    assert metrics.keys() >= {
        "recall@5",
        "recall@10",
        "recall@20",
        "recall@50",
        "mrr",
        "ndcg@10",
        "cat5_recall@10",
    }
    assert (metrics["n"], metrics["questions"], metrics["turns"]) == (6, 10, 12)
    assert metrics["recall@10"] == 1.0
    assert metrics["mrr"] > 0.8


def test_locomo_takes_one_sample_alone(little_locomo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    metrics = _metrics(["locomo", "--data", str(little_locomo), "--sample", "two"], capsys)
    assert (metrics["dialogues"], metrics["n"]) == (1, 3)


def test_the_core_stays_under_its_limit_and_brings_no_torch(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = _metrics(["size"], capsys)
    parts = {name: size for name, size in metrics.items() if name not in ("core_mb", "packages")}
    assert metrics["core_mb"] == pytest.approx(sum(parts.values()), rel=0.01)
    assert {"onnxruntime_mb", "numpy_mb", "reverie_mb"} <= parts.keys()
    assert 20 < metrics["core_mb"] <= 250
    assert not [name for name in parts if "torch" in name or "tokenizers" in name]


def test_speed_measures_a_living_bank_and_misses_no_write(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["speed", "--n", "40", "--queries", "10", "--messages", "20", "--mixed"]
    metrics = _metrics(arguments, capsys)
    assert metrics.keys() >= {
        "n", "seed", "observe_per_s", "remember_per_s", "embed_batch_per_s", "embed_query_p50_ms", "recall_p50_ms",
        "recall_p95_ms", "recall_rest_p50_ms", "recall_rest_p95_ms", "open_ms", "rss_mb", "bytes_per_memory",
        "observe_ratio", "rest_ratio_to_embedding", "mixed_recall_p95_ms", "static_recall_p50_ms", "mixed_ratio",
    }  # fmt: skip
    assert metrics["missed_writes"] == 0
    assert metrics["recall_rest_p50_ms"] < metrics["recall_p50_ms"]


def test_a_recall_that_shows_an_old_state_is_counted_as_missing_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bank(tmp_path, 20, 1)
    embedder = TimedEmbedder(MiniLM())
    with opened(path, embedder=embedder) as reverie:
        agent = reverie.agent(AGENT)
        old = agent._desk.search.view(AGENT)
        monkeypatch.setattr(SqliteSearch, "view", lambda *_: old)
        metrics = living.measure(agent, embedder, path, rounds=5, seed=1, encrypted=True)
    assert metrics["missed_writes"] >= 10


def test_a_kept_bank_is_built_once_and_left_as_it_was(tmp_path: Path) -> None:
    keep, first, second = (tmp_path / name for name in ("keep", "first", "second"))
    first.mkdir()
    second.mkdir()
    bank(first, 20, 1, keep=keep)
    (kept,) = keep.iterdir()
    before = kept.stat().st_mtime_ns, kept.read_bytes()
    copy = bank(second, 20, 1, keep=keep)
    with opened(copy) as reverie:
        assert reverie.agent(AGENT).stats().memories == 20
        reverie.agent(AGENT).remember("Anna sold the old truck")
    assert (kept.stat().st_mtime_ns, kept.read_bytes()) == before


def test_a_bank_can_be_plain(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["speed", "--n", "20", "--queries", "4", "--messages", "8", "--plain"]
    assert _metrics(arguments, capsys)["encrypted"] == 0


def test_banks_measures_what_open_banks_add(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = _metrics(["banks", "--banks", "3", "--memories", "20"], capsys)
    assert (metrics["banks"], metrics["memories_per_bank"]) == (3, 20)
    assert metrics["rss_one_mb"] > 10


def test_cold_times_whole_processes(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = _metrics(["cold", "--n", "20", "--runs", "1"], capsys)
    assert metrics["cold_recall_s"] > metrics["bare_python_s"] > 0


def test_the_commands_are_known_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert [name for name in COMMANDS if name not in said] == []
