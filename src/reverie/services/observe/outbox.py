"""Store the writes that waited for an embedder, once it gives vectors: in their order, each once.

A write is taken out in the transaction that stores it, so a kill in between neither loses it nor stores it twice. What
was forgotten while it waited isn't stored. What the embedder refuses while it takes other texts is set aside, so that
nothing waits behind it: it stays in the bank, ``stats`` counts it, and ``retry`` has it tried again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import groupby
from threading import Event

from reverie.domain.draft import Draft
from reverie.domain.outcome import Flushed
from reverie.domain.queued import QueuedWrite
from reverie.errors import EmbedderFailed, EmbedderMismatch, Forgotten, InvalidInput, NotFound, RefConflict
from reverie.ports.store import Unit
from reverie.services.observe.storing import observe_waiting
from reverie.services.remember import remember
from reverie.services.runtime import OBSERVE, Desk, agents_until, draft_in, due_in, messages_in, read_again

REFUSED = "outbox.refused"
"""The counter of what could not be stored any more, or was set aside."""

_PAGE = 64
_PROBE = "hello"
_REFUSALS = (Forgotten, NotFound, InvalidInput, RefConflict)
_log = logging.getLogger("reverie.embedder")


def flush_first(desk: Desk, agent_id: str) -> None:
    """Store what waits before a write. It costs nothing where this process knows that nothing waits.

    Where the embedder still fails, the write is to wait too (``Waiting.check``). Raise EmbedderMismatch, StoreError.
    """
    if desk.waiting.may_hold(agent_id):
        flush(desk, agent_id)


def flush(desk: Desk, agent_id: str, *, stop: Event | None = None) -> Flushed:
    """Store what waits, until nothing does, the embedder fails, or ``stop`` is set; then the rest waits on.

    Raise EmbedderMismatch, StoreError.
    """
    done = Flushed()
    while writes := _waiting(desk, agent_id):
        if stop is not None and stop.is_set():
            break
        part = _alike(desk, writes)
        try:
            with desk.waiting.flushing():
                try:
                    done = _together(desk, agent_id, part, done)
                except EmbedderFailed:
                    if not _answers(desk):
                        raise
                    done = _apart(desk, agent_id, part, done)
        except EmbedderFailed as error:
            _log.warning("what waits for the embedder waits on: %s", error)
            desk.waiting.note(agent_id, empty=False)
            break
    else:
        desk.waiting.note(agent_id, empty=True)
        return done
    return replace(done, left=_count(desk, agent_id))


def flush_all(desk: Desk, agents: Sequence[str] | None = None, *, stop: Event | None = None) -> Flushed:
    """Return ``flush`` for these agents, or for all in which this process hasn't just seen that nothing waits."""
    done = Flushed()
    for agent_id in agents_until(desk, agents, stop):
        if desk.waiting.may_hold(agent_id):
            try:
                one = flush(desk, agent_id, stop=stop)
            except EmbedderMismatch as error:
                if agents is not None:
                    raise
                _log.warning("what waits of an agent waits on: %s", type(error).__name__)
                continue
            done = Flushed(
                stored=done.stored + one.stored, refused=done.refused + one.refused, left=done.left + one.left
            )
    return done


@read_again
def _waiting(desk: Desk, agent_id: str) -> Sequence[QueuedWrite]:
    """Return the first of what waits. What is half copied is left alone."""
    with desk.store.read(agent_id) as unit:
        writes = unit.outbox.list(limit=_PAGE, waiting=True)
        if not writes or unit.transfer.under_way() is not None:
            return ()
        desk.check_embedder(agent_id, unit.agents.embedder())
        return writes


@read_again
def _count(desk: Desk, agent_id: str) -> int:
    with desk.store.read(agent_id) as unit:
        return unit.outbox.count(waiting=True)


def _alike(desk: Desk, writes: Sequence[QueuedWrite]) -> Sequence[QueuedWrite]:
    """Return the first of the writes, with those right behind it that can go in one transaction with it."""
    _, group = next(groupby(writes, key=_kind))
    found: list[QueuedWrite] = []
    size = 0
    for write in group:
        size += len(messages_in(write)) if write.verb == OBSERVE else 1
        if found and size > desk.settings.store.batch:
            break
        found.append(write)
    return found


def _kind(write: QueuedWrite) -> tuple[object, ...]:
    told = write.payload
    return write.verb, told["override"], *(told.get(name) for name in ("conversation", "channel", "actor"))


def _together(desk: Desk, agent_id: str, writes: Sequence[QueuedWrite], done: Flushed) -> Flushed:
    """Store writes of one kind; where one of them is refused, one by one without it."""
    within = partial(_take, [write.id for write in writes])
    try:
        store = _observe if writes[0].verb == OBSERVE else _remember
        stored = store(desk, agent_id, writes, within)
    except _REFUSALS as error:
        if len(writes) > 1:
            for write in writes:
                done = _together(desk, agent_id, [write], done)
            return done
        _log.warning("a write that waited is dropped, it can't be stored any more: %s", type(error).__name__)
        dropped = desk.store.transact(agent_id, partial(_drop, writes[0].id))
        return replace(done, refused=done.refused + dropped)
    return replace(done, stored=done.stored + stored)


def _answers(desk: Desk) -> bool:
    """Return whether the embedder takes any text at all."""
    try:
        desk.embedder.embed([_PROBE])
    except EmbedderFailed:
        return False
    return True


def _apart(desk: Desk, agent_id: str, writes: Sequence[QueuedWrite], done: Flushed) -> Flushed:
    """Store writes one by one, each message by itself, and set aside what the embedder refuses though it answers.
    Raise EmbedderFailed where it doesn't.
    """
    for write in desk.store.transact(agent_id, partial(_split, writes)):
        try:
            done = _together(desk, agent_id, [write], done)
        except EmbedderFailed as error:
            if not _answers(desk):
                raise
            _log.warning("a write is set aside, the embedder refuses it alone: %s", error)
            aside = desk.store.transact(agent_id, partial(_set_aside, write.id, error.why))
            done = replace(done, refused=done.refused + aside)
    return done


def _split(writes: Sequence[QueuedWrite], unit: Unit) -> Sequence[QueuedWrite]:
    """Return the writes with one message each, in their place; none where another process has taken them, or they
    changed.
    """
    if [*unit.outbox.list(limit=len(writes), waiting=True)] != [*writes]:
        return ()
    pieces: list[QueuedWrite] = []
    for write in writes:
        said = write.payload.get("messages")
        if not isinstance(said, list) or len(said) == 1:
            pieces.append(write)
            continue
        parts = [
            replace(write, id=f"{write.id}.{number:02}", payload={**write.payload, "messages": [one]})
            for number, one in enumerate(said)
        ]
        unit.outbox.remove([write.id])
        for part in parts:
            unit.outbox.add(part)
        pieces += parts
    return pieces


def _set_aside(id: str, why: str, unit: Unit) -> int:
    aside = unit.outbox.set_aside(id, why)
    unit.counters.add({REFUSED: aside})
    return aside


def _take(ids: Sequence[str], unit: Unit) -> bool:
    """Take the writes out, if they are still the first: else another process was faster, or they were forgotten."""
    first = unit.outbox.list(limit=len(ids), waiting=True)
    if [write.id for write in first] != list(ids):
        return False
    unit.outbox.remove(ids)
    return True


def _drop(id: str, unit: Unit) -> int:
    gone = unit.outbox.remove([id])
    unit.counters.add({REFUSED: gone})
    return gone


def _observe(desk: Desk, agent_id: str, writes: Sequence[QueuedWrite], within: Callable[[Unit], bool]) -> int:
    messages = [message for write in writes for message in messages_in(write)]
    told = writes[0].payload
    done = observe_waiting(
        desk, agent_id, messages, conversation=str(told["conversation"]), channel=str(told["channel"]),
        override=told["override"] is True, within=within,
    )  # fmt: skip
    return len(messages) if done else 0


def _remember(
    desk: Desk, agent_id: str, writes: Sequence[QueuedWrite], within: Callable[[Unit], bool]
) -> int:
    told = writes[0].payload
    drafts = [*_whole(desk, agent_id, [draft_in(write) for write in writes])]
    done = remember(
        desk, agent_id, drafts, override=told["override"] is True, actor=str(told["actor"]), within=within,
        ids=[write.id for write in writes], dues=[due_in(write) for write in writes],
    )  # fmt: skip
    return len(done)


def _whole(desk: Desk, agent_id: str, drafts: Sequence[Draft]) -> Iterator[Draft]:
    """Yield the drafts without sources and superseded memories that are gone by now, but for those that rest on such
    alone: they are refused.
    """
    now = desk.clock()
    with desk.store.read(agent_id) as unit:
        episodes = unit.episodes.get({id for draft in drafts for id in draft.source_episodes})
        memories = unit.memories.get({id for draft in drafts for id in draft.supersedes})
    for draft in drafts:
        left = tuple(id for id in draft.source_episodes if id in episodes)
        yield replace(
            draft,
            source_episodes=left or draft.source_episodes,
            supersedes=tuple(id for id in draft.supersedes if id in memories),
            time=min(datetime.fromisoformat(str(draft.time)), now),  # clocks differ
        )
