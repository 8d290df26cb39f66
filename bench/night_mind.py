"""A mind that answers as a cassette has it: labels of the recorded requests become ids of the bank as it is tonight.

It asks nothing of how a model's questions are written today. An episode is known by its text, time and speaker; a
memory by its text, or by what became of the one that said so in an earlier night.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bench.every import every
from bench.night_cassette import Line, Recorded
from reverie import Agent
from reverie.domain.change import (
    NEW,
    Change,
    Connect,
    Contradict,
    Fade,
    Learn,
    Misshapen,
    Proposal,
    Refusal,
    Reinforce,
    Retire,
    Revise,
)
from reverie.domain.emotion import Emotions, checked_emotions
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput, NotFound
from reverie.minds.local import LocalMind
from reverie.ports.embedder import Embedder
from reverie.ports.night import Night

SECTIONS = ("new", "reinforce", "update", "retire", "contradict", "decay", "connect")
NOWHERE = "no night of this bank made it"
_LIKE = 0.93  # the least cosine of a memory that is taken for one whose words are nowhere
_LONG_WORD = re.compile(r"\w{5,}")
_SHORTENED = 1_500  # characters from which on a request may hold only the beginning of a message


@dataclass(kw_only=True, slots=True)
class Entry:
    """One entry of a recorded answer. ``change``: what was made of it, None where ``missing`` says why nothing could
    be; ``known``: the memory that it names, as it was then; ``says``: the recorded text that it would leave behind;
    ``is_old``: the bank had it so already, as an earlier night had done what the recorded one had refused.
    """

    section: str
    change: Change | None = None
    missing: str | None = None
    known: Memory | None = None
    says: str | None = None
    is_old: bool = False
    again: bool = False
    told: str = ""


@dataclass(kw_only=True, slots=True)
class Told:
    """What was proposed for one night. ``dropped``: sources that tonight's night doesn't show, left out."""

    entries: list[Entry] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    dropped: int = 0
    last: int = 0


class ReplayingMind(LocalMind):
    """Consolidates and portrays as ``cassette`` has it; the rest, such as reading messages, is LocalMind's."""

    def __init__(self, cassette: Sequence[Recorded], embedder: Embedder, *, floor: float) -> None:
        super().__init__(embedder, floor=floor)
        self._cassette, self._model = cassette, embedder
        self.agent: Agent | None = None
        self.nights: list[Told] = []
        self.ids: dict[str, str] = {}
        """What became of a memory that the recording shows: its id, by its recorded text."""
        self.lost: dict[str, str] = {}
        """Texts that the recording shows and that were refused here, with the reason."""

    @property
    def id(self) -> str:
        """Names it in reports."""
        return "bench/replay"

    @property
    def teaches(self) -> bool:
        """Its answers have lessons."""
        return True

    def consolidate(self, night: Night) -> Proposal:
        """The changes that the recorded answers to tonight's episodes name."""
        tonight = {one.id for cluster in night.clusters for one in cluster.episodes}
        said = _Said(self._agent, night)
        told = Told()
        self.nights.append(told)
        first, further = list[Entry](), list[Entry]()
        learned = 0
        for recorded in self._cassette:
            last = said.last(recorded)
            if not recorded.is_night or last is None or last not in tonight:
                continue
            told.last = max(told.last, recorded.number)
            taken = further if recorded.again else first
            reader = _Reader(self, night, said, recorded, 0 if recorded.again else learned)
            taken += reader.entries()
            told.dropped += reader.dropped
            learned += 0 if recorded.again else len(recorded.answer.get("new", ()))
        for entry in further:
            entry.again = True
        told.entries = [*first, *further]

        def reconsider(refusals: Sequence[Refusal]) -> Proposal:
            told.refusals = [*refusals]
            return Proposal(changes=_changes(further))

        return Proposal(changes=_changes(first), reconsider=reconsider)

    def portray(self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int) -> Mapping[Kind, str]:  # noqa: ARG002
        """The sections that the recorded model wrote after that night; none where it wrote none."""
        last = self.nights[-1].last if self.nights else 0
        portraits = (one.answer for one in self._cassette if one.number > last and one.is_portrait)
        sections = next(portraits, {}).get("sections", ())
        found: dict[Kind, str] = {}
        for section in sections:
            kind, bullets = str(section.get("kind", "")).lower(), section.get("bullets", ())
            if kind in set(Kind) and Kind(kind) in memories:
                found[Kind(kind)] = "\n".join(f"- {one['text']}" for one in bullets)
        return found

    @property
    def _agent(self) -> Agent:
        assert self.agent is not None
        return self.agent

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The bank's, of texts."""
        return self._model.embed(texts)

    def now(self, id: str) -> Memory | None:
        """A memory as it is now."""
        try:
            found = self._agent.get(id)
        except NotFound:
            return None
        return found if isinstance(found, Memory) else None


def _changes(entries: Sequence[Entry]) -> tuple[Change | Misshapen, ...]:
    """What of the entries can be proposed: Learns first, since others count them."""
    found = [one.change for one in entries if one.change is not None and not one.is_old]
    learns = [one for one in found if isinstance(one, Learn)]
    return (*learns, *(one for one in found if not isinstance(one, Learn)))


class _Said:
    """Finds a recorded request's episodes in the bank."""

    def __init__(self, agent: Agent, night: Night) -> None:
        self._zone = night.zone
        self._all = [*every(agent.episodes)]
        self._by_text: dict[str, list[Episode]] = {}
        for one in self._all:
            self._by_text.setdefault(plain(one.content), []).append(one)
        self.shown = {one.id for cluster in night.clusters for one in (*cluster.episodes, *cluster.earlier)}

    def id(self, line: Line) -> str | None:
        """The episode of a line; None where nothing like it was said."""
        text = plain(line.text)
        found = self._by_text.get(text, [])
        if not found and len(text) > _SHORTENED:
            found = [one for one in self._all if plain(one.content).startswith(text)]
        best = max(found, key=lambda one: self._fits(one, line.told), default=None)
        return None if best is None else best.id

    def last(self, recorded: Recorded) -> str | None:
        """The last of a request's new episodes."""
        new = [line for line in recorded.episodes.values() if not line.is_earlier]
        ids = {id for line in new if (id := self.id(line)) is not None}
        return (
            max((one for one in self._all if one.id in ids), key=lambda one: (one.time, one.id)).id
            if ids
            else None
        )

    def _fits(self, one: Episode, told: str) -> int:
        local = one.time.astimezone(self._zone)
        marks = (
            f"{local.day} {local:%B} {local.year}",
            f"{local:%Y-%m-%d}",
            f"{local:%H:%M}",
            one.speaker or "",
        )
        return sum(bool(mark) and mark in told for mark in marks)


class _Reader:
    """Reads one recorded answer. ``first``: how many Learns stand before its own."""

    def __init__(
        self, mind: ReplayingMind, night: Night, said: _Said, recorded: Recorded, first: int
    ) -> None:
        self._mind, self._zone, self._said = mind, night.zone, said
        self._recorded, self._first = recorded, first
        self._count = len(recorded.answer.get("new", ()))
        self._known = _known(mind, night, [line.text for line in recorded.memories.values()])
        self.dropped = 0

    def entries(self) -> Iterator[Entry]:
        """All of them, section by section."""
        for section in SECTIONS:
            for one in self._recorded.answer.get(section, ()):
                entry = Entry(section=section, told=_told(one))
                try:
                    self._read(entry, one)
                except _Missing as missing:
                    entry.missing = str(missing)
                yield entry
                if section == "new":
                    yield from self._superseding(one)

    def _superseding(self, one: Mapping[str, Any]) -> Iterator[Entry]:
        place = next(place for place, each in enumerate(self._recorded.answer["new"]) if each is one)
        for label in one.get("supersedes") or ():
            entry = Entry(section="supersede", told=_told(one))
            try:
                entry.known = self._memory(label)
                entry.change = Contradict(
                    memory_id=entry.known.id, contradicted_by=f"{NEW}{self._first + place}", resolution="",
                    sources=self._sources(one),
                )  # fmt: skip
            except _Missing as missing:
                entry.missing = str(missing)
            yield entry

    def _read(self, entry: Entry, one: Mapping[str, Any]) -> None:
        sources = self._sources(one)
        match entry.section:
            case "new":
                entry.says = one["content"]
                entry.change = self._learn(one, sources)
            case "reinforce":
                entry.known = self._memory(one["memoryId"])
                entry.change = Reinforce(
                    memory_id=entry.known.id, reason=one.get("reason", ""), sources=sources
                )
                entry.is_old = {*sources} <= {*entry.known.source_episodes}
            case "update":
                entry.known = self._memory(one["memoryId"])
                entry.says = one["newContent"]
                entry.change = self._revise(one, entry.known, sources)
                entry.is_old = self._is_past(one, entry.known, sources)
            case "retire":
                entry.known = self._memory(one["memoryId"])
                entry.change = Retire(memory_id=entry.known.id, reason=one.get("reason", ""), sources=sources)
            case "contradict":
                entry.change = Contradict(
                    memory_id=self._end(one["memoryId"]), contradicted_by=self._end(one["contradictedBy"]),
                    resolution=one.get("resolution", ""), sources=sources,
                )  # fmt: skip
            case "decay":
                entry.known = self._memory(one["memoryId"])
                entry.change = Fade(
                    memory_id=entry.known.id, confidence=one["newConfidence"], reason=one.get("reason", ""),
                    sources=sources,
                )  # fmt: skip
            case _:
                ends = self._end(one["memoryA"]), self._end(one["memoryB"])
                entry.change = Connect(memory_a=ends[0], memory_b=ends[1], relation=one["relationship"])

    def _is_past(self, one: Mapping[str, Any], known: Memory, sources: tuple[str, ...]) -> bool:
        """Whether this bank has gone beyond the update: it says so, or has other words than the recording shows, which
        rest on all that the update names.
        """
        shown = self._recorded.memories[one["memoryId"]].text
        is_further = plain(known.essence) != plain(shown) and {*sources} <= {*known.source_episodes}
        return is_further or plain(known.essence) == plain(one["newContent"])

    def _learn(self, one: Mapping[str, Any], sources: tuple[str, ...]) -> Learn:
        return Learn(
            essence=one["content"], kind=_kind(one["category"]), sources=sources, stated=one.get("stated", True),
            confidence=one.get("confidence"), importance=one.get("importance"), lesson=one.get("lesson") or None,
            emotions=_emotions(one.get("emotions") or ()), topics=tuple(one.get("topics") or ()),
            entities=tuple(one.get("entities") or ()), since=_since(one.get("since"), self._zone),
        )  # fmt: skip

    def _revise(self, one: Mapping[str, Any], known: Memory, sources: tuple[str, ...]) -> Revise:
        return Revise(
            memory_id=known.id, essence=one["newContent"], reason=one.get("reason", ""), sources=sources,
            stated=one.get("stated", True), lesson=one.get("lesson") or None,
            since=_since(one.get("since"), self._zone), importance=one.get("importance"),
            confidence=one.get("confidence"),
            kind=_kind(one["category"]) if one.get("category") else None,
        )  # fmt: skip

    def _memory(self, label: str) -> Memory:
        line = self._recorded.memories.get(label)
        if line is None:
            raise _Missing("the recording doesn't show it either")
        found = self._known.get(line.text)
        if found is None:
            raise _Missing(self._mind.lost.get(line.text, NOWHERE))
        return found

    def _end(self, label: str) -> str:
        if not label.startswith(NEW):
            return self._memory(label).id
        place = int(label.removeprefix(NEW))
        if place >= self._count:
            raise _Missing("there is no such new memory")
        return f"{NEW}{self._first + place}"

    def _sources(self, one: Mapping[str, Any]) -> tuple[str, ...]:
        """Ids of the named episodes that tonight's night shows; all of them where it shows none."""
        lines = [self._recorded.episodes.get(label) for label in one.get("sourceEpisodes") or ()]
        ids = [id for line in lines if line is not None and (id := self._said.id(line)) is not None]
        shown = [id for id in ids if id in self._said.shown]
        self.dropped += len(lines) - len(shown)
        return tuple(shown or ids)


class _Missing(Exception):
    """What an entry names isn't in the bank."""


def _known(mind: ReplayingMind, night: Night, texts: Sequence[str]) -> Mapping[str, Memory]:
    """The memories that a request showed, by their recorded texts, put among what tonight's night shows."""
    followed = {text: mind.now(id) for text, id in mind.ids.items() if text in {*texts}}
    asked = [*dict.fromkeys([*texts, *(one.essence for one in followed.values() if one is not None)])]
    if not asked:
        return {}
    vectors = mind.vectors(asked)
    looked = [*night.look(vectors)]
    beside = {one.id: one for one in (*night.core, *(one for each in night.clusters for one in each.known))}
    nameable = {**beside, **{one.id: one for one, _ in looked}}
    by_text = {plain(one.essence): one for one in nameable.values()}
    found: dict[str, Memory] = {}
    for text, vector in zip(asked, vectors, strict=True):
        one = by_text.get(plain(text))
        if one is None and (then := followed.get(text)) is not None:
            one = nameable.get(then.id)
        if one is None:
            near, best = max(
                ((float(each @ vector), memory) for memory, each in looked), key=lambda two: two[0],
                default=(0.0, None),
            )  # fmt: skip
            one = best if near >= _LIKE else _quoting(text, nameable.values())
        if one is not None:
            found[text] = one
    return found


def _quoting(text: str, memories: Iterable[Memory]) -> Memory | None:
    """A quotation that has all the long words of a text, its first word aside, which is a name: what was noted of a
    message as it was observed was worded otherwise when the first cassettes were recorded.
    """
    words = {*_LONG_WORD.findall(text.casefold().partition(" ")[2])}
    quotations = (one for one in memories if one.quoted is not None)
    return next(
        (one for one in quotations if words and words <= {*_LONG_WORD.findall(one.essence.casefold())}), None
    )


def plain(text: str) -> str:
    """A text without what a request changes in it."""
    return " ".join(text.split())


def _told(one: Mapping[str, Any]) -> str:
    names = ("content", "newContent", "reason", "resolution", "relationship")
    return str(next((one[name] for name in names if one.get(name)), ""))


def _kind(name: str) -> Kind:
    """The kind; a name that is none stays as it is, to be refused."""
    low = name.strip().lower()
    return Kind(low) if low in set(Kind) else cast(Kind, name)


def _emotions(labels: Sequence[str]) -> Emotions | None:
    try:
        return checked_emotions([*labels]) or None
    except InvalidInput:
        return None


def _since(text: str | None, zone: tzinfo) -> datetime | None:
    try:
        return to_utc(text, zone=zone) if text else None
    except InvalidInput:
        return None
