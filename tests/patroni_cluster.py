"""Two PostgreSQL nodes under Patroni, which promotes the standby when the primary dies, with one etcd, on one machine.

The programs are Debian's (scripts/highly_available installs them), PostgreSQL's are those of the other tests. Nothing
here knows pytest. Linux only: who started the cluster takes it down by dying, since the kernel then kills Patroni and
etcd (``setpriv --pdeathsig``), and the run's keeper PostgreSQL and the folder.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.postgres_keeper import Run
from tests.postgres_server import SUPERUSER, Server, _programs, account, free_port, open_to_server

SECRET = "the-superusers-password"
TTL = 10
"""Seconds after which a primary that says nothing counts as dead. Patroni's own default is 30."""
_READY_SECONDS = 90
_NEEDED = ("etcd", "patroni", "setpriv")


def missing_programs() -> list[str]:
    """What isn't installed of what a cluster needs."""
    return [name for name in _NEEDED if shutil.which(name) is None]


@dataclass(kw_only=True)
class Node:
    """One PostgreSQL and the Patroni that starts, promotes and rejoins it."""

    name: str
    server: Server
    rest: int
    config: Path
    patroni: subprocess.Popen[bytes] | None = None

    @property
    def port(self) -> int:
        """Where PostgreSQL listens."""
        assert self.server.port is not None
        return self.server.port

    def start(self) -> None:
        """Start Patroni, which does the rest."""
        self.patroni = spawn(self.server.folder, "patroni", str(self.config))

    def kill(self) -> None:
        """SIGKILL to Patroni and to every process of its PostgreSQL, as if the machine had lost its power."""
        if self.patroni is not None:
            self.patroni.send_signal(signal.SIGSTOP)  # so that it starts nothing anew meanwhile
        self.server.kill()
        if self.patroni is not None:
            self.patroni.kill()
            self.patroni.wait()
            self.patroni = None

    def members(self) -> list[dict[str, Any]]:
        """What its Patroni knows of the cluster; nothing where it doesn't answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.rest}/cluster", timeout=5) as answer:
                return list(json.load(answer)["members"])
        except (urllib.error.URLError, OSError, ValueError, KeyError):
            return []


@dataclass(kw_only=True)
class Cluster:
    """The two nodes. Commits are acknowledged when the standby has them, or not at all (synchronous_mode_strict)."""

    nodes: tuple[Node, Node]

    def url(self, database: str = "postgres", *, options: str = "?target_session_attrs=read-write") -> str:
        """Return a URL of both, for the superuser."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://{SUPERUSER}:{SECRET}@{hosts}/{database}{options}"

    def primary(self) -> Node | None:
        """The one that takes writes, where one is known and its standby confirms them."""
        for node in self.nodes:
            told = {one["name"]: one for one in node.members()}
            leaders = [
                name for name, one in told.items() if one["role"] == "leader" and one["state"] == "running"
            ]
            standbys = [one for one in told.values() if one["role"] == "sync_standby"]
            if leaders == [node.name] and standbys:
                return node
        return None

    def leader(self) -> Node | None:
        """The one that was promoted, whether or not a standby follows it."""
        for node in self.nodes:
            for one in node.members():
                if one["name"] == node.name and one["role"] == "leader" and one["state"] == "running":
                    return node
        return None

    def wait_for_primary(self) -> Node:
        """Wait until both nodes are at work. Raise TimeoutError with the ends of the logs."""
        until = time.monotonic() + _READY_SECONDS
        while time.monotonic() < until:
            found = self.primary()
            if found is not None:
                return found
            time.sleep(0.1)
        logs = [node.server.folder / "patroni.log" for node in self.nodes]
        raise TimeoutError(
            "\n".join(log.read_text("utf-8", "replace")[-3000:] for log in logs if log.exists())
        )


@contextmanager
def patroni_cluster() -> Iterator[Cluster]:
    """Give a running cluster; gone afterwards, also when this process is killed."""
    run = Run.begin()
    try:
        with ExitStack() as stack:
            etcd = _etcd(run, stack)
            nodes = [_node(run, name, etcd) for name in ("north", "south")]
            cluster = Cluster(nodes=(nodes[0], nodes[1]))
            for node in nodes:
                stack.callback(node.kill)
            for node in nodes:
                node.start()
            cluster.wait_for_primary()
            yield cluster
    finally:
        run.end()


def _etcd(run: Run, stack: ExitStack) -> int:
    """Start etcd and return its port."""
    folder = run.server().folder
    open_to_server(folder)
    client, peer = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
    process = spawn(
        folder, "etcd", "--name=one", f"--data-dir={folder / 'etcd'}", "--unsafe-no-fsync",
        f"--listen-client-urls={client}", f"--advertise-client-urls={client}", f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}", f"--initial-cluster=one={peer}",
    )  # fmt: skip
    stack.callback(process.wait)
    stack.callback(process.kill)
    return int(client.rpartition(":")[2])


def _node(run: Run, name: str, etcd: int) -> Node:
    server = run.server(port=free_port())
    open_to_server(server.folder)
    programs = _programs(server.folder.parent / "programs")
    rest = free_port()
    local = f"127.0.0.1:{server.port}"
    config = {
        "scope": "reverie",
        "name": name,
        "restapi": {"listen": f"127.0.0.1:{rest}", "connect_address": f"127.0.0.1:{rest}"},
        "etcd3": {"host": f"127.0.0.1:{etcd}"},
        "bootstrap": {
            "dcs": {
                "ttl": TTL,
                "loop_wait": 1,
                "retry_timeout": 3,
                "synchronous_mode": True,
                "synchronous_mode_strict": True,
                "postgresql": {
                    "use_pg_rewind": True,
                    "parameters": {**server.settings, "full_page_writes": "on", "wal_log_hints": "on"},
                },
            },
            "initdb": [
                {"encoding": "UTF8"}, {"locale": "C"}, {"locale-provider": "builtin"}, {"builtin-locale": "C.UTF-8"},
                "no-sync",
            ],
        },
        "postgresql": {
            "listen": local,
            "connect_address": local,
            "data_dir": str(server.data),
            "bin_dir": str(programs),
            "pgpass": str(server.folder / "pgpass"),
            "parameters": {"unix_socket_directories": str(server.folder)},
            "pg_hba": [
                "local all all trust",
                "host all all 127.0.0.1/32 scram-sha-256",
                "host replication all 127.0.0.1/32 scram-sha-256",
            ],
            "authentication": {
                "superuser": {"username": SUPERUSER, "password": SECRET},
                "replication": {"username": "replicator", "password": SECRET},
                "rewind": {"username": SUPERUSER, "password": SECRET},
            },
        },
    }  # fmt: skip
    path = server.folder / "patroni.yml"
    path.write_text(json.dumps(config, indent=1), encoding="utf-8")  # JSON is YAML
    user = account()
    if user is not None:
        os.chown(path, user.pw_uid, user.pw_gid)
    path.chmod(0o600)
    return Node(name=name, server=server, rest=rest, config=path)


def spawn(folder: Path, program: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a program as the server's user, to be killed by the kernel when the thread that starts it ends."""
    user = account()
    drop = [] if user is None else [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    path = shutil.which(program)
    assert path is not None
    with (folder / f"{Path(program).name}.log").open("ab") as log:
        return subprocess.Popen(
            ["setpriv", *drop, "--pdeathsig=KILL", "--", path, *arguments],
            cwd=folder, env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "HOME": str(folder)},
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
