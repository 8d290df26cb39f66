"""How a change of memories is prepared and written down: the audit log's before and after."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from datetime import datetime

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.memory import Memory, Quoted, Version
from reverie.memory.change import MergeSide
from reverie.ports.store import Unit
from reverie.services.runtime.desk import Desk

_NOT_AUDITED = frozenset({"id", "touches", "last_touched_at", "updated_at"})
_AUDITED = tuple(field.name for field in fields(Memory) if field.name not in _NOT_AUDITED)


def to_json(memory: Memory) -> dict[str, object]:
    """Return a memory's audited fields as JSON values; times as ISO 8601."""
    return {name: plain(getattr(memory, name)) for name in _AUDITED}


def changed(before: Memory, after: Memory) -> tuple[dict[str, object], dict[str, object]]:
    """Return the audited fields that differ, as they were and as they are."""
    old, new = to_json(before), to_json(after)
    names = [name for name in old if old[name] != new[name]]
    return {name: old[name] for name in names}, {name: new[name] for name in names}


def entry(
    desk: Desk,
    action: Action,
    target: str,
    *,
    actor: str,
    at: datetime,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    reason: str | None = None,
) -> AuditEntry:
    """Return a new audit entry."""
    return AuditEntry(
        id=desk.ids(at),
        at=at,
        actor=actor,
        action=action,
        target=target,
        before=before,
        after=after,
        reason=reason,
    )


def plain(value: object) -> object:
    """Return a field's value as a JSON value; times as ISO 8601."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Quoted):
        return {field.name: plain(getattr(value, field.name)) for field in fields(Quoted)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, str) else value


def numbered(unit: Unit, known: Memory) -> Memory:
    """Return the memory with a version number that its history doesn't have: what went wrong once must not keep it from
    ever being reworded again.
    """
    past = [old.version for old in unit.memories.versions(known.id)]
    return known if known.version not in past else replace(known, version=max(past) + 1)


def merge_sides(unit: Unit, ids: Collection[str]) -> Mapping[str, MergeSide]:
    """Return these memories with what decides whether they may become one."""
    memories = unit.memories.get(ids)
    steps, achieved = unit.procedures.get(memories), unit.goals.achieved(memories)
    dues = unit.dues.get(memories)
    return {
        id: MergeSide(memory=one, has_steps=id in steps, achieved=id in achieved, due=dues.get(id))
        for id, one in memories.items()
    }


def version_of(known: Memory, until: datetime) -> Version:
    """Return the wording that is replaced ``until`` then, for the history."""
    return Version(
        memory_id=known.id,
        version=known.version,
        essence=known.essence,
        lesson=known.lesson,
        believed_from=known.believed_from,
        believed_to=until,
        valid_from=known.valid_from,
        valid_to=known.valid_to,
    )
