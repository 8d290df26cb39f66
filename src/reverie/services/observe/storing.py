"""Store messages as episodes with their vectors: the verb observe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

import numpy as np

from reverie.domain.agent import Agent
from reverie.domain.episode import Episode
from reverie.domain.message import Message
from reverie.domain.outcome import Observed
from reverie.domain.text import checked_switch
from reverie.domain.time import to_utc
from reverie.errors import EmbedderFailed, RefConflict
from reverie.memory.forgetting import is_remainder
from reverie.memory.trust import source_trust
from reverie.ports.store import Unit, Vector
from reverie.services.observe.capture import Captured, capture
from reverie.services.observe.intake import Batch, cleaned
from reverie.services.observe.reading import read
from reverie.services.remember import labels
from reverie.services.runtime import (
    Desk,
    Progress,
    counted,
    message_digest,
    message_writes,
    name_of,
    read_again,
    tell,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Room:
    """What a batch is observed into."""

    agent_id: str
    conversation: str
    channel: str
    override: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Stored:
    """What became of a part of a batch."""

    ids: Sequence[str]
    new: Sequence[Episode]
    restored: int
    is_paused: bool = False
    is_lost: bool = False
    queued: int = 0
    redacted: Mapping[str, int] = field(default_factory=dict)
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    """Of the new ones, by id."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """What the bank knows of a part of a batch: episodes by ref, and messages that were forgotten, by place."""

    agent: Agent | None
    by_ref: Mapping[str, Episode]
    dead: Mapping[int, bytes]
    override: bool

    def known(self, message: Message) -> Episode | None:
        """Return the episode that is this message, whole or without what was forgotten of it."""
        found = None if message.ref is None else self.by_ref.get(message.ref)
        return found if found is not None and is_remainder(found.content, message.content) else None

    def is_restored(self, place: int, message: Message) -> bool:
        """Return whether forgotten words of a known message come back."""
        known = self.known(message)
        return self.override and place in self.dead and known is not None and known.content != message.content

    def is_forgotten(self, place: int, message: Message) -> bool:
        """Return whether the message is to be passed over."""
        return place in self.dead and not self.override and self.known(message) is None

    def needs_vector(self, place: int, message: Message) -> bool:
        """Return whether the message, or words of it, are to be stored."""
        if self.known(message) is not None:
            return self.is_restored(place, message)
        return not self.is_forgotten(place, message)


def observe(
    desk: Desk,
    agent_id: str,
    messages: object,
    *,
    conversation: str,
    channel: str,
    override: bool = False,
    progress: Progress | None = None,
) -> Observed:
    """Store one or many messages, in their order, at the end of a conversation.

    All are checked before the first is stored. They are written in transactions of ``Settings.store.batch`` messages,
    so a kill in the middle of a long batch leaves its beginning; messages with refs can simply be observed
    again, those that are known are passed over, and so are those that were forgotten, unless ``override``.

    Secrets are redacted before anything else is done with a message (``services.runtime.secrets``), so a batch that
    is observed again is known again. What principals state for good becomes a memory once the messages of its part
    are stored (``services.observe.capture``): a kill in between loses that, but no message. Where the embedder gives
    no vectors, messages wait in the bank (``services.observe.outbox``), and so do those behind them.
    Raise InvalidInput (naming the message's place in the batch), RefConflict, EmbedderMismatch.
    """
    room = _checked_room(desk, agent_id, conversation, channel, override)
    batch, emptied = cleaned(desk, agent_id, messages)
    _check_refs(batch.messages, conversation)
    _look(desk, room, batch)  # refuses a conflict of refs before the first part is stored
    ids = list[str]()
    learned = Captured()
    redacted: Counter[str] = Counter()
    stored = forgotten = queued = 0
    for start in range(0, len(batch.messages), desk.settings.store.batch):
        part = batch.part(start, desk.settings.store.batch)
        try:
            desk.waiting.check(agent_id, desk.embedder.id)
            done = _store(desk, room, part)
        except EmbedderFailed as error:
            part = batch.part(start, len(batch.messages))
            done = _queue(desk, room, part, error)
        learned += _learn(desk, room, done)
        ids.extend(done.ids)
        redacted.update(done.redacted)
        stored += len(done.new) + done.restored
        queued += done.queued
        forgotten += len(part.messages) - len(done.ids) - done.queued
        if progress is not None:
            progress(start + len(part.messages), len(batch.messages))
        if start + len(part.messages) == len(batch.messages):
            break
    return Observed(
        episode_ids=tuple(ids),
        stored=stored,
        known=len(ids) - stored,
        truncated=sum(_is_truncated(desk, message.content) for message in batch.messages),
        forgotten=forgotten,
        emptied=emptied,
        redacted=dict(sorted(redacted.items())),
        captured=learned.ids,
        information=learned.information,
        queued=queued,
    )


def _checked_room(desk: Desk, agent_id: str, conversation: str, channel: str, override: bool) -> _Room:
    for field_name, name in (("conversation", conversation), ("channel", channel)):
        name_of(desk.settings, name, field_name)
    checked_switch(override, "override")
    return _Room(agent_id=agent_id, conversation=conversation, channel=channel, override=override)


def observe_waiting(
    desk: Desk,
    agent_id: str,
    messages: Sequence[Message],
    *,
    conversation: str,
    channel: str,
    override: bool,
    within: Callable[[Unit], bool],
) -> bool:
    """Store messages that waited for an embedder, in one transaction, in which ``within`` says if they wait still.
    Whether they were stored. Raise RefConflict, EmbedderFailed, EmbedderMismatch.
    """
    room = _Room(agent_id=agent_id, conversation=conversation, channel=channel, override=override)
    batch = Batch(
        messages=messages,
        times=[None if one.time is None else to_utc(one.time) for one in messages],
        redacted=[{}] * len(messages),  # counted when they were queued
    )
    _check_refs(messages, conversation)
    done = _store(desk, room, batch, within)
    _learn(desk, room, done)
    return not done.is_lost


def _learn(desk: Desk, room: _Room, done: _Stored) -> Captured:
    """Return what follows when messages are stored: the background is told, and what they state for good is kept."""
    if done.new or done.restored:
        desk.dirty.add(room.agent_id)
    if done.is_paused:
        return Captured()
    return capture(desk, room.agent_id, done.new, done.vectors, override=room.override)


def _queue(desk: Desk, room: _Room, rest: Batch, why: EmbedderFailed) -> _Stored:
    """Let messages wait that need a vector, behind what waits already; the others are known or forgotten."""
    where = {"conversation": room.conversation, "channel": room.channel, "override": room.override}

    def queue(unit: Unit) -> _Stored:
        desk.begin(unit, room.agent_id)
        seen, now = _seen(unit, room, rest), desk.clock()
        places = [place for place, message in enumerate(rest.messages) if seen.needs_vector(place, message)]
        redacted = sum((Counter(rest.redacted[place]) for place in places), Counter[str]())
        unit.counters.add(counted(redacted))
        waiting = [(rest.messages[place], rest.times[place] or now) for place in places]
        for write in message_writes(waiting, where, lambda: desk.ids(now), now):
            unit.outbox.add(write)
        unit.agents.note_due(now)
        others = [message for place, message in enumerate(rest.messages) if place not in set(places)]
        ids = [known.id for message in others if (known := seen.known(message)) is not None]
        return _Stored(ids=ids, new=(), restored=0, redacted=redacted, queued=len(places))

    done = desk.store.transact(room.agent_id, queue)
    if done.queued:  # else what failed was not needed
        tell(desk, room.agent_id, done.queued, why)
    return done


def _check_refs(batch: Sequence[Message], conversation: str) -> None:
    seen: dict[str, str] = {}
    for message in batch:
        if message.ref is not None and seen.setdefault(message.ref, message.content) != message.content:
            raise RefConflict(message.ref, conversation)


def _seen(unit: Unit, room: _Room, batch: Batch) -> _Seen:
    """Raise RefConflict for a ref that the conversation holds with other words, unless we forgot some of them."""
    by_ref = unit.episodes.by_ref(
        room.conversation, {message.ref for message in batch.messages if message.ref is not None}
    )
    dead = _dead(unit, room, batch)
    for place, message in enumerate(batch.messages):
        known = None if message.ref is None else by_ref.get(message.ref)
        if known is None or known.content == message.content:
            continue
        # What we took a sentence out of is still that message; another one under its ref is not.
        if place not in dead or (room.override and not is_remainder(known.content, message.content)):
            raise RefConflict(known.ref or "", room.conversation)
    return _Seen(agent=unit.agents.get(), by_ref=by_ref, dead=dead, override=room.override)


def _dead(unit: Unit, room: _Room, batch: Batch) -> Mapping[int, bytes]:
    """Return the messages that were forgotten, by place, with the digests that say so."""
    secret = unit.agents.secret()
    if not secret:
        return {}
    digests = {
        place: message_digest(secret, room.conversation, message.ref, batch.times[place], message.content)
        for place, message in enumerate(batch.messages)
        if message.ref is not None or batch.times[place] is not None
    }
    known = unit.tombstones.known(set(digests.values()))
    return {place: digest for place, digest in digests.items() if digest in known}


@read_again
def _look(desk: Desk, room: _Room, batch: Batch) -> _Seen:
    with desk.store.read(room.agent_id) as unit:
        return _seen(unit, room, batch)


def _store(desk: Desk, room: _Room, batch: Batch, within: Callable[[Unit], bool] | None = None) -> _Stored:
    """Embed and read outside the transaction, then look again: another process may have stored or forgotten a
    message meanwhile. Where ``within`` says no, nothing is stored.
    """
    seen = _look(desk, room, batch)
    part = batch.messages
    while True:
        fresh = [place for place, message in enumerate(part) if seen.needs_vector(place, message)]
        vectors = dict(zip(fresh, desk.embedder.embed([part[place].content for place in fresh]), strict=True))
        labelled = _read(desk, room, seen.agent, batch, vectors)
        stored, seen = desk.store.transact(
            room.agent_id, partial(_append_if_embedded, desk, room, labelled, vectors, within)
        )
        if stored is not None:
            return stored


def _read(desk: Desk, room: _Room, agent: Agent | None, batch: Batch, vectors: Mapping[int, Vector]) -> Batch:
    """Return the batch with what its texts say of themselves, at the places of the vectors."""
    labelled = labels.of_messages(desk, batch.messages, vectors.keys())
    now = desk.clock()
    who = agent or Agent(id=room.agent_id, created_at=now)
    alike = {  # as they will be stored, but for their ids and positions
        place: _episode(desk, who, labelled[place], room, place, batch.times[place] or now, now)
        for place in vectors
    }
    return replace(batch, messages=read(desk, labelled, alike, vectors))


def _append_if_embedded(
    desk: Desk,
    room: _Room,
    batch: Batch,
    vectors: Mapping[int, Vector],
    within: Callable[[Unit], bool] | None,
    unit: Unit,
) -> tuple[_Stored | None, _Seen]:
    """Store the messages if every one that needs a vector has it; and what was seen of them."""
    agent = desk.begin(unit, room.agent_id)
    seen = _seen(unit, room, batch)
    if any(
        place not in vectors and seen.needs_vector(place, message)
        for place, message in enumerate(batch.messages)
    ):
        return None, seen
    if within is not None and not within(unit):
        return _Stored(ids=(), new=(), restored=0, is_lost=True), seen
    if room.override:
        unit.tombstones.remove(set(seen.dead.values()))
    stored = _append(desk, unit, agent, room, batch, vectors, seen)
    if stored.redacted:
        unit.counters.add(counted(stored.redacted))
    return stored, seen


def _append(
    desk: Desk,
    unit: Unit,
    agent: Agent,
    room: _Room,
    batch: Batch,
    vectors: Mapping[int, Vector],
    seen: _Seen,
) -> _Stored:
    by_ref = {ref: episode.id for ref, episode in seen.by_ref.items()}
    ids: list[str] = []
    restored = 0
    new: list[Episode] = []
    rows: list[Vector] = []
    redacted: Counter[str] = Counter()
    position = unit.conversations.next_positions([room.conversation]).get(room.conversation, 0)
    for place, message in enumerate(batch.messages):
        if seen.is_forgotten(place, message):
            continue
        if message.ref is not None and message.ref in by_ref:
            known = seen.known(message)
            if known is not None and seen.is_restored(place, message):
                whole = replace(
                    known, content=message.content, metadata=labels.restored(known.metadata, message)
                )
                unit.episodes.rewrite(whole, vectors[place])
                restored += 1
            ids.append(by_ref[message.ref])
            continue
        now = desk.clock()
        episode = _episode(desk, agent, message, room, position + len(new), batch.times[place] or now, now)
        if message.ref is not None:
            by_ref[message.ref] = episode.id
        new.append(episode)
        rows.append(vectors[place])
        ids.append(episode.id)
        redacted.update(batch.redacted[place])
    if new:
        unit.episodes.add(new, np.stack(rows))
    return _Stored(
        ids=ids, new=new, restored=restored, is_paused=agent.paused_at is not None, redacted=redacted,
        vectors={one.id: row for one, row in zip(new, rows, strict=True)},
    )  # fmt: skip


def _episode(
    desk: Desk,
    agent: Agent,
    message: Message,
    room: _Room,
    position: int,
    time: datetime,
    now: datetime,
) -> Episode:
    trust = source_trust(
        message.role,
        room.channel,
        message.speaker,
        agent_id=agent.id,
        principals=agent.principals,
        table=desk.settings.channel_trust,
    )
    return Episode(
        id=desk.ids(now),
        conversation=room.conversation,
        position=position,
        time=time,
        observed_at=now,
        channel=room.channel,
        role=message.role,
        speaker=message.speaker,
        content=message.content,
        ref=message.ref,
        outcome=message.outcome,
        tags=message.tags,
        metadata=message.metadata,
        source_trust=trust,
    )


def _is_truncated(desk: Desk, text: str) -> bool:
    most = desk.embedder.most_tokens
    return len(text) > most and desk.embedder.count_tokens(text) > most
