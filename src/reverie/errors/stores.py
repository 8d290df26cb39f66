"""What can be wrong with a bank file or a database; see ``reverie.errors``."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.errors.root import ReverieError


class StoreError(ReverieError):
    """Something about the bank file or database; subclasses say what."""


class WrongKey(StoreError):
    """The key does not open this file."""

    def __init__(self, where: str, key_source: str | None, *, candidates: Sequence[str] = ()) -> None:
        """``candidates``: the keys that an interrupted change of keys named, each with why it didn't open the file."""
        if candidates:
            super().__init__(
                f"{where} can't be opened: a change of its key was interrupted, and neither the key that was asked for"
                f" nor one of those that it may have opens it here ({' | '.join(candidates)}); put the missing key back"
                " where it was, or give it"
            )
            return
        super().__init__(
            f"{where} can't be opened with the key from {key_source}: it is encrypted with another key,"
            " or is no bank at all; give the key that it has now: REVERIE_KEY_FILE (a file's path) or REVERIE_KEY,"
            " `--keyring` for the system's keyring, key=… in Python"
        )


class KeyProblem(StoreError):
    """There is no key, it is malformed, or it is kept where others can read it."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")


class NotEncrypted(StoreError):
    """A plain SQLite file stands where an encrypted bank was expected."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} is a plain SQLite file, not an encrypted bank; choose another path,"
            " or open it with encrypted=False (`--unencrypted`) if it is a bank that you made plain on purpose"
        )


class Encrypted(StoreError):
    """``encrypted=False`` was asked for, but the file is not plain SQLite."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} is not a plain SQLite file (it is probably an encrypted bank);"
            " open it without encrypted=False (`--unencrypted`), with its key"
        )


class NoBank(StoreError):
    """There is no bank file where one should be opened."""

    def __init__(self, where: str) -> None:
        super().__init__(f"there is no bank at {where}; check the path, or make one with `reverie init`")


class NotABank(StoreError):
    """A readable database that Reverie did not make."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} is a database, but not one that Reverie made; nothing was changed: choose another path"
        )


class DamagedFile(StoreError):
    """Pages of the file don't verify, or their structure is broken."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} is damaged (its pages don't verify); keep a copy of the file as it is,"
            " restore the last backup, and open that"
        )


class NewerSchema(StoreError):
    """A later Reverie wrote this file."""

    def __init__(self, where: str, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(
            f"{where} has schema {found} and this Reverie knows up to {known};"
            " nothing was changed: upgrade reverie-memory, or open the file with the version that wrote it"
        )


class ReadOnly(StoreError):
    """The file or its folder, or the server, can't be written."""

    def __init__(
        self, where: str, remedy: str = "make the file and its folder writable, or choose another path"
    ) -> None:
        super().__init__(f"{where} can't be written; {remedy}")


class DiskFull(StoreError):
    """No space was left; the write was undone as a whole."""

    def __init__(self, where: str, *, is_copy: bool = False) -> None:
        """``is_copy``: for a file that was to be made of a bank, which is as it was."""
        if is_copy:
            super().__init__(
                f"no space left for {where}; what was written of it was removed, and the bank is as it was:"
                " free space there, or name a file on another disk"
            )
            return
        super().__init__(
            f"no space left for {where}; this write was undone and nothing else was lost:"
            " free space and repeat it"
        )


class Busy(StoreError):
    """Others held what was needed for longer than the waiting time: the write lock, or all connections."""

    def __init__(
        self, where: str, seconds: float, *, connections: int | None = None, alone: bool = False
    ) -> None:
        """``connections``: all of so many were in use; ``alone``: nobody else may have the file open."""
        if alone:
            super().__init__(
                f"{where}: somebody has it open; nothing was changed: close it everywhere, and repeat"
            )
            return
        held, remedy = "it is being written by another process", "Settings.store.busy_timeout"
        if connections is not None:
            held, remedy = (
                f"all {connections} connections were in use",
                "Settings.store.connections or Settings.store.busy_timeout",
            )
        super().__init__(
            f"{where}: {held} and did not come free in {seconds:g} s; nothing was changed: repeat it, or raise {remedy}"
        )


class Unreachable(StoreError):
    """The database server can't be reached, or went away. ``in_doubt``: a write was being confirmed, and may have been
    made.
    """

    def __init__(self, where: str, problem: str, *, in_doubt: bool = False) -> None:
        super().__init__(
            f"{where}: {problem}; see that the server runs and that the address is right, then try again"
        )
        self.in_doubt = in_doubt


class TimedOut(StoreError):
    """A statement took longer than its limit and was undone."""

    def __init__(self, where: str, seconds: float) -> None:
        super().__init__(
            f"{where}: a statement took longer than {seconds:g} s and was undone; ask for less at once,"
            " or raise Settings.store.statement_timeout"
        )


class AccessRefused(StoreError):
    """The server refuses the password, the role or what it was asked to do."""

    def __init__(
        self,
        where: str,
        problem: str,
        remedy: str = "check user and password, and that `reverie postgres init` gave the role its rights",
    ) -> None:
        super().__init__(f"{where}: {problem}; {remedy}")


class NotPrepared(StoreError):
    """The database has no Reverie schema yet."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} has no Reverie schema; make it with `reverie postgres init URL`, as a role that may create roles"
        )


class OlderSchema(StoreError):
    """The database's schema is older than this Reverie, and only the schema's owner may change it."""

    def __init__(self, where: str, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(
            f"{where} has schema {found} and this Reverie needs {known}; nothing was changed:"
            " run `reverie postgres init URL` again, with the rights it had the first time"
        )
