"""The log of hooks and their daemon: a line for what went wrong, without contents. Every hook imports this."""

from __future__ import annotations

import os
import time

_MOST_BYTES = 1 << 20
_LAST_BYTES = 1 << 16


def note(path: str, text: str) -> None:
    """Append a line. One that can't be written is lost: nothing may break the host."""
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {os.getpid()} {' '.join(text.split())}\n"
    try:
        if os.path.exists(path) and os.stat(path).st_size > _MOST_BYTES:
            os.replace(path, path + ".1")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, line.encode("utf-8", "replace"))
        finally:
            os.close(handle)
    except OSError:
        return


def last(path: str) -> str | None:
    """Return the last line that isn't a hook's: why the daemon has trouble, if it has. None where there is none."""
    try:
        with open(path, "rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - _LAST_BYTES, 0))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return None
    for line in reversed(lines):
        moment, _, rest = line.partition(" ")
        said = rest.partition(" ")[2]
        if said and not said.startswith("hook:"):
            return f"{moment} {said}"
    return None
