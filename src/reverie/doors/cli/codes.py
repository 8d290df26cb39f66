"""Exit codes, and which error gets which."""

from __future__ import annotations

from enum import IntEnum

from reverie.errors import (
    Busy,
    Closed,
    EmbedderFailed,
    EmbedderMismatch,
    Encrypted,
    Forgotten,
    InvalidInput,
    KeyProblem,
    NotEncrypted,
    NotFound,
    NotHeard,
    NotRevertible,
    Paused,
    ReverieError,
    StoreError,
    TimedOut,
)


class Code(IntEnum):
    """What the command's end means to a script."""

    DONE = 0
    NOTHING = 1
    BAD_INPUT = 2
    NO_BANK = 3
    INTERRUPTED = 130


EXIT_CODES = """Exit codes: 0 done; 1 nothing found, or you said no; 2 bad input or usage;
3 the bank can't be opened, read or written (key, damage, busy, disk, server); 130 interrupted."""


def code_of(error: ReverieError) -> Code:
    """The exit code of an error."""
    if isinstance(error, NotFound):
        return Code.NOTHING
    if isinstance(error, StoreError | EmbedderMismatch | EmbedderFailed | Closed | NotHeard):
        return Code.NO_BANK
    return Code.BAD_INPUT


_OPTIONS = {
    "agents": "--agent",
    "body": "TEXT",
    "channels": "--channel",
    "conversations": "--conversation",
    "destination": "DEST",
    "emotions": "--emotion",
    "entities": "--entity",
    "file": "FILE",
    "key": "--keyring",
    "keywords": "WORDS",
    "kinds": "--kind",
    "members": "--members",
    "month": "MONTH",
    "new_key": "--new-key-file",
    "other": "OTHER",
    "password": "--password-stdin",
    "path": "--bank",
    "principals": "--principal",
    "roles": "--role",
    "source_episodes": "--source",
    "speakers": "--speaker",
    "steps": "--step",
    "tags": "--tag",
    "task": "TASK",
    "toolsets": "--toolsets",
    "topics": "--topic",
    "to": "AGENT",
    "where": "--bank",
    "with_": "--with",
}
_SAME = """agent after app_role as_of budget channel clear confidence conversation date dimensions home importance
include kind lesson limit location match max_tokens message min_confidence min_importance min_score mood
note notes on_conflict outcome owner_role partitions priority rationale reason ref scope since strategy
time time_zone tone trust type until valid_from valid_to""".split()


def option_of(error: InvalidInput) -> str:
    """The option that a wrong value came in by, or the field's own name."""
    name = error.field.removeprefix("memories[0].")
    return _OPTIONS.get(name) or (f"--{name.replace('_', '-')}" if name in _SAME else name)


def hint_for(error: ReverieError) -> str | None:
    """What an error's advice, written for callers in Python, means on the command line."""
    match error:
        case Encrypted():
            return "on the command line: leave out --unencrypted"
        case NotEncrypted():
            return "on the command line: --unencrypted"
        case Forgotten():
            return "on the command line: --override"
        case Busy():
            return "on the command line: set REVERIE_STORE_BUSY_TIMEOUT"
        case TimedOut():
            return "on the command line: set REVERIE_STORE_STATEMENT_TIMEOUT"
        case Paused():
            return "on the command line: reverie resume"
        case NotRevertible():
            return "on the command line: --force"
        case KeyProblem():
            return "on the command line: set REVERIE_KEY or REVERIE_KEY_FILE, or use --keyring"
        case _:
            return None
