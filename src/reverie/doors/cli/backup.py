"""backup: a whole, encrypted copy of every bank in a new file; rekey: another key for a file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.errors import InvalidInput

_SHARED = ("bank", "unencrypted", "keyring", "as_json")
_KEYRING = "keyring"

Goal = Annotated[
    Path, typer.Argument(metavar="FILE", help="Where the backup is to lie; nothing may lie there.")
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key-file", metavar="PATH", help="Encrypt it with this key instead of the bank's own."),
]
NewKeyFile = Annotated[
    Path | None,
    typer.Option(
        "--new-key-file", metavar="PATH", help="The new key; made, for you alone, if it isn't there."
    ),
]
NewKeyring = Annotated[bool, typer.Option("--new-keyring", help="The new key lies in the system's keyring.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    verb(app, "backup", shared=_SHARED)(backup)
    verb(app, "rekey", shared=("bank", "keyring", "as_json"))(rekey)


def backup(door: Door, file: Goal, key_file: KeyFile = None) -> Code:
    """Write a whole, encrypted copy of every bank, of one moment, and prove it by reading it back.

    For example:
      reverie backup mama-2026-11-20.bank
      reverie --bank postgresql://db.example/memory backup memory.bank --key-file backup.key

    Others may go on reading and writing. The copy is a bank like any: open it with --bank. It has the
    bank's own key; that of a server's gets the key that a new bank would. What is forgotten later is
    still in it: the receipt of a forget names the backups.
    """
    with door.opened() as reverie:
        done = reverie.backup(file, key=key_file)
        if door.out.as_json:
            door.out.document(done)
        else:
            sealed = "encrypted" if done.encrypted else "not encrypted, as the bank is not"
            agents = words.counted(done.agents, "agent")
            door.out.show(
                f"{done.where}: {agents}, {words.size(done.bytes)}, {sealed}; every page was read back"
            )
    return Code.DONE


def rekey(door: Door, new_key_file: NewKeyFile = None, new_keyring: NewKeyring = False) -> Code:
    """Encrypt a bank's file with another key. Nobody may have it open meanwhile.

    For example:
      reverie rekey --bank mama.bank --new-key-file mama.key

    Every page is read first, then written anew in one transaction. Interrupted in the middle, the file
    opens with the old key or the new one: the next command finds out and says with which, and the same
    rekey again finishes. No key is ever deleted. Backups keep the key that they were made with. Afterwards
    name the new key to every command: REVERIE_KEY_FILE (its path), or --keyring.
    """
    if (new_key_file is None) == (not new_keyring):
        raise InvalidInput(
            "--new-key-file", "exactly one new key is needed", "give --new-key-file or --new-keyring"
        )
    from reverie.client import rekey as changed

    new_key = _KEYRING if new_key_file is None else new_key_file
    done = changed(door.bank, key=_KEYRING if door.keyring else None, new_key=new_key)
    if door.out.as_json:
        door.out.document(done)
    else:
        told = (
            "--keyring"
            if new_key_file is None
            else f"REVERIE_KEY_FILE={shlex.quote(str(new_key_file.resolve()))}"
        )
        door.out.show(
            f"{done.where} opens with {done.key_source} now ({words.counted(done.agents, 'agent')});"
            f" every command needs it from now on: {'give' if new_key_file is None else 'set'} {told}"
        )
    return Code.DONE
