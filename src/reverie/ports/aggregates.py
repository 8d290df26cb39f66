"""The aggregates of a bank that say what was said and kept; ``ports.store`` has the laws that hold for all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from reverie.domain.agent import Agent
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.emotion import Emotions
from reverie.domain.episode import Episode
from reverie.domain.gist import Gist
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Connection, Memory, State, Version
from reverie.domain.message import Conversation
from reverie.domain.query import Filter
from reverie.domain.relationship import Meetings

Vector = NDArray[np.float32]
"""One embedding: shape (dimensions,), unit length."""


class Agents(Protocol):
    """The agent of this unit: its profile and what the bank must know of itself."""

    def get(self) -> Agent | None:
        """Return the profile, or None for an agent that has never written."""
        ...

    def put(self, agent: Agent, secret: bytes) -> None:
        """Make the agent with its tombstone secret (32 random bytes), or change the profile and keep the first
        secret.
        """
        ...

    def secret(self) -> bytes:
        """Return the tombstone secret; empty for an agent that has never written."""
        ...

    def rev(self) -> int:
        """Return the revision: grows by one with every write that changes what a recall could return; 0 for an empty
        bank.
        """
        ...

    def embedder(self) -> tuple[str, int] | None:
        """Id and dimensions of the embedder whose vectors lie in the bank; None while there are none."""
        ...

    def set_embedder(self, embedder_id: str, dimensions: int) -> None:
        """Record the embedder of the bank's vectors."""
        ...

    def due_at(self) -> datetime | None:
        """Return when something is due next; None where nothing is that is known of. It belongs to the place: it is
        neither exported nor copied, and a fresh copy is due at once.
        """
        ...

    def note_due(self, at: datetime) -> None:
        """Something is due then, if nothing is before. Messages and memories that are added note it by themselves. No
        bump of rev.
        """
        ...

    def settle_due(self, at: datetime | None) -> None:
        """Set when something is due next, in the transaction that has looked at all there is. No bump of rev."""
        ...


class Conversations(Protocol):
    """Rooms; they come into being with their first episode (``Episodes.add``) and go with their last."""

    def get(self, conversation: str) -> Conversation | None:
        """Return the room, or None."""
        ...

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[Conversation]:
        """Rooms in the order of their ids, those after ``after`` first."""
        ...

    def own(
        self, *, among: Collection[str] | None = None, channels: Collection[str] = (), since: datetime | None = None,
        until: datetime | None = None, limit: int = 100, after: str | None = None, latest_first: bool = False,
    ) -> Sequence[Conversation]:  # fmt: skip
        """Rooms that the agent took part in (not those that came by a neural link), in the order of their ids or the
        latest first, those behind ``after`` (with ``latest_first`` a room that is there). ``among``: only these;
        ``channels``: only on these; ``since``, ``until``: only those in which something may have been said in that
        range.
        """
        ...

    def count(self) -> int:
        """Return how many there are."""
        ...

    def next_positions(self, conversations: Collection[str]) -> Mapping[str, int]:
        """For each conversation the position that its next episode takes; 0 for a new one."""
        ...

    def meetings(
        self, speakers: Collection[str] | None = None, *, until: datetime | None = None
    ) -> Sequence[Meetings]:
        """Who has spoken (of these speakers, or of all) in conversations that did not come by a neural link (channel
        ``link``), in order of name; tools and systems are nobody. ``until``: by what was said until then (inclusive).
        """
        ...

    def speakers(self) -> Sequence[str]:
        """Everyone who has spoken in any conversation, in order."""
        ...

    def with_speakers(self, speakers: Collection[str]) -> Sequence[str]:
        """Return the ids of the conversations in which one of these has spoken, in order."""
        ...

    def widen(
        self, rooms: Sequence[tuple[str, str, int, int, int, int]], speakers: Mapping[tuple[str, str], int]
    ) -> None:
        """Make or widen rooms for episodes that were added as raw rows: id, channel, first and last time (microseconds
        since 1970), how many, next position; and how many are whose, by (id, speaker).
        """
        ...


class Episodes(Protocol):
    """What was said."""

    def add(self, episodes: Sequence[Episode], vectors: NDArray[np.float32]) -> None:
        """Store new episodes with vectors (n, dimensions), their conversations and participants. Bump rev once."""
        ...

    def get(self, ids: Collection[str]) -> Mapping[str, Episode]:
        """Return the episodes that are there, by id."""
        ...

    def vectors(self, ids: Collection[str]) -> Mapping[str, Vector]:
        """Their vectors, by id."""
        ...

    def by_ref(self, conversation: str, refs: Collection[str]) -> Mapping[str, Episode]:
        """Return the conversation's episodes that carry one of these refs, by ref."""
        ...

    def tail(self, conversation: str, count: int) -> Sequence[Episode]:
        """Return the conversation's last episodes by position, oldest of them first."""
        ...

    def forward(self, conversation: str, position: int, limit: int) -> Sequence[Episode]:
        """Return the conversation's first episodes from a position on, in order of position."""
        ...

    def ids(self, where: Filter) -> Sequence[str]:
        """Return the ids of all that pass, in order of id."""
        ...

    def list(
        self,
        where: Filter,
        *,
        match: str | None = None,
        limit: int = 100,
        after: str | None = None,
        newest_first: bool = False,
    ) -> Sequence[Episode]:
        """Episodes that pass, in order of (time, id) or its reverse, those behind id ``after`` only.

        ``match``: keywords, each of which must stand in the content (stemmed, no operators: any text is
        safe).
        """
        ...

    def rewrite(self, episode: Episode, vector: Vector) -> None:
        """Replace content, topics, entities and vector of a stored episode; its old words are left nowhere. Bumps
        rev.
        """
        ...

    def delete(self, ids: Collection[str]) -> Sequence[str]:
        """Delete episodes, their vectors, links and index entries, and conversations left empty (whose ids it returns).
        Bump rev.
        """
        ...

    def count(self, where: Filter) -> int:
        """Return how many pass."""
        ...

    def unconsolidated(self, limit: int) -> Sequence[Episode]:
        """Return those that no sleep has read yet, in order of (time, id)."""
        ...

    def count_unconsolidated(self) -> int:
        """Return how many no sleep has read yet."""
        ...

    def consolidate(self, ids: Collection[str], at: datetime | None) -> int:
        """Note when a sleep read them, or with None that none did; return how many were there. Bump rev once."""
        ...


class Memories(Protocol):
    """What was kept."""

    def add(self, memories: Sequence[Memory], vectors: NDArray[np.float32]) -> None:
        """Store new memories with the vectors (n, dimensions) of their essences, and their links to source episodes.
        Bump rev once.
        """
        ...

    def update(self, memory: Memory, vector: Vector | None = None) -> None:
        """Write every field of a stored memory but its touches; with ``vector``, that too. Bump rev."""
        ...

    def add_version(self, version: Version) -> None:
        """Keep a replaced wording with the memory's vector of that moment: to be called before ``update``. Bump rev."""
        ...

    def versions(self, memory_id: str) -> Sequence[Version]:
        """Return the replaced wordings, oldest first."""
        ...

    def histories(self, ids: Collection[str]) -> Mapping[str, Sequence[Version]]:
        """Return the replaced wordings of each memory that has some, oldest first."""
        ...

    def get(self, ids: Collection[str]) -> Mapping[str, Memory]:
        """Return the memories that are there, by id, with their touches and source episodes (in order of id)."""
        ...

    def vectors(self, ids: Collection[str]) -> Mapping[str, Vector]:
        """Their vectors, by id."""
        ...

    def past(self, keys: Collection[tuple[str, int]]) -> Mapping[tuple[str, int], Version]:
        """Replaced wordings by (memory id, version)."""
        ...

    def list(
        self,
        where: Filter,
        *,
        match: str | None = None,
        limit: int = 100,
        after: str | None = None,
        newest_first: bool = False,
        now: datetime,
    ) -> Sequence[Memory]:
        """Memories that pass, in order of id or its reverse, those behind id ``after`` only; ``match`` as for episodes,
        over essence, lesson, tags and scope.
        """
        ...

    def ids(self, where: Filter, *, now: datetime) -> Sequence[str]:
        """Return the ids of all that pass, in order of id."""
        ...

    def gists(self, ids: Collection[str]) -> Mapping[str, Gist]:
        """Of these memories those that are active and that nothing superseded, by id: cheaper than ``get``."""
        ...

    def standing(self, kinds: Collection[Kind], priorities: Collection[Priority]) -> Sequence[Gist]:
        """Active memories of these kinds and priorities that nothing superseded, in order of id."""
        ...

    def surest(self, kind: Kind, limit: int) -> Sequence[Memory]:
        """Active memories of a kind that nothing superseded, of the highest confidence as written, the newest first
        among equals; without what a neural link brought and nobody adopted, and what waits for approval. Cheap in a
        bank of any size.
        """
        ...

    def essences(self, kinds: Collection[Kind]) -> Mapping[str, str]:
        """Return what memories of any state of these kinds (one at least) say that nothing superseded, by id, in order
        of id: cheaper than ``list``.
        """
        ...

    def derived_from(self, episode_ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        """Memories that have one of these episodes as a source, each with all its source episodes."""
        ...

    def of_conversation(self, conversations: Collection[str]) -> frozenset[str]:
        """Return the ids of memories with a source episode in one of these conversations."""
        ...

    def unlink(self, episode_ids: Collection[str]) -> None:
        """Remove these episodes from the sources of all memories."""
        ...

    def connect(self, connection: Connection) -> None:
        """Add an edge; one that is there (same ends and relation) stays as it is."""
        ...

    def connections(self, ids: Collection[str]) -> Sequence[Connection]:
        """Edges that touch one of these memories, in order of time."""
        ...

    def touch(self, counts: Mapping[str, tuple[int, datetime]]) -> None:
        """Add touches and set the later time of last touch; unknown ids are passed over. No bump of rev."""
        ...

    def unjudged(self, *, limit: int, after: str | None = None, lessons: bool = True) -> Sequence[str]:
        """Return the ids of memories of any state that have no importance or, where ``lessons`` count, no lesson, in
        order of id, those behind ``after``.
        """
        ...

    def count_unjudged(self, *, lessons: bool = True) -> int:
        """Return how many these are."""
        ...

    def unfelt(self, *, limit: int, after: str | None = None) -> Sequence[str]:
        """Return the ids of memories of any state that have no emotions, in order of id, those behind id ``after``
        only.
        """
        ...

    def count_unfelt(self) -> int:
        """Return how many have none."""
        ...

    def feel(self, emotions: Mapping[str, Emotions], at: datetime) -> None:
        """Set emotions and time of update, nothing else; unknown ids are passed over. Bump rev once."""
        ...

    def delete(self, ids: Collection[str]) -> None:
        """Delete memories with vectors, versions, links, edges, touches and index entries. Bump rev."""
        ...

    def tokens(self) -> int:
        """About how many tokens all essences and lessons are: ⌈UTF-8 bytes / 3⌉ of each."""
        ...

    def counts(self) -> Mapping[tuple[str, State], int]:
        """Return how many memories there are by (kind, state)."""
        ...


class Audit(Protocol):
    """The log of changes."""

    def add(self, entries: Sequence[AuditEntry]) -> None:
        """Append entries."""
        ...

    def list(
        self, *, target: str | None = None, job: str | None = None, actor: str | None = None,
        actions: Collection[Action] = (), since: datetime | None = None, until: datetime | None = None,
        limit: int = 100, after: str | None = None, newest_first: bool = False,
    ) -> Sequence[AuditEntry]:  # fmt: skip
        """Entries that are of all that is asked (``actions``: of any of these; ``since`` inclusive, ``until``
        exclusive), in order of id or its reverse, those behind id ``after`` only.
        """
        ...

    def scrub(self, targets: Collection[str]) -> None:
        """Set before, after and reason of all entries of these targets to None: what was forgotten is
        forgotten here too.
        """
        ...

    def empty(self, ids: Collection[str]) -> None:
        """Empty single entries likewise, by their own ids."""
        ...

    def empty_all(self) -> None:
        """Empty every entry likewise. This agent takes the place of a target that is no link in entries about
        neural links: they name who was blocked.
        """
        ...

    def hush(self) -> None:
        """Set the reasons of all entries of jobs to None; what they changed stays told."""
        ...

    def retell(self, entries: Sequence[AuditEntry]) -> None:
        """Write before and after of entries that are there as they are told here."""
        ...

    def known(self, ids: Collection[str]) -> frozenset[str]:
        """Return which of these entries are there."""
        ...


class Tombstones(Protocol):
    """Digests of what was forgotten."""

    def add(self, digests: Collection[bytes], at: datetime) -> None:
        """Keep digests; those that are there stay."""
        ...

    def known(self, digests: Collection[bytes]) -> frozenset[bytes]:
        """Return which of these are kept."""
        ...

    def remove(self, digests: Collection[bytes]) -> None:
        """Lift them (a deliberate override)."""
        ...
