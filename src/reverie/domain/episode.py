"""Episode: one interaction, stored for good until it is pruned or forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.message import NO_METADATA, EpisodeMetadata, Role
from reverie.domain.trust import SourceTrust


@dataclass(frozen=True, kw_only=True, slots=True)
class Episode:
    """What was said, by whom, where and when.

    ``position`` is its place in the conversation (0 first, in the order of observing); ``time`` is when it
    was said, ``observed_at`` when Reverie stored it. ``consolidated_at`` is None until a sleep has
    processed it.
    """

    id: str
    conversation: str
    position: int
    time: datetime
    observed_at: datetime
    channel: str
    role: Role
    speaker: str | None
    content: str
    ref: str | None = None
    outcome: str | None = None
    tags: tuple[str, ...] = ()
    metadata: EpisodeMetadata = NO_METADATA
    source_trust: SourceTrust
    consolidated_at: datetime | None = None

    @property
    def consolidated(self) -> bool:
        """Whether a sleep has processed it."""
        return self.consolidated_at is not None
