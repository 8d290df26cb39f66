"""The schema of a file: numbered steps, each in one transaction with the number that it leads to."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from reverie.errors import NewerSchema, NotABank
from reverie.store.migration import DOUBTED, DUE, Migration, steps_of
from reverie.store.sqlite.connection import Access, Handle

APPLICATION_ID = int.from_bytes(b"RVRI")
"""What SQLite's header says of a bank; ``file`` and others can tell it from other databases."""
# As ``MemoryRows.tokens`` asks for it: the sum is read from the index alone. Every SQLite knows these functions.
_SIZES = """\
CREATE INDEX memories_by_size ON memories
    (agent_id, (length(CAST(essence AS BLOB)) + 2) / 3 + (COALESCE(length(CAST(lesson AS BLOB)), 0) + 2) / 3);
"""
# When something of an agent is due, in microseconds since 1970 (NULL: nothing that is known of). What is there is now.
_DUE_AT = """\
ALTER TABLE agents ADD COLUMN due_at INTEGER;
UPDATE agents SET due_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000000;
"""
LATER: Sequence[Migration] = (
    Migration(number=2, sql=DOUBTED + _SIZES),
    Migration(number=3, sql=_DUE_AT + DUE),
)
"""The steps to schema 2 and on. ``schema.sql`` is the first step: once released it stays as it is."""


def migrations() -> Sequence[Migration]:
    """Return all steps that this Reverie knows, in order."""
    return steps_of(__package__, LATER)


def recognize(handle: Handle, access: Access, known: int) -> int:
    """Return the file's schema number; 0 for a new, empty one. Raise NotABank and NewerSchema; changes nothing."""
    with access.faults.named():
        application, number, empty = _marks(handle.connection)
    if application != APPLICATION_ID and not (empty and application == number == 0):
        raise NotABank(str(access.path))
    if number > known:
        raise NewerSchema(str(access.path), number, known)
    return number


def _marks(connection: apsw.Connection) -> tuple[int, int, bool]:
    """Return what the file says it is, of one moment: another process may be making a bank of it meanwhile."""
    alone = not connection.in_transaction
    if alone:
        connection.execute("BEGIN")
    try:
        empty = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchall() == [(0,)]
        return int(connection.pragma("application_id")), int(connection.pragma("user_version")), empty
    finally:
        if alone and connection.in_transaction:
            connection.execute("ROLLBACK")


def migrate(handle: Handle, access: Access, steps: Sequence[Migration]) -> int:
    """Take the steps that the file lacks, each all or nothing; return the schema it then has.

    Processes that open the same file at once take turns, and each looks again at what is left to do.
    """
    connection, known = handle.connection, max(step.number for step in steps)
    number = recognize(handle, access, known)
    while number < known:
        with access.faults.named():
            connection.execute("BEGIN EXCLUSIVE")
        try:
            number = recognize(handle, access, known)
            for step in [step for step in steps if step.number == number + 1]:
                with access.faults.named():
                    _take(connection, step)
                    connection.execute("COMMIT")
                number = step.number
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    return number


def _take(connection: apsw.Connection, step: Migration) -> None:
    # Only a cursor that is read to its end has run all statements: at a row it stops.
    connection.execute(step.sql).fetchall()
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {step.number}")
