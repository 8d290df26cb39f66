"""What a write did: closed unions, taken apart with ``match``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.domain.memory import Memory


@dataclass(frozen=True, kw_only=True, slots=True)
class Inserted:
    """A new memory. ``near`` names memories so close that only the guard kept them apart."""

    memory: Memory
    near: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Reinforced:
    """The memory was there already, with cosine ``similarity``; it was reinforced instead of stored twice."""

    memory: Memory
    similarity: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Queued:
    """The embedder gave no vectors, so it waits in the bank and is kept once it does: nothing is lost.

    ``memory`` is as it will be, under this id, unless it then proves to repeat one that is there. Until then nothing
    finds it.
    """

    memory: Memory


Remembered = Inserted | Reinforced | Queued
"""What became of a memory that was to be kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Observed:
    """One ``observe``: the new episodes' ids in the order of the messages, and how many refs were known
    already.

    ``episode_ids`` has one id a message; a message whose ref was known is represented by the known
    episode's id. ``forgotten`` counts messages that were forgotten on purpose and so were passed over; they
    have no id. ``truncated`` counts texts longer than the embedder reads: kept whole, found by words to
    their end, by meaning only by their beginning.

    ``emptied`` counts messages of which nothing was left to store (all of them our own injected block or <private>);
    they have no id either. ``redacted`` counts what was taken out of those that were stored, by type
    ("aws-access-token", "card-number", "private", …; "context-block": whole blocks that Reverie had put into a
    prompt). ``captured`` are the ids of memories that were made of their sentences at once, or reinforced;
    ``information``: those of these that instruct nobody, since they repeat outside text, or stand in a message that may
    hold somebody else's.

    ``queued`` counts messages that wait in the bank since the embedder gave no vectors: they have no id yet, nothing
    finds them, and they become episodes, in their order, once it does. Nothing is lost, and nothing need be done again.
    """

    episode_ids: tuple[str, ...]
    stored: int
    known: int
    truncated: int
    forgotten: int = 0
    emptied: int = 0
    redacted: Mapping[str, int] = field(default_factory=dict)
    captured: tuple[str, ...] = ()
    information: tuple[str, ...] = ()
    queued: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Flushed:
    """What became of writes that waited for an embedder: messages and memories that are stored now, how many could not
    be stored (what they rest on was forgotten meanwhile; or the embedder refuses them alone, and they are set aside
    until ``retry``), and how many writes wait still.
    """

    stored: int = 0
    refused: int = 0
    left: int = 0

    def __bool__(self) -> bool:
        return self != Flushed()


@dataclass(frozen=True, kw_only=True, slots=True)
class Reembedded:
    """What became of a bank's move to another embedder (ids ``before`` and ``after``; None: it holds no vectors).

    ``embedded`` counts the texts that this call embedded; ``switched``: the bank has moved now. Where that is False,
    there was nothing to move, or the call was stopped, and the next one goes on.
    """

    agent_id: str
    before: str | None
    after: str
    embedded: int = 0
    switched: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgot:
    """The receipt of a ``forget``: ids of what went, of what was rewritten without it, and what lies
    outside its reach. ``queued``: messages and memories that waited for an embedder. ``diary``: dates of the
    pages on which something was written; ``relationships``: of whom views went; ``items``: ids of values that
    programs kept.

    ``unlinked_memories`` lost source episodes and stay; ``reworded_memories`` are those whose wording rested on what
    was forgotten, and that say again what they said before, and those made of the same messages that lost the sentences
    which told it. ``whole_episodes`` are those of the ``episodes`` that were to lose some sentences only, and went
    since the embedder gave no vectors for what would have been left; such memories go then, too.

    ``summaries`` stood for something that went, or were forgotten themselves: they go with all summaries above them.
    The rest of what they stood for is there: ``reactivated_memories`` are active again, ``reopened_episodes`` counts
    messages that are live again.

    ``still_told``: ids of messages of the same bank that are left and may tell of it still, in order of time. First,
    source messages of a forgotten memory in which its sentences could not be found for sure. Second, messages that have
    its rare words, or half of those that tell something, such as the assistant's echo of what was said. Look at them,
    and forget by these ids those that shall go as well. ``searched`` is False where the bank could not be searched just
    then: only source messages are named, and nobody has looked whether other messages tell of it.
    """

    memories: tuple[str, ...] = ()
    episodes: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()
    rewritten_episodes: tuple[str, ...] = ()
    unlinked_memories: tuple[str, ...] = ()
    reworded_memories: tuple[str, ...] = ()
    whole_episodes: tuple[str, ...] = ()
    soul: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    reactivated_memories: tuple[str, ...] = ()
    reopened_episodes: int = 0
    diary: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    queued: int = 0
    tombstones: int = 0
    still_told: tuple[str, ...] = ()
    searched: bool = True
    elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Backfilled:
    """How many memories a backfill gave emotions, a lesson or an importance, and how many lack one still (others wrote
    meanwhile, or a mind failed).
    """

    judged: int
    left: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Copied:
    """One agent that lies whole at the destination of a copy, compared row by row with its source.

    ``rows`` and ``checksums`` (SHA-256, 64 hexadecimal digits) are those of every table, by its name, the same on both
    sides. ``written`` counts the rows that this call wrote: fewer than there are where an interrupted copy had left
    some, none where the agent was there already (and then touches, which each side counts for itself, are left out).
    """

    agent_id: str
    rows: Mapping[str, int]
    checksums: Mapping[str, str]
    written: int

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.rows.values())
