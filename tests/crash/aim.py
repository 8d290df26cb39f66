"""Aiming: in a child process, the moment at which it kills itself with SIGKILL, or at which the disk fails.

A moment is the n-th time that a point is passed. Points are the file operations of SQLite, counted beneath the
encryption (by a VFS between the cipher and the operating system), or the system calls that Python makes.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FrameType
from typing import Any

import apsw

SHIM = "crash"
WAYS = ("before", "after", "torn", "lost", "reordered")
"""How an operation is cut: before or after it; with half of its bytes written; and as by a power failure: with all, or
every second one, of the writes undone that no sync has made safe."""

POWER_FAILURES = ("lost", "reordered")

FAULTS = ("full", "flipped")
"""How the disk fails: no space is left from the point on; or a page of the file is read with a wrong bit, once. Points
of ``flipped`` are reads.
"""

Tell = Callable[[dict[str, Any]], None]

_SYSTEM = ("posix", "_io")
_GROWING = frozenset({"mkdir", "open", "write", "flush", "fsync", "link"})
_CHANGING = frozenset(
    {"mkdir", "open", "write", "flush", "fsync", "link", "unlink", "rename", "replace", "close", "__exit__"}
)


class Aim:
    """Counts points while it is armed, and kills at the one chosen; at 0 it only counts."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._at = 0
        self.way = "before"
        self.passed: list[str] = []
        self.armed = self.full = False
        self.unsynced: list[tuple[apsw.VFSFile, int, bytes, int]] = []

    def take(self, at: int, way: str) -> None:
        """From now on: kill, or fail, at the point number ``at``."""
        assert way in (*WAYS, *FAULTS)
        self._at, self.way, self.passed, self.armed = at, way, [], True

    def hits(self, point: str) -> bool:
        """Whether the point that is being passed is the chosen one."""
        if not self.armed or (self.way == "flipped") != point.startswith("read"):
            return False
        self.passed.append(point)
        return len(self.passed) == self._at

    def kill(self) -> None:
        """Says where, and dies: no handler, no clean-up."""
        self.armed = False
        if self.way in POWER_FAILURES:
            self._undo(every=1 if self.way == "lost" else 2)
        self._tell({"killed": self.passed[-1]})
        os.kill(os.getpid(), signal.SIGKILL)
        signal.pause()

    def _undo(self, *, every: int) -> None:
        for place, (file, offset, old, size) in enumerate(reversed(self.unsynced)):
            if place % every == 0:
                apsw.VFSFile.xWrite(file, old, offset)
                if every == 1 and size < file.xFileSize():
                    apsw.VFSFile.xTruncate(file, size)


class _File(apsw.VFSFile):
    def __init__(self, aim: Aim, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        text = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._kind = text.rpartition("-")[2] if text.endswith(("-wal", "-journal")) else "file"
        self._aim = aim

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        data = super().xRead(amount, offset)
        if self._kind == "file" and self._aim.hits("read file"):
            return bytes([*data[:-1], data[-1] ^ 1])
        return data

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        aim = self._aim
        hit = aim.hits(f"write {self._kind}")
        if (hit and aim.way == "full") or (aim.full and offset + len(data) > self.xFileSize()):
            aim.full = True
            raise apsw.FullError
        if hit and aim.way in ("before", *POWER_FAILURES):
            aim.kill()
        if hit and aim.way == "torn":
            super().xWrite(bytes(data)[: len(data) // 2], offset)
            aim.kill()
        size = self.xFileSize()
        known = max(min(len(data), size - offset), 0)
        old = self.xRead(known, offset) if known else b""
        # What lay behind the end reads as zeros, where a later write has moved the end.
        aim.unsynced.append((self, offset, old.ljust(len(data), b"\0"), size))
        super().xWrite(data, offset)
        if hit:
            aim.kill()

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._cut("sync", lambda: super(_File, self).xSync(flags))
        self._settle()

    def xClose(self) -> None:  # noqa: N802
        self._settle()
        super().xClose()

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._cut("truncate", lambda: super(_File, self).xTruncate(size))

    def _settle(self) -> None:
        self._aim.unsynced = [write for write in self._aim.unsynced if write[0] is not self]

    def _cut(self, what: str, work: Callable[[], None]) -> None:
        hit = self._aim.hits(f"{what} {self._kind}")
        if hit and self._aim.way == "full":
            self._aim.full = True
            raise apsw.FullError
        if hit and self._aim.way != "after":
            self._aim.kill()
        work()
        if hit:
            self._aim.kill()


class _Files(apsw.VFS):
    def __init__(self, aim: Aim) -> None:
        super().__init__(SHIM, "unix")
        self._aim = aim

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _File(self._aim, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
        hit = self._aim.hits("delete") and self._aim.way != "full"  # which takes no space
        if hit and self._aim.way != "after":
            self._aim.kill()
        super().xDelete(name, sync)
        if hit:
            self._aim.kill()


def watch_files(aim: Aim) -> object:
    """From now on connections of this process go through the shim; what is returned must be kept alive."""
    connect = apsw.Connection

    def through_shim(path: str, flags: int) -> apsw.Connection:
        return connect(path, flags=flags, vfs=f"multipleciphers-{SHIM}")

    vfs = _Files(aim)
    apsw.Connection = through_shim  # type: ignore[assignment,misc]
    return vfs


def watch_calls(aim: Aim, module: Any, function: str) -> None:
    """While ``module.function`` runs, the beginning and the end of each system call that changes files is a point."""
    work = getattr(module, function)

    def profile(_frame: FrameType, event: str, called: Any) -> None:
        if event in ("c_call", "c_return") and _is_system(called) and aim.hits(f"{event} {called.__name__}"):
            if aim.way == "full":
                if event == "c_call" and called.__name__ in _GROWING:
                    aim.full = True
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return
            sys.setprofile(None)
            aim.kill()

    def watched(*args: Any, **named: Any) -> Any:
        sys.setprofile(profile)
        try:
            return work(*args, **named)
        finally:
            sys.setprofile(None)

    setattr(module, function, watched)


def _is_system(called: Any) -> bool:
    if not isinstance(called, BuiltinFunctionType) or called.__name__ not in _CHANGING:
        return False
    owner = called.__module__ or type(called.__self__).__module__
    return owner in _SYSTEM
