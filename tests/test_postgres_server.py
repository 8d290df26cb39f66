"""The server and the databases that other tests stand on: who leaks fails, and nothing of them is left."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import psutil
import psycopg
import pytest

from tests import postgres_server
from tests.inner_pytest import finish, start
from tests.postgres_fixtures import OwnServers
from tests.postgres_server import Server

pytestmark = pytest.mark.slow

# A test that says who serves it, in a project of its own.
ASKING = """
import os, psycopg, pytest

@pytest.mark.parametrize("number", range(4))
def test_asks(postgres_server, number, request):
    with psycopg.connect(postgres_server) as connection:
        (data,) = connection.execute("SHOW data_directory").fetchone()
    with open({said!r}, "a") as said:
        said.write(os.environ.get("PYTEST_XDIST_WORKER", "alone") + " " + data + "\\n")
    {then}
"""


def test_programs_that_the_servers_user_cannot_read_are_copied(
    own_postgres_server: OwnServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_server, "reachable", lambda folder: "pixeltable" not in str(folder))
    server = own_postgres_server()
    assert Path(psutil.Process(server.pid).exe()).is_relative_to(server.folder.parent / "programs")


def _project(folder: Path, then: str) -> tuple[dict[str, str], Path]:
    """Two files of tests that ask for the server, the first with something more to do; and what they write to."""
    said = folder / "said"
    files = {
        f"test_{name}": ASKING.format(said=str(said), then=do)
        for name, do in (("one", then), ("two", "pass"))
    }
    return files, said


def _askers(said: Path) -> dict[str, Path]:
    """The server's data folder that each worker saw last."""
    pairs = [line.split(" ", 1) for line in said.read_text(encoding="utf-8").splitlines()]
    return {worker: Path(data) for worker, data in pairs}


def _gone(data: Path) -> bool:
    """Is the run's folder away, and no process of a server in it left?"""
    left = [one for one in psutil.process_iter(["cmdline"]) if str(data) in (one.info["cmdline"] or [])]
    return not left and not data.parents[1].exists()


def test_all_workers_share_one_server_that_is_gone_afterwards(
    tmp_path: Path,
) -> None:
    files, said = _project(tmp_path, "os._exit(1) if number == 3 else None")
    out = finish(start(tmp_path, "-p", "xdist", "-n", "2", "--dist", "loadfile", **files))
    assert "crashed while running 'test_one.py::test_asks[3]'" in out
    askers = _askers(said)
    assert len(askers) > 1
    (data,) = {*askers.values()}
    assert _gone(data)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_interrupted_or_killed_leaves_no_server(tmp_path: Path, how: signal.Signals) -> None:
    files, said = _project(tmp_path, "import time; time.sleep(600)")
    with start(tmp_path, **files) as run:
        while not said.exists() or not said.read_text(encoding="utf-8").endswith("\n"):
            assert run.poll() is None
            time.sleep(0.02)
        (data,) = _askers(said).values()
        assert Server(data.parent).pid is not None
        run.send_signal(how)
        run.communicate(timeout=600)
    until = time.monotonic() + 300
    while not _gone(data) and time.monotonic() < until:
        time.sleep(0.05)
    assert _gone(data)


# Two tests that leave a connection open, one that stores, and what the others find.
LEAKY = """
import psycopg
from tests import postgres_databases

postgres_databases._LEAK_SECONDS = 0.5

kept = []

def test_leaks(postgres_database):
    kept.append(psycopg.connect(postgres_database))

def test_leaks_a_task(postgres_database):
    kept.append(psycopg.connect(postgres_database))
    kept[-1].execute("SELECT pg_advisory_lock(7)")

def test_stores(postgres_database):
    with psycopg.connect(postgres_database) as connection:
        columns = "id, time_zone, principals, created_at, secret"
        connection.execute(f"INSERT INTO reverie.agents ({columns}) VALUES ('mama', 'UTC', '', 0, '')")

def test_is_sound(postgres_database):
    with psycopg.connect(postgres_database) as connection:
        assert connection.execute("SELECT count(*) FROM reverie.agents").fetchone() == (0,)

def test_is_another_ones(empty_postgres_database):
    psycopg.connect(empty_postgres_database).close()
"""


def test_who_leaves_a_connection_open_fails_by_name(own_postgres_server: OwnServers, tmp_path: Path) -> None:
    server = own_postgres_server()
    out = finish(start(tmp_path, named=server.url(), test_leaky=LEAKY))
    assert "5 passed, 2 errors" in out
    assert "ERROR test_leaky.py::test_leaks - " in out
    assert "ERROR test_leaky.py::test_leaks_a_task - " in out
    assert "holds 1 advisory locks" in out
    with psycopg.connect(server.url()) as connection:
        left = connection.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE 'reverie%'"
            " UNION ALL SELECT rolname FROM pg_roles WHERE rolname LIKE 'reverie%'"
        ).fetchall()
    assert left == []
