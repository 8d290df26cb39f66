"""What the tests of the PostgreSQL engine share: banks with a row in every table, and a way to look past the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg

from reverie import Reverie, Settings, StoreSettings
from reverie.embedders.hashing import HashingEmbedder
from reverie.store.postgres.engine import PostgresStore

DIMENSIONS = 16

# Every table that holds rows of agents, with the column that says whose; partitions come after their parents.
TABLES = """
SELECT c.oid::regclass::text, CASE c.relname WHEN 'agents' THEN 'id' ELSE 'agent_id' END
FROM pg_class c WHERE c.relnamespace = 'reverie'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'meta' ORDER BY 1
"""
PARTITIONS = """
SELECT c.oid::regclass::text FROM pg_class c
WHERE c.relnamespace = 'reverie'::regnamespace AND c.relkind = 'r' AND c.relispartition ORDER BY 1
"""


def opened(url: str, **changed: Any) -> Reverie:
    """Banks with a small hashing embedder; touches are written when they are asked for."""
    store = replace(changed.pop("store", StoreSettings()), touch_flush_every=1e6)
    chosen = Settings(store=store, **changed)
    return Reverie.open(url, embedder=HashingEmbedder.for_tests(DIMENSIONS), settings=chosen)


def ask(url: str, query: str, *params: object) -> list[tuple[Any, ...]]:
    """All rows, as whoever the URL names and not as the application's role, over a connection of its own."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET search_path = reverie, public")
        cursor = connection.execute(query.encode(), params or None)
        return cursor.fetchall() if cursor.description else []


def store_of(reverie: Reverie) -> PostgresStore:
    """The engine below."""
    store = reverie._desk.store
    assert isinstance(store, PostgresStore)
    return store


def live(reverie: Reverie, agent_id: str) -> None:
    """A small life that leaves a row in every table that verbs write; the texts name the agent."""
    agent = reverie.agent(agent_id, time_zone="Europe/Lisbon")
    agent.observe(
        [
            {
                "speaker": "Anna",
                "content": f"Anna told {agent_id} about the garden",
                "ref": "r1",
                "tags": ["home"],
            },
            {"speaker": "Bert", "content": f"Bert asked {agent_id} about trains", "ref": "r2"},
        ],
        conversation="kitchen",
    )
    first = agent.episodes(limit=1)[0]
    train = f"{agent_id} knows that the morning train from the old harbour to the northern station leaves at"
    kept = agent.remember(f"{train} 7:10", source_episodes=[first.id], topics=["trains"])
    agent.remember(f"{train} 8:10")  # near to the first, and not the same
    agent.revise(kept.memory.id, essence=f"{train} 9:10")
    gone = agent.remember(f"{agent_id} had a secret garden with forty lanterns")
    agent.forget(gone.memory.id)
    assert agent.recall(train).hits
    reverie._desk.touches.flush()
