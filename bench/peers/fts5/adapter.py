"""Plain SQLite FTS5: Porter's stemmer, BM25, the question's words joined by OR. A table for each bank, one file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class Adapter:
    def __init__(self, folder: Path, look: Any) -> None:  # noqa: ARG002
        self._connection = sqlite3.connect(folder / "fts5.db")
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._tables: dict[str, str] = {}

    @staticmethod
    def versions() -> dict[str, str]:
        return {"SQLite": sqlite3.sqlite_version}

    def add(self, bank: str, turns: Sequence[dict[str, str]]) -> None:
        if bank not in self._tables:
            self._tables[bank] = f"bank_{len(self._tables)}"
            self._connection.execute(
                f"CREATE VIRTUAL TABLE {self._tables[bank]} USING fts5(text, ref UNINDEXED, tokenize='porter')"
            )
        with self._connection:
            self._connection.executemany(
                f"INSERT INTO {self._tables[bank]} (text, ref) VALUES (?, ?)",
                [(turn["text"], turn["ref"]) for turn in turns],
            )

    def search(self, bank: str, question: str, limit: int) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        table = self._tables[bank]
        rows = self._connection.execute(
            f"SELECT ref FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT ?", (words, limit)
        )
        return [row[0] for row in rows]
