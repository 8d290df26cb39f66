"""Backups and changes of keys: what needs to know which engine a bank lies on."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from reverie.domain.address import ServerUrl
from reverie.domain.backup import BackedUp, Rekeyed
from reverie.errors import DiskFull, InvalidInput
from reverie.services import transfer
from reverie.services.desk import Desk
from reverie.store.sqlite.place import checked_path
from reverie.wiring.assembly import file_place, key_for, place_of, rekey_file
from reverie.wiring.keys import KEYRING, Key, file_key, given_key, keyring_key
from reverie.wiring.settings import bank_place, settings_from, surroundings


def backup(desk: Desk, to: str | Path, *, key: bytes | str | Path | None) -> BackedUp:
    """A whole, encrypted copy of every bank in a new file, of one moment, proven by reading it back.

    Of a file: under its own key, page by page; with ``key``, and of a server, agent by agent under that one (None: the
    one that a new bank would get). Raises InvalidInput, KeyProblem, StoreError; then nothing is left at ``to``.
    """
    desk.touches.flush()
    place = bank_place(to, "path") if isinstance(to, str) else to
    if isinstance(place, ServerUrl):
        raise InvalidInput(
            "path", "a backup is a file", "give its path; `reverie copy` copies into a database"
        )
    try:
        checked_path(place)
        done = desk.store.backup(place) if key is None else None
    except InvalidInput as error:  # of the goal, not of the bank
        raise InvalidInput("file", error.problem, error.remedy) from None
    if done is not None:
        agents, encrypted = len(desk.store.agent_ids()), desk.store.info().encrypted
        return BackedUp(where=str(done), bytes=done.stat().st_size, encrypted=encrypted, agents=agents)
    if place.exists():
        raise InvalidInput(
            "path", f"{place} is there already", "choose a name that is free, or remove that file"
        )
    return _copied(desk, place, key_for(key, place))


def rekey(
    where: str | Path | None, *, key: bytes | str | Path | None, new_key: bytes | str | Path
) -> Rekeyed:
    """Encrypts a bank's file with another key; nobody may have it open meanwhile. Killed in the middle, it still opens
    with the old one.

    ``key``: the present one, as ``Reverie.open`` takes it; ``new_key``: 32 bytes, 64 hexadecimal digits, ``"keyring"``,
    or a key file's Path, which is made if it isn't there. Backups keep the key that they were made with. Raises
    InvalidInput, KeyProblem, WrongKey, Busy, StoreError.
    """
    around = surroundings()
    place = place_of(where, around)
    if isinstance(place, ServerUrl):
        raise InvalidInput(
            "where", "a server's database is encrypted by no key of ours", "rekey files; see docs/postgres.md"
        )
    chosen = settings_from()
    old = key_for(key, place, make=False)
    for proven in file_place(place, old, chosen, create=False):  # before a new key is made for nothing
        proven.close()
    made = isinstance(new_key, Path) and not new_key.exists()
    new, done = _new(new_key), False
    try:
        rekey_file(place, old, new, chosen)
        done = True
    finally:
        if made and not done and isinstance(new_key, Path):
            new_key.unlink(missing_ok=True)
    store, search = file_place(place, new, chosen)
    with closing(store), closing(search):
        return Rekeyed(where=store.info().where, key_source=new.source, agents=len(store.agent_ids()))


def _new(key: bytes | str | Path) -> Key:
    if isinstance(key, Path):
        return file_key(key, make=True)
    return keyring_key(make=True) if key == KEYRING else given_key(key)


def _copied(desk: Desk, place: Path, key: Key) -> BackedUp:
    draft = place.with_name(f".{place.name}.partial")
    draft.unlink(missing_ok=True)
    try:
        store, search = file_place(draft, key, desk.settings)
        with closing(store), closing(search):
            copied = transfer.copy(desk, replace(desk, store=store, search=search), None)
            done = store.backup(place)
        assert done is not None
        return BackedUp(where=str(done), bytes=done.stat().st_size, encrypted=True, agents=len(copied))
    except DiskFull:  # the bank is only read
        raise DiskFull(str(place), is_copy=True) from None
    finally:
        for left in ("", "-wal", "-shm"):
            Path(f"{draft}{left}").unlink(missing_ok=True)
