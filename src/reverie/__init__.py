"""Reverie: memory for AI agents.

``Reverie``, ``Agent`` and ``Worker`` are loaded when they are first asked for: they bring numpy, and whoever imports
this package for its errors and values alone shouldn't wait for it.
"""

from typing import TYPE_CHECKING

from reverie._version import __version__
from reverie.domain.attended import Attended
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.block import ContextBlock
from reverie.domain.capture import CapturePattern
from reverie.domain.draft import Draft
from reverie.domain.emotion import Emotion
from reverie.domain.episode import Episode
from reverie.domain.goal import Goal
from reverie.domain.housekept import Housekept
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Connection, Memory, Origin, State, Version
from reverie.domain.message import Conversation, EpisodeMetadata, Message, Role
from reverie.domain.outcome import Backfilled, Copied, Forgot, Inserted, Observed, Reinforced
from reverie.domain.procedure import Procedure
from reverie.domain.query import EpisodeHit, MemoryHit, Recall, Strategy
from reverie.domain.settings import Settings
from reverie.domain.snippet import Extracted, Judgement, Reading, Snippet, Unjudged
from reverie.domain.soul import SoulEntry
from reverie.domain.trust import SourceTrust
from reverie.domain.working import WorkingMemory
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
    MindFailed,
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
    from reverie.worker import Worker

__all__ = [
    "AccessRefused",
    "Action",
    "Agent",
    "Attended",
    "AuditEntry",
    "Backfilled",
    "Busy",
    "CapturePattern",
    "Closed",
    "Connection",
    "ContextBlock",
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
    "Extracted",
    "Forgot",
    "Forgotten",
    "Goal",
    "Housekept",
    "Inserted",
    "InvalidInput",
    "Judgement",
    "KeyProblem",
    "Kind",
    "Memory",
    "MemoryHit",
    "Message",
    "MindFailed",
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
    "Procedure",
    "ReadOnly",
    "Reading",
    "Recall",
    "RefConflict",
    "Reinforced",
    "Reverie",
    "ReverieError",
    "Role",
    "Settings",
    "Snippet",
    "SoulEntry",
    "SourceTrust",
    "State",
    "StoreError",
    "Strategy",
    "TimedOut",
    "Unjudged",
    "Unreachable",
    "Version",
    "Worker",
    "WorkingMemory",
    "WrongKey",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name in ("Agent", "Reverie"):
        from reverie import client

        return getattr(client, name)
    if name == "Worker":
        from reverie import worker

        return worker.Worker
    raise AttributeError(f"module 'reverie' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
