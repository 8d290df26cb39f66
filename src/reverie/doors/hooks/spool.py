"""The spool: events that wait for the daemon, a file each, named so that their order is the order of their names.

An event is the host's own JSON behind a head of lines that says where it comes from. Every hook imports this: `os`
alone.
"""

from __future__ import annotations

import os
import time

MOST_BYTES = 8 << 20
"""A larger event isn't kept: the host's transcript has what it says."""
MOST_WAITING = 10_000
_VERSION = b"reverie-hook 1"
_ENDING = ".event"


class BadEvent(ValueError):
    """What came is no event of ours."""


class Raw:
    """An event as it came: host, the event's name by the command, id, the hook's working directory, and the JSON."""

    __slots__ = ("body", "cwd", "event", "host", "id")

    def __init__(self, host: str, event: str, id: str, cwd: str, body: bytes) -> None:
        self.host, self.event, self.id, self.cwd, self.body = host, event, id, cwd, body

    def packed(self) -> bytes:
        """Return it as bytes: what goes through the socket, and what a file of the spool holds."""
        head = (self.host, self.event, self.id, self.cwd.replace("\n", " "))
        return b"\n".join((_VERSION, *(os.fsencode(part) for part in head), self.body))


def unpacked(data: bytes) -> Raw:
    """Return the event that the bytes hold. Raises BadEvent."""
    parts = data.split(b"\n", 5)
    if len(parts) != 6 or parts[0] != _VERSION:
        raise BadEvent("no event of this version")
    host, event, id, cwd = (os.fsdecode(part) for part in parts[1:5])
    if not is_id(id):
        raise BadEvent("no id")
    return Raw(host, event, id, cwd, parts[5])


def new_id() -> str:
    """Return an id that no other hook of this machine has; ids sort by time."""
    return f"{time.time_ns():020d}-{os.getpid()}"


def is_id(text: str) -> bool:
    """Return whether it looks like an id of ours: it becomes a file's name."""
    moment, dash, process = text.partition("-")
    return bool(dash) and len(moment) == 20 and moment.isdecimal() and process.isdecimal() and text.isascii()


def put(folder: str, raw: Raw) -> None:
    """Keep an event, whole or not at all. One of the same id is replaced. Raises OSError, BadEvent (it is too large,
    or too many wait).
    """
    if len(raw.body) > MOST_BYTES:
        raise BadEvent("the event is too large")
    if len(os.listdir(folder)) >= MOST_WAITING:
        raise BadEvent("too many events wait")
    draft = os.path.join(folder, f".{raw.id}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        try:
            left = memoryview(raw.packed())
            while left:
                left = left[os.write(handle, left) :]
        finally:
            os.close(handle)
        os.rename(draft, _path(folder, raw.id))
    except OSError:
        os.unlink(draft)
        raise


def waiting(folder: str) -> list[str]:
    """Return the ids of the events that wait, in their order. Raises OSError."""
    ids = (name.removesuffix(_ENDING) for name in os.listdir(folder) if name.endswith(_ENDING))
    return sorted(id for id in ids if is_id(id))


def get(folder: str, id: str) -> Raw:
    """Return an event that waits. Raises OSError, BadEvent."""
    with open(_path(folder, id), "rb") as file:
        return unpacked(file.read(MOST_BYTES + 65_536))


def drop(folder: str, id: str) -> None:
    """Remove an event. Raises OSError, but not where it is gone."""
    try:
        os.unlink(_path(folder, id))
    except FileNotFoundError:
        return


def _path(folder: str, id: str) -> str:
    return os.path.join(folder, id + _ENDING)
