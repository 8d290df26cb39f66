"""Exit codes, and which error gets which."""

from __future__ import annotations

from enum import IntEnum

from reverie.errors import (
    Busy,
    Closed,
    EmbedderFailed,
    EmbedderMismatch,
    KeyProblem,
    NotFound,
    NotHeard,
    ReverieError,
    StoreError,
    TimedOut,
)  # fmt: skip


class Code(IntEnum):
    """What the end of a command means to a script."""

    DONE = 0
    NOTHING = 1
    BAD_INPUT = 2
    NO_BANK = 3
    INTERRUPTED = 130


EXIT_CODES = """Exit codes: 0 done; 1 nothing found, or you said no; 2 bad input or usage;
3 the bank can't be opened, read or written (key, damage, busy, disk, server); 130 interrupted."""

_NO_BANK = (StoreError, EmbedderMismatch, EmbedderFailed, Closed, NotHeard)
_HINTS: tuple[tuple[type[ReverieError], str], ...] = (
    (Busy, "set REVERIE_STORE_BUSY_TIMEOUT"),
    (TimedOut, "set REVERIE_STORE_STATEMENT_TIMEOUT"),
    (KeyProblem, "set REVERIE_KEY or REVERIE_KEY_FILE, or use --keyring"),
)


def code_of(error: ReverieError) -> Code:
    """Return the exit code of an error."""
    if isinstance(error, NotFound):
        return Code.NOTHING
    return Code.NO_BANK if isinstance(error, _NO_BANK) else Code.BAD_INPUT


def hint_for(error: ReverieError) -> str | None:
    """Return what an error's advice that names a setting means on the command line."""
    found = next((hint for kind, hint in _HINTS if isinstance(error, kind)), None)
    return found and f"on the command line: {found}"
