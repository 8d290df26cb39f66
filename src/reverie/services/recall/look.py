"""Get and list what is in a bank, without asking a question and without touching anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.domain.ask import MAX_LIMIT, MAX_MATCH_BYTES, checked_whole
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.episode import Episode
from reverie.domain.ids import checked_name
from reverie.domain.memory import Connection, Memory, State, Version
from reverie.domain.message import Conversation
from reverie.domain.query import Filter
from reverie.domain.text import checked_switch, checked_text, member
from reverie.errors import NotFound
from reverie.memory.decay import activation_of, faded_confidence
from reverie.services.runtime import Desk, read_again


@dataclass(frozen=True, kw_only=True, slots=True)
class Portrait:
    """One memory with all that hangs on it."""

    memory: Memory
    confidence_now: float
    activation_now: float
    versions: tuple[Version, ...]
    connections: tuple[Connection, ...]
    sources: tuple[Episode, ...]
    audit: tuple[AuditEntry, ...]


@read_again
def get(desk: Desk, agent_id: str, item_id: str) -> Memory | Episode:
    """Return the memory or episode of that id. Raise NotFound, InvalidInput."""
    checked_name(item_id, "id")
    with desk.reading(agent_id) as unit:
        memory = unit.memories.get([item_id]).get(item_id)
        found = memory or unit.episodes.get([item_id]).get(item_id)
    if found is None:
        raise NotFound("memory or episode", item_id)
    return found


@read_again
def portrait(desk: Desk, agent_id: str, memory_id: str) -> Portrait:
    """Return the memory with its history, connections, sources and audit entries. Raise NotFound, InvalidInput."""
    checked_name(memory_id, "id")
    now = desk.clock()
    with desk.reading(agent_id) as unit:
        memory = unit.memories.get([memory_id]).get(memory_id)
        if memory is None:
            raise NotFound("memory", memory_id)
        sources = unit.episodes.get(memory.source_episodes)
        return Portrait(
            memory=memory,
            confidence_now=faded_confidence(memory.confidence, memory.fades_from, now),
            activation_now=activation_of(memory, now),
            versions=tuple(unit.memories.versions(memory_id)),
            connections=tuple(unit.memories.connections([memory_id])),
            sources=tuple(sources[key] for key in sorted(sources)),
            audit=tuple(unit.audit.list(target=memory_id, limit=1000)),
        )


@read_again
def memories(
    desk: Desk, agent_id: str, where: Filter, *, deep: bool, match: str | None, limit: int, after: str | None,
    newest_first: bool, sources: Sequence[str] | None,
) -> Sequence[Memory]:  # fmt: skip
    """Return memories in order of id, or its reverse; ``match`` are keywords that must all stand in essence, lesson,
    tags or scope; ``deep``: of any state; ``sources``: ids of episodes; ``after`` may have been forgotten
    meanwhile. Raise InvalidInput, NotFound (``after``).
    """
    match = _page(limit, after, match)
    checked_switch(newest_first, "newest_first")
    if deep:
        where = replace(where, states=frozenset(State), include_superseded=True)
    for id in sources or ():
        checked_name(id, "sources")
    with desk.reading(agent_id) as unit:
        if sources is not None:
            where = replace(where, ids=frozenset(unit.memories.derived_from(sources)))
        if after is not None and not (unit.memories.get([after]) or unit.audit.list(target=after, limit=1)):
            raise NotFound("memory", after)
        return unit.memories.list(
            where, match=match, limit=limit, after=after, newest_first=newest_first, now=desk.clock()
        )


@read_again
def episodes(
    desk: Desk,
    agent_id: str,
    where: Filter,
    *,
    match: str | None,
    limit: int,
    after: str | None,
    newest_first: bool,
) -> Sequence[Episode]:
    """Return episodes in order of time; ``match`` are keywords that must all stand in the content. Raise
    InvalidInput, NotFound (``after``: of an episode that was forgotten nobody knows the place in time).
    """
    match = _page(limit, after, match)
    with desk.reading(agent_id) as unit:
        if after is not None and not unit.episodes.get([after]):
            raise NotFound("episode", after)
        return unit.episodes.list(where, match=match, limit=limit, after=after, newest_first=newest_first)


@read_again
def sources(desk: Desk, agent_id: str, ids: Sequence[str]) -> Sequence[Episode]:
    """Return those of these episodes that are there, in the order given. Raise InvalidInput."""
    for id in ids:
        checked_name(id, "ids")
    with desk.reading(agent_id) as unit:
        found = unit.episodes.get(ids)
    return [found[id] for id in ids if id in found]


@read_again
def conversations(desk: Desk, agent_id: str, *, limit: int, after: str | None) -> Sequence[Conversation]:
    """Return conversations in order of id; any name has its place there, so ``after`` needn't be one. Raise
    InvalidInput.
    """
    _page(limit, after)
    with desk.reading(agent_id) as unit:
        return unit.conversations.list(limit=limit, after=after)


@read_again
def audit(
    desk: Desk, agent_id: str, *, target: str | None = None, job: str | None = None, actor: str | None = None,
    actions: Sequence[str] = (), since: datetime | None = None, until: datetime | None = None, limit: int,
    after: str | None = None, newest_first: bool = False,
) -> Sequence[AuditEntry]:  # fmt: skip
    """Return audit entries in the order of what happened, or its reverse. Raise InvalidInput, NotFound
    (``after``).
    """
    _page(limit, after)
    for name, value in (("target", target), ("job", job), ("actor", actor)):
        if value is not None:
            checked_name(value, name)
    checked_switch(newest_first, "newest_first")
    asked = [member(Action, one, "actions") for one in actions]
    with desk.reading(agent_id) as unit:
        if after is not None and not unit.audit.known([after]):
            raise NotFound("audit entry", after)
        return unit.audit.list(
            target=target, job=job, actor=actor, actions=asked, since=since, until=until, limit=limit, after=after,
            newest_first=newest_first,
        )  # fmt: skip


def _page(limit: object, after: object, match: object = None) -> str | None:
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    if after is not None:
        checked_name(after, "after")
    if match is None:
        return None
    return checked_text(match, "match", most_bytes=MAX_MATCH_BYTES, remedy="give fewer keywords")
