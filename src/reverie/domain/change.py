"""Change: what a mind proposes to do with the bank in a sleep (s3). Nothing in it is trusted: the sleep checks each
alone, and refuses what is wrong.

Ids are those of the night's episodes and of the memories that it was shown. ``new:0`` stands for the first Learn of the
same proposal, ``new:1`` for the second, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias

from reverie.domain.emotion import Emotions
from reverie.domain.kinds import Kind
from reverie.domain.memory import Quoted

NEW = "new:"
"""How a change names what another Learn of the same proposal makes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Learn:
    """A new memory (s3's new).

    ``essence``: one factual statement in the third person that stands by itself. ``sources``: ids of the episodes that
    carry it, at least one. ``stated`` whether it was said outright, or is inferred; ``confidence`` in [0, 1], None for
    what either is born with. ``since``: when it became true, None where nothing is said of that. What is None
    otherwise is judged as any memory's is. What takes a known memory's place is proposed with a Contradict.
    """

    essence: str
    kind: Kind
    sources: tuple[str, ...]
    stated: bool = True
    confidence: float | None = None
    importance: float | None = None
    lesson: str | None = None
    emotions: Emotions | None = None
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    quoted: Quoted | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reinforce:
    """The night confirms a memory. ``sources``: ids of the night's episodes that do, at least one."""

    memory_id: str
    reason: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Revise:
    """A memory needs another wording (s3's update), as where a value has changed: its id stays, the old wording goes
    to the history. ``since``: from when the new one holds; None: since the latest of its sources. ``importance`` in
    [0, 1] and ``kind``; None: as they were, or as they are judged anew. ``confidence`` in [0, 1]; None: what either is
    born with.
    """

    memory_id: str
    essence: str
    reason: str
    sources: tuple[str, ...] = ()
    stated: bool = True
    lesson: str | None = None
    since: datetime | None = None
    importance: float | None = None
    confidence: float | None = None
    kind: Kind | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Retire:
    """A memory no longer holds, and nothing takes its place: it is archived, true until the latest of its sources.
    ``sources``: ids of the night's episodes that say so, at least one.
    """

    memory_id: str
    reason: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Contradict:
    """A memory conflicts with another one, or with a Learn (``new:0``). Which of the two holds is a rule's to say, not
    the mind's; ``resolution`` is what the mind says of it, for the report.
    """

    memory_id: str
    contradicted_by: str
    resolution: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Fade:
    """Less is to be thought of a memory (s3's decay): ``confidence`` in [0, 1], below what it is now. ``sources``: ids
    of the night's episodes that speak against it, at least one.
    """

    memory_id: str
    confidence: float
    reason: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Connect:
    """Two memories have to do with each other: supports, contradicts, refines, near, derived-from, or own words."""

    memory_a: str
    memory_b: str
    relation: str


Change: TypeAlias = Learn | Reinforce | Revise | Retire | Contradict | Fade | Connect
"""One change that a mind proposes to a bank."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Misshapen:
    """A part of a mind's answer that is no change: ``act`` it was meant to be one of, and ``why`` it is none."""

    act: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """What calls of a mind cost: how many, tokens in and out, and millionths of a US dollar where prices are known."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    micro_dollars: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            micro_dollars=self.micro_dollars + other.micro_dollars,
        )

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens


NOTHING_SPENT = Spent()


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """Why a change can't be made: its ``place`` among the changes of its proposal, and the reason, without contents."""

    place: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """What a mind makes of a night. ``notes``: what the sleep's reader should know of how it came about.

    ``reconsider`` asks the mind once more about what was refused: it is given all refusals and returns a proposal that
    has only what the mind puts in their place. Its ``new:0`` is the first Learn of that second proposal. None: the mind
    isn't asked. It raises what ``Mind.consolidate`` raises.
    """

    changes: tuple[Change | Misshapen, ...] = ()
    spent: Spent = NOTHING_SPENT
    notes: tuple[str, ...] = ()
    reconsider: Callable[[Sequence[Refusal]], Proposal] | None = field(
        default=None, compare=False, repr=False
    )


def joined(first: Proposal, second: Proposal) -> Proposal:
    """Return both as one, with the second's ``new:0`` behind all new memories of the first."""
    offset = sum(isinstance(one, Learn) for one in first.changes)
    return Proposal(
        changes=(*first.changes, *(_shifted(one, offset) for one in second.changes)),
        spent=first.spent + second.spent,
        notes=(*first.notes, *second.notes),
    )


def _shifted(change: Change | Misshapen, offset: int) -> Change | Misshapen:
    match change:
        case Contradict(memory_id=one, contradicted_by=other):
            return replace(change, memory_id=_later(one, offset), contradicted_by=_later(other, offset))
        case Connect(memory_a=one, memory_b=other):
            return replace(change, memory_a=_later(one, offset), memory_b=_later(other, offset))
        case _:
            return change


def _later(id: str, offset: int) -> str:
    number = id.removeprefix(NEW) if str(id).startswith(NEW) else ""
    return f"{NEW}{int(number) + offset}" if number.isascii() and number.isdigit() and len(number) < 7 else id
