"""The folder of one run's servers, and a process that clears it away however the run ends.

Whoever begins a run holds a lock on a file in the folder; the kernel lets go of it when that process ends, be it by
an exit, Ctrl-C or SIGKILL. The keeper, a process of its own, waits for that, kills the servers and deletes the folder.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import psutil

from tests.postgres_server import Server, reachable

ROOT = Path(__file__).resolve().parent.parent
_CLEARED_SECONDS = 60


def _make_folder() -> Path:
    """A new folder that the server's user can enter: not every user's TMPDIR is such a place."""
    for place in (tempfile.gettempdir(), "/var/tmp", "/dev/shm"):
        if not Path(place).is_dir():
            continue
        folder = Path(tempfile.mkdtemp(prefix="reverie-pg-", dir=place))
        folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
        if reachable(folder):
            return folder
        folder.rmdir()
    raise PermissionError("no folder for temporary files that the user nobody can enter: set TMPDIR to one")


def _lives(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


class Run:
    """A handle of the folder of one run's servers. Any process may have one; whoever began the run ends it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._held: int | None = None

    @classmethod
    def begin(cls) -> Run:
        """Make the folder and hold it until `end` or the death of this process. Starts no process."""
        run = cls(_make_folder())
        run._held = os.open(run.folder / "held", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(run._held, fcntl.LOCK_EX)
        return run

    def end(self) -> None:
        """Let go, and wait until the servers and the folder are gone."""
        if self._held is None:
            return
        os.close(self._held)
        self._held = None
        if not (self.folder / "kept").exists():
            shutil.rmtree(self.folder)
            return
        keeper = int((self.folder / "kept").read_text(encoding="ascii"))
        until = time.monotonic() + _CLEARED_SECONDS
        while self.folder.exists():
            if not _lives(keeper):
                clear_when_let_go(self.folder)
            elif time.monotonic() > until:
                raise TimeoutError(f"the tests' PostgreSQL in {self.folder} isn't cleared away")
            time.sleep(0.01)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """One process of the run at a time."""
        lock = os.open(self.folder / "alone", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def server(
        self, *, settings: Mapping[str, str] = MappingProxyType({}), port: int | None = None
    ) -> Server:
        """A server in a folder of its own, not yet started; it is gone at the run's end, stopped or not."""
        with self.alone():
            self.keep()
            folder = Path(tempfile.mkdtemp(prefix="own-", dir=self.folder))
        return Server(folder, settings=settings, port=port)

    def shared(self) -> Server:
        """The one server of the run, started by whoever asks first."""
        server = Server(self.folder / "shared")
        with self.alone():
            self.keep()
            if server.pid is None:
                server.start()
        return server

    def keep(self) -> None:
        """Start the keeper, once. It is no child of the terminal's, so Ctrl-C doesn't reach it."""
        kept = self.folder / "kept"
        if kept.exists():
            return
        with (self.folder / "keeper.log").open("wb") as log:
            keeper = subprocess.Popen(
                [sys.executable, "-m", "tests.postgres_keeper", str(self.folder)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        keeper.returncode = (
            0  # nobody waits for it: without this Python warns when it forgets a child that runs
        )
        kept.write_text(str(keeper.pid), encoding="ascii")


@contextmanager
def own_server(
    *, settings: Mapping[str, str] = MappingProxyType({}), port: int | None = None
) -> Iterator[Server]:
    """A started server for one purpose, without pytest; gone afterwards, also when this process is killed."""
    run = Run.begin()
    try:
        server = run.server(settings=settings, port=port)
        server.start()
        yield server
    finally:
        run.end()


def clear_when_let_go(folder: Path) -> None:
    """Wait until nobody holds the run, then leave nothing of it."""
    try:
        held = os.open(folder / "held", os.O_RDWR)
    except FileNotFoundError:  # another process has just cleared it
        return
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        for data in folder.glob("*/data"):
            Server(data.parent).kill()
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(held)


if __name__ == "__main__":
    clear_when_let_go(Path(sys.argv[1]))
