"""LangGraph's SqliteStore with its sqlite-vec index in a file; a namespace for each bank.

It loads sqlite-vec as an extension, which the sqlite3 of some Pythons can't; pysqlite3 stands in there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore  # type: ignore[import-not-found]  # lives in its own environment alone


def _connect(path: Path) -> Any:
    connect: Any = sqlite3.connect
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        import pysqlite3  # type: ignore[import-not-found]  # lives in its own environment alone

        connect = pysqlite3.connect
    # As SqliteStore.from_conn_string opens it.
    return connect(str(path), check_same_thread=False, isolation_level=None)


class Adapter:
    def __init__(self, folder: Path, look: Any) -> None:
        self._store = SqliteStore(
            _connect(folder / "langgraph.db"),
            # "fields" is what its documentation says; what it reads is "text_fields".
            index={
                "dims": look.dimensions,
                "embed": look.lists,
                "fields": ["text"],
                "text_fields": ["text"],
            },
        )
        self._store.setup()

    @staticmethod
    def versions() -> dict[str, str]:
        return {
            name: metadata.version(name)
            for name in ("langgraph", "langgraph-checkpoint-sqlite", "sqlite-vec")
        }

    def add(self, bank: str, turns: Sequence[dict[str, str]]) -> None:
        self._store.batch(
            [PutOp(namespace=(bank,), key=turn["ref"], value={"text": turn["text"]}) for turn in turns]
        )

    def search(self, bank: str, question: str, limit: int) -> list[str]:
        return [item.key for item in self._store.search((bank,), query=question, limit=limit)]
