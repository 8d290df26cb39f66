"""Backups and changes of keys: what needs to know which engine a bank lies on."""

from __future__ import annotations

import logging
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from reverie.domain.address import ServerUrl
from reverie.domain.backup import BackedUp, Rekeyed
from reverie.domain.settings import Settings
from reverie.errors import DamagedFile, DiskFull, InvalidInput, KeyProblem, StoreError
from reverie.services.exchange import transfer
from reverie.services.forget import backups
from reverie.services.runtime import Desk
from reverie.wiring.assembly import (
    checked_path,
    draft,
    file_place,
    key_for,
    place_of,
    refuse_side,
    rekey_file,
)
from reverie.wiring.keys import KEYRING, Key, file_key, given_key, in_keyring, keyring_key
from reverie.wiring.private import sync, why
from reverie.wiring.rekeying import fingerprint, named, note, opened, settle
from reverie.wiring.settings import bank_place, settings_from, surroundings
from reverie.wiring.sources import system_clock

_log = logging.getLogger("reverie.key")


def backup(desk: Desk, to: str | Path, *, key: bytes | str | Path | None, actor: str) -> BackedUp:
    """Copy every bank, as it is at one moment, into a new encrypted file, and read the copy back as proof.

    Of a file: under its own key, page by page; with ``key``, and of a server, agent by agent under that one (None: the
    one that a new bank would get). Each agent's audit log names it; where that can't be written, a warning says so.
    Raises InvalidInput, KeyProblem, StoreError; then nothing is left at ``to``.
    """
    desk.touches.flush()
    place = bank_place(to, "path") if isinstance(to, str) else to
    if isinstance(place, ServerUrl):
        raise InvalidInput(
            "path", "a backup is a file", "give its path; `reverie copy` copies into a database"
        )
    try:
        checked_path(place)
    except InvalidInput as error:  # of the goal, not of the bank
        raise InvalidInput("file", error.problem, error.remedy) from None
    at = desk.clock()
    made = _of_file(desk, place) if key is None else None
    if made is None and place.exists():
        raise InvalidInput(
            "path", f"{place} is there already", "choose a name that is free, or remove that file"
        )
    made = made or _copied(desk, place, key_for(key, place))
    try:
        backups.note(desk, made.where, at, actor=actor)
    except StoreError as error:  # the bank's disk may be full: the copy is whole all the same
        _log.warning(
            "the backup %s is whole, but not every agent's audit log tells of it: receipts of a forget may not name it"
            " (%s)", made.where, error,
        )  # fmt: skip
    return made


def _of_file(desk: Desk, place: Path) -> BackedUp | None:
    """Copy the file under its own key. Return None where the banks lie in no file."""
    try:
        done = desk.store.backup(place)
    except InvalidInput as error:  # of the goal, not of the bank
        raise InvalidInput("file", error.problem, error.remedy) from None
    if done is None:
        return None
    agents, encrypted = len(desk.store.agent_ids()), desk.store.info().encrypted
    return BackedUp(where=str(done), bytes=done.stat().st_size, encrypted=encrypted, agents=agents)


def rekey(
    where: str | Path | None, *, key: bytes | str | Path | None, new_key: bytes | str | Path
) -> Rekeyed:
    """Encrypt a bank's file with another key; nobody may have it open meanwhile. Every page is read first: a damaged
    bank is refused as it is.

    Whatever interrupts it, the bank opens with the old key or with the new one, ``Reverie.open`` finds out with which,
    and the same call again finishes the change. No key is ever deleted.

    ``key``: the present one, as ``Reverie.open`` takes it; ``new_key``: 32 bytes, 64 hexadecimal digits, ``"keyring"``,
    or a key file's Path, which is made if it isn't there. Backups keep the key that they were made with. Raises
    InvalidInput (also for the key that the bank has), KeyProblem, WrongKey, DamagedFile, Busy, StoreError.
    """
    around = surroundings()
    place = place_of(where, around)
    if isinstance(place, ServerUrl):
        raise InvalidInput(
            "where", "a server's database is encrypted by no key of ours", "rekey files; see docs/postgres.md"
        )
    if isinstance(new_key, Path):
        refuse_side(new_key, "new_key", place)
    chosen, interrupted, new = settings_from(), named(place), _known(new_key)
    proven, old = opened(
        place,
        lambda: key_for(key, place, make=False),
        lambda one: file_place(place, one, chosen, create=False),
    )
    for one in proven:
        one.close()
    if new is None or new.raw != old.raw:
        new = _changed(place, old, new_key, chosen)
    elif not any(one.is_new and one.fingerprint == fingerprint(new) for one in interrupted):
        raise InvalidInput(
            "new_key", f"the bank has the key from {new.source} already; nothing was changed", "name another"
        )
    store, search = file_place(place, new, chosen, create=False)
    with closing(store), closing(search):
        if [*store.check()]:
            raise DamagedFile(str(place))
        done = Rekeyed(where=store.info().where, key_source=new.source, agents=len(store.agent_ids()))
        settle(place)
        return done


def _known(key: bytes | str | Path) -> Key | None:
    """Return the key, if it is there already. Raises KeyProblem."""
    if isinstance(key, Path):
        return file_key(key, make=False) if key.exists() else None
    return in_keyring() if key == KEYRING else given_key(key)


def _changed(place: Path, old: Key, new_key: bytes | str | Path, chosen: Settings) -> Key:
    """Encrypt the file with that key. A missing key is made as late as possible, and no key is ever deleted."""
    made: list[Key] = []

    def begin() -> Key:
        new = _kept(new_key)
        note(place, old, new, system_clock())
        made.append(new)
        return new

    try:
        rekey_file(place, old, begin, chosen)
        return made.pop()
    finally:
        for new in made:
            _log.warning(
                "the change of the key of %s was interrupted: it has the key from %s or the one from %s. Keep both: the"
                " next command that opens it finds out, and `reverie rekey` again finishes the change.",
                place, old.source, new.source,
            )  # fmt: skip


def _kept(key: bytes | str | Path) -> Key:
    """Return the key, made if it isn't there. A key file is on the disk when this returns. Raises KeyProblem."""
    if not isinstance(key, Path):
        return keyring_key(make=True) if key == KEYRING else given_key(key)
    kept = file_key(key, make=True)
    try:
        sync(key)
        sync(key.parent)
    except OSError as error:
        raise KeyProblem(
            f"{kept.source} can't be flushed to the disk ({why(error)}); the key was not changed",
            "choose a key file on a disk",
        ) from None
    return kept


def _copied(desk: Desk, place: Path, key: Key) -> BackedUp:
    try:
        with draft(place) as path:
            store, search = file_place(path, key, desk.settings)
            with closing(store), closing(search):
                copied = transfer.copy(desk, replace(desk, store=store, search=search), None)
                done = store.backup(place)
        assert done is not None
        return BackedUp(where=str(done), bytes=done.stat().st_size, encrypted=True, agents=len(copied))
    except DiskFull:  # the copy alone is written here
        raise DiskFull(str(place), is_copy=True) from None
