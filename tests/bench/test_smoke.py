"""Every bench runs from end to end on little data, and its last line is its figures as one flat JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import psycopg
import pytest

from bench import capture, loop, society
from bench.__main__ import COMMANDS, main
from tests.services.sure import Sure

pytestmark = pytest.mark.slow

ON_SERVER = "--url {server}"
SMALL = "--n 20 --queries 4 --messages 8"
RUNS: Sequence[tuple[str, str, Mapping[str, float]]] = [
    ("locomo", "--data {data}/locomo/little.json --floors --budgets", {"n": 6, "turns": 12, "recall@10": 1}),
    ("locomo", f"--data {{data}}/locomo/little.json {ON_SERVER}", {"n": 6, "recall@10": 1}),
    ("beam", "--data {data}/beam", {"n": 1, "unanswerable_n": 1, "recall@10": 1}),
    ("realmem", "--data {data}/realmem", {"n": 1, "facts": 3, "memories": 2, "recall@10": 1, "mrr": 1}),
    ("realmem", f"--data {{data}}/realmem --without-episodes {ON_SERVER}", {"n": 1, "episodes": 0, "mrr": 1}),
    (
        "languages",
        "--data {data}/languages --embedder minilm",
        {"questions": 2, "minilm_lexical_cross_mrr": 1},
    ),
    ("activation", "--data {data}/realmem --max-tokens 52", {"n": 1, "covered_ours": 1}),
    ("context", "--n 20 --queries 4", {"n": 20, "tasks": 4}),
    ("window", "--n 20 --messages 160 --turns 2", {"again_calls": 0}),
    ("fit", "--realmem {data}/realmem --only realmem", {}),
    ("emotions", "--data {data}/goemotions/train.tsv", {"n": 2, "top3_hit": 1}),
    ("capture", "--data {data}", {"n": 1, "captured": 1}),
    ("secrets", "--data {data}", {"changed": 0}),
    ("dedup", "--data {data}/pairs --threshold 0.8", {"paws_recall": 1}),
    ("quotes", "--data {data}/locomo", {"verbatim": 1, "failures": 0}),
    ("sleep", "--life {data}/little.jsonl", {"n": 1, "messages": 2, "current_first": 1, "as_of_right": 1}),
    ("speed", SMALL + " --mixed", {"missed_writes": 0, "encrypted": 1}),
    ("speed", f"{SMALL} {ON_SERVER}", {"n": 20}),
    ("society", "--agents 2 --days 1 --turns 10", {"violations": 0, "turns": 20}),
    ("loop", "--rounds 1 --seconds 0.05 --pace 0.02 --every 0.05", {"failures": 0}),
    ("growth", "--figures {data}/500.json {data}/5000.json", {"ratio_at_500": 0.5, "steepest": 0}),
    (
        "engines",
        f"--n 40 --banks 2 --memories 10 --queries 4 --adds 8 --no-peer {ON_SERVER}",
        {"40_least_recall": 1, "2x10_least_recall": 1},
    ),
    (
        "scale",
        f"--agents 3 --memories 12 --queries 4 --due 1 --no-kill --no-peer --no-cluster {ON_SERVER}",
        {"agents": 3, "postgres_recall@10": 1, "postgres_nights_twice": 0},
    ),
    (
        "peers",
        "--data {data}/locomo/little.json --sample one --only fts5",
        {"n": 3, "fts5_network_attempts": 0},
    ),
    ("link", f"--n 40 --own 10 --revoke {ON_SERVER}", {"n": 40, "own": 10}),
    ("switch", f"--size 120 --most-shared 120 --queries 3 {ON_SERVER}", {}),
    ("banks", "--banks 2 --memories 10", {"banks": 2, "memories_per_bank": 10}),
    ("hooks", "--n 20 --hooks 2", {"n": 20, "answered": 1}),
    ("cold", "--n 20 --runs 1", {}),
    ("mcp", "--n 20 --queries 3", {"n": 20, "queries": 3}),
    ("rest", "--n 20 --requests 40 --clients 2", {"n": 20, "requests": 40, "clients": 2, "errors": 0}),
    ("pages", "--n 20", {"n": 20, "precomputed_vectors": 0}),
    ("embed", "--n 4 --rounds 1", {}),
]
APART = {"failover", "night", "record", "size"}  # in test_postgres_failover.py, test_night.py and below


def figures_of(arguments: Sequence[str], said: pytest.CaptureFixture[str]) -> dict[str, float]:
    assert main([*arguments, "--json"]) == 0
    figures = json.loads(said.readouterr().out.splitlines()[-1])
    assert all(isinstance(value, int | float) for value in figures.values())
    return dict(figures)


@pytest.mark.parametrize(
    ("command", "options", "expected"), RUNS, ids=[f"{run[0]} {run[1]}"[:40] for run in RUNS]
)
def test_a_bench_ends_on_its_figures(
    command: str, options: str, expected: Mapping[str, float], data: Path, request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(capture, "ROUNDS", 1)
    monkeypatch.setattr(capture, "judges", Sure)
    monkeypatch.setattr(loop, "AT_ONCE", 10)
    server = request.getfixturevalue("postgres_server") if ON_SERVER in options else ""
    figures = figures_of([command, *options.format(data=data, server=server).split()], capsys)
    assert figures
    assert {name: figures[name] for name in expected} == pytest.approx(expected, abs=1e-4)
    if server:
        with psycopg.connect(server) as connection:
            left = "SELECT datname FROM pg_database WHERE datname LIKE 'reverie_bench_%'"
            assert connection.execute(left).fetchall() == []


def test_each_bench_has_a_run() -> None:
    assert {run[0] for run in RUNS} | APART == set(COMMANDS)


def test_the_core_stays_under_its_limit_and_brings_no_torch(capsys: pytest.CaptureFixture[str]) -> None:
    figures = figures_of(["size"], capsys)
    assert {"onnxruntime_mb", "numpy_mb", "reverie_mb"} <= figures.keys()
    assert 20 < figures["core_mb"] <= 250
    assert not [name for name in figures if "torch" in name or "tokenizers" in name]


def test_a_broken_law_fails_the_bench_of_society(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(society, "check", lambda world: world.wrong("a law is broken", "nova"))
    with pytest.raises(SystemExit) as ended:
        main(["society", "--agents", "2", "--days", "1", "--turns", "2"])
    assert ended.value.code == 1
    assert "VIOLATION day 1, nova: a law is broken" in capsys.readouterr().out
