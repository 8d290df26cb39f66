"""Where a bank still holds a word."""

from __future__ import annotations

from pathlib import Path

from reverie import Agent
from reverie.ports.transfer import AGENT
from tests.tables import CACHES, TABLES, UNREVISED


def rows_of(agent: Agent) -> dict[str, str]:
    """Return the agent's rows of every table, caches too, each table's as one text."""
    with agent._desk.store.read(agent.id) as unit:
        return {table: repr([*unit.transfer.pages(table)]) for table in (*TABLES, *UNREVISED, *CACHES, AGENT)}


def holding(agent: Agent, *words: str) -> list[str]:
    """Return the names of the tables in which one of the words stands."""
    return [table for table, rows in rows_of(agent).items() if any(word in rows for word in words)]


def files_holding(folder: Path, word: str) -> set[str]:
    """Return the names of the files in a folder in which a word stands as it is."""
    files = (one for one in folder.iterdir() if one.is_file())
    return {one.name for one in files if word.encode() in one.read_bytes()}
