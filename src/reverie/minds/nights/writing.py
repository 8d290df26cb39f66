"""Writing: a night as text. The new messages stand in order of time, conversation by conversation; behind them each
memory that bears on them, once; then what always stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from reverie.domain.memory import Memory, State
from reverie.memory.quoting import fenced, shown_name
from reverie.minds.nights.labels import Labels
from reverie.minds.nights.lines import Line, Seen, day, quoted, speaker, weighed, when, who
from reverie.ports.night import Night

Tokens = Callable[[str], int]

_MOST_EARLIER = 12
"""Older messages beside one conversation."""
_LEAST_KNOWN = 0.5
"""So much of a question's room its memories may take, however long the conversation is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What one question is about: its text, and which ids the labels in it mean."""

    text: str
    episodes: Labels = field(default_factory=lambda: Labels("e"))
    memories: Labels = field(default_factory=lambda: Labels("m"))

    @property
    def data(self) -> str:
        """The text between our markers, as it is sent."""
        return fenced(self.text)


def asked_before(*, episodes: Mapping[str, str], memories: Mapping[str, str]) -> Asked:
    """Return what was asked, as far as its answer needs it: ids by their labels."""
    return Asked(text="", episodes=Labels("e", episodes), memories=Labels("m", memories))


def questions(night: Night, seen: Seen, tokens: Tokens, most: int) -> list[Asked]:
    """Return the night in questions of about ``most`` tokens; none where nothing new of it may be seen.

    It is split between conversations, never inside one: a single one that is longer makes a longer question. Each
    question has the memories of its conversations and the night's core, as far as there is room.
    """
    parts: list[_Part] = []
    for cluster in night.clusters:
        lines = [line for line in seen.lines(cluster.episodes, night.zone) if line.text]
        if not lines:
            continue
        earlier = [line for line in seen.lines(cluster.earlier[-_MOST_EARLIER:], night.zone) if line.text]
        talk = _Talk(lines=lines, earlier=earlier, known=cluster.known)
        if not parts or not parts[-1].takes(talk):
            parts.append(_Part(night, seen, tokens, most))
        parts[-1].add(talk)
    return [part.asked() for part in parts]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Talk:
    """A conversation: what may be seen of its new messages, of earlier ones, and what is known about it."""

    lines: Sequence[Line]
    earlier: Sequence[Line]
    known: Sequence[Memory]


class _Part:
    """One question, as it grows."""

    def __init__(self, night: Night, seen: Seen, tokens: Tokens, most: int) -> None:
        self._night, self._seen, self._tokens, self._most = night, seen, tokens, most
        self._episodes, self._memories = Labels("e"), Labels("m")
        self._talks: list[str] = []
        self._known: dict[str, tuple[Memory, str]] = {}
        self._price = sum(tokens(row) for _, row in self._core())

    def takes(self, talk: _Talk) -> bool:
        """Return whether another conversation has room in it."""
        spoken = sum(self._tokens(line.text) for line in (*talk.lines, *talk.earlier))
        known = sum(self._tokens(row) for _, row in self._unknown(talk))
        return self._price + spoken + known <= self._most

    def add(self, talk: _Talk) -> None:
        """Writes a conversation."""
        written = "\n".join(self._talk(talk))
        self._talks.append(written)
        self._price += self._tokens(written)
        for memory, row in self._unknown(talk):
            self._known[memory.id] = memory, row
            self._price += self._tokens(row)

    def _unknown(self, talk: _Talk) -> list[tuple[Memory, str]]:
        return self._rows(one for one in talk.known if one.id not in self._known)

    def asked(self) -> Asked:
        """Return what was written."""
        core = self._core()
        always = {memory.id for memory, _ in core}
        left = max(self._most * _LEAST_KNOWN, self._most - sum(map(self._tokens, self._talks)))
        left -= sum(self._tokens(row) for _, row in core)
        bearing = []
        for memory, row in self._known.values():
            left -= self._tokens(row)
            if memory.id not in always and left >= 0:
                bearing.append((memory, row))
        today = f"Now it is {when(self._night.now, self._night.zone)} ({self._night.zone})."
        texts = [f"{today}\n\n# New messages", *self._talks]
        if bearing:
            texts.append("\n".join(("# Memories that may bear on them", *self._labelled(bearing))))
        if core:
            texts.append("\n".join(("# Memories that always stand", *self._labelled(core))))
        return Asked(text="\n\n".join(texts), episodes=self._episodes, memories=self._memories)

    def _labelled(self, rows: Iterable[tuple[Memory, str]]) -> list[str]:
        return [f"[{self._memories.of(memory.id)}] {row}" for memory, row in rows]

    def _core(self) -> list[tuple[Memory, str]]:
        return self._rows(self._night.core)

    def _rows(self, memories: Iterable[Memory]) -> list[tuple[Memory, str]]:
        """Return what of memories may be seen, each once."""
        some = [*{one.id: one for one in memories}.values()]
        texts = self._seen.memories(some)
        zone = self._night.zone
        return [
            (one, memory_row(one, text, self._seen, zone))
            for one, text in zip(some, texts, strict=True)
            if text
        ]

    def _talk(self, talk: _Talk) -> Iterator[str]:
        """Yield a conversation: its head, what was said before, and each message behind the date of its day."""
        zone = self._night.zone
        channel = shown_name(self._seen.shown(talk.lines[0].episode.channel))
        yield f"## Conversation {len(self._talks) + 1}, {channel}"
        for line in talk.earlier:
            if line.episode.id not in self._episodes:
                yield message_row(
                    line, self._episodes, self._seen, f"earlier, {when(line.episode.time, zone)}"
                )
        today = ""
        for line in talk.lines:
            date = day(line.episode.time, zone)
            if date != today:
                yield f"{date}:"
                today = date
            clock = line.episode.time.astimezone(zone).strftime("%H:%M")
            yield message_row(line, self._episodes, self._seen, clock)


def message_row(line: Line, labels: Labels, seen: Seen, told: str) -> str:
    """Return a message on one line, behind what is told of it."""
    one = line.episode
    return f"[{labels.of(one.id)}] {told}, {speaker(one, seen)}: {quoted(line.text)}"


def memory_row(memory: Memory, text: str, seen: Seen, zone: tzinfo) -> str:
    """Return a memory on one line, without its label: kind, confidence, from when to when it is true, when it was last
    confirmed, and who said it where it is a quotation.
    """
    told = [f"{memory.kind}{weighed(memory.source_trust)}", f"confidence {memory.confidence:.2f}"]
    if memory.state is not State.ACTIVE:
        told.append(str(memory.state))
    if memory.needs_review:
        told.append("wording in doubt")
    for word, moment in (("since", memory.valid_from), ("until", memory.valid_to)):
        if moment is not None:
            told.append(f"{word} {_date(moment, zone)}")
    said = memory.quoted
    if said is None:
        return f"{', '.join((*told, f'last confirmed {_date(memory.last_reinforced_at, zone)}'))}: {quoted(text)}"
    told.append(f"{who(said.role, said.speaker, seen)} on {day(said.at, zone)}")
    if said.answers:
        told.append(f"asked {quoted(seen.shown(said.answers))}")
    return f"{', '.join(told)}: {quoted(text)}"


def _date(moment: datetime, zone: tzinfo) -> str:
    return moment.astimezone(zone).date().isoformat()
