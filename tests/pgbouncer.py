"""A real PgBouncer before a test's server. The program is Debian's (scripts/highly_available installs it)."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from tests.patroni_cluster import spawn
from tests.postgres_server import Server, account, free_port

_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"])  # where Debian puts it
PROGRAM = shutil.which("pgbouncer", path=_PATH)
MISSING = PROGRAM is None or shutil.which("setpriv") is None


@contextmanager
def pgbouncer(server: Server, users: list[str], *, connections: int = 3) -> Iterator[int]:
    """Give the port of a PgBouncer in transaction mode with so many connections a user and database. It believes
    these users; gone afterwards, also when this process is killed.
    """
    assert PROGRAM is not None
    port = free_port()
    known, config = server.folder / "users.txt", server.folder / "pgbouncer.ini"
    known.write_text("".join(f'"{user}" ""\n' for user in users), encoding="utf-8")
    config.write_text(
        f"""[databases]
* = host={server.folder} port={_port_of(server)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {known}
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 500
server_round_robin = 1
server_login_retry = 1
""",
        encoding="utf-8",
    )
    user = account()
    for path in (known, config):
        if user is not None:
            os.chown(path, user.pw_uid, user.pw_gid)
    process = spawn(server.folder, PROGRAM, str(config))
    try:
        _wait(port)
        yield port
    finally:
        process.kill()
        process.wait()


def _port_of(server: Server) -> int:
    """The number in the name of the server's socket."""
    query = urlsplit(server.url()).query
    return int(query.partition("port=")[2] or 5432)


def _wait(port: int) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return
