"""NeuralLink: a request to receive another agent's bank, and what came of it (s4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

LINK_WINDOW = timedelta(minutes=2)
"""So long a request can be accepted."""
LINK_CHANNEL = "link"
"""The channel of messages that came by a link."""
MAX_MESSAGE_BYTES = 2_048


class Side(StrEnum):
    """Whose line it is: of the agent that asked, or of the one that was asked."""

    ASKED = "asked"
    RECEIVED = "received"


class LinkState(StrEnum):
    """Where a request stands; one that is pending past its time is ``expired``."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    EXPIRED = "expired"
    REVOKED = "revoked"


class Include(StrEnum):
    """What an agent shares only where it says so."""

    SOUL = "soul"
    DIARY = "diary"
    RELATIONSHIPS = "relationships"


CORPORA = {
    "memories": ("memories", str(Include.SOUL), str(Include.RELATIONSHIPS)),
    "episodes": ("episodes", str(Include.DIARY)),
}
"""Of what corpora of another bank this bank's memories and episodes may be copies: each ``Include`` stands in one."""
_TABLES = {corpus: table for table, corpora in CORPORA.items() for corpus in corpora}


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkTerms:
    """What is shared: everything, where a field is empty. ``kinds``, ``scope`` and ``tags`` narrow memories, and the
    messages to those on which the shared memories rest; ``include`` adds soul, diary and relationships.
    """

    include: tuple[Include, ...] = ()
    kinds: tuple[str, ...] = ()
    scope: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def is_narrow(self) -> bool:
        """Whether not all memories are shared."""
        return bool(self.kinds or self.tags or self.scope is not None)


EVERYTHING_SHARED = LinkTerms()


@dataclass(frozen=True, kw_only=True, slots=True)
class NeuralLink:
    """A request, as one of its two banks holds it: ``other`` is the agent on the other end, ``side`` this one's part.

    It can be accepted before ``expires_at`` and once. ``terms`` and ``counts`` (how many of each came over, by table;
    ``duplicates`` were there already; ``withheld`` hold a secret, or are summaries that tell more than the terms let
    pass) are known once it was.
    """

    id: str
    side: Side
    other: str
    state: LinkState = LinkState.PENDING
    message: str | None = None
    asked_at: datetime
    expires_at: datetime
    decided_at: datetime | None = None
    revoked_at: datetime | None = None
    terms: LinkTerms = EVERYTHING_SHARED
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkItem:
    """Something that came by a link: ``id`` in this bank, ``source_id`` in the one that it came from. ``corpus``:
    memories, episodes, soul, diary or relationships. ``own``: it was here already, and stays whatever happens to the
    link.
    """

    link_id: str
    corpus: str
    source_id: str
    id: str
    own: bool = False

    @property
    def table(self) -> str:
        """What it is in this bank: memories or episodes."""
        return _TABLES[self.corpus]
