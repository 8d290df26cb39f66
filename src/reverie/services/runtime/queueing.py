"""Let what can't be embedded now wait in the bank's outbox; ``services.observe.outbox`` stores it later.

What waits is what was to be stored: secrets are taken out already, and all that can be refused was refused.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from enum import StrEnum

from reverie.domain.draft import Draft
from reverie.domain.memory import Memory, Quoted
from reverie.domain.message import EpisodeMetadata, Message, Role
from reverie.domain.outcome import Queued
from reverie.domain.queued import QueuedWrite
from reverie.domain.time import due_to_utc
from reverie.errors import EmbedderFailed
from reverie.ports.store import Unit
from reverie.services.runtime.desk import Desk
from reverie.services.runtime.secrets import counted

OBSERVE, REMEMBER = "observe", "remember"
MOST_MESSAGES, MOST_CHARACTERS = 64, 250_000
"""Of one queued write, which is read and written as a whole; a longer message is one by itself."""

_log = logging.getLogger("reverie.embedder")


def let_wait(
    desk: Desk, agent_id: str, drafts: Sequence[Draft], born: Sequence[Memory], dues: Sequence[datetime | None],
    check: Callable[[Unit, Sequence[Memory]], None] | None, *, actor: str, taken_out: Mapping[str, int],
    why: EmbedderFailed,
) -> Sequence[Queued]:  # fmt: skip
    """Let drafts wait, behind what waits already. ``check`` refuses what was forgotten, in the same transaction; None
    where that is overridden.
    """

    def queue(unit: Unit) -> None:
        desk.begin(unit, agent_id)
        if check is not None:
            check(unit, born)
        now = desk.clock()
        for draft, memory, due in zip(drafts, born, dues, strict=True):
            unit.outbox.add(draft_write(draft, memory, due, override=check is None, actor=actor, at=now))
        unit.agents.note_due(now)
        unit.counters.add(counted(taken_out))

    desk.store.transact(agent_id, queue)
    tell(desk, agent_id, len(born), why)
    return [Queued(memory=memory) for memory in born]


def tell(desk: Desk, agent_id: str, count: int, why: EmbedderFailed) -> None:
    """Note and log that so many things wait now."""
    desk.waiting.note(agent_id, empty=False)
    _log.warning("waiting for the embedder, %d more: %s", count, why)


def message_writes(
    messages: Sequence[tuple[Message, datetime]], where: Mapping[str, object], make_id: Callable[[], str],
    at: datetime,
) -> Iterator[QueuedWrite]:  # fmt: skip
    """Yield messages, each with its time, as writes that wait. ``where``: conversation, channel and override."""
    held: list[Mapping[str, object]] = []
    size = 0
    for message, time in messages:
        length = len(message.content)
        if held and (len(held) >= MOST_MESSAGES or size + length > MOST_CHARACTERS):
            yield QueuedWrite(id=make_id(), at=at, verb=OBSERVE, payload={**where, "messages": held})
            held, size = [], 0
        held.append(message_json(message, time))
        size += length
    if held:
        yield QueuedWrite(id=make_id(), at=at, verb=OBSERVE, payload={**where, "messages": held})


def draft_write(
    draft: Draft, born: Memory, due: datetime | None, *, override: bool, actor: str, at: datetime
) -> QueuedWrite:
    """Return a draft as a write that waits. The memory's id becomes the write's; its times are read already."""
    told = {field.name: _json(getattr(draft, field.name)) for field in fields(Draft)}
    for name, value in (
        ("time", born.created_at), ("valid_from", born.valid_from), ("valid_to", born.valid_to),
    ):  # fmt: skip
        told[name] = _json(value)
    payload = {"draft": told, "override": override, "actor": actor}
    if due is not None:
        payload["due"] = due.isoformat()
    return QueuedWrite(id=born.id, at=at, verb=REMEMBER, payload=payload)


def message_json(message: Message, time: datetime) -> Mapping[str, object]:
    """Return a message as JSON values, as ``Message.of`` reads them."""
    told = {field.name: _json(getattr(message, field.name)) for field in fields(Message)}
    meta = message.metadata
    told["time"] = time.isoformat()
    told["metadata"] = {field.name: _json(getattr(meta, field.name)) for field in fields(EpisodeMetadata)}
    return told


def messages_in(write: QueuedWrite) -> Sequence[Message]:
    """Return the messages of a write that was queued by ``observe``, each with its time."""
    told = write.payload["messages"]
    assert isinstance(told, list)
    return [Message.of({key: value for key, value in one.items() if value != []}) for one in told]


def draft_in(write: QueuedWrite) -> Draft:
    """Return the draft of a write that was queued by ``remember``."""
    told = write.payload["draft"]
    assert isinstance(told, Mapping)
    given = {key: value for key, value in told.items() if value != []}
    if (quoted := given.get("quoted")) is not None:
        given["quoted"] = Quoted(
            **{
                **quoted, "role": Role(quoted["role"]), "at": datetime.fromisoformat(quoted["at"]),
                "dates": tuple((words, day) for words, day in quoted["dates"]),
            }
        )  # fmt: skip
    return Draft.of(given)


def due_in(write: QueuedWrite) -> datetime | None:
    """Return when what ``remember`` queued falls due. Raise InvalidInput."""
    due = write.payload.get("due")
    return None if due is None else due_to_utc(due, zone=UTC)


def _json(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple):
        return [_json(one) for one in value]
    if isinstance(value, Quoted):
        return {field.name: _json(getattr(value, field.name)) for field in fields(Quoted)}
    return value
