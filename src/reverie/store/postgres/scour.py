"""Take what a forget deleted out of the database's files. For the owner, at a quiet hour."""

from __future__ import annotations

import time
from typing import Any

from psycopg import Connection, sql
from psycopg import errors as pg

from reverie.domain.database import Scoured
from reverie.store.postgres.cluster import SIZE_ON_NODES
from reverie.store.postgres.place import SCHEMA
from reverie.store.postgres.roles import owned
from reverie.store.postgres.schema import Marks

_PAUSE = 0.1

_TABLES = """
    SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = %s AND c.relkind = 'r' ORDER BY c.relname
"""
_BYTES = """
    SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = %s AND c.relkind = 'r'
"""
# Whoever's snapshot is older than ours may still see rows that were deleted before: no VACUUM takes those away.
_HOLDERS = """
    SELECT (SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()
            AND backend_type = 'client backend' AND age(backend_xmin) >= age(%(now)s::text::xid))
        + (SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database())
        + (SELECT count(*) FROM pg_replication_slots WHERE age(xmin) >= age(%(now)s::text::xid))
"""


def scour(url: str, *, wait_seconds: float = 30.0, connect_seconds: float = 10.0) -> Scoured:
    """Write every table of ours and its indexes anew (VACUUM FULL), without the rows that were deleted.

    ``url`` is of the role that prepared the database, or of another that may act as its owner. Each table is locked
    while it is written (readers and writers wait), and the disk must hold it twice. Transactions open before are
    waited for, ``wait_seconds`` at most; where one stays, what it can still see stays too (``held``).

    Write-ahead log, its archives, replicas and backups are not reached. Raise NotPrepared, AccessRefused, Busy,
    DiskFull, Unreachable.
    """
    with owned(url, connect_seconds) as (connection, where, marks, _):
        held = _waited(connection, wait_seconds)
        connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(marks.owner)))
        tables = [name for (name,) in connection.execute(_TABLES, (SCHEMA,)).fetchall()]
        before = _size(connection, marks)
        for name in tables:
            connection.execute(sql.SQL("VACUUM (FULL, ANALYZE) {}").format(sql.Identifier(SCHEMA, name)))
        after = _size(connection, marks)
        connection.execute("RESET ROLE")
        done = _checkpoint(connection)
    return Scoured(where=where, tables=len(tables), before=before, after=after, held=held, checkpointed=done)


def _waited(connection: Connection[Any], seconds: float) -> int:
    """Wait for the transactions that are older than this moment. Return how many are left."""
    # A transaction id of our own, in the 32 bits that snapshots have.
    row = connection.execute("SELECT (pg_current_xact_id()::text::numeric % 4294967296)::text").fetchone()
    assert row is not None
    until = time.monotonic() + seconds
    while True:
        left = connection.execute(_HOLDERS, {"now": row[0]}).fetchone()
        assert left is not None
        if not left[0] or time.monotonic() >= until:
            return int(left[0])
        time.sleep(_PAUSE)


def _size(connection: Connection[Any], marks: Marks) -> int:
    query = SIZE_ON_NODES.replace("?", "%s") if marks.sharded else _BYTES
    row = connection.execute(query.encode(), (SCHEMA,)).fetchone()
    assert row is not None
    return int(row[0])


def _checkpoint(connection: Connection[Any]) -> bool:
    """Return whether this role may make a checkpoint, which removes the files that were replaced."""
    try:
        connection.execute("CHECKPOINT")
    except pg.InsufficientPrivilege:
        return False
    return True
