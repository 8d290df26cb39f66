"""The fixtures that give a test a PostgreSQL. One server serves a whole run, under xdist too; it starts when the first
test asks, and a run that never asks makes an empty folder and nothing more.

`REVERIE_TEST_POSTGRES` names a server to use instead: the complete URL of a superuser, or of a role that may make
databases, roles and the extension. What is made there has random names and is dropped at the end.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
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

    def prepare(url: str) -> object:
        from reverie.store.postgres.roles import prepare

        owner, app = f"{made.prefix}_owner", f"{made.prefix}_app"
        return prepare(url, partitions=2, dimensions=_DIMENSIONS, owner_role=owner, app_role=app)

    made = Databases(run=run, server_url=server_url, prepare=prepare)
    return made


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
        self.database: Database | None = None

    def open(self) -> Database:
        from tests.postgres_databases import Database

        if self.database is None:
            self.database = Database(self.databases.make())
        return self.database

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
    database = _postgres_desk.open()
    yield database.url
    leaks = database.leaks()
    if leaks:
        _postgres_desk.discard()
        pytest.fail("left open on PostgreSQL:\n" + "\n".join(leaks), pytrace=False)
    database.empty()


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
