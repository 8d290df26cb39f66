"""A Citus cluster of three real servers for tests and benches: a coordinator and two workers, reached by their sockets.

The extension lies in ``../shared/citus`` beside the checkout, built for the tests' PostgreSQL; `REVERIE_TEST_CITUS`
names a cluster to use instead: the complete URL of its coordinator, as a superuser whom every node lets in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.postgres_databases import Database, Databases, in_database
from tests.postgres_keeper import ROOT, Run
from tests.postgres_server import Server, copied_programs

ARCHIVE = ROOT.parent / "shared" / "citus" / "citus-pg18.4-x86_64.tar.xz"
NODES = 3
SHARDS = 2
SETTINGS = {
    "shared_preload_libraries": "citus", "wal_level": "logical", "max_prepared_transactions": "200",
    "citus.shard_count": str(SHARDS), "citus.recover_2pc_interval": "1s", "citus.max_cached_conns_per_worker": "1",
}  # fmt: skip
_BY_HAND = ("SET citus.override_table_visibility = off", "SET citus.enable_manual_changes_to_shards = on")


def why_not(*, named: bool = True) -> str | None:
    """Why there can be no cluster here, or (``named``: no) none of our own; None if there can."""
    if (named and os.environ.get("REVERIE_TEST_CITUS")) or ARCHIVE.exists():
        return None
    return (
        "no Citus: set REVERIE_TEST_CITUS to a coordinator's URL, or have ../shared/citus beside the checkout"
    )


def start_cluster(run: Run, name: str = "node") -> list[Server]:
    """Start the run's nodes of that name, if that wasn't done; return the coordinator first."""
    with run.alone():
        run.keep()
        programs = copied_programs(run.folder / "citus", ARCHIVE)
        nodes = []
        for number in range(NODES):
            folder = run.folder / f"{name}{number}"
            settings = SETTINGS | {"citus.local_hostname": str(folder)}
            nodes.append(Server(folder, settings=settings, programs=programs))
        for node in nodes:
            if node.pid is None:
                node.start()
    return nodes


@dataclass(frozen=True, kw_only=True)
class ClusterDatabases(Databases):
    """Databases of one run that lie on all nodes of a cluster. ``server_url`` is the coordinator's."""

    nodes: Sequence[str]
    """A URL of each node, as the superuser: the coordinator's first."""

    def node_urls(self, url: str) -> list[str]:
        """The URLs of a database on each node, the coordinator first."""
        name = urlsplit(url).path.lstrip("/")
        return [in_database(node, name) for node in self.nodes]

    def _do(self, *commands: sql.Composed) -> None:
        for node in self.nodes:
            with psycopg.connect(node, autocommit=True) as connection:
                for command in commands:
                    connection.execute(command)

    def make(self, *, prepared: bool = True) -> str:
        """A new database on all nodes, `prepared` or empty of ours; its URL on the coordinator."""
        bare = super().make(prepared=False)
        urls = self.node_urls(bare)
        for url in urls:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("CREATE EXTENSION citus")
        with psycopg.connect(urls[0], autocommit=True) as connection:
            connection.execute("SELECT citus_set_coordinator_host(%s, %s)", _address(urls[0]))
            for url in urls[1:]:
                connection.execute("SELECT citus_add_node(%s, %s)", _address(url))
        if prepared:
            self.prepare(bare)
        return bare


class ClusterDatabase:
    """One prepared database on all nodes, emptied node by node: that is quicker than by the coordinator."""

    def __init__(self, urls: Sequence[str]) -> None:
        self.url = urls[0]
        self._coordinator = Database(urls[0], tables="^$")
        self._shards = [Database(url, settings=_BY_HAND, tables=r"_\d{6,}$") for url in urls[1:]]

    def empty(self) -> None:
        """No row is left of the last test."""
        for node in self._shards:
            node.empty()

    def leaks(self) -> list[str]:
        """Which connections others still have after some grace."""
        return self._coordinator.leaks()

    def close(self) -> None:
        """Close the own connections."""
        for database in (self._coordinator, *self._shards):
            database.close()


def _address(url: str) -> tuple[str, int]:
    with psycopg.connect(url) as connection:
        return connection.info.host, connection.info.port


def databases(run: Run, prepare: Callable[[str], object]) -> ClusterDatabases:
    """The databases of the run's cluster, or of the one that `REVERIE_TEST_CITUS` names."""
    named = os.environ.get("REVERIE_TEST_CITUS", "")
    nodes = _named_nodes(named) if named else [node.url() for node in start_cluster(run)]
    return ClusterDatabases(run=run, server_url=nodes[0], prepare=prepare, nodes=nodes)


def own_databases(servers: Sequence[Server], run: Run, prepare: Callable[[str], object]) -> ClusterDatabases:
    """Databases on a cluster of a test's own, whose servers it may kill."""
    nodes = [server.url() for server in servers]
    return ClusterDatabases(run=run, server_url=nodes[0], prepare=prepare, nodes=nodes)


def _named_nodes(url: str) -> list[str]:
    with psycopg.connect(url, autocommit=True) as connection:
        rows = connection.execute(
            "SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid"
        ).fetchall()
    return [address_of(url, host, port) for host, port in rows]


def address_of(url: str, host: str, port: int) -> str:
    """The same user's URL at another node."""
    parts = urlsplit(url)
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return urlunsplit(parts._replace(netloc=f"{user}{host}:{port}"))
