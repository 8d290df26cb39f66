"""Store talks and notes, each once: a message is known by its ref, a note by its source's id.

A note becomes a message of a tool, and a memory that rests on it. The message counts as slept on from the transaction
in which the memory is kept: a kill between the two leaves a message that isn't, and the next import finishes it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.domain.agent import Agent
from reverie.domain.draft import Draft
from reverie.domain.episode import Episode
from reverie.domain.memory import MAX_ESSENCE_BYTES, Origin, Quoted
from reverie.domain.message import MAX_CONTENT_BYTES, EpisodeMetadata, Message, Role
from reverie.domain.outcome import Inserted, Queued, Remembered
from reverie.domain.text import normalized
from reverie.domain.time import to_utc
from reverie.domain.trust import SourceTrust
from reverie.errors import Forgotten, InvalidInput, NotFound, RefConflict
from reverie.ports.store import Unit
from reverie.services.exchange.foreign.fields import digest
from reverie.services.exchange.foreign.items import UNTRUSTED, Note, Skip, Talk, broken
from reverie.services.exchange.foreign.tally import Tally
from reverie.services.exchange.transcripts import READERS, Sessions
from reverie.services.observe import observe
from reverie.services.remember import remember
from reverie.services.runtime import Desk, clean, forgotten, holds_secret, read_again

_PIECE = MAX_ESSENCE_BYTES // 2
"""Bytes of a memory; a longer note becomes several."""
_PAGE = 1_000
_REFUSALS = (InvalidInput, RefConflict)


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where to store it. ``speaker`` is the person whose export it is; ``untrusted``: everything is external."""

    desk: Desk
    agent_id: str
    actor: str
    speaker: str | None
    untrusted: bool
    dry_run: bool
    tally: Tally
    seen: set[tuple[str, str]]
    """Refs that a dry run has met."""
    sessions: dict[str, Sessions] = field(default_factory=dict)
    """By host: what the bank has of it."""

    def talk(self, talk: Talk) -> None:
        """Store the messages that the bank doesn't know."""
        room = _safe(self.desk, self._room(talk.conversation))
        channel = UNTRUSTED if self.untrusted else _safe(self.desk, talk.channel)
        by_ref: dict[str, Message] = {}
        for one in talk.messages:
            named = self._named(one, channel)
            assert named.ref is not None
            if named.ref in by_ref:
                self.tally.skip(Skip(reason="the same id twice"))
            by_ref.setdefault(named.ref, named)
        if not by_ref:
            return
        self.tally.conversations.add(room)
        known = self._known(room, by_ref)
        self.tally.messages["known"] += len(known)
        fresh = [one for ref, one in by_ref.items() if ref not in known]
        if self.dry_run:
            self.tally.messages["added"] += len(fresh)
            self.seen.update((room, one.ref) for one in fresh if one.ref)
        elif fresh:
            self._observe(fresh, room, channel)

    def notes(self, notes: Sequence[Note], kind: str) -> None:
        """Keep the notes that the bank doesn't know."""
        for room in dict.fromkeys(note.conversation for note in notes):
            here = [note for note in notes if note.conversation == room]
            self._notes(here, f"{UNTRUSTED}/{kind}" if room is None else room)

    def _notes(self, notes: Sequence[Note], room: str) -> None:
        by_ref: dict[str, Note] = {}
        for note in notes:
            ref = _safe(self.desk, note.source_id)
            if ref in by_ref:
                self.tally.memories["known"] += 1
            by_ref.setdefault(ref, note)
        known = self._known(room, by_ref)
        done = {ref for ref, one in known.items() if one is None or one.consolidated}
        self.tally.memories["known"] += len(done)
        left = {ref: note for ref, note in by_ref.items() if ref not in done}
        if self.dry_run:
            self.tally.memories["added"] += len(left)
            self.seen.update((room, ref) for ref in left)
        elif left:
            self._keep(left, known, room)

    def _room(self, name: str) -> str:
        """Return where a session of a coding agent is kept already, by hooks or `reverie watch`; else its name."""
        host = name.partition("/")[0]
        if host not in READERS:
            return name
        if host not in self.sessions:
            self.sessions[host] = Sessions(_rooms(self.desk, self.agent_id, host))
        return self.sessions[host].room(name)

    def _named(self, message: Message, channel: str) -> Message:
        assert message.ref is not None
        ref = _safe(self.desk, message.ref)
        is_owner = message.role is Role.USER and message.speaker is None and self.speaker is not None
        if is_owner and self.desk.settings.channel_trust.get(channel) is SourceTrust.PRINCIPAL:
            return replace(message, ref=ref, speaker=self.speaker)
        return message if ref == message.ref else replace(message, ref=ref)

    def _known(self, room: str, refs: Collection[str]) -> Mapping[str, Episode | None]:
        """Return the bank's messages under these refs; None for what only this dry run knows."""
        found: dict[str, Episode | None] = dict(_stored(self.desk, self.agent_id, room, refs))
        if self.dry_run:
            found.update((ref, None) for ref in refs if (room, ref) in self.seen and ref not in found)
        return found

    def _observe(self, messages: Sequence[Message], room: str, channel: str) -> None:
        try:
            done = observe(self.desk, self.agent_id, messages, conversation=room, channel=channel)
        except _REFUSALS as error:
            if len(messages) == 1:
                self.tally.messages["left_out"] += 1
                self.tally.skip(broken(f"message {messages[0].ref}", _why(error)))
                return
            for one in messages:
                self._observe([one], room, channel)
            return
        self.tally.messages.update(
            added=done.stored, known=done.known, forgotten=done.forgotten, left_out=done.emptied
        )
        self.tally.queued += done.queued
        self.tally.captured += len(done.captured)
        self.tally.redacted.update(done.redacted)

    def _keep(self, left: Mapping[str, Note], known: Mapping[str, Episode | None], room: str) -> None:
        now = self.desk.clock()
        said: list[Message] = []
        for ref, note in left.items():
            if ref not in known:
                try:
                    said.append(_message(note, ref, now))
                except InvalidInput as error:
                    self.tally.memories["left_out"] += 1
                    self.tally.skip(broken(f"note {ref}", error.problem))
        if said:
            self._said(said, room)
        stored = _stored(self.desk, self.agent_id, room, left)
        drafts: list[Draft] = []
        for ref, note in left.items():
            if ref not in stored:
                continue
            try:
                drafts += _drafts(self.desk, note, stored[ref], now)
            except InvalidInput as error:
                self.tally.memories["left_out"] += 1
                self.tally.skip(broken(f"note {ref}, {error.field}", error.problem))
        fresh = _unforgotten(self.desk, self.agent_id, drafts)
        self.tally.memories["forgotten"] += len(drafts) - len(fresh)
        self._remember(fresh)
        gone = {one.id for one in stored.values()} - {id for draft in fresh for id in draft.source_episodes}
        if gone:
            self.desk.store.transact(self.agent_id, lambda unit: unit.episodes.consolidate(gone, now))

    def _said(self, said: Sequence[Message], room: str) -> None:
        try:
            done = observe(self.desk, self.agent_id, said, conversation=room, channel=UNTRUSTED)
        except _REFUSALS as error:
            if len(said) == 1:
                self.tally.memories["left_out"] += 1
                self.tally.skip(broken(f"note {said[0].ref}", _why(error)))
                return
            for one in said:
                self._said([one], room)
            return
        self.tally.memories.update(forgotten=done.forgotten, left_out=done.emptied)
        self.tally.queued += done.queued
        self.tally.redacted.update(done.redacted)

    def _remember(self, drafts: Sequence[Draft]) -> None:
        if not drafts:
            return

        def slept(unit: Unit, _: Sequence[Remembered]) -> None:
            unit.episodes.consolidate(
                {id for draft in drafts for id in draft.source_episodes}, self.desk.clock()
            )

        try:
            done = remember(
                self.desk,
                self.agent_id,
                drafts,
                actor=self.actor,
                within=lambda _: True,
                also=slept,
                may_wait=True,
            )
        except (Forgotten, NotFound, InvalidInput) as error:
            if len(drafts) > 1:
                for draft in drafts:
                    self._remember([draft])
            elif isinstance(error, InvalidInput):
                self.tally.memories["left_out"] += 1
                self.tally.skip(broken("note", _why(error)))
            else:
                self.tally.memories["forgotten"] += 1
            return
        added = sum(isinstance(one, Inserted) for one in done)
        waiting = sum(isinstance(one, Queued) for one in done)
        self.tally.memories.update(added=added, known=len(done) - added - waiting)
        self.tally.queued += waiting


@read_again
def owner(desk: Desk, agent_id: str) -> str | None:
    """Return the agent's one principal; None where it names none, or several."""
    with desk.store.read(agent_id) as unit:
        agent: Agent | None = unit.agents.get()
    names = agent.principals if agent is not None else ()
    return names[0] if len(names) == 1 else None


@read_again
def _rooms(desk: Desk, agent_id: str, host: str) -> Sequence[str]:
    """Return the conversations of a host's sessions."""
    found: list[str] = []
    after = f"{host}/"
    with desk.store.read(agent_id) as unit:
        while page := [one.id for one in unit.conversations.list(limit=_PAGE, after=after)]:
            found += [id for id in page if id.startswith(f"{host}/")]
            if not page[-1].startswith(f"{host}/"):
                break
            after = page[-1]
    return found


@read_again
def _stored(desk: Desk, agent_id: str, room: str, refs: Collection[str]) -> Mapping[str, Episode]:
    with desk.store.read(agent_id) as unit:
        return unit.episodes.by_ref(room, refs)


@read_again
def _unforgotten(desk: Desk, agent_id: str, drafts: Sequence[Draft]) -> Sequence[Draft]:
    with desk.store.read(agent_id) as unit:
        gone = forgotten(unit, [draft.essence for draft in drafts])
    return [draft for draft in drafts if draft.essence not in gone]


def _message(note: Note, ref: str, now: datetime) -> Message:
    message = Message(content=note.text, role=Role.TOOL, ref=ref, time=_past(note.time, now))
    if note.conversation is None:
        return message
    return replace(message, tags=note.tags, metadata=EpisodeMetadata(entities=note.entities))


def _safe(desk: Desk, name: str) -> str:
    """Return a name of the source as we may store it: one with a secret in it is replaced by its digest."""
    return f"~{digest(name)}" if holds_secret(desk.settings, name) else name


def _why(error: Exception) -> str:
    return error.problem if isinstance(error, InvalidInput) else "its id stands for other words"


def _past(time: datetime | None, now: datetime) -> datetime | None:
    return None if time is None or to_utc(time) > now else time


def _drafts(desk: Desk, note: Note, said: Episode, now: datetime) -> Iterator[Draft]:
    """Yield a note as memories: one, or several where it is long."""
    begun, ended = note.valid_from, note.valid_to
    if begun is not None and ended is not None and begun >= ended:
        begun = None
    text = clean(desk.settings, normalized(note.text)).text
    quoted = Quoted(episode=said.id, role=said.role, speaker=said.speaker, at=said.time)
    for piece in _pieces(text):
        yield Draft(
            essence=piece, source_episodes=(said.id,), origin=Origin.IMPORT, time=_past(note.time, now),
            valid_from=begun, valid_to=ended, tags=note.tags, entities=note.entities, quoted=quoted,
        )  # fmt: skip


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in parts of at most ``_PIECE`` bytes, cut at the ends of lines or words where there are any."""
    assert len(text) <= MAX_CONTENT_BYTES
    while len(text.encode()) > _PIECE:
        part = text.encode()[:_PIECE].decode("utf-8", "ignore")
        cut = next(
            (end for mark in ("\n\n", "\n", " ") if (end := part.rfind(mark)) > len(part) // 2), len(part)
        )
        if piece := part[:cut].strip():
            yield piece
        text = text[cut:].lstrip()
    if text.strip():
        yield text.strip()
