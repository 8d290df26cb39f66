"""The public names; ``reverie`` loads them when one is first asked for."""

from typing import TYPE_CHECKING

from reverie._version import __version__
from reverie.domain.attended import Attended
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.backup import BackedUp
from reverie.domain.block import ContextBlock
from reverie.domain.capture import CapturePattern
from reverie.domain.change import Connect, Contradict, Fade, Learn, Proposal, Reinforce, Revise, Spent
from reverie.domain.diary import DiaryDay, DiaryEntry, DiaryMonth, DiaryNote
from reverie.domain.draft import Draft
from reverie.domain.emotion import Emotion
from reverie.domain.episode import Episode
from reverie.domain.goal import Goal
from reverie.domain.host import HostQuestion
from reverie.domain.housekept import Housekept
from reverie.domain.imported import Imported, OnConflict
from reverie.domain.job import JobState
from reverie.domain.kinds import Kind, Priority
from reverie.domain.link import Include, LinkState, LinkTerms, NeuralLink, Side
from reverie.domain.memory import Connection, Memory, Origin, State, Version
from reverie.domain.message import Conversation, EpisodeMetadata, Message, Role
from reverie.domain.outcome import (
    Backfilled,
    Copied,
    Flushed,
    Forgot,
    Inserted,
    Observed,
    Queued,
    Reembedded,
    Reinforced,
)
from reverie.domain.procedure import Procedure
from reverie.domain.query import EpisodeHit, MemoryHit, Recall, Strategy
from reverie.domain.relationship import Relationship, View
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.domain.room import Expanded, RoomView
from reverie.domain.settings import (
    CaptureSettings,
    ContextSettings,
    EmbedSettings,
    HousekeepingSettings,
    LLMSettings,
    LoopSettings,
    PrivacySettings,
    RecallSettings,
    RememberSettings,
    SelfCareSettings,
    Settings,
    SleepSettings,
    SoulSettings,
    StoreSettings,
    WindowSettings,
)
from reverie.domain.sleep import Act, Applied, Rejected, Reverted, SleepRecord, SleepReport
from reverie.domain.snippet import Extracted, Judgement, Reading, Snippet, Unjudged
from reverie.domain.soul import SoulEntry
from reverie.domain.summary import SelfCareReport, Summary
from reverie.domain.trust import SourceTrust
from reverie.domain.working import WorkingMemory
from reverie.errors import (
    AccessRefused,
    Busy,
    CapReached,
    Closed,
    DamagedFile,
    DamagedModel,
    DiskFull,
    EmbedderFailed,
    EmbedderMismatch,
    Encrypted,
    Forgotten,
    InvalidInput,
    JobRunning,
    KeyProblem,
    LinkRefused,
    MindFailed,
    NewerSchema,
    NoBank,
    NotABank,
    NotEncrypted,
    NotFound,
    NotHeard,
    NotOpen,
    NotPrepared,
    NotRevertible,
    OlderSchema,
    Paused,
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
    from reverie.ports.night import Cluster, Night
    from reverie.worker import Worker

__all__ = [
    "AccessRefused",
    "Act",
    "Action",
    "Agent",
    "Applied",
    "Attended",
    "AuditEntry",
    "BackedUp",
    "Backfilled",
    "Busy",
    "CapReached",
    "CapturePattern",
    "CaptureSettings",
    "Closed",
    "Cluster",
    "Connect",
    "Connection",
    "ContextBlock",
    "ContextSettings",
    "Contradict",
    "Conversation",
    "Copied",
    "DamagedFile",
    "DamagedModel",
    "DiaryDay",
    "DiaryEntry",
    "DiaryMonth",
    "DiaryNote",
    "DiskFull",
    "Draft",
    "EmbedSettings",
    "EmbedderFailed",
    "EmbedderMismatch",
    "Emotion",
    "Encrypted",
    "Episode",
    "EpisodeHit",
    "EpisodeMetadata",
    "Expanded",
    "Extracted",
    "Fade",
    "Flushed",
    "Forgot",
    "Forgotten",
    "Goal",
    "HostQuestion",
    "HousekeepingSettings",
    "Housekept",
    "Imported",
    "Include",
    "Inserted",
    "InvalidInput",
    "JobRunning",
    "JobState",
    "Judgement",
    "KeyProblem",
    "Kind",
    "LLMSettings",
    "Learn",
    "LinkRefused",
    "LinkState",
    "LinkTerms",
    "LoopSettings",
    "Memory",
    "MemoryHit",
    "Message",
    "MindFailed",
    "NeuralLink",
    "NewerSchema",
    "Night",
    "NoBank",
    "NotABank",
    "NotEncrypted",
    "NotFound",
    "NotHeard",
    "NotOpen",
    "NotPrepared",
    "NotRevertible",
    "Observed",
    "OlderSchema",
    "OnConflict",
    "Origin",
    "Paused",
    "Priority",
    "PrivacySettings",
    "Procedure",
    "Proposal",
    "Queued",
    "ReadOnly",
    "Reading",
    "Recall",
    "RecallSettings",
    "Reembedded",
    "RefConflict",
    "Reinforce",
    "Reinforced",
    "Rejected",
    "Relationship",
    "RelationshipGraph",
    "RememberSettings",
    "Reverie",
    "ReverieError",
    "Reverted",
    "Revise",
    "Role",
    "RoomView",
    "SelfCareReport",
    "SelfCareSettings",
    "Settings",
    "Side",
    "SleepRecord",
    "SleepReport",
    "SleepSettings",
    "Snippet",
    "SoulEntry",
    "SoulSettings",
    "SourceTrust",
    "Spent",
    "State",
    "StoreError",
    "StoreSettings",
    "Strategy",
    "Summary",
    "TimedOut",
    "Unjudged",
    "Unreachable",
    "Version",
    "View",
    "WindowSettings",
    "Worker",
    "WorkingMemory",
    "WrongKey",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name in ("Agent", "Reverie"):
        from reverie import client

        return getattr(client, name)
    if name in ("Cluster", "Night"):
        from reverie.ports import night

        return getattr(night, name)
    if name == "Worker":
        from reverie import worker

        return worker.Worker
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
