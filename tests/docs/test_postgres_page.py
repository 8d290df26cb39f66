"""docs/postgres.md: its commands, run one after the other by a shell, on a server of the test's own."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.postgres_fixtures import OwnServers
from tests.postgres_server import Server, _programs, free_port

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "postgres.md"
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADMIN = "the-administrators-password"


def _script(port: int | None) -> str:
    """All blocks of the page as one script, with the server's address for the one of the page."""
    parts = []
    for language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        here = text.replace("db.example:*", "127.0.0.1:*").replace("db.example", f"127.0.0.1:{port}")
        parts.append(here if language == "sh" else f"python <<'PYTHON'\n{here}PYTHON\n")
    return "\n".join(parts)


def _path(folder: Path, server: Server) -> str:
    """A PATH on which `reverie`, `python` and PostgreSQL's own programs are."""
    folder.mkdir()
    python = shlex.quote(sys.executable)
    for name, command in (("reverie", f"{python} -m reverie"), ("python", python)):
        (folder / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        (folder / name).chmod(0o755)
    return os.pathsep.join(
        [str(folder), str(_programs(server.folder.parent / "programs")), os.environ["PATH"]]
    )


@pytest.fixture
def server(own_postgres_server: OwnServers) -> Server:
    """A server whose administrator has the page's password, on a port of 127.0.0.1."""
    server = own_postgres_server(port=free_port())
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"ALTER ROLE postgres PASSWORD '{ADMIN}'".encode())
    return server


def test_the_pages_commands_lead_from_an_empty_server_to_recalls_and_back_to_a_file(
    server: Server, tmp_path: Path
) -> None:
    environment = {**os.environ, "PATH": _path(tmp_path / "bin", server), "PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run(
        ["sh", "-eu", "-c", _script(server.port)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = ran.stdout + ran.stderr
    assert ran.returncode == 0, said
    assert f"The application's URL: postgresql://reverie_app@127.0.0.1:{server.port}/memory" in ran.stdout
    assert ran.stdout.count("1. Anna prefers text messages to phone calls") == 2
    assert "no fault found" in ran.stdout
    assert "index vectors of 768 dimensions: done" in ran.stdout
    assert "rewrote " in ran.stdout
    assert "CREATE TABLE" not in ran.stdout
    assert (tmp_path / "laptop.bank").is_file()
    assert [secret for secret in (ADMIN, "a-long-new-password") if secret in said] == []
