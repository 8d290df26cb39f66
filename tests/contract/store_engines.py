"""The engines that the store's laws are tried on. Another engine adds itself to ENGINES; no law changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from reverie.ports.store import Store

BUSY_SECONDS = 0.3


@dataclass(frozen=True, kw_only=True)
class Engine:
    """``open``: a store at a place, the same one each time, which waits so many seconds for a writer.

    ``place``: an empty place of a test's own; ``lasting_place``: one for many tests, gone afterwards.
    ``left_behind``: what a place's closed stores still hold open or have left lying about; nothing, if they are sound.
    """

    open: Callable[[str, float], Store]
    place: Callable[[pytest.FixtureRequest], str]
    lasting_place: Callable[[pytest.FixtureRequest], AbstractContextManager[str]]
    left_behind: Callable[[str], Sequence[str]]


def _open_sqlite(place: str, busy_seconds: float) -> Store:
    from reverie.store.sqlite.engine import SqliteStore

    return SqliteStore(place, key=bytes(range(32)), busy_seconds=busy_seconds)


def _new_file(request: pytest.FixtureRequest) -> str:
    folder: Path = request.getfixturevalue("tmp_path")
    return str(folder / "bank.reverie")


@contextmanager
def _lasting_file(request: pytest.FixtureRequest) -> Iterator[str]:
    factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
    yield str(factory.mktemp("lasting") / "bank.reverie")


def _left_by_sqlite(place: str) -> Sequence[str]:
    import apsw

    file = Path(place)
    held = [line.filename for line in apsw.connections() if line.filename == place]
    return held + [other.name for other in file.parent.iterdir() if other.name != file.name]


def _open_postgres(place: str, busy_seconds: float) -> Store:
    from reverie.store.postgres.engine import PostgresStore

    return PostgresStore(place, busy_seconds=busy_seconds)


def _emptied_database(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue("postgres_database")
    return url


@contextmanager
def _lasting_database(request: pytest.FixtureRequest, fixture: str = "postgres_databases") -> Iterator[str]:
    databases = request.getfixturevalue(fixture)
    url = databases.make()
    yield url
    databases.drop(url)


def _emptied_cluster(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue("citus_database")
    return url


def _left_in_postgres(place: str) -> Sequence[str]:
    """The fixture ``postgres_database`` fails whoever leaves a connection open."""
    return []


ENGINES = {
    "sqlite": Engine(
        open=_open_sqlite, place=_new_file, lasting_place=_lasting_file, left_behind=_left_by_sqlite
    ),
    "postgres": Engine(
        open=_open_postgres,
        place=_emptied_database,
        lasting_place=_lasting_database,
        left_behind=_left_in_postgres,
    ),
}
SPREAD_ENGINES = ENGINES | {
    "citus": Engine(
        open=_open_postgres,
        place=_emptied_cluster,
        lasting_place=partial(_lasting_database, fixture="citus_databases"),
        left_behind=_left_in_postgres,
    )
}
"""With PostgreSQL on a cluster, for the laws of this folder."""


ON_A_CLUSTER = pytest.param("citus", marks=pytest.mark.slow)
NAMES = [*ENGINES, ON_A_CLUSTER]
"""What a law is tried on; the fast suite passes over the cluster."""
OTHERS = [name for name in NAMES if name != "sqlite"]
"""The engines whose answers are compared with SQLite's."""
