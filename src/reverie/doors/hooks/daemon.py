"""The warm daemon behind the hooks: one for a user's bank and agent, started by the first hook, ending when idle."""

from __future__ import annotations

import argparse
import fcntl
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir
from functools import partial
from pathlib import Path

from reverie.client import Reverie, default_agent
from reverie.domain.block import ContextBlock
from reverie.doors.hooks import logbook, spool
from reverie.doors.hooks.events import Event, answer, read
from reverie.doors.hooks.keeper import Keeper
from reverie.doors.hooks.peers import is_own
from reverie.doors.hooks.places import Places
from reverie.doors.hooks.reasons import reason
from reverie.doors.hooks.taker import Open, Taker
from reverie.errors import ReverieError

IDLE_MINUTES = 10.0
_BACKLOG = 512
_THREADS = 16
_RECEIVE_SECONDS = 2.0
_READY_SECONDS = 5.0
"""So long a hook's thread waits for the bank to open; the hook itself waits for less."""
_LOOK_SECONDS = 0.5


class Daemon:
    """Answers hooks at the socket until nothing came for ``idle`` seconds, or it is told to stop."""

    def __init__(self, places: Places, open_bank: Open, agent_id: str, *, idle: float) -> None:
        self._places, self._idle = places, idle
        self._note: Callable[[str], None] = lambda text: logbook.note(places.log, f"daemon: {text}")
        self._taker = Taker(places, open_bank, agent_id, self._note)
        self._stopped = False
        self._heard_at = time.monotonic()

    def stop(self) -> None:
        """Have ``serve`` end soon."""
        self._stopped = True

    def serve(self) -> None:
        """Serve until the end. The lock must be held."""
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door,
            ThreadPoolExecutor(_THREADS) as threads,
        ):
            with chdir(self._places.runtime):
                Path(self._places.socket).unlink(missing_ok=True)  # of one that was killed: we hold the lock
                door.bind(self._places.socket)
            door.listen(_BACKLOG)
            door.settimeout(_LOOK_SECONDS)
            self._taker.start()
            try:
                while not self._is_over():
                    try:
                        line, _ = door.accept()
                    except TimeoutError:
                        continue
                    self._heard_at = time.monotonic()
                    threads.submit(self._answer, line)
            finally:
                Path(self._places.runtime, self._places.socket).unlink(missing_ok=True)
                self._taker.stop()

    def _is_over(self) -> bool:
        quiet = time.monotonic() - self._heard_at
        return self._stopped or (quiet > self._idle and (self._taker.is_idle or quiet > 3 * self._idle))

    def _answer(self, line: socket.socket) -> None:
        try:
            with line:
                line.settimeout(_RECEIVE_SECONDS)
                if not is_own(line):
                    self._note("another user knocked")
                    return
                data = self._received(line)
                if data:
                    self._heard(spool.unpacked(data), line)
        except (OSError, spool.BadEvent) as error:
            self._note(f"a hook went away or makes no sense: {type(error).__name__}")
        except Exception as error:  # noqa: BLE001  # one hook's trouble is not the others'
            self._note(f"a hook was not answered: {type(error).__name__}")
        finally:
            self._taker.wake()

    def _received(self, line: socket.socket) -> bytes:
        parts: list[bytes] = []
        size = 0
        while part := line.recv(1 << 20):
            parts.append(part)
            size += len(part)
            if size > spool.MOST_BYTES + 65_536:
                raise spool.BadEvent("the event is too large")
        return b"".join(parts)

    def _heard(self, raw: spool.Raw, line: socket.socket) -> None:
        """Keep the event in the spool, where it survives us, and answer."""
        try:
            event = read(raw)
        except spool.BadEvent as error:
            self._note(f"an event of {raw.host} was dropped: {error}")
            _send(line, b"")
            return
        try:
            spool.put(self._places.spool, raw)
        except (OSError, spool.BadEvent) as error:
            self._note(f"an event is not spooled: {type(error).__name__}")
            self._taker.put_loose(raw)
        keeper = self._keeper() if event.asks else None
        block = None if keeper is None else self._context(keeper, event)
        _send(line, b"" if block is None else answer(event, block.text))
        if keeper is not None and block is not None:  # a hook that gave up shows nothing: sending to it fails
            keeper.showed(event, block)

    def _keeper(self) -> Keeper | None:
        self._taker.ready.wait(_READY_SECONDS)
        return self._taker.keeper

    def _context(self, keeper: Keeper, event: Event) -> ContextBlock | None:
        try:
            return keeper.context(event)
        except ReverieError as error:
            self._note(f"no context: {reason(error)}")
            return None


def _send(line: socket.socket, found: bytes) -> None:
    line.sendall(b"+%d\n" % len(found) + found)


def locked(places: Places) -> int | None:
    """Return the lock's handle, or None where a daemon runs or starts. Raises OSError."""
    handle = os.open(places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def running(places: Places) -> int | None:
    """Return the process id of the daemon that holds the lock, or None. Raises OSError."""
    if not Path(places.lock).exists():  # asking makes nothing
        return None
    handle = locked(places)
    if handle is not None:
        os.close(handle)
        return None
    said = Path(places.lock).read_text("ascii").strip()
    return int(said) if said.isdecimal() else None


def serve(places: Places, handle: int, open_bank: Open, agent_id: str, *, idle: float) -> None:
    """Serve with the lock held, and let go of it at the end. SIGTERM and SIGINT end it."""
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    daemon = Daemon(places, open_bank, agent_id, idle=idle)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: daemon.stop())
    try:
        daemon.serve()
    finally:
        os.ftruncate(handle, 0)
        os.close(handle)


class _Logbook(logging.Handler):
    """Puts the library's warnings, which hold no contents, into our log."""

    def __init__(self, path: str) -> None:
        super().__init__(logging.WARNING)
        self._path = path

    def emit(self, record: logging.LogRecord) -> None:
        logbook.note(self._path, f"{record.name}: {record.getMessage()}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the daemon that a hook starts: it hands over the lock."""
    parser = argparse.ArgumentParser(prog="python -m reverie.doors.hooks.daemon")
    parser.add_argument("--lock", type=int)
    parser.add_argument("--agent")
    parser.add_argument("--keyring", action="store_true")
    parser.add_argument("--unencrypted", action="store_true")
    given = parser.parse_args(arguments)
    places = Places(agent=given.agent)
    places.make()
    logging.getLogger("reverie").addHandler(_Logbook(places.log))
    handle = given.lock if given.lock is not None else locked(places)
    if handle is None:
        return 0
    os.set_inheritable(handle, False)
    opened = partial(
        Reverie.open, key="keyring" if given.keyring else None, encrypted=not given.unencrypted,
        actor="hooks",
    )  # fmt: skip
    serve(places, handle, opened, given.agent or default_agent(), idle=IDLE_MINUTES * 60)
    return 0


if __name__ == "__main__":
    sys.exit(main())
