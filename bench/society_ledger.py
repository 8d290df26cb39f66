"""The ledger of the society's world: what every agent was told, wrote and asked to forget, kept apart from Reverie.

Whatever a bank shows is judged by it. Nothing here is read from a bank but the ids under which it keeps things.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Heard:
    """A message as one agent heard it; ``position`` is its place in the conversation."""

    id: str
    conversation: str
    position: int
    speaker: str
    content: str
    at: datetime
    mark: int


@dataclass(slots=True)
class Noted:
    """A memory by what was said when it was kept, once or several times."""

    id: str
    texts: list[str]
    mark: int
    last: datetime


@dataclass(frozen=True, slots=True)
class Wrote:
    """A note in the diary."""

    date: str
    body: Mapping[str, object]
    mood: str | None
    location: str | None


@dataclass(frozen=True, slots=True)
class Saw:
    """A view of another, as it was after an assignment."""

    other: str
    type: str
    trust: float
    tone: str | None
    rationale: str | None


@dataclass(frozen=True, slots=True)
class Came:
    """A neural link that was accepted: marks that may have come by it, and those that must have."""

    id: str
    giver: str
    marks: frozenset[int]
    sure: frozenset[int]


@dataclass(slots=True)
class Ledger:
    """One agent's."""

    agent: str
    soul: list[str] = field(default_factory=list)
    heard: dict[str, Heard] = field(default_factory=dict)
    rooms: dict[str, list[str]] = field(default_factory=dict)
    noted: dict[str, Noted] = field(default_factory=dict)
    wrote: list[Wrote] = field(default_factory=list)
    saw: list[Saw] = field(default_factory=list)
    came: dict[str, Came] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    forgotten: set[int] = field(default_factory=set)
    stands_for: dict[str, frozenset[str]] = field(default_factory=dict)

    def hear(self, id: str, room: str, speaker: str, content: str, at: datetime, mark: int) -> None:
        """A message was observed under this id."""
        said = self.rooms.setdefault(room, [])
        self.heard[id] = Heard(id, room, len(said), speaker, content, at, mark)
        said.append(id)
        self.known.add(mark)

    def note(self, id: str, text: str, mark: int, at: datetime) -> None:
        """A memory was kept, or kept again, under this id."""
        noted = self.noted.setdefault(id, Noted(id, [], mark, at))
        noted.texts.append(text)
        noted.last = at
        self.known.add(mark)

    def write(self, wrote: Wrote, mark: int) -> None:
        """A note was written."""
        self.wrote.append(wrote)
        self.known.add(mark)

    def see(self, saw: Saw, mark: int) -> None:
        """A view was assigned."""
        self.saw.append(saw)
        self.known.add(mark)

    def forget(self, mark: int) -> None:
        """What bears the mark is to be gone: the summaries above it go, and what else they stood for is back."""
        self.forgotten.add(mark)
        self.drop({one.id for one in self._rows() if one.mark == mark})

    def take_back(self, link_id: str, there: Collection[str]) -> None:
        """A link was revoked; ``there`` are the ids that are left in the bank. Summaries of what went go too."""
        del self.came[link_id]
        own = self.noted.keys() | self.heard.keys() | self.stands_for.keys()
        self.drop(self.summarized() - own - {*there})

    def drop(self, gone: set[str]) -> None:
        """The summaries above these go, at any depth."""
        while True:
            dropped = {id for id, items in self.stands_for.items() if items & gone}
            if not dropped:
                return
            for id in dropped:
                del self.stands_for[id]
            gone = dropped

    def _rows(self) -> Iterator[Heard | Noted]:
        yield from self.heard.values()
        yield from self.noted.values()

    def own_marks(self) -> set[int]:
        """What must be in the bank, by marks: what it heard and noted itself."""
        return {one.mark for one in self._rows()} - self.forgotten

    def shared(self, *, narrow: bool) -> tuple[frozenset[int], frozenset[int]]:
        """What an accepted link may give away, own words and whatever came by links, and what it must."""
        own = self.own_marks()
        may = own.union(*(one.marks for one in self.came.values())) - self.forgotten
        sure = own.union(*(one.sure for one in self.came.values())) - self.forgotten
        return frozenset(may), frozenset() if narrow else frozenset(sure)

    def may_know(self, mark: int) -> bool:
        """Whether a text with this mark may stand in the bank."""
        return mark in self.known or any(mark in one.marks for one in self.came.values())

    def spoken_by(self) -> dict[str, int]:
        """How many messages are there of each other, by name."""
        count: dict[str, int] = {}
        for one in self.heard.values():
            if one.speaker != self.agent and one.mark not in self.forgotten:
                count[one.speaker] = count.get(one.speaker, 0) + 1
        return count

    def summarized(self) -> set[str]:
        """Ids of everything that a summary stands for."""
        return {id for items in self.stands_for.values() for id in items}


def by_date(notes: Iterable[Wrote]) -> dict[str, list[Wrote]]:
    """The notes of each page, in order."""
    pages: dict[str, list[Wrote]] = {}
    for one in notes:
        pages.setdefault(one.date, []).append(one)
    return pages
