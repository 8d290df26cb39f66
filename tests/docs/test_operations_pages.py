"""docs/operations/: the commands about backups, run by a shell on a server of the test's own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import psycopg
import pytest

from reverie import Reverie
from reverie.store.postgres import roles
from tests.docs.test_postgres_page import BLOCK, ROOT, _path
from tests.postgres_fixtures import OwnServers
from tests.postgres_server import free_port

pytestmark = pytest.mark.slow
PAGE = ROOT / "docs" / "operations" / "backups.md"


def test_the_pages_backups_are_made_and_an_agent_is_taken_out_of_one(
    own_postgres_server: OwnServers, tmp_path: Path
) -> None:
    server = own_postgres_server(port=free_port())
    with (server.data / "pg_hba.conf").open("a", encoding="utf-8") as lines:
        lines.write("host replication all 127.0.0.1/32 scram-sha-256\n")
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("ALTER ROLE postgres PASSWORD 'secret'")
        connection.execute("CREATE DATABASE memory")
    roles.prepare(server.url("memory"), partitions=1, password="secret")
    with Reverie.open(server.url("memory")) as reverie:
        reverie.agent("mama").remember("Anna prefers text messages to phone calls")
    script = "\n".join(text for _, text in BLOCK.findall(PAGE.read_text("utf-8")))
    script = script.replace("db.example", f"127.0.0.1:{server.port}")
    ran = subprocess.run(
        ["sh", "-eu", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={
            **os.environ, "PATH": _path(tmp_path / "bin", server), "PYTHONPATH": str(ROOT / "src"),
            "PGPASSWORD": "secret",
        },
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "no fault found" in ran.stdout
    for name in ("mama-before.bank", "mama-restored.bank"):
        with Reverie.open(tmp_path / name) as reverie:
            assert [one.essence for one in reverie.agent("mama").memories()] == [
                "Anna prefers text messages to phone calls"
            ]
    assert "Anna prefers" in (tmp_path / "mama.jsonl").read_text("utf-8")
