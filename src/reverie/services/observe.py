"""observe: messages become episodes with their vectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo

import numpy as np

from reverie.domain.agent import Agent
from reverie.domain.episode import Episode
from reverie.domain.ids import checked_name
from reverie.domain.message import Message
from reverie.domain.outcome import Observed
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput, RefConflict
from reverie.ports.store import Unit, Vector
from reverie.rules.trust import source_trust
from reverie.services.desk import Desk, Progress, placed


def observe(
    desk: Desk,
    agent_id: str,
    messages: Iterable[object],
    *,
    conversation: str,
    channel: str,
    progress: Progress | None = None,
) -> Observed:
    """Stores messages, in their order, at the end of a conversation.

    All are checked before the first is stored. They are written in transactions of ``Settings.batch``
    messages, so a kill in the middle of a long batch leaves its beginning; messages with refs can simply be
    observed again, those that are known are passed over. Raises InvalidInput (naming the message's place in
    the batch), RefConflict, EmbedderMismatch.
    """
    checked_name(conversation, "conversation")
    checked_name(channel, "channel")
    given = list(messages)
    batch = [_checked(value, placed("messages", place, len(given))) for place, value in enumerate(given)]
    _check_refs(batch, conversation)
    zone = desk.zone(agent_id)
    times = [
        _time(message, zone, placed("messages", place, len(batch))) for place, message in enumerate(batch)
    ]
    known = _known(desk, agent_id, conversation, batch)
    ids: list[str] = []
    stored = 0
    for start in range(0, len(batch), desk.settings.batch):
        part = batch[start : start + desk.settings.batch]
        made, new = _store(desk, agent_id, conversation, channel, part, times[start:], known)
        ids.extend(made)
        stored += new
        if progress is not None:
            progress(start + len(part), len(batch))
    return Observed(
        episode_ids=tuple(ids),
        stored=stored,
        known=len(ids) - stored,
        truncated=sum(_is_truncated(desk, message.content) for message in batch),
    )


def _checked(value: object, at: str) -> Message:
    try:
        return Message.of(value)
    except InvalidInput as error:
        raise InvalidInput(at + error.field, error.problem, error.remedy) from None


def _time(message: Message, zone: tzinfo, at: str) -> datetime | None:
    return None if message.time is None else to_utc(message.time, zone=zone, field=at + "time")


def _check_refs(batch: Sequence[Message], conversation: str) -> None:
    seen: dict[str, str] = {}
    for message in batch:
        if message.ref is not None and seen.setdefault(message.ref, message.content) != message.content:
            raise RefConflict(message.ref, conversation)


def _known(desk: Desk, agent_id: str, conversation: str, batch: Sequence[Message]) -> Mapping[str, Episode]:
    refs = {message.ref for message in batch if message.ref is not None}
    if not refs:
        return {}
    with desk.store.read(agent_id) as unit:
        known = unit.episodes.by_ref(conversation, refs)
    _check_known(known, batch, conversation)
    return known


def _check_known(known: Mapping[str, Episode], batch: Sequence[Message], conversation: str) -> None:
    for message in batch:
        if message.ref is not None and message.ref in known and known[message.ref].content != message.content:
            raise RefConflict(message.ref, conversation)


def _store(
    desk: Desk,
    agent_id: str,
    conversation: str,
    channel: str,
    part: Sequence[Message],
    times: Sequence[datetime | None],
    known: Mapping[str, Episode],
) -> tuple[list[str], int]:
    """Embeds outside the transaction, then looks again: another process may have stored (or forgotten) a
    ref meanwhile.
    """
    while True:
        fresh = [
            place for place, message in enumerate(part) if message.ref is None or message.ref not in known
        ]
        vectors = dict(zip(fresh, desk.embedder.embed([part[place].content for place in fresh]), strict=True))
        with desk.store.write(agent_id) as unit:
            agent = desk.begin(unit, agent_id)
            refs = {message.ref for message in part if message.ref is not None}
            known = unit.episodes.by_ref(conversation, refs)
            _check_known(known, part, conversation)
            if all(place in vectors or message.ref in known for place, message in enumerate(part)):
                return _append(desk, unit, agent, conversation, channel, part, times, vectors, dict(known))


def _append(
    desk: Desk,
    unit: Unit,
    agent: Agent,
    conversation: str,
    channel: str,
    part: Sequence[Message],
    times: Sequence[datetime | None],
    vectors: Mapping[int, Vector],
    by_ref: dict[str, Episode],
) -> tuple[list[str], int]:
    ids: list[str] = []
    new: list[Episode] = []
    rows: list[Vector] = []
    position = unit.conversations.next_positions([conversation]).get(conversation, 0)
    for place, message in enumerate(part):
        if message.ref is not None and message.ref in by_ref:
            ids.append(by_ref[message.ref].id)
            continue
        now = desk.clock()
        episode = _episode(
            desk, agent, message, conversation, channel, position + len(new), times[place] or now, now
        )
        if message.ref is not None:
            by_ref[message.ref] = episode
        new.append(episode)
        rows.append(vectors[place])
        ids.append(episode.id)
    if new:
        unit.episodes.add(new, np.stack(rows))
    return ids, len(new)


def _episode(
    desk: Desk,
    agent: Agent,
    message: Message,
    conversation: str,
    channel: str,
    position: int,
    time: datetime,
    now: datetime,
) -> Episode:
    trust = source_trust(
        message.role, channel, message.speaker, agent.principals, desk.settings.channel_trust
    )
    return Episode(
        id=desk.ids(now),
        conversation=conversation,
        position=position,
        time=time,
        observed_at=now,
        channel=channel,
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
