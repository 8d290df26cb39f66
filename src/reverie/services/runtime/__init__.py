"""What every service shares: the desk with its ports, pace, leases, checks of input, redaction, caches."""

from __future__ import annotations

from reverie.services.runtime import checks, pause, profiles
from reverie.services.runtime.batches import batches, embedded
from reverie.services.runtime.change_records import (
    changed,
    entry,
    merge_sides,
    numbered,
    plain,
    to_json,
    version_of,
)
from reverie.services.runtime.checks import (
    holds_secret,
    labels_of,
    name_of,
    reason_of,
    refuse_secret,
    refuse_secrets,
)
from reverie.services.runtime.desk import Desk, Feel, Mood, Progress, placed, read_again, thinking_mind
from reverie.services.runtime.dirty_agents import DirtyAgents
from reverie.services.runtime.guarded_calls import asked, tried
from reverie.services.runtime.holders import holder_name
from reverie.services.runtime.job import Job, agents_until, attempted
from reverie.services.runtime.leasing import Lease, running, take
from reverie.services.runtime.likeness import Likeness
from reverie.services.runtime.metering import StoreMeter, check_model
from reverie.services.runtime.pace import Stopped, YieldingEmbedder
from reverie.services.runtime.pause import check_awake, is_paused
from reverie.services.runtime.profiles import profile
from reverie.services.runtime.queueing import (
    OBSERVE,
    REMEMBER,
    draft_in,
    due_in,
    let_wait,
    message_json,
    message_writes,
    messages_in,
    tell,
)
from reverie.services.runtime.recent_embedder import RecentEmbedder
from reverie.services.runtime.secrets import clean, cleaned, cleaned_object, counted
from reverie.services.runtime.tombstones import (
    anything_forgotten,
    digests_of,
    first_forgotten,
    forgotten,
    lift_tombstones,
    mark_of_forgetting,
    message_digest,
)
from reverie.services.runtime.touches import Touches

__all__ = [
    "OBSERVE",
    "REMEMBER",
    "Desk",
    "DirtyAgents",
    "Feel",
    "Job",
    "Lease",
    "Likeness",
    "Mood",
    "Progress",
    "RecentEmbedder",
    "Stopped",
    "StoreMeter",
    "Touches",
    "YieldingEmbedder",
    "agents_until",
    "anything_forgotten",
    "asked",
    "attempted",
    "batches",
    "changed",
    "check_awake",
    "check_model",
    "checks",
    "clean",
    "cleaned",
    "cleaned_object",
    "counted",
    "digests_of",
    "draft_in",
    "due_in",
    "embedded",
    "entry",
    "first_forgotten",
    "forgotten",
    "holder_name",
    "holds_secret",
    "is_paused",
    "labels_of",
    "let_wait",
    "lift_tombstones",
    "mark_of_forgetting",
    "merge_sides",
    "message_digest",
    "message_json",
    "message_writes",
    "messages_in",
    "name_of",
    "numbered",
    "pause",
    "placed",
    "plain",
    "profile",
    "profiles",
    "read_again",
    "reason_of",
    "refuse_secret",
    "refuse_secrets",
    "running",
    "take",
    "tell",
    "thinking_mind",
    "to_json",
    "tried",
    "version_of",
]
