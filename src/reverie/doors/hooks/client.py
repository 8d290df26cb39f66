"""``reverie-hook``: what a coding agent calls at its events. It hands the event to the daemon and prints the answer.

It never breaks or delays its host: it ends with code 0 whatever happens, prints an answer or nothing, and is done when
its time is up. Arguments that make no sense are told, with code 1: hosts take 2 as a veto. What the daemon didn't take
is spooled. It imports what it needs of the standard library and no more: its start is most of what a hook costs.
"""

from __future__ import annotations

import os
import select
import sys
import time

try:
    import _socket as socket  # what socket wraps: its own imports double what a hook takes beside Python's start
except ImportError:
    import socket  # type: ignore[no-redef]

from reverie.doors.hooks import logbook, spool
from reverie.doors.hooks.places import Places

DEADLINE_SECONDS = 1.0
"""So long the host waits at most for a context; for anything else a part of it."""
_OTHERS_SECONDS = 0.5
_STDIN_SECONDS = 2.0
_PAUSE_SECONDS = 0.02
_ASKING = ("SessionStart", "UserPromptSubmit", "sessionStart")
_ENDING = ("SessionEnd", "sessionEnd")
_FLAGS = ("--keyring", "--unencrypted")
_VALUES = ("--bank", "--agent", "--deadline")
_USAGE = """\
usage: reverie-hook HOST EVENT [--bank FILE|URL] [--agent ID] [--keyring] [--unencrypted] < event.json

Hand an event of a coding agent to Reverie's daemon, and print the answer; `reverie install HOST` sets it up.

HOST   claude-code, codex, cursor or opencode
EVENT  the host's own name for it, such as SessionStart, UserPromptSubmit or Stop

A host or an event that isn't known is passed over: `reverie daemon --status` shows it.

--deadline SECONDS  print nothing if no answer is there by then (default: 1)
"""


class _Misused(ValueError):
    """The arguments make no sense. The message repeats no values."""


def main() -> None:
    """Run one hook with the process's own arguments, and end the process."""
    code = 0
    try:
        helps = "--help" in sys.argv or "-h" in sys.argv
        answer = _USAGE.encode() if helps else _Hook(sys.argv[1:]).run()
        while answer:
            answer = answer[os.write(1, answer) :]
    except _Misused as error:
        code = 1
        os.write(2, f"reverie-hook: {error}; see reverie-hook --help\n".encode())
        _tell(f"{error}")
    except BaseException as error:  # noqa: BLE001  # whatever it is, the host must not notice
        _tell(type(error).__name__)
    finally:  # also where there is not even a log
        os._exit(code)  # nothing is left to flush, and nothing to wait for


def _tell(text: str) -> None:
    places = Places()
    places.make()
    logbook.note(places.log, f"hook: {text}")


class _Hook:
    def __init__(self, arguments: list[str]) -> None:
        names, options, passed = _parsed(arguments)
        self._host, self._event = names
        self._passed = passed
        self._places = Places(options.get("--bank"), options.get("--agent"))
        try:
            most = float(options.get("--deadline", DEADLINE_SECONDS))
        except ValueError:
            raise _Misused("--deadline takes seconds, as a number") from None
        self._asks = self._event in _ASKING
        self._seconds = most if self._asks else min(most, _OTHERS_SECONDS)
        self._deadline = time.monotonic() + _STDIN_SECONDS

    def run(self) -> bytes:
        """Return what to print."""
        self._places.make()
        cwd = _cwd()
        os.chdir(self._places.runtime)
        body = self._read()
        if body is None:
            return b""
        self._deadline = time.monotonic() + self._seconds
        raw = spool.Raw(self._host, self._event, spool.new_id(), cwd, body)
        if self._event in _ENDING:  # the host kills whoever is slow here
            self._spool(raw)
            self._poke()
            return b""
        answer = self._asked(raw)
        if answer is None:
            self._spool(raw)
            return b""
        return answer

    def _read(self) -> bytes | None:
        """Return stdin, or None where its end doesn't come in time, or too much does."""
        parts: list[bytes] = []
        size = 0
        while size <= spool.MOST_BYTES:
            ready, _, _ = select.select([0], [], [], max(self._deadline - time.monotonic(), 0))
            if not ready:
                self._note("stdin has no end")
                return None
            part = os.read(0, 1 << 20)
            if not part:
                return b"".join(parts)
            parts.append(part)
            size += len(part)
        self._note("the event is too large")
        return None

    def _asked(self, raw: spool.Raw) -> bytes | None:
        """Return the daemon's answer, or None where there is none in time. A daemon that isn't there is started, and
        waited for where the host wants an answer.
        """
        started = False
        while True:
            try:
                line = self._connected()
                try:
                    line.sendall(raw.packed())
                    line.shutdown(socket.SHUT_WR)
                    answer = self._received(line)
                finally:
                    line.close()
                if answer is None:
                    self._note(f"{self._event}: the daemon broke off")
                return answer
            except TimeoutError:
                self._note(f"{self._event}: the daemon is late")
                return None
            except OSError:
                if not started:
                    self._start()
                    started = True
                if not self._asks or time.monotonic() + _PAUSE_SECONDS >= self._deadline:
                    self._note(f"{self._event}: no daemon yet")
                    return None
                time.sleep(_PAUSE_SECONDS)

    def _connected(self) -> socket.socket:
        """Return a line to the daemon. Raises OSError."""
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._limit(line)
            line.connect(self._places.socket)
        except OSError:
            line.close()
            raise
        return line

    def _limit(self, line: socket.socket) -> None:
        line.settimeout(max(self._deadline - time.monotonic(), 0.001))

    def _received(self, line: socket.socket) -> bytes | None:
        """Return a whole answer, ``+`` with its length in front; None where the line ends before."""
        found = b""
        while True:
            self._limit(line)
            part = line.recv(1 << 16)
            found += part
            head, end, answer = found.partition(b"\n")
            if end and head[:1] == b"+" and len(answer) >= int(head[1:]):
                return answer[: int(head[1:])]
            if not part:
                return None

    def _spool(self, raw: spool.Raw) -> None:
        try:
            spool.put(self._places.spool, raw)
        except (OSError, spool.BadEvent) as error:
            self._note(
                f"{self._event}: not spooled: {error.strerror if isinstance(error, OSError) else error}"
            )

    def _poke(self) -> None:
        """Have the daemon look into the spool, or start it."""
        try:
            self._connected().close()
        except OSError:
            self._start()

    def _start(self) -> None:
        """Start the daemon, unless one runs or starts. Its lock is taken here and handed on: there is only one."""
        import fcntl
        import subprocess

        handle = os.open(self._places.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return
            subprocess.Popen(  # noqa: S603  # our own interpreter and module
                [sys.executable, "-m", "reverie.doors.hooks.daemon", "--lock", str(handle), *self._passed],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=self._places.environment, cwd=self._places.runtime, pass_fds=(handle,), start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(handle)

    def _note(self, text: str) -> None:
        logbook.note(self._places.log, f"hook: {self._host} {text}")


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return "/"


def _parsed(arguments: list[str]) -> tuple[tuple[str, str], dict[str, str], list[str]]:
    """Return the host and the event, the options' values, and the options that the daemon needs, too. Raises
    _Misused.
    """
    names: list[str] = []
    options: dict[str, str] = {}
    passed: list[str] = []
    rest = list(arguments)
    while rest:
        one = rest.pop(0)
        name, _, value = one.partition("=")
        if name in _VALUES:
            if not value and not rest:
                raise _Misused(f"{name} needs a value")
            options[name] = value or rest.pop(0)
            if name == "--agent":
                passed += [name, options[name]]
        elif one in _FLAGS:
            passed.append(one)
        elif one.startswith("-"):
            raise _Misused(f"there is no option {name[:40]}")
        else:
            names.append(one)
    if len(names) != 2:
        raise _Misused("it takes a host and an event")
    return (names[0], names[1]), options, passed


if __name__ == "__main__":
    main()
