"""Consolidation: a night as questions to a model, and its answers as changes. Nothing in them is trusted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, cast

from reverie.domain.change import NEW, Change, Connect, Contradict, Fade, Learn, Reinforce, Revise
from reverie.domain.emotion import Emotions, checked_emotions
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput
from reverie.minds.llm.labels import Labels
from reverie.minds.llm.outgoing import Line, Outgoing, quoted, when
from reverie.minds.llm.prompts import prompt
from reverie.minds.llm.question import Question
from reverie.ports.night import Cluster, Night
from reverie.rules.fence import fenced

if TYPE_CHECKING:
    from reverie.minds.llm.schemas.consolidate import Consolidated, New, Updated

MOST_DATA = 10_000
"""Tokens of episodes and memories in one question, by the built-in estimate."""
MOST_EARLIER = 8
MOST_KNOWN = 30
_NEW_LABEL = re.compile(rf"\s*{NEW}\s*(\d{{1,6}})\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """What one question is about."""

    text: str
    episodes: Labels = field(default_factory=lambda: Labels("e"))
    memories: Labels = field(default_factory=lambda: Labels("m"))


def batches(night: Night, outgoing: Outgoing, tokens: Callable[[str], int]) -> Iterator[Batch]:
    """The night in questions of MOST_DATA tokens at most, groups whole where that can be; none where nothing of it may
    be seen.
    """
    writer = _Writer(night.zone, outgoing)
    for cluster in night.clusters:
        lines = outgoing.lines(cluster.episodes, night.zone)
        for part in _parts(lines, tokens):
            written = writer.group(cluster, part)
            if writer.texts and tokens("\n".join((*writer.texts, written))) > MOST_DATA:
                yield writer.batch()
                writer = _Writer(night.zone, outgoing)
                written = writer.group(cluster, part)
            writer.texts.append(written)
    if writer.texts:
        yield writer.batch()


def _parts(lines: Sequence[Line], tokens: Callable[[str], int]) -> Iterator[list[Line]]:
    """Lines in parts that leave room for memories."""
    part: list[Line] = []
    size = 0
    for line in lines:
        price = tokens(line.text) + 40
        if part and size + price > MOST_DATA // 2:
            yield part
            part, size = [], 0
        part.append(line)
        size += price
    if part:
        yield part


class _Writer:
    """Writes the groups of one question."""

    def __init__(self, zone: tzinfo, outgoing: Outgoing) -> None:
        self._zone, self._outgoing = zone, outgoing
        self._episodes, self._memories = Labels("e"), Labels("m")
        self.texts: list[str] = []

    def batch(self) -> Batch:
        """What was written."""
        return Batch(text="\n\n".join(self.texts), episodes=self._episodes, memories=self._memories)

    def group(self, cluster: Cluster, lines: Sequence[Line]) -> str:
        """One cluster, or a part of it."""
        earlier = self._outgoing.lines(cluster.earlier[-MOST_EARLIER:], self._zone)
        known = cluster.known[:MOST_KNOWN]
        texts = self._outgoing.memories(known, (*cluster.earlier, *cluster.episodes))
        rows = [
            f"group {len(self.texts) + 1}",
            *(self._episode(line, "earlier, ") for line in earlier),
            *(self._episode(line) for line in lines),
            *(self._memory(memory, text) for memory, text in zip(known, texts, strict=True) if text),
        ]
        return "\n".join(rows)

    def _episode(self, line: Line, mark: str = "") -> str:
        one = line.episode
        told = f"{mark}{when(one.time, self._zone)}, {self._outgoing.source(one)}"
        return f"[{self._episodes.of(one.id)}] {told}: {quoted(line.text)}"

    def _memory(self, memory: Memory, text: str) -> str:
        since = "" if memory.valid_from is None else f", since {when(memory.valid_from, self._zone)}"
        told = f"{memory.kind}, confidence {memory.confidence:.2f}{since}"
        return f"[{self._memories.of(memory.id)}] {told}: {quoted(text)}"


def question(batch: Batch, output: int) -> Question[Consolidated]:
    """The question about one batch."""
    from reverie.minds.llm.schemas.consolidate import Consolidated

    return Question(prompt=prompt("consolidate"), data=fenced(batch.text), schema=Consolidated, output=output)


class Changes:
    """A model's answers as changes of one proposal. ``notes``: what was left out of them."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._learned: list[Learn] = []
        self._others: list[Change] = []
        self.notes: list[str] = []

    @property
    def all(self) -> tuple[Change, ...]:
        """In the order of their kinds."""
        return (*self._learned, *self._others)

    def add(self, answer: Consolidated, batch: Batch) -> None:
        """Takes one answer in: labels become ids, and its ``new:0`` the place among all."""
        first, count = len(self._learned), len(answer.new)
        episodes, memories = batch.episodes, batch.memories

        def named(label: str) -> str:
            new = _NEW_LABEL.fullmatch(label)
            if new is None:
                return memories.id(label)
            place = int(new[1])
            return f"{NEW}{first + place}" if place < count else f"{NEW}none"

        self._learned += [self._learn(one, episodes) for one in answer.new]
        self._others += [
            *(
                Reinforce(
                    memory_id=memories.id(one.memory_id),
                    reason=one.reason,
                    sources=episodes.ids(one.source_episodes),
                )
                for one in answer.reinforce
            ),
            *(self._revise(one, batch) for one in answer.update),
            *(
                Contradict(
                    memory_id=named(one.memory_id),
                    contradicted_by=named(one.contradicted_by),
                    resolution=one.resolution,
                    sources=episodes.ids(one.source_episodes),
                )
                for one in answer.contradict
            ),
            *(
                Fade(
                    memory_id=memories.id(one.memory_id),
                    confidence=one.new_confidence,
                    reason=one.reason,
                    sources=episodes.ids(one.source_episodes),
                )
                for one in answer.decay
            ),
            *(
                Connect(memory_a=named(one.memory_a), memory_b=named(one.memory_b), relation=one.relationship)
                for one in answer.connect
            ),
        ]

    def _learn(self, one: New, episodes: Labels) -> Learn:
        return Learn(
            essence=one.content,
            kind=kind_of(one.category),
            sources=episodes.ids(one.source_episodes),
            stated=one.stated,
            confidence=one.confidence,
            importance=one.importance,
            lesson=one.lesson or None,
            emotions=self._emotions(one.emotions),
            topics=tuple(one.topics),
            entities=tuple(one.entities),
            since=self._since(one.since),
        )

    def _revise(self, one: Updated, batch: Batch) -> Revise:
        return Revise(
            memory_id=batch.memories.id(one.memory_id),
            essence=one.new_content,
            reason=one.reason,
            sources=batch.episodes.ids(one.source_episodes),
            stated=one.stated,
            lesson=one.lesson or None,
            since=self._since(one.since),
        )

    def _emotions(self, labels: Sequence[str]) -> Emotions | None:
        found = emotions_of(labels)
        if labels and found is None:
            self.notes.append("emotions outside the taxonomy were left out")
        return found

    def _since(self, text: str | None) -> datetime | None:
        if not text:
            return None
        try:
            return to_utc(text, zone=self._zone)
        except InvalidInput:
            self.notes.append("a date that is none was left out")
            return None


def kind_of(name: str) -> Kind:
    """The kind of that name. A name that is none stays as it is: whoever checks the proposal refuses it."""
    low = name.strip().lower()
    return Kind(low) if low in set(Kind) else cast(Kind, name)


def emotions_of(labels: Sequence[str]) -> Emotions | None:
    """Up to three labels of the taxonomy; None where they are none, to be judged by somebody else."""
    try:
        return checked_emotions([label.strip() for label in labels]) or None
    except InvalidInput:
        return None
