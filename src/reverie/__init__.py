"""Reverie: memory for AI agents.

``Reverie`` and ``Agent`` are loaded when they are first asked for: they bring numpy, and whoever imports this package
for its errors and values alone shouldn't wait for it.
"""

from typing import TYPE_CHECKING

from reverie._version import __version__
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.draft import Draft
from reverie.domain.emotion import Emotion
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Connection, Memory, Origin, State, Version
from reverie.domain.message import Conversation, EpisodeMetadata, Message, Role
from reverie.domain.outcome import Backfilled, Copied, Forgot, Inserted, Observed, Reinforced
from reverie.domain.query import EpisodeHit, MemoryHit, Recall, Strategy
from reverie.domain.settings import Settings
from reverie.domain.trust import SourceTrust
from reverie.errors import (
    AccessRefused,
    Busy,
    Closed,
    DamagedFile,
    DamagedModel,
    DiskFull,
    EmbedderMismatch,
    Encrypted,
    Forgotten,
    InvalidInput,
    KeyProblem,
    NewerSchema,
    NoBank,
    NotABank,
    NotEncrypted,
    NotFound,
    NotPrepared,
    OlderSchema,
    ReadOnly,
    RefConflict,
    ReverieError,
    StoreError,
    TimedOut,
    Unreachable,
    WrongKey,
)

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

__all__ = [
    "AccessRefused",
    "Action",
    "Agent",
    "AuditEntry",
    "Backfilled",
    "Busy",
    "Closed",
    "Connection",
    "Conversation",
    "Copied",
    "DamagedFile",
    "DamagedModel",
    "DiskFull",
    "Draft",
    "EmbedderMismatch",
    "Emotion",
    "Encrypted",
    "Episode",
    "EpisodeHit",
    "EpisodeMetadata",
    "Forgot",
    "Forgotten",
    "Inserted",
    "InvalidInput",
    "KeyProblem",
    "Kind",
    "Memory",
    "MemoryHit",
    "Message",
    "NewerSchema",
    "NoBank",
    "NotABank",
    "NotEncrypted",
    "NotFound",
    "NotPrepared",
    "Observed",
    "OlderSchema",
    "Origin",
    "Priority",
    "ReadOnly",
    "Recall",
    "RefConflict",
    "Reinforced",
    "Reverie",
    "ReverieError",
    "Role",
    "Settings",
    "SourceTrust",
    "State",
    "StoreError",
    "Strategy",
    "TimedOut",
    "Unreachable",
    "Version",
    "WrongKey",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name in ("Agent", "Reverie"):
        from reverie import client

        return getattr(client, name)
    raise AttributeError(f"module 'reverie' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
