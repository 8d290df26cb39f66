"""Summary: a narrative that stands for a batch of memories, or for messages of a conversation that are closed (s4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """What the memory ``memory_id`` stands for: ``items`` memories, or as many messages of ``conversation`` from
    position ``first`` to ``last``; told from ``began_at`` to ``ended_at``. ``job``: the self-care that made it.
    """

    memory_id: str
    job: str
    conversation: str | None = None
    first: int | None = None
    last: int | None = None
    items: int
    began_at: datetime
    ended_at: datetime
    created_at: datetime

    @property
    def mark(self) -> str:
        """What a reader is told beside its text: for how many it stands, and how to go on."""
        if self.conversation is not None:
            return f"summary of {self.items:,} messages"
        return f"summary of {self.items:,}, deep recall has each"


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """What an agent's active memories of kind observation come to: ``details`` that may be summarized, ``summaries``,
    and the ``tokens`` of all of them, pinned ones too (UTF-8 bytes / 3 of each essence and lesson).
    """

    details: int
    summaries: int
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenRoom:
    """A conversation with ``live`` messages that no summary stands for."""

    id: str
    live: int
    last_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class SelfCareReport:
    """What one self-care did. Falsy where nothing was changed; ``declined`` says why then.

    ``observations``: how many active memories of kind observation it found that could be summarized; ``tokens_before``
    and ``tokens_after``: what all active ones hold (UTF-8 bytes / 3). ``batches``: how many summaries of memories were
    made, standing for ``summarized`` memories; ``closed``: how many messages were closed, under ``conversations``
    summaries. ``summaries``: the ids of all new summaries; ``summarized_until``: before this time no message is live,
    None where there is none. ``unread``: ids of messages and memories that the mind could not read, which their summary
    leaves out. ``dry_run``: nothing was changed, this is what would be, each summary reckoned at its longest.
    """

    id: str
    started_at: datetime
    ended_at: datetime
    observations: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    batches: int = 0
    summarized: int = 0
    conversations: int = 0
    closed: int = 0
    summaries: tuple[str, ...] = ()
    summarized_until: datetime | None = None
    declined: str | None = None
    unread: tuple[str, ...] = ()
    dry_run: bool = False

    def __bool__(self) -> bool:
        return bool(self.summaries)
