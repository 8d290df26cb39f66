"""Opening a database on a server: by its URL alone, with the extra's packages, and nothing of a password shown."""

from __future__ import annotations

import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
import traceback
from pathlib import Path

import psycopg
import pytest

from reverie import InvalidInput, Reverie, ReverieError, Settings, StoreSettings
from reverie.client import default_bank, prepare_database, scour_database
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import NotPrepared, Unreachable

ROOT = Path(__file__).resolve().parents[2]
AWAY = "postgresql://anna:hunter2@127.0.0.1:1/memory?sslpassword=hunter3"


def _open(where: object = None, **how: object) -> Reverie:
    return Reverie.open(where, **{"embedder": HashingEmbedder.for_tests(16), **how})  # type: ignore[arg-type]


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("encrypted", [True, False])
def test_a_url_opens_a_prepared_database(postgres_database: str, create: bool, encrypted: bool) -> None:
    with _open(postgres_database, create=create, encrypted=encrypted) as reverie:
        mama = reverie.agent("mama")
        mama.remember("Anna likes tea")
        assert mama.recall("tea").hits[0].text == "Anna likes tea"
        assert (reverie.info().engine, reverie.info().encrypted) == ("postgres", False)


def test_the_environment_may_name_the_database(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_BANK", postgres_database.replace("postgresql://", "postgres://", 1))
    assert default_bank() is None
    with _open() as reverie:
        assert reverie.agents() == []


def test_opening_makes_neither_key_nor_folder(postgres_database: str) -> None:
    with _open(postgres_database) as reverie:
        reverie.agent("mama").remember("Anna likes tea")
    assert [*Path.home().iterdir()] == []


def test_recalls_are_counted_as_touches(postgres_database: str) -> None:
    with _open(postgres_database, settings=Settings(store=StoreSettings(touch_flush_every=1000))) as reverie:
        mama = reverie.agent("mama")
        memory = mama.remember("Anna likes tea").memory
        mama.recall("tea")
        assert mama.stats().pending_touches == 1
    with _open(postgres_database) as reverie:
        assert reverie.agent("mama").portrait(memory.id).memory.touches == 1


@pytest.mark.parametrize("key", [bytes(32), "ab" * 32, "keyring", Path("key")])
def test_a_key_for_a_server_is_refused_with_the_reason(key: object) -> None:
    with pytest.raises(InvalidInput, match="no key of ours") as refused:
        _open(AWAY, key=key)
    assert refused.value.field == "key"


def test_a_key_of_the_environment_is_for_files_and_no_hindrance(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_KEY", "ab" * 32)
    with _open(postgres_database) as reverie:
        assert reverie.agents() == []


def test_an_empty_database_says_how_to_prepare_it(empty_postgres_database: str) -> None:
    with pytest.raises(NotPrepared, match="reverie postgres init"):
        _open(empty_postgres_database, create=True)


def test_settings_reach_the_sessions(postgres_database: str) -> None:
    settings = Settings(store=StoreSettings(statement_timeout=7, synchronous="normal", connections=3))
    with _open(postgres_database, settings=settings) as reverie:
        reverie.agent("mama").remember("Anna likes tea")
        with reverie._desk.store.reader(None) as session:  # type: ignore[attr-defined]
            asked = "SELECT current_setting('statement_timeout'), current_setting('synchronous_commit')"
            assert session.run(asked) == [("7s", "off")]


@pytest.mark.parametrize(
    ("answer", "parameters", "said"),
    [
        (b"N", "sslmode=require", "does not support SSL"),
        (b"S", "sslmode=verify-full&sslrootcert=/nowhere/at/all.crt", "root certificate file"),
    ],
)
def test_what_the_url_says_of_tls_is_libpqs_to_follow(answer: bytes, parameters: str, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)

        def reply() -> None:
            peer, _ = listener.accept()
            with peer:
                peer.recv(8)  # the question whether there is TLS
                peer.sendall(answer)
                peer.recv(1)

        server = threading.Thread(target=reply)
        server.start()
        with pytest.raises(ReverieError, match=said):
            _open(f"postgresql://anna@127.0.0.1:{listener.getsockname()[1]}/memory?{parameters}")
        server.join()


@pytest.mark.parametrize("work", [_open, prepare_database, scour_database], ids=["open", "prepare", "scour"])
def test_no_error_shows_a_password(work: object, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(Unreachable) as refused:
        work(AWAY)  # type: ignore[operator]
    error = refused.value
    said = "".join([*traceback.format_exception(error), repr(error), repr(pickle.dumps(error)), caplog.text])
    assert "hunter" not in said


def test_nothing_of_an_open_database_shows_a_password(
    postgres_database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = postgres_database.replace("@", ":hunter2@", 1)  # its server believes whoever comes by the socket
    with _open(url) as reverie:
        reverie.agent("mama").remember("Anna likes tea")
        desk = reverie._desk
        parts = (reverie, reverie.info(), desk, desk.store, desk.search, vars(desk.store))
        said = "".join(map(repr, parts))
    assert "hunter" not in said + caplog.text
    with pytest.raises(ReverieError) as closed:
        reverie.agents()
    assert "hunter" not in str(closed.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna:hun@ter2@127.0.0.1:1/d",
        "postgresql://anna:hun/ter2@127.0.0.1:1/d",
        "postgresql://anna:hun ter2@127.0.0.1:1/d",
        "postgresql://anna:hun%zzter2@127.0.0.1:1/d",
        "postgresql://anna:hunter2@127.0.0.1:x/d",
    ],
)
def test_an_unescaped_password_is_refused_unshown(url: str) -> None:
    with pytest.raises(ReverieError) as refused:
        _open(url)
    assert "ter2" not in "".join(traceback.format_exception(refused.value)).replace(url, "")


_WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from reverie import InvalidInput, Reverie
try:
    Reverie.open("postgresql://127.0.0.1:1/memory")
except InvalidInput as error:
    print(error.remedy)
"""


@pytest.mark.parametrize("package", ["psycopg", "psycopg_pool", "pgvector"])
def test_without_the_extra_the_error_says_what_to_install(package: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", _WITHOUT, package]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("pip install '.[postgres]' in a checkout of Reverie\n", "")


def test_a_bank_file_loads_nothing_of_the_extra(tmp_path: Path) -> None:
    code = (
        "import sys; from reverie import Reverie; Reverie.open(sys.argv[1]).close();"
        " print([name for name in sys.modules if name.startswith(('psycopg', 'pgvector'))])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", code, str(tmp_path / "a.bank")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("[]\n", "")


def test_what_is_no_url_of_a_server_is_not_prepared(tmp_path: Path) -> None:
    for work in (prepare_database, scour_database):
        with pytest.raises(InvalidInput, match="no postgresql:// URL"):
            work(str(tmp_path / "a.bank"))
        with pytest.raises(InvalidInput):
            work(5)  # type: ignore[arg-type]
    assert [*tmp_path.iterdir()] == []


def test_the_front_door_prepares_and_scours_a_database(
    empty_postgres_database: str, postgres_database: str
) -> None:
    assert prepare_database(empty_postgres_database, dry_run=True).sql
    with psycopg.connect(postgres_database) as connection:
        ((tables,),) = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace = 'reverie'::regnamespace AND relkind = 'r'"
        ).fetchall()
    assert scour_database(postgres_database).tables == tables
