"""Reading: a model's answer about a night as changes. Each entry is judged alone, and no answer raises anything: one
without a usable shape is ``Misshapen``, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from itertools import islice
from typing import TypeAlias

from reverie.domain.change import (
    NEW,
    Change,
    Connect,
    Contradict,
    Fade,
    Learn,
    Misshapen,
    Reinforce,
    Retire,
    Revise,
)
from reverie.domain.sleep import Act
from reverie.minds.nights.shapes import Entry, Unfit, folded
from reverie.minds.nights.writing import Asked

MOST_ENTRIES = 1_000
"""Entries of one list that are looked at."""

_NEW_LABEL = re.compile(r"\W*new\W*(\d{1,6})\W*", re.IGNORECASE)
_ACTS: Mapping[str, Act] = {
    "new": Act.LEARN,
    "update": Act.REVISE,
    "retire": Act.RETIRE,
    "reinforce": Act.REINFORCE,
    "contradict": Act.CONTRADICT,
    "decay": Act.FADE,
    "connect": Act.CONNECT,
}
LISTS = tuple(_ACTS)
"""The lists of an answer, in the order in which their changes are proposed; s3's ``decay`` among them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """One change of an answer: ``name`` is where it stands ("update[3]"), ``entry`` what the model wrote there.
    ``beside``: it is only part of that entry, which also made another change.
    """

    name: str
    entry: object
    change: Change | Misshapen
    beside: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """An answer as changes, in their order; ``notes``: what was left out of them."""

    read: tuple[Read, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> tuple[Change | Misshapen, ...]:
        """The changes alone: a place among them is a place among ``read``."""
        return tuple(one.change for one in self.read)

    @property
    def learned(self) -> int:
        """How many new memories it proposes."""
        return sum(isinstance(one.change, Learn) for one in self.read)


def fault_of(answer: object) -> str | None:
    """Return why a JSON value is no answer at all; None where it is one."""
    if not isinstance(answer, Mapping):
        return "the answer is no JSON object"
    if not _lists(answer):
        return f"the answer has none of the lists {', '.join(LISTS)}"
    return None


def changes_of(answer: object, asked: Asked, zone: tzinfo, *, first: int = 0) -> Parsed:
    """Return a model's answer about what was asked, as changes: labels become ids. Dates are read in ``zone``.
    ``first``: how many new memories the same proposal has already; its ``new:0`` is the first of this answer.
    """
    fault = fault_of(answer)
    if fault is not None or not isinstance(answer, Mapping):
        why = fault or "the answer is no JSON object"
        return Parsed(read=(Read(name="", entry=answer, change=Misshapen(act=str(Act.LEARN), why=why)),))
    reader = _Reader(_lists(answer), asked, zone, first)
    read = (*reader.learned, *reader.superseding, *reader.others())
    strangers = len(answer) - len(reader.lists)
    if strangers:
        reader.notes.append("the answer has parts that nobody asked for: they were left out")
    return Parsed(read=read, notes=tuple(dict.fromkeys(reader.notes)))


def _lists(answer: Mapping[object, object]) -> dict[str, object]:
    """Return the lists of an answer by their names, however these are written."""
    named = {folded(name): value for name, value in answer.items() if isinstance(name, str)}
    return {name: named[name] for name in LISTS if name in named}


class _Reader:
    """Reads the lists of one answer; the new memories at once, since others name them."""

    def __init__(self, lists: Mapping[str, object], asked: Asked, zone: tzinfo, first: int) -> None:
        self.lists, self._asked, self._zone = lists, asked, zone
        self.notes: list[str] = []
        self.learned: list[Read] = []
        self.superseding: list[Read] = []
        self._numbers: dict[
            int, int
        ] = {}  # of an entry's place in "new": its number among the proposal's Learns
        for place, one in enumerate(self._each("new", self._learn)):
            self.learned.append(one)
            if isinstance(one.change, Learn):
                self._numbers[place] = first + len(self._numbers)
                self.superseding += self._superseded(one, f"{NEW}{self._numbers[place]}")

    def others(self) -> Iterator[Read]:
        """Yield what isn't new."""
        makers: Mapping[str, _Maker] = {
            "update": self._revise,
            "retire": self._retire,
            "reinforce": self._reinforce,
            "contradict": self._contradict,
            "decay": self._fade,
            "connect": self._connect,
        }
        for name, maker in makers.items():
            yield from self._each(name, maker)

    def _each(self, name: str, maker: _Maker) -> Iterator[Read]:
        value, act = self.lists.get(name), str(_ACTS[name])
        if isinstance(value, Mapping):
            value = [value]
        if value is None:
            return
        if not isinstance(value, list):
            yield Read(name=name, entry=value, change=Misshapen(act=act, why=f"{name} is no list"))
            return
        for place, entry in enumerate(islice(value, MOST_ENTRIES)):
            change: Change | Misshapen
            try:
                change = maker(Entry(entry, self._zone, self.notes))
            except Unfit as unfit:
                change = Misshapen(act=act, why=unfit.why)
            yield Read(name=f"{name}[{place}]", entry=entry, change=change)
        if len(value) > MOST_ENTRIES:
            why = f"{len(value) - MOST_ENTRIES} more entries than {MOST_ENTRIES}: they were not looked at"
            yield Read(name=name, entry=None, change=Misshapen(act=act, why=why))

    def _superseded(self, one: Read, new: str) -> Iterator[Read]:
        """Yield what a new memory takes the place of."""
        assert isinstance(one.change, Learn)
        for label in Entry(one.entry, self._zone, self.notes).labels("supersedes"):
            change = Contradict(
                memory_id=self._asked.memories.id(label), contradicted_by=new, resolution="",
                sources=one.change.sources,
            )  # fmt: skip
            yield Read(name=f"{one.name}.supersedes", entry=one.entry, change=change, beside=True)

    def _sources(self, entry: Entry) -> tuple[str, ...]:
        return self._asked.episodes.ids(entry.labels("sourceEpisodes"))

    def _known(self, entry: Entry, name: str = "memoryId") -> str:
        return self._asked.memories.id(entry.text(name))

    def _named(self, entry: Entry, name: str) -> str:
        """Return a memory, or what a new one is called in the proposal."""
        label = entry.text(name)
        new = _NEW_LABEL.fullmatch(label)
        if new is None:
            return self._asked.memories.id(label)
        number = self._numbers.get(int(new[1]))
        if number is None:
            raise Unfit(f"{name} names an entry of new that isn't there or has no usable shape")
        return f"{NEW}{number}"

    def _learn(self, entry: Entry) -> Change:
        kind = entry.kind("category")
        if kind is None:
            raise Unfit("category is missing")
        return Learn(
            essence=entry.text("content"),
            kind=kind,
            sources=self._sources(entry),
            stated=entry.switch("stated"),
            confidence=entry.number("confidence"),
            importance=entry.number("importance"),
            lesson=entry.other("lesson") or None,
            emotions=entry.emotions("emotions"),
            topics=entry.texts("topics"),
            entities=entry.texts("entities"),
            since=entry.since("since"),
        )

    def _revise(self, entry: Entry) -> Change:
        return Revise(
            memory_id=self._known(entry),
            essence=entry.text("newContent"),
            reason=entry.other("reason"),
            sources=self._sources(entry),
            stated=entry.switch("stated"),
            lesson=entry.other("lesson") or None,
            since=entry.since("since"),
            importance=entry.number("importance"),
            confidence=entry.number("confidence"),
            kind=entry.kind("category"),
        )

    def _retire(self, entry: Entry) -> Change:
        return Retire(
            memory_id=self._known(entry), reason=entry.other("reason"), sources=self._sources(entry)
        )

    def _reinforce(self, entry: Entry) -> Change:
        return Reinforce(
            memory_id=self._known(entry), reason=entry.other("reason"), sources=self._sources(entry)
        )

    def _contradict(self, entry: Entry) -> Change:
        return Contradict(
            memory_id=self._named(entry, "memoryId"),
            contradicted_by=self._named(entry, "contradictedBy"),
            resolution=entry.other("resolution"),
            sources=self._sources(entry),
        )

    def _fade(self, entry: Entry) -> Change:
        confidence = entry.number("newConfidence")
        if confidence is None:
            raise Unfit("newConfidence is missing")
        return Fade(
            memory_id=self._known(entry),
            confidence=confidence,
            reason=entry.other("reason"),
            sources=self._sources(entry),
        )

    def _connect(self, entry: Entry) -> Change:
        return Connect(
            memory_a=self._named(entry, "memoryA"),
            memory_b=self._named(entry, "memoryB"),
            relation=entry.text("relationship").strip().lower().replace("_", "-"),
        )


_Maker: TypeAlias = Callable[[Entry], Change]
