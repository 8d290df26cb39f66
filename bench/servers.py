"""PostgreSQL for a bench: the server that the user names, or one of our own with the settings that a user would have.

Whatever is measured lies in a database of its own with roles of its own, which are gone afterwards.
"""

from __future__ import annotations

import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from reverie import Reverie

if TYPE_CHECKING:
    from psycopg.sql import SQL, Composed

PLAIN = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "autovacuum": "on",
    "shared_buffers": "1GB",
    "max_wal_size": "1GB",
    "max_connections": "100",
}
"""PostgreSQL's own defaults, and every acknowledged write is on the disk. One is changed, for all contenders:
its default of 128 MB for shared pages is meant for the smallest machines, and our guide asks for more.
"""
_BEHIND = """SELECT c.agent_id FROM reverie.corpora AS c
    LEFT JOIN reverie.indexed AS i ON i.agent_id = c.agent_id AND i.corpus = c.corpus
    CROSS JOIN LATERAL (SELECT seq FROM reverie.memories AS m WHERE m.agent_id = c.agent_id
        ORDER BY m.created_at DESC, m.seq DESC LIMIT 1) AS latest
WHERE c.corpus = 'memories' AND c.texts > %s AND latest.seq > coalesce(i.seq, 0)"""
_SHOWN = (
    "server_version",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "shared_buffers",
    "max_wal_size",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Database:
    """A database of our own on some server, with the role that owns Reverie's tables there."""

    url: str = field(repr=False)
    owner: str
    others: Sequence[str] = field(default=(), repr=False)
    """Of a cluster: the same database on the other nodes."""

    def settle(self) -> None:
        """What autovacuum would do within minutes, and a checkpoint: so that no figure hangs on when it comes."""
        import psycopg

        for url in (self.url, *self.others):
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("VACUUM (ANALYZE)")
                connection.execute("CHECKPOINT")

    def catch_up(self, reverie: Reverie) -> float:
        """Waits until the open bank has taken all memories of large banks into the approximate index, which it does in
        the background; seconds.
        """
        import psycopg
        from psycopg import sql

        from reverie.store.postgres.near import EXACT_ROWS

        start = time.perf_counter()
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(self.owner)))
            while behind := connection.execute(_BEHIND, (EXACT_ROWS,)).fetchall():
                for (agent,) in behind:  # a look at a bank sets its indexing going
                    reverie.agent(str(agent)).recall(strategy="temporal", limit=1)
                time.sleep(0.02)
        return time.perf_counter() - start


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """The address of the server: the given one, or one of our own that stops at the end."""
    if url is not None:
        yield url
        return
    # Here and not above: a bench without a server needs neither the tests nor their packages.
    from tests.postgres_server import Server

    with tempfile.TemporaryDirectory(prefix="reverie-bench-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)  # PostgreSQL may run as another user, who has to get to its folder below
        own = Server(Path(name) / "server", settings=PLAIN)
        before = signal.signal(
            signal.SIGTERM, lambda *_: sys.exit(1)
        )  # so that the server doesn't outlive us
        try:
            own.start()
            yield own.url()
        finally:
            own.stop()
            signal.signal(signal.SIGTERM, before)


def has_cluster() -> bool:
    """Return whether a cluster of our own can be started here."""
    from tests.citus_cluster import ARCHIVE

    return ARCHIVE.exists()


@contextmanager
def cluster(url: str | None) -> Iterator[Sequence[str]]:
    """The addresses of a Citus cluster's nodes, the coordinator first: of the one whose coordinator's address is given,
    or of three nodes of our own, which stop at the end.
    """
    import psycopg

    from tests.citus_cluster import ARCHIVE, NODES, SETTINGS, address_of
    from tests.postgres_server import Server, copied_programs

    if url is not None:
        with psycopg.connect(url, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid"
            ).fetchall()
        yield [address_of(url, host, port) for host, port in rows]
        return
    with tempfile.TemporaryDirectory(prefix="reverie-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        programs = copied_programs(folder / "citus", ARCHIVE)
        settings = {**PLAIN, **SETTINGS, "shared_buffers": "384MB"}  # together about what one server has
        nodes = []
        for number in range(NODES):
            place = folder / f"node{number}"
            own = {**settings, "citus.local_hostname": str(place)}
            nodes.append(Server(place, settings=own, programs=programs))
        try:
            for node in nodes:
                node.start()
            yield [node.url() for node in nodes]
        finally:
            for node in nodes:
                node.stop("immediate")


@contextmanager
def database(
    url: str, *, prepared: bool = True, partitions: int = 8, nodes: Sequence[str] = (), shards: int = 32
) -> Iterator[Database]:
    """A new database on this server, with Reverie's schema where ``prepared``; dropped at the end. ``nodes``: it lies
    on all nodes of a cluster, whose coordinator ``url`` is the address of; agents are spread over so many ``shards``.
    """
    from psycopg import sql

    from reverie.store.postgres.roles import prepare

    name = f"reverie_bench_{secrets.token_hex(4)}"
    roles = (f"{name}_app", f"{name}_owner")
    addresses = [urlsplit(node)._replace(path=f"/{name}").geturl() for node in nodes or [url]]
    for node in nodes or [url]:
        _do(node, sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        if nodes:
            _join(addresses)
        if prepared:
            spread = bool(nodes)
            prepare(
                addresses[0], app_role=roles[0], owner_role=roles[1], citus=spread or None,
                shards=shards if spread else None, partitions=None if spread else partitions,
            )  # fmt: skip
        yield Database(url=addresses[0], owner=roles[1], others=addresses[1:])
    finally:
        for node in nodes or [url]:
            _do(node, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        for node in (nodes or [url]) if prepared else ():
            for role in roles:
                _do(node, sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))


def _join(addresses: Sequence[str]) -> None:
    """Make the nodes' databases know each other."""
    import psycopg
    from psycopg import sql

    for address in addresses:
        _do(address, sql.SQL("CREATE EXTENSION citus"))
    for number, address in enumerate(addresses):
        with psycopg.connect(address) as there:
            place = sql.SQL("{}, {}").format(there.info.host, there.info.port)
        call = sql.SQL("SELECT citus_add_node({})" if number else "SELECT citus_set_coordinator_host({})")
        _do(addresses[0], call.format(place))


def _do(url: str, statement: Composed | SQL) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


def settings(url: str) -> str:
    """The settings of the server that the figures hang on, as one line."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = {
            name: str(connection.execute("SELECT current_setting(%s)", (name,)).fetchone()[0])  # type: ignore[index]
            for name in _SHOWN
        }
        row = connection.execute(
            "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
        ).fetchone()
    return (
        " · ".join(f"{name} {value}" for name, value in found.items())
        + f" · pgvector {row[0] if row else '?'}"
    )
