"""Care of the file: making deleted words vanish from it, and looking for faults."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from reverie.store.sqlite.connection import Handle

_INDEXES = {"memories_fts": ("essence", "lesson", "tags", "scope"), "episodes_fts": ("content",)}
_MOST_FAULTS = 100


def scour(handle: Handle) -> bool:
    """Rewrite the file so that nothing deleted is left in it.

    ``secure_delete`` alone is not enough: a row that moved when its page was split leaves a copy behind, and FTS5
    keeps whole words as the borders between the pages of its index, secure-delete or not. So each index is merged
    anew, the file is rebuilt, and its log emptied. What a reader still holds stays until the next call.
    """
    for table, columns in _INDEXES.items():
        _merge_anew(handle.connection, table, columns)
    handle.connection.execute("VACUUM").fetchall()
    patience, handle.patience.seconds = handle.patience.seconds, 0.2
    try:
        ((busy, _, _),) = handle.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        handle.patience.seconds = patience
    return not busy


def _merge_anew(connection: apsw.Connection, table: str, columns: tuple[str, ...]) -> None:
    # FTS5 merges nothing where there is only one segment: an entry of our own (row 0 is nobody's) makes a second one.
    names = ", ".join(columns)
    empty = ", ''" * (len(columns) - 1)
    with connection:
        connection.execute(f"INSERT INTO {table} (rowid, {names}) VALUES (0, 'reverie'{empty})")
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        connection.execute(
            f"INSERT INTO {table} ({table}, rowid, {names}) VALUES ('delete', 0, 'reverie'{empty})"
        )


def faults_in(handle: Handle) -> Iterator[str]:
    """Yield a line for each fault in pages, rows, table indexes and keyword indexes; at most 100 of the first three."""
    try:
        for (text,) in handle.connection.execute(f"PRAGMA integrity_check({_MOST_FAULTS})"):
            if text != "ok":
                yield text
    except (apsw.CorruptError, apsw.NotADBError):
        yield "a page of the file doesn't verify"
        return
    for table in _INDEXES:
        try:
            # rank 1 compares the index with the rows it was made from.
            handle.connection.execute(
                f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)"
            ).fetchall()
        except apsw.CorruptError:
            yield f"the keyword index {table} doesn't agree with its table"
