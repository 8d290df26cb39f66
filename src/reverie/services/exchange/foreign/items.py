"""What a reader of a foreign format yields: talks, notes, and what it left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.message import Message

UNTRUSTED = "import"
"""The channel of what nobody vouches for: it is external (``Settings.channel_trust``)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """Messages of one conversation in their order, each with a ref. A long conversation comes in several of these."""

    conversation: str
    channel: str
    messages: Sequence[Message]


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """One thing that another memory or a person wrote down. ``source_id`` names it for good within its kind.
    ``conversation``: the one that holds its message, which then has its tags and entities, too; None: the kind's own.
    """

    source_id: str
    text: str
    time: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    conversation: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Skip:
    """What was left out, and why. ``place``: of what ``is_broken``, which should have been there and can't be read,
    where it stands; of a file of no known kind its name.
    """

    reason: str
    place: str = ""
    count: int = 1
    is_broken: bool = False


Item = Talk | Note | Skip


def broken(place: str, problem: str) -> Skip:
    """Return what can't be read."""
    return Skip(reason="can't be read", place=f"{place}: {problem}", is_broken=True)
