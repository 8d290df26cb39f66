"""Where scanning all of an agent's rows stops being faster than its HNSW index: the numbers behind the engine's switch.

Both ways are the engine's own queries (store/postgres/near.py), for the hundred nearest, over clustered vectors: with
the agent alone in its partition, and with nine times as many rows of others beside it. The rows come by COPY from one
that the client stored; the index takes them in one by one, as it does in life.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector.psycopg import register_vector

from bench import servers
from bench.filling import AGENT, ClusteredEmbedder, opened
from bench.invented import invent
from bench.report import rounded, show
from bench.timing import percentile
from reverie.domain.query import Filter
from reverie.embedders.minilm import MiniLM
from reverie.store.postgres import near
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.filters import conditions

SIZES = (1000, 2000, 5000, 10_000, 20_000, 50_000)
WANTED = 100
OTHERS = 9
_WARM = 10
_TEMPLATE = "template"
_NEAR = """INSERT INTO memories_near (agent_id, id, near)
SELECT %(agent)s, id, vector::halfvec FROM fresh"""
_REACHED = """INSERT INTO indexed (agent_id, corpus, seq)
SELECT %(agent)s, 'memories', max(seq) FROM memories WHERE agent_id = %(agent)s
ON CONFLICT (agent_id, corpus) DO UPDATE SET seq = excluded.seq"""
_INDEXED = "SELECT seq FROM indexed WHERE agent_id = ? AND corpus = 'memories'"
_COLUMNS = """SELECT column_name::text FROM information_schema.columns
WHERE table_schema = 'reverie' AND table_name = 'memories' AND is_generated = 'NEVER' AND is_identity = 'NO'"""
NOTES = {
    "switch_in_engine": "store/postgres/near.py EXACT_ROWS",
    "alone_exact_up_to": "the largest size measured at which the scan was no slower",
    "shared_exact_up_to": "the same with nine times as many rows of others in the partition",
}

Vectors = NDArray[np.float32]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--url", help="a PostgreSQL where databases and roles may be made (default: one of our own)"
    )
    parser.add_argument(
        "--size", type=int, action="append", help=f"rows of the agent, may be repeated (default {SIZES})"
    )
    parser.add_argument(
        "--most-shared",
        type=int,
        default=10_000,
        help="the largest of them to share a partition (default 10,000)",
    )
    parser.add_argument(
        "--queries", type=int, default=100, help="distinct questions at each size (default 100)"
    )
    parser.add_argument("--seed", type=int, default=1)


def run(
    json_output: bool = False, *, url: str | None = None, size: Sequence[int] | None = None,
    most_shared: int = 10_000, queries: int = 100, seed: int = 1,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    sizes = sorted(size or SIZES)
    shared = [one for one in sizes if one <= most_shared]
    model = MiniLM()
    most = max([sizes[-1], *(one * (OTHERS + 1) for one in shared)])
    vectors = ClusteredEmbedder(model, seed, most).embed([""] * most)
    asked = np.stack([model.embed_query(one.question) for one in invent(seed + 2, 0, queries + _WARM)])
    metrics: dict[str, float] = {"seed": seed, "queries": queries, "switch_in_engine": near.EXACT_ROWS}
    with servers.server(url) as address:
        print(f"  server: {servers.settings(address)}", flush=True)
        for name, chosen, others in (("alone", sizes, 0), ("shared", shared, OTHERS)):
            faster = 0
            with servers.database(address, partitions=1) as database:
                for measured in _measured(database, vectors, asked, chosen, others):
                    metrics |= {
                        f"{name}_{measured.size}_{key}": value for key, value in measured.figures.items()
                    }
                    if measured.figures["exact_p50_ms"] <= measured.figures["hnsw_p50_ms"]:
                        faster = measured.size
                    print(f"  {name} {measured.size:,}: {measured}", flush=True)
            metrics[f"{name}_exact_up_to"] = faster
    found = rounded(metrics)
    show("Exact scan or HNSW, the hundred nearest", found, json_output=json_output, notes=NOTES)
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class _At:
    """What was measured at one size."""

    size: int
    figures: dict[str, float]

    def __str__(self) -> str:
        return ", ".join(f"{name} {value:.4g}" for name, value in self.figures.items())


def _measured(
    database: servers.Database, vectors: Vectors, asked: Vectors, sizes: Sequence[int], others: int
) -> Iterator[_At]:
    """Each size in turn, the bank growing from one to the next."""
    with opened(database.url, embedder=MiniLM()) as reverie:
        reverie.agent(_TEMPLATE).remember("Anna sold the old truck")
    store = PostgresStore(database.url)
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute(
            "SELECT set_config('search_path', 'reverie,' || current_setting('search_path'), false)"
        )
        register_vector(connection)
        done = 0
        for size in sizes:
            grown = size - done
            start = time.perf_counter()
            _grow(connection, AGENT, done, vectors[done:size])
            if others:
                beside = vectors[size : size + grown * others]
                _grow(connection, "others", done * others, beside)
            per_s = grown * (1 + others) / (time.perf_counter() - start)
            connection.execute("VACUUM (ANALYZE)")
            done = size
            yield _At(size=size, figures=_figures(store, vectors[:size], asked) | {"taken_in_per_s": per_s})
    store.close()


def _grow(
    connection: psycopg.Connection[tuple[object, ...]], agent: str, first: int, vectors: Vectors
) -> None:
    """More rows for the agent, and for the index: the one stored memory again and again, with other vectors."""
    names = [str(row[0]) for row in connection.execute(_COLUMNS).fetchall()]
    told = {"agent_id": "%(agent)s", "seq": "fresh.seq", "id": "fresh.id", "vector": "fresh.vector"}
    values = ", ".join(told.get(name, f"t.{name}") for name in names)
    with connection.transaction():
        connection.execute("CREATE TEMP TABLE fresh (seq bigint, id text, vector vector) ON COMMIT DROP")
        with connection.cursor().copy("COPY fresh FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int8", "text", "vector"])
            for number, vector in enumerate(vectors, first):
                copy.write_row((number + 1, f"{agent}-{number:08}", vector))
        connection.execute(
            f"INSERT INTO memories ({', '.join(names)}) SELECT {values} FROM fresh,"
            f" (SELECT * FROM memories WHERE agent_id = '{_TEMPLATE}' LIMIT 1) AS t",
            {"agent": agent},
        )
        connection.execute(_NEAR, {"agent": agent})
        connection.execute(_REACHED, {"agent": agent})


def _figures(store: PostgresStore, vectors: Vectors, asked: Vectors) -> dict[str, float]:
    """Both ways in turns, question by question."""
    model = MiniLM()
    times: dict[str, list[float]] = {"exact": [], "hnsw": []}
    found: dict[str, list[str]] = {}
    shares = []
    for number, vector in enumerate(asked):
        for name, texts in (("exact", 0), ("hnsw", near.EXACT_ROWS + 1)):
            with store.reader(
                AGENT
            ) as session:  # a transaction each, since a search sets its own planner options
                ((reached,),) = session.run(_INDEXED, (AGENT,))
                bank = near.VectorBank(
                    agent_id=AGENT, corpus="memories", embedder=model.id, dimensions=model.dimensions,
                    texts=texts, last=texts, indexed=reached,
                )  # fmt: skip
                passing = conditions(session, AGENT, Filter(), "memories", datetime.now(UTC))
                start = time.perf_counter()
                rows = near.nearest(session, bank, passing, vector, WANTED, lambda: near.MOST)
                found[name] = [id for (id,) in rows]
                if number >= _WARM:
                    times[name].append(time.perf_counter() - start)
        best = np.argsort(-(vectors @ vector))[:WANTED]
        places = {int(id.rpartition("-")[2]) for id in found["hnsw"]}
        shares.append(len(places & set(best.tolist())) / len(best))
    return {
        "exact_p50_ms": percentile(times["exact"], 50),
        "hnsw_p50_ms": percentile(times["hnsw"], 50),
        "hnsw_recall@100": float(np.mean(shares)),
    }
