"""The public names. ``reverie`` loads them when one is first asked for."""

import importlib
from typing import TYPE_CHECKING

from reverie._version import __version__
from reverie.domain.agent import Agent as Profile
from reverie.domain.attended import Attended
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.backup import BackedUp
from reverie.domain.block import ContextBlock, Entered, Layer, LeftOut, Reason
from reverie.domain.capture import CapturePattern
from reverie.domain.change import (
    Change,
    Connect,
    Contradict,
    Fade,
    Learn,
    Misshapen,
    Proposal,
    Refusal,
    Reinforce,
    Retire,
    Revise,
    Spent,
)
from reverie.domain.diary import DiaryDay, DiaryEntry, DiaryMonth, DiaryNote
from reverie.domain.draft import Draft
from reverie.domain.emotion import Emotion, Emotions
from reverie.domain.episode import Episode
from reverie.domain.goal import Achieved, Goal
from reverie.domain.host import HostQuestion
from reverie.domain.housekept import Housekept, Merged, Promoted
from reverie.domain.ids import Ids
from reverie.domain.import_report import ImportKind, ImportReport
from reverie.domain.imported import Counted, Imported, OnConflict
from reverie.domain.item import Item, ItemChange, ItemHit, TextsOf
from reverie.domain.job import JobState
from reverie.domain.kinds import Kind, Priority
from reverie.domain.link import Include, LinkState, LinkTerms, NeuralLink, Side
from reverie.domain.memory import Connection, Memory, Origin, Quoted, State, Version
from reverie.domain.message import Conversation, EpisodeMetadata, Message, Role
from reverie.domain.model_check import ModelCheck
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
    Remembered,
)
from reverie.domain.procedure import Procedure, Steps
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
    WorkerSettings,
)
from reverie.domain.sleep import Act, Applied, Rejected, Reverted, SleepRecord, SleepReport
from reverie.domain.snippet import Extracted, Judgement, Reading, Snippet, Unjudged
from reverie.domain.soul import SoulEntry
from reverie.domain.summary import SelfCareReport, Summary
from reverie.domain.time import Clock
from reverie.domain.trust import SourceTrust
from reverie.domain.watermark import Watermark
from reverie.domain.working import Omitted, Section, Turn, WorkingMemory
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
    from reverie.agent import (
        Agent,
        DataclassMessage,
        Date,
        Labels,
        Messages,
        Moment,
        Names,
        Portrait,
        Progress,
        PydanticMessage,
        Said,
        Stats,
    )
    from reverie.agent.facets import Diary, Goals, Link, Relationships, Room, Society, Soul, Summaries
    from reverie.agent.items import Items
    from reverie.agent.jobs import Host, Jobs, Procedures
    from reverie.aio import (
        AsyncAgent,
        AsyncDiary,
        AsyncGoals,
        AsyncHost,
        AsyncItems,
        AsyncJobs,
        AsyncLink,
        AsyncProcedures,
        AsyncRelationships,
        AsyncReverie,
        AsyncRoom,
        AsyncSociety,
        AsyncSoul,
        AsyncSummaries,
        Opening,
    )
    from reverie.client import Reverie
    from reverie.ports.embedder import Embedder
    from reverie.ports.mind import Familiar, Mind
    from reverie.ports.night import Cluster, Look, Night
    from reverie.ports.store import StoreInfo
    from reverie.worker import AsyncWorker, Worker

_LATE = {
    name: module
    for module, names in {
        "reverie.agent": (
            "Agent DataclassMessage Date Labels Messages Moment Names Portrait Progress PydanticMessage Said Stats"
        ),
        "reverie.agent.facets": "Diary Goals Link Relationships Room Society Soul Summaries",
        "reverie.agent.items": "Items",
        "reverie.agent.jobs": "Host Jobs Procedures",
        "reverie.aio": (
            "AsyncAgent AsyncDiary AsyncGoals AsyncHost AsyncItems AsyncJobs AsyncLink AsyncProcedures "
            "AsyncRelationships AsyncReverie AsyncRoom AsyncSociety AsyncSoul AsyncSummaries Opening"
        ),
        "reverie.client": "Reverie",
        "reverie.ports.embedder": "Embedder",
        "reverie.ports.mind": "Familiar Mind",
        "reverie.ports.night": "Cluster Look Night",
        "reverie.ports.store": "StoreInfo",
        "reverie.worker": "AsyncWorker Worker",
    }.items()
    for name in names.split()
}
"""Names that bring numpy or the services, by the module that has them."""

__all__ = [  # in the order of sorted()
    "AccessRefused",
    "Achieved",
    "Act",
    "Action",
    "Agent",
    "Applied",
    "AsyncAgent",
    "AsyncDiary",
    "AsyncGoals",
    "AsyncHost",
    "AsyncItems",
    "AsyncJobs",
    "AsyncLink",
    "AsyncProcedures",
    "AsyncRelationships",
    "AsyncReverie",
    "AsyncRoom",
    "AsyncSociety",
    "AsyncSoul",
    "AsyncSummaries",
    "AsyncWorker",
    "Attended",
    "AuditEntry",
    "BackedUp",
    "Backfilled",
    "Busy",
    "CapReached",
    "CapturePattern",
    "CaptureSettings",
    "Change",
    "Clock",
    "Closed",
    "Cluster",
    "Connect",
    "Connection",
    "ContextBlock",
    "ContextSettings",
    "Contradict",
    "Conversation",
    "Copied",
    "Counted",
    "DamagedFile",
    "DamagedModel",
    "DataclassMessage",
    "Date",
    "Diary",
    "DiaryDay",
    "DiaryEntry",
    "DiaryMonth",
    "DiaryNote",
    "DiskFull",
    "Draft",
    "EmbedSettings",
    "Embedder",
    "EmbedderFailed",
    "EmbedderMismatch",
    "Emotion",
    "Emotions",
    "Encrypted",
    "Entered",
    "Episode",
    "EpisodeHit",
    "EpisodeMetadata",
    "Expanded",
    "Extracted",
    "Fade",
    "Familiar",
    "Flushed",
    "Forgot",
    "Forgotten",
    "Goal",
    "Goals",
    "Host",
    "HostQuestion",
    "HousekeepingSettings",
    "Housekept",
    "Ids",
    "ImportKind",
    "ImportReport",
    "Imported",
    "Include",
    "Inserted",
    "InvalidInput",
    "Item",
    "ItemChange",
    "ItemHit",
    "Items",
    "JobRunning",
    "JobState",
    "Jobs",
    "Judgement",
    "KeyProblem",
    "Kind",
    "LLMSettings",
    "Labels",
    "Layer",
    "Learn",
    "LeftOut",
    "Link",
    "LinkRefused",
    "LinkState",
    "LinkTerms",
    "Look",
    "LoopSettings",
    "Memory",
    "MemoryHit",
    "Merged",
    "Message",
    "Messages",
    "Mind",
    "MindFailed",
    "Misshapen",
    "ModelCheck",
    "Moment",
    "Names",
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
    "Omitted",
    "OnConflict",
    "Opening",
    "Origin",
    "Paused",
    "Portrait",
    "Priority",
    "PrivacySettings",
    "Procedure",
    "Procedures",
    "Profile",
    "Progress",
    "Promoted",
    "Proposal",
    "PydanticMessage",
    "Queued",
    "Quoted",
    "ReadOnly",
    "Reading",
    "Reason",
    "Recall",
    "RecallSettings",
    "Reembedded",
    "RefConflict",
    "Refusal",
    "Reinforce",
    "Reinforced",
    "Rejected",
    "Relationship",
    "RelationshipGraph",
    "Relationships",
    "RememberSettings",
    "Remembered",
    "Retire",
    "Reverie",
    "ReverieError",
    "Reverted",
    "Revise",
    "Role",
    "Room",
    "RoomView",
    "Said",
    "Section",
    "SelfCareReport",
    "SelfCareSettings",
    "Settings",
    "Side",
    "SleepRecord",
    "SleepReport",
    "SleepSettings",
    "Snippet",
    "Society",
    "Soul",
    "SoulEntry",
    "SoulSettings",
    "SourceTrust",
    "Spent",
    "State",
    "Stats",
    "Steps",
    "StoreError",
    "StoreInfo",
    "StoreSettings",
    "Strategy",
    "Summaries",
    "Summary",
    "TextsOf",
    "TimedOut",
    "Turn",
    "Unjudged",
    "Unreachable",
    "Version",
    "View",
    "Watermark",
    "WindowSettings",
    "Worker",
    "WorkerSettings",
    "WorkingMemory",
    "WrongKey",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name in _LATE:
        return getattr(importlib.import_module(_LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
