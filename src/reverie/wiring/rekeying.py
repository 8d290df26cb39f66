"""What a change of a bank's key leaves beside it until it is done: a file that says which keys may open the bank.

``NAME-rekey`` holds one line of JSON for each change that was begun since the last one that ended well: where the old
and the new key lie, and a fingerprint of each. No key stands in it. The line is on the disk before the first page is
encrypted anew. From then on the file may have either key, and nobody deletes one.
"""

from __future__ import annotations

import errno
import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from reverie.errors import DiskFull, KeyProblem, StoreError, WrongKey
from reverie.wiring.keys import KEYRING, Key, file_key, keyring_key
from reverie.wiring.private import sync, why

Opened = TypeVar("Opened")

_log = logging.getLogger("reverie.key")
_MOST_BYTES = 1 << 20
_BEGINS = b'{"begun": "'
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """A key that may open the bank: where it lies, never the key. ``place``: as ``Key.place``; ``is_new``: the change
    was to put it in the place of the other one.
    """

    source: str
    place: Path | str | None
    fingerprint: str
    is_new: bool

    def key(self) -> Key:
        """Return the key, if it is on this machine still. Raises KeyProblem."""
        match self.place:
            case Path():
                if not self.place.is_file():  # a pipe would be waited for
                    raise KeyProblem(f"there is no file {self.place}", "put it back")
                return file_key(self.place, make=False)
            case str():
                return keyring_key(make=False)
            case None:
                raise KeyProblem("it lies in no file and in no keyring", "give it")


def fingerprint(key: Key) -> str:
    """Return what a key is recognised by. It doesn't help to guess one: a key is 256 random bits."""
    return hashlib.sha256(b"reverie rekey " + key.raw).hexdigest()[:32]


def note(bank: Path, old: Key, new: Key, at: datetime) -> None:
    """Write down that the bank may have either key from now on; it is on the disk when this returns. Call it only while
    you keep everybody else out of the bank. Raises StoreError.
    """
    path = _path(bank)
    if _lines(path) is None and os.path.lexists(path):
        raise StoreError(
            f"{path} is needed for the change and is no file of Reverie's; the key was not changed: move it away"
        )
    line = json.dumps({"begun": at.isoformat(), "old": _told(old), "new": _told(new)})
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"\n{line}\n")  # a line of a process that was killed may lack its end
            file.flush()
            os.fsync(file.fileno())
        sync(path.parent)
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFull(str(path)) from None
        raise StoreError(
            f"{path} can't be written ({why(error)}); the key was not changed: make it a file that you may write"
        ) from None


def named(bank: Path) -> Sequence[Named]:
    """Return the keys that may open the bank since a change was interrupted, the latest change's first; none if none
    was.
    """
    found: dict[str, Named] = {}
    for one in (one for line in reversed(_lines(_path(bank)) or ()) for one in _read(line)):
        found.setdefault(one.fingerprint, one)
    return tuple(found.values())


def settle(bank: Path) -> None:
    """Remove the file, if it is ours: the bank is open under a key that the caller knows, or was proven with it.

    While a bank is open nobody changes its key, since that needs the file alone.
    """
    with suppress(OSError):
        if _lines(path := _path(bank)) is not None:
            path.unlink(missing_ok=True)


def opened(bank: Path, asked: Callable[[], Key], opening: Callable[[Key], Opened]) -> tuple[Opened, Key]:
    """Return the bank under the key that is asked for, and that key. If it doesn't open the bank and a change of keys
    was interrupted, try the keys that the change named, and log which one opened it.

    Raises what ``asked`` and ``opening`` raise; WrongKey if none of the named keys opens it either.
    """
    try:
        key = asked()
        done = opening(key)
    except (KeyProblem, WrongKey):
        others = named(bank)
        if not others:
            raise
        return _by_another(bank, others, opening)
    settle(bank)
    return done, key


def _by_another(bank: Path, others: Sequence[Named], opening: Callable[[Key], Opened]) -> tuple[Opened, Key]:
    tried = []
    for one in others:
        try:
            key = one.key()
            done = opening(key)
        except WrongKey:
            tried.append(f"{one.source}: it holds another key")
        except KeyProblem as problem:
            tried.append(f"{one.source}: {problem}")
        else:
            _log.warning(
                "%s opens with the key from %s, the %s one: a change of its key was interrupted. Name that key from now"
                " on (REVERIE_KEY_FILE or --keyring), or finish with `reverie rekey`.",
                bank, one.source, "new" if one.is_new else "old",
            )  # fmt: skip
            return done, key
    raise WrongKey(str(bank), None, candidates=tried)


def _lines(path: Path) -> Sequence[bytes] | None:
    """Return the lines of a file that ``note`` wrote, the last of which may lack its end; None for any other file, or
    none.
    """
    with suppress(OSError, RuntimeError, ValueError):  # nothing lies there, or nothing can
        if path.is_file():  # a pipe would be waited for
            with path.open("rb") as file:
                lines = file.read(_MOST_BYTES).splitlines()
            return lines if all(_BEGINS.startswith(one[: len(_BEGINS)]) for one in lines) else None
    return None


def _path(bank: Path) -> Path:
    return Path(f"{bank.resolve()}-rekey")


def _told(key: Key) -> dict[str, str | bool]:
    told: dict[str, str | bool] = {"source": key.source, "fingerprint": fingerprint(key)}
    if isinstance(key.place, Path):
        told["file"] = str(key.place.absolute())
    elif key.place is not None:
        told["keyring"] = True
    return told


def _read(line: bytes) -> Iterator[Named]:
    """Return the keys that a line names; none if it isn't whole."""
    with suppress(ValueError, KeyError, TypeError, AttributeError, RecursionError):
        change = json.loads(line)
        for role in ("new", "old"):
            key = change[role]
            file = key.get("file")
            yield Named(
                source=str(key["source"]), fingerprint=str(key["fingerprint"]), is_new=role == "new",
                place=Path(file) if file else KEYRING if key.get("keyring") else None,
            )  # fmt: skip
