"""The server that the other tests stand on: it keeps what it should keep, and nothing of it is left."""

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
from tests.postgres_keeper import Run
from tests.postgres_server import Server, ServerProblem, free_port

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


def _ask(url: str, query: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
    return row and row[0]


def _store(url: str, text: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (text text)")
        connection.execute("INSERT INTO kept VALUES (%s)", [text])


def test_it_is_postgresql_18_with_pgvector_08(own_postgres_server: OwnServers) -> None:
    server = own_postgres_server()
    assert str(_ask(server.url(), "SHOW server_version")).startswith("18.")
    found = "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
    assert str(_ask(server.url(), found)).startswith("0.8.")


def test_a_restart_keeps_the_data(own_postgres_server: OwnServers) -> None:
    server = own_postgres_server()
    first = server.pid
    _store(server.url(), "before")
    server.restart()
    assert server.pid != first
    assert _ask(server.url(), "SELECT text FROM kept") == "before"


def test_a_killed_server_recovers_what_was_committed(own_postgres_server: OwnServers) -> None:
    server = own_postgres_server()
    _store(server.url(), "before")
    server.kill()
    assert server.pid is None
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.url())
    server.start()
    assert _ask(server.url(), "SELECT text FROM kept") == "before"


def test_settings_reach_the_server_whole(own_postgres_server: OwnServers) -> None:
    server = own_postgres_server(settings={"cluster_name": "it's one"})
    assert _ask(server.url(), "SHOW cluster_name") == "it's one"


def test_a_setting_it_refuses_is_told_with_the_servers_words(own_postgres_server: OwnServers) -> None:
    with pytest.raises(ServerProblem, match="no_such_setting"):
        own_postgres_server(settings={"no_such_setting": "1"})


def test_over_tcp_a_role_needs_its_password(own_postgres_server: OwnServers) -> None:
    server = own_postgres_server(port=free_port())
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN PASSWORD 'a/b c'")
    assert _ask(server.url(user="guest", password="a/b c", tcp=True), "SELECT current_user") == "guest"
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(server.url(user="guest", password="wrong", tcp=True))


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


def test_all_workers_of_a_run_share_one_server_that_is_gone_afterwards_even_if_one_crashed(
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
        run.communicate(timeout=120)
    until = time.monotonic() + 60
    while not _gone(data) and time.monotonic() < until:
        time.sleep(0.05)
    assert _gone(data)


def test_a_run_whose_keeper_was_killed_clears_up_by_itself() -> None:
    run = Run.begin()
    data = run.shared().data
    psutil.Process(int((run.folder / "kept").read_text(encoding="ascii"))).kill()
    run.end()
    assert _gone(data)


def test_a_run_that_asks_for_no_server_starts_none(tmp_path: Path) -> None:
    asks = (
        "def test_where(request):\n"
        "    from tests.postgres_fixtures import _RUN\n"
        "    folder = request.config.stash[_RUN].folder\n"
        f"    open({str(tmp_path / 'said')!r}, 'w').write(str(folder))\n"
        "    assert [path.name for path in folder.iterdir()] == ['held']\n"
    )
    out = finish(start(tmp_path, test_one=asks))
    assert "1 passed" in out
    assert not Path((tmp_path / "said").read_text(encoding="utf-8")).exists()
