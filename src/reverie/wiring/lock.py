"""alone: one process and thread of the user at a time, for what has no lock of its own."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from platformdirs import user_config_path

from reverie.errors import KeyProblem

STALE_SECONDS = 10.0
_PAUSE = 0.02


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Hold the user's lock ``name``, a file beside the default key file. Wait for another holder.

    A lock older than 10 s was left behind by a process that was killed, and is taken over. Raises KeyProblem
    where the file can't be made.
    """
    place = user_config_path("reverie", appauthor=False) / f"{name}.lock"
    token = f"{os.getpid()}.{secrets.token_hex(8)}"
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        while not _taken(place, token):
            _remove_if_stale(place, token)
            time.sleep(_PAUSE)
    except OSError as error:
        raise KeyProblem(
            f"the lock {place} can't be made ({error.strerror})",
            "make its folder writable, or use a key file",
        ) from None
    try:
        yield
    finally:
        with suppress(OSError):
            if place.read_text("ascii") == token:  # else it was taken over meanwhile
                place.unlink()


def _taken(place: Path, token: str) -> bool:
    try:
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(token)
    return True


def _remove_if_stale(place: Path, token: str) -> None:
    """Take a stale lock away. Renaming decides which of several does; a lock that proves fresh is put back."""
    if not _stale(place):
        return
    aside = place.with_name(f".{place.name}.{token}")
    with suppress(FileNotFoundError):
        place.rename(aside)
        if not _stale(aside):
            with suppress(FileExistsError):
                os.link(aside, place)
        aside.unlink()


def _stale(place: Path) -> bool:
    try:
        return time.time() - place.stat().st_mtime > STALE_SECONDS
    except FileNotFoundError:
        return False
