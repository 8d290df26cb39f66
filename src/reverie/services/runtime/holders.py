"""Name who holds a lease, so that the lease of a process that was killed is free at once on the same machine.

A holder's name is an id and, behind ``~``, a place (a hash, of 16 hex digits, of this start of the machine and of the
process's namespaces), the process's number there, and when the process began, in the kernel's ticks: numbers that name
no machine and no person. Where the system tells none of this, it is the id alone, and the lease has to run out.
"""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from pathlib import Path

_MARK = re.compile(r"~([0-9a-f]{16})\.([0-9]{1,10})\.([0-9]{1,20})\Z", re.ASCII)
_PROC = Path("/proc")
_BOOT = _PROC / "sys/kernel/random/boot_id"
_NAMESPACES = ("pid", "time")
"""The namespaces that a process's number and its start are counted in."""

_DEAD = ("Z", "X")
"""States of a process that has ended and whose parent hasn't asked yet."""


def holder_name(id: str) -> str:
    """Return that id as this process's: to be made anew in a forked process."""
    pid = os.getpid()
    place, began = _place(), _began(pid)
    return id if place is None or began is None else f"{id}~{place}.{pid}.{began}"


def is_gone(holder: str) -> bool:
    """Return whether the process of that name surely runs no more. False for one of another machine or container."""
    mark = _MARK.search(holder)
    if mark is None or mark[1] != _place():
        return False
    pid = int(mark[2])
    if not _exists(pid):
        return True
    began = _began(pid)
    return began not in (
        None,
        mark[3],
    )  # None: it ended just now, or may not be looked at; the lease has to run out


def process_here(holder: str) -> int | None:
    """Return the number of the process of that name, where it is one of this machine (and container) and may live; else
    None, also where the system tells nothing of processes.
    """
    mark = _MARK.search(holder)
    return None if mark is None or mark[1] != _place() or is_gone(holder) else int(mark[2])


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # another user's; no number of a process
        pass
    return True


def _place() -> str | None:
    """Return where process numbers mean the same; None where that isn't known."""
    try:
        if str((_PROC / "self").readlink()) != str(
            os.getpid()
        ):  # these are the processes of another namespace
            return None
        boot = _BOOT.read_bytes().strip()
        spaces = [one.stat().st_ino for one in map((_PROC / "self/ns").joinpath, _NAMESPACES) if one.exists()]
    except OSError:
        return None
    return blake2b(b"%s %s" % (boot, repr(spaces).encode()), digest_size=8).hexdigest() if boot else None


def _began(pid: int) -> str | None:
    """Return when that process began, or its state where that is one of the ``_DEAD``. None where it can't be told."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # behind the program's name, which may hold anything
    if len(fields) < 20:
        return None
    return fields[0] if fields[0] in _DEAD else fields[19]
