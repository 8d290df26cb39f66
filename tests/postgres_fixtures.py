"""The fixtures that give a test a PostgreSQL. One server serves a whole run, under xdist too; it starts when the first
test asks, and a run that never asks makes an empty folder and nothing more.

`REVERIE_TEST_POSTGRES` names a server to use instead: the complete URL of a superuser, or of a role that may make
databases, roles and the extension. What is made there has random names and is dropped at the end.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from tests.citus_cluster import ClusterDatabase
    from tests.postgres_databases import Database, Databases
    from tests.postgres_keeper import Run
    from tests.postgres_server import Server

_RUN = pytest.StashKey["Run"]()
_NAMED = pytest.StashKey[str]()
_DIMENSIONS = (16, 384)


def pytest_configure(config: pytest.Config) -> None:
    from tests.postgres_keeper import Run

    told = getattr(config, "workerinput", None)
    if told is not None:
        config.stash[_RUN] = Run(Path(told["postgres_folder"]))
        config.stash[_NAMED] = told["postgres_named"]
        return
    run = config.stash[_RUN] = Run.begin()
    config.stash[_NAMED] = os.environ.get("REVERIE_TEST_POSTGRES", "")
    config.add_cleanup(lambda: _end(run, config.stash[_NAMED]))


def _end(run: Run, named: str) -> None:
    try:
        if named and (run.folder / "template").exists():
            _databases(run, named).drop_all()
    finally:
        run.end()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist: tell a worker which run it belongs to."""
    node.workerinput["postgres_folder"] = str(node.config.stash[_RUN].folder)
    node.workerinput["postgres_named"] = node.config.stash[_NAMED]


def _databases(run: Run, server_url: str) -> Databases:
    from tests.postgres_databases import Databases

    made = Databases(run=run, server_url=server_url, prepare=lambda url: _prepare(made, url, partitions=2))
    return made


def _prepare(databases: Databases, url: str, **more: Any) -> object:
    from reverie.store.postgres.roles import prepare

    owner, app = f"{databases.prefix}_owner", f"{databases.prefix}_app"
    return prepare(url, dimensions=_DIMENSIONS, owner_role=owner, app_role=app, **more)


@pytest.fixture(scope="session")
def postgres_server(request: pytest.FixtureRequest) -> str:
    """The URL of the run's server, as a superuser or whoever REVERIE_TEST_POSTGRES names."""
    named = request.config.stash[_NAMED]
    return named or request.config.stash[_RUN].shared().url()


@pytest.fixture(scope="session")
def postgres_databases(request: pytest.FixtureRequest, postgres_server: str) -> Databases:
    """Makes and drops databases, prepared or empty, for tests that change schemas or roles."""
    return _databases(request.config.stash[_RUN], postgres_server)


class _Desk:
    """A worker's prepared database: the same for every test, until one leaves it unfit."""

    def __init__(self, databases: Databases) -> None:
        self.databases = databases
        self.database: Database | ClusterDatabase | None = None

    def open(self) -> Database | ClusterDatabase:
        from tests.citus_cluster import ClusterDatabase
        from tests.postgres_databases import Database

        if self.database is None:
            url = self.databases.make()
            nodes = self.databases.node_urls(url)
            self.database = Database(url) if nodes == [url] else ClusterDatabase(nodes)
        return self.database

    @contextmanager
    def lent(self) -> Iterator[str]:
        """The database's URL for one test; whoever leaves a connection open fails."""
        database = self.open()
        yield database.url
        leaks = database.leaks()
        if leaks:
            self.discard()
            pytest.fail("left open on PostgreSQL:\n" + "\n".join(leaks), pytrace=False)
        database.empty()

    def discard(self) -> None:
        if self.database is not None:
            self.database.close()
            self.databases.drop(self.database.url)
            self.database = None


@pytest.fixture(scope="session")
def _postgres_desk(postgres_databases: Databases) -> Iterator[_Desk]:
    desk = _Desk(postgres_databases)
    yield desk
    desk.discard()


@pytest.fixture
def postgres_database(_postgres_desk: _Desk) -> Iterator[str]:
    """The URL of a database with Reverie's schema and no row; whoever leaves a connection open fails."""
    with _postgres_desk.lent() as url:
        yield url


@pytest.fixture(scope="session")
def citus_databases(request: pytest.FixtureRequest) -> Databases:
    """Makes and drops databases that lie on a cluster of three nodes."""
    from tests import citus_cluster

    missing = citus_cluster.why_not()
    if missing is not None:
        pytest.skip(missing)
    made = citus_cluster.databases(
        request.config.stash[_RUN],
        lambda url: _prepare(made, url, citus=True, shards=citus_cluster.SHARDS),
    )
    return made


@pytest.fixture(scope="session")
def _citus_desk(citus_databases: Databases) -> Iterator[_Desk]:
    desk = _Desk(citus_databases)
    yield desk
    desk.discard()


@pytest.fixture
def citus_database(_citus_desk: _Desk) -> Iterator[str]:
    """The URL of a cluster's coordinator, with Reverie's schema and no row, as `postgres_database` is."""
    with _citus_desk.lent() as url:
        yield url


@pytest.fixture
def empty_postgres_database(postgres_databases: Databases) -> Iterator[str]:
    """The URL of a new database with nothing in it, not even the extension; dropped afterwards."""
    from tests.postgres_databases import Database

    url = postgres_databases.make(prepared=False)
    watch = Database(url)
    yield url
    leaks = watch.leaks()
    watch.close()
    postgres_databases.drop(url)
    assert leaks == []


@pytest.fixture
def own_citus_cluster(request: pytest.FixtureRequest) -> Iterator[tuple[str, list[Server]]]:
    """The URL of a prepared database on three servers that a test may kill and start, and these servers, the
    coordinator first; gone afterwards.
    """
    from tests import citus_cluster

    missing = citus_cluster.why_not(named=False)
    if missing is not None:
        pytest.skip(missing)
    run = request.config.stash[_RUN]
    servers = citus_cluster.start_cluster(run, f"own{os.getpid()}-")
    made = citus_cluster.own_databases(
        servers, run, lambda url: _prepare(made, url, citus=True, shards=citus_cluster.SHARDS)
    )
    yield made.make(), servers
    for server in servers:
        server.remove()


class OwnServers(Protocol):
    """Starts a server of the test's own."""

    def __call__(
        self, *, settings: Mapping[str, str] = MappingProxyType({}), port: int | None = None
    ) -> Server: ...


@pytest.fixture
def own_postgres_server(request: pytest.FixtureRequest) -> Iterator[OwnServers]:
    """Makes started servers that a test may stop, kill and restart as it likes; gone afterwards."""
    run, made = request.config.stash[_RUN], list[Callable[[], None]]()

    def start(*, settings: Mapping[str, str] = MappingProxyType({}), port: int | None = None) -> Server:
        server = run.server(settings=settings, port=port)
        made.append(server.remove)
        server.start()
        return server

    yield start
    for remove in made:
        remove()
