"""The aggregates of an agent that lives among others; ``ports.store`` has the laws that hold for all. Every write bumps
rev once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from reverie.domain.diary import DiaryEntry
from reverie.domain.link import LinkItem, NeuralLink
from reverie.domain.relationship import View
from reverie.domain.summary import Load, OpenRoom, Summary
from reverie.domain.trust import SourceTrust


class Diary(Protocol):
    """Its pages, one a date (YYYY-MM-DD)."""

    def put(self, entry: DiaryEntry, words: Collection[str]) -> None:
        """Store the page of a date, or replace it; ``words``: the terms by which it is found."""
        ...

    def get(self, dates: Collection[str]) -> Mapping[str, DiaryEntry]:
        """Return the pages that are there, by date."""
        ...

    def list(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Sequence[DiaryEntry]:
        """Return pages from the date ``since`` (inclusive) to ``until`` (exclusive) and later than ``after``, in order
        of date or its reverse.
        """
        ...

    def search(
        self, words: Collection[str], *, since: str | None = None, until: str | None = None
    ) -> Sequence[str]:
        """Return the dates of the pages on which each of the words (one at least) stands, in order."""
        ...

    def delete(self, dates: Collection[str]) -> None:
        """Delete pages with all that is kept of their words; dates that aren't there change nothing."""
        ...

    def count(self) -> int:
        """Return how many pages there are."""
        ...


class Relationships(Protocol):
    """How it sees others, now and before. Names are compared by ``domain.names.name_key``."""

    def add(self, view: View) -> None:
        """Add a view, which is the present one from now on."""
        ...

    def present(self, others: Collection[str] | None = None) -> Sequence[View]:
        """Return the present view of each other (of these, or of all), in order of key."""
        ...

    def history(self, other: str | None = None) -> Sequence[View]:
        """Return all views of one other, or of all, in order of id."""
        ...

    def delete(self, ids: Collection[str]) -> None:
        """Delete views, by their ids."""
        ...


class Summaries(Protocol):
    """What its summaries stand for; each goes with its memory."""

    def add(self, summary: Summary) -> None:
        """Add a summary, whose memory is stored already."""
        ...

    def get(self, memory_ids: Collection[str]) -> Mapping[str, Summary]:
        """Return those of these memories that are summaries, by id."""
        ...

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[Summary]:
        """Return all in order of the memory's id, those behind id ``after`` only."""
        ...

    def closed(self, conversation: str) -> Sequence[Summary]:
        """Return those of one conversation, in order of position."""
        ...

    def live(self) -> Mapping[str, int]:
        """Return how many messages of each conversation no summary stands for, where there are any, in order of id."""
        ...

    def load(self) -> Load:
        """Return what active memories of kind observation come to, without what a neural link brought and nobody
        adopted, and what waits for approval. Cheap in a bank of any size.
        """
        ...

    def next_up(self, limit: int, *, summaries: bool) -> Sequence[str]:
        """Return the ids of active memories of kind observation that nothing superseded and nobody pinned, which are no
        summaries (or are, for ``summaries``), in the order of what they tell of, first ones first. What a neural
        link brought is among them once it is adopted; what waits for approval is not.
        """
        ...

    def cover(self, memory_id: str, ids: Collection[str], at: datetime) -> None:
        """Put these memories under a summary that is stored already: an edge to each, ``derived-from``, and their state
        and time of update. Bump rev once.
        """
        ...

    def uncover(self, ids: Collection[str], at: datetime) -> None:
        """Make those of these memories that are summarized active again. Bump rev once."""
        ...

    def members(self, memory_id: str) -> Sequence[str]:
        """Return the ids of the memories that a summary stands for, in order."""
        ...

    def above(self, ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        """Return the summaries that stand for one of these memories, each with those of them for which it does."""
        ...

    def rooms(self) -> Sequence[OpenRoom]:
        """Return the agent's own conversations (none that came by a link) that hold live messages, longest silent
        first.
        """
        ...

    def live_since(self) -> datetime | None:
        """Return when the first live message of its own conversations was said; None where none is live."""
        ...

    def open_spans(self, conversation: str) -> Sequence[tuple[int, int | None]]:
        """Return the positions from (inclusive) and to (inclusive; None: to its end) that no summary stands for."""
        ...


class Links(Protocol):
    """Its neural links, what came by them, and whose requests it refuses."""

    def put(self, link: NeuralLink) -> None:
        """Store a link, or replace the one of its id."""
        ...

    def get(self, id: str) -> NeuralLink | None:
        """Return the link as stored (an expired one is still pending here), or None."""
        ...

    def list(self, *, limit: int = 100, before: str | None = None) -> Sequence[NeuralLink]:
        """Return links newest first, those before id ``before`` only."""
        ...

    def add_items(self, items: Sequence[LinkItem]) -> None:
        """Note what came by links."""
        ...

    def items(self, link_id: str, *, corpus: str | None = None) -> Sequence[LinkItem]:
        """Return what came by a link, in order of (corpus, source id)."""
        ...

    def items_of(self, corpus: str, ids: Collection[str]) -> Sequence[LinkItem]:
        """Return how these items of this bank came here, or met what came."""
        ...

    def copies_of(self, link_id: str, corpus: str, source_ids: Collection[str]) -> Sequence[LinkItem]:
        """Return what came by a link of these items of the other bank."""
        ...

    def drop_messages(self, since: datetime | None, until: datetime | None) -> None:
        """Delete what was written to requests of that time (``since`` inclusive, ``until`` exclusive; None: open)."""
        ...

    def drop_items(self, link_id: str) -> None:
        """Forget what came by a link; the things themselves stay."""
        ...

    def own_memories(self) -> Sequence[str]:
        """Return the ids of active and archived memories that nothing superseded and no neural link brought, in order
        of id.
        """
        ...

    def entrust(self, ids: Collection[str], trust: SourceTrust, at: datetime) -> None:
        """Give these memories another trust and time of update. Bump rev once."""
        ...

    def block(self, other: str, at: datetime) -> None:
        """Refuse requests from ``other`` from now on."""
        ...

    def unblock(self, other: str) -> bool:
        """Take requests from ``other`` again; return whether they were refused."""
        ...

    def blocked(self) -> Sequence[str]:
        """Return whose requests are refused, in order."""
        ...
