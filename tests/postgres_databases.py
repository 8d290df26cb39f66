"""Databases for tests: made from one template, emptied between tests, watched for what a test leaves open.

Every name begins with the run's prefix, so that nothing is left on a server that isn't ours.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.postgres_keeper import Run

_LEAK_SECONDS = 30.0  # a backend takes a moment to end after its client has closed

# Plain tables and leaves of partitioned ones, with their owner. A table with an index that keeps dead rows until the
# next vacuum (HNSW answers worse and worse of them) is truncated; the others are small, and DELETE is 10 times faster.
_TABLES = """
SELECT c.oid::regclass::text, pg_get_userbyid(c.relowner),
       EXISTS (SELECT FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am a ON a.oid = x.relam
               WHERE i.indrelid = c.oid AND a.amname IN ('hnsw', 'ivfflat', 'gin'))
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
ORDER BY 1
"""

_OTHERS = """
SELECT a.pid, coalesce(a.usename, '?'), coalesce(a.state, '?'), a.xact_start IS NOT NULL,
       (SELECT count(*) FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory'), left(a.query, 200)
FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'
    AND a.application_name NOT LIKE 'citus%'  -- nodes of a cluster, which look after it
ORDER BY 1
"""


def in_database(url: str, database: str) -> str:
    """The same server's URL with another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def _named(text: LiteralString, name: str) -> sql.Composed:
    return sql.SQL(text).format(sql.Identifier(name))


@dataclass(frozen=True, kw_only=True)
class Databases:
    """Databases of one run on one server. `prepare` gets the URL of the empty template, once a run."""

    run: Run
    server_url: str
    prepare: Callable[[str], object]

    @property
    def prefix(self) -> str:
        """What every name of this run begins with: databases, and roles that a test or `prepare` makes."""
        return f"reverie_test_{hashlib.sha256(bytes(self.run.folder)).hexdigest()[:10]}"

    def _do(self, *commands: sql.Composed) -> None:
        with psycopg.connect(self.server_url, autocommit=True) as connection:
            for command in commands:
                connection.execute(command)

    def make(self, *, prepared: bool = True) -> str:
        """A new database, `prepared` or empty; its URL."""
        name = f"{self.prefix}_{secrets.token_hex(4)}"
        template = self._template() if prepared else "template0"
        text = sql.SQL("CREATE DATABASE {} TEMPLATE {} ENCODING 'UTF8'")
        self._do(text.format(sql.Identifier(name), sql.Identifier(template)))
        return in_database(self.server_url, name)

    def node_urls(self, url: str) -> list[str]:
        """The URLs of a database on each of the server's nodes: here it is alone."""
        return [url]

    def drop(self, url: str) -> None:
        """Drop a database of this run, whoever is still connected."""
        name = urlsplit(url).path.lstrip("/")
        if not name.startswith(self.prefix):
            raise ValueError(f"{name} is no database of this run")
        self._do(_named("DROP DATABASE IF EXISTS {} WITH (FORCE)", name))

    def drop_all(self) -> None:
        """Drop every database and then every role that carries the run's prefix."""
        with psycopg.connect(self.server_url, autocommit=True) as connection:
            asked = {"prefix": self.prefix}
            found = "SELECT datname FROM pg_database WHERE starts_with(datname, %(prefix)s)"
            for (name,) in connection.execute(found, asked).fetchall():
                connection.execute(_named("DROP DATABASE {} WITH (FORCE)", name))
            for (name,) in connection.execute(
                "SELECT rolname FROM pg_roles WHERE starts_with(rolname, %(prefix)s)", asked
            ).fetchall():
                connection.execute(_named("DROP ROLE {}", name))

    def _template(self) -> str:
        """The prepared database that others are copies of: made by whoever of the run comes first."""
        name, made = f"{self.prefix}_template", self.run.folder / "template"
        with self.run.alone():
            if not made.exists():
                self._do(
                    _named("DROP DATABASE IF EXISTS {} WITH (FORCE)", name),
                    _named("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'", name),
                )
                self.prepare(in_database(self.server_url, name))
                made.touch()
        return name


class Database:
    """One prepared database with a connection of its own, for many tests one after the other.

    Tables that held rows when it was made (the schema's number, say) are left as they are.
    """

    def __init__(self, url: str, *, settings: Sequence[LiteralString] = (), tables: str = "") -> None:
        """`settings` hold for its connection; `tables` is what names of tables to empty must match."""
        self.url, self._named = url, re.compile(tables)
        self._connection = psycopg.connect(url, autocommit=True)
        for setting in settings:
            self._connection.execute(setting)
        self._empty_all = self._command()

    def _command(self) -> bytes:
        """One DO block that empties whatever holds rows."""
        steps, owners = [], set()
        for table, owner, indexed in self._rows(_TABLES):
            if self._named.search(table) and not self._rows(f"SELECT EXISTS (SELECT 1 FROM {table})")[0][0]:
                empty = "TRUNCATE" if indexed else "DELETE FROM"
                steps.append(f"IF EXISTS (SELECT 1 FROM {table}) THEN {empty} {table}; END IF;")
                owners.add(owner)
        self._act_for(owners)
        return f"DO $$ BEGIN {' '.join(steps)} END $$".encode()

    def _act_for(self, owners: set[str]) -> None:
        """Who owns the tables may empty them all; a superuser may anyway."""
        ((superuser, me),) = self._rows("SELECT rolsuper, rolname FROM pg_roles WHERE rolname = current_user")
        for owner in owners - {me}:
            if not superuser:
                self._connection.execute(_named("SET ROLE {}", owner))
        self._connection.execute("SET lock_timeout = '60s'")

    def _rows(self, query: str) -> Sequence[tuple[Any, ...]]:
        return self._connection.execute(query.encode()).fetchall()

    def empty(self) -> None:
        """No row is left of the last test: 1 to 7 ms."""
        self._connection.execute(self._empty_all)

    def leaks(self) -> list[str]:
        """Which connections others still have after some grace, what they do and hold; none, it is hoped."""
        until, pause = time.monotonic() + _LEAK_SECONDS, 0.002
        while (rows := self._rows(_OTHERS)) and time.monotonic() < until:
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
        return [
            f"connection {pid} of {user} is {state}"
            + (", in a transaction" if transaction else "")
            + (f", holds {locks} advisory locks" if locks else "")
            + f", last asked: {query}"
            for pid, user, state, transaction, locks, query in rows
        ]

    def close(self) -> None:
        """Close the own connection."""
        self._connection.close()
