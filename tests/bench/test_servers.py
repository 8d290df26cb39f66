"""The benches on PostgreSQL run from end to end on little data, in databases that are gone afterwards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import psycopg
import pytest

from bench import servers
from bench.__main__ import main
from bench.dataset import FILTERS, Looking, made
from bench.engines import Shape, judged
from bench.report import Target
from reverie.embedders.minilm import MiniLM

pytestmark = pytest.mark.slow


def _metrics(arguments: Sequence[str], said: pytest.CaptureFixture[str]) -> dict[str, float]:
    assert main([*arguments, "--json"]) == 0
    metrics = json.loads(said.readouterr().out.splitlines()[-1])
    assert all(isinstance(value, int | float) for value in metrics.values())
    return dict(metrics)


def _left(url: str) -> list[str]:
    """What a bench may have left on the server."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE 'reverie_bench_%'"
            " UNION ALL SELECT rolname FROM pg_roles WHERE rolname LIKE 'reverie_bench_%'"
        ).fetchall()
    return [row[0] for row in rows]


def test_engines_compares_both_on_every_figure(
    postgres_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["engines", "--n", "40", "--banks", "2", "--memories", "10", "--queries", "4", "--adds", "8"]
    metrics = _metrics([*arguments, "--no-peer", "--url", postgres_server], capsys)
    for shape in ("40", "2x10"):
        figures = {
            name.removeprefix(f"{shape}_postgres_")
            for name in metrics
            if name.startswith(f"{shape}_postgres_")
        }
        assert figures >= {"fill_per_s", "adds_per_s", "adds_alone_per_s", "bytes_per_memory"}
        assert figures >= {f"search_{filter}_p95_ms" for filter in FILTERS}
        assert figures == {
            name.removeprefix(f"{shape}_sqlite_") for name in metrics if f"{shape}_sqlite_" in name
        }
        assert all(metrics[f"{shape}_{engine}_recall@10_90%"] == 1 for engine in ("sqlite", "postgres"))
        assert metrics[f"{shape}_least_recall"] == 1
    assert _left(postgres_server) == []


def test_speed_prints_the_same_figures_for_a_server(
    postgres_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["speed", "--n", "20", "--queries", "4", "--messages", "8", "--mixed"]
    on_server = _metrics([*arguments, "--url", postgres_server], capsys)
    on_file = _metrics([one for one in arguments if one != "--mixed"], capsys)
    assert on_file.keys() - on_server.keys() == {"encrypted"}
    more = {name.partition("_")[0] for name in on_server.keys() - on_file.keys()}
    assert more == {"mixed", "missed", "other", "index"}
    assert on_server["missed_writes"] == 0
    assert _left(postgres_server) == []


def test_speed_refuses_what_is_about_files_on_a_server(tmp_path: Path) -> None:
    for option in (["--plain"], ["--keep", str(tmp_path)]):
        with pytest.raises(SystemExit, match="about files"):
            main(["speed", "--url", "postgresql://nowhere/", *option])


def test_locomo_finds_on_a_server_what_it_finds_in_a_file(
    little_locomo: Path, postgres_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["locomo", "--data", str(little_locomo)]
    on_server, on_file = _metrics([*arguments, "--url", postgres_server], capsys), _metrics(arguments, capsys)
    assert {name: value for name, value in on_server.items() if not name.endswith("_per_s")} == {
        name: value for name, value in on_file.items() if not name.endswith("_per_s")
    }
    assert _left(postgres_server) == []


def test_switch_times_both_ways_at_each_size(
    postgres_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["switch", "--size", "120", "--size", "150", "--most-shared", "120", "--queries", "3"]
    metrics = _metrics([*arguments, "--url", postgres_server], capsys)
    for place in ("alone_120", "alone_150", "shared_120"):
        assert metrics[f"{place}_exact_p50_ms"] > 0
        assert metrics[f"{place}_hnsw_p50_ms"] > 0
        assert metrics[f"{place}_hnsw_recall@100"] > 0.9
    assert "shared_150_exact_p50_ms" not in metrics
    assert _left(postgres_server) == []


def test_a_server_of_the_benchs_own_is_durable_and_stops_at_the_end() -> None:
    with servers.server(None) as url, servers.database(url) as database:
        assert "fsync on · synchronous_commit on · full_page_writes on" in servers.settings(database.url)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)


def test_exact_is_by_cosine_among_the_stored_rows_of_the_asked_agent() -> None:
    data = made(40, 2, 1, 2)
    cosines = data.vectors @ data.asked[1]
    stored = np.ones(40, np.bool_)
    stored[int(np.argmax(cosines))] = False
    best = data.nearest(1, stored, 5)
    expected = sorted((place for place in range(20, 40) if stored[place]), key=lambda place: -cosines[place])[
        :5
    ]
    assert best == expected
    assert data.asks(1) == data.agent(20) != data.agent(19)


def test_marks_pass_about_their_share_and_reach_every_engine_alike() -> None:
    data = made(300, 1, 1, 1)
    for share, wanted in (("90%", 0.9), ("10%", 0.1), ("1%", 0.01)):
        passing = data.passing(share)
        assert passing.mean() == pytest.approx(wanted, abs=0.05)
        (tag,) = FILTERS[share].values()
        for place in range(0, 300, 10):
            assert (tag in data.draft(place)["tags"]) == passing[place]  # type: ignore[operator]  # a list of tags
            assert (data.metadata(place)[str(tag)] == "y") == passing[place]


def test_looked_up_vectors_are_the_datas_own() -> None:
    data = made(20, 1, 1, 2)
    looking = Looking(MiniLM(), data)
    texts = [one.text for one in data.memories]
    assert (looking.embed(texts[3:5]) == data.vectors[3:5]).all()
    assert (looking.embed_query(data.questions[1].question) == data.asked[1]).all()


def test_a_target_that_is_missed_says_so() -> None:
    assert Target(name="a", what="a", measured=4.9, least=5).verdict == "wanted ≥ 5: NOT REACHED"
    assert Target(name="a", what="a", measured=1.9, most=2).verdict == "wanted ≤ 2: reached"


def test_times_have_a_target_only_where_there_is_much_to_search() -> None:
    column = {f"search_{filter}_p95_ms": 1.0 for filter in FILTERS}
    column |= {f"recall@10_{share}": 1.0 for share in FILTERS}
    slow = {**column, "search_kinds_p95_ms": 2.5, "search_1%_p95_ms": 9.0, "recall@10_10%": 0.97}
    columns = {"sqlite": column, "postgres": slow}
    ordinary, worst, recall = judged(columns, Shape(memories=100_000, banks=1))
    assert (ordinary.measured, ordinary.verdict) == (2.5, "wanted ≤ 2: NOT REACHED")
    assert (worst.measured, worst.verdict) == (9.0, "told, no target here")
    assert (recall.measured, recall.verdict) == (0.97, "wanted ≥ 0.98: NOT REACHED")
    assert judged(columns, Shape(memories=10_000, banks=1))[0].verdict == "told, no target here"
