"""Tell what past sleeps did. A sleep's changes stand in the audit log, under its id; its record holds the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from reverie.domain.ask import MAX_LIMIT, checked_whole
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.ids import checked_name
from reverie.domain.memory import Memory
from reverie.domain.sleep import Act, Applied, SleepRecord, SleepReport
from reverie.errors import InvalidInput, NotFound
from reverie.ports.store import Unit
from reverie.services.aggregates import audit_log
from reverie.services.runtime import Desk, read_again

_PAGE = 1_000
ACTS: Mapping[Action, Act] = {
    Action.REMEMBER: Act.LEARN,
    Action.REINFORCE: Act.REINFORCE,
    Action.REVISE: Act.REVISE,
    Action.RETIRE: Act.RETIRE,
    Action.CONTRADICT: Act.CONTRADICT,
    Action.FADE: Act.FADE,
    Action.CONNECT: Act.CONNECT,
}


CARING = (Action.SELF_CARE, Action.SUMMARIZE, Action.CLOSE)
"""What the log says of a self-care."""


@read_again
def sleeps(
    desk: Desk, agent_id: str, *, limit: int = 100, before: str | None = None
) -> Sequence[SleepRecord]:
    """Return the records of the agent's sleeps, newest first, those before id ``before`` only. Raise InvalidInput,
    NotFound (``before``).
    """
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    if before is not None:
        checked_name(before, "before")
    with desk.reading(agent_id) as unit:
        if before is not None and unit.sleeps.get(before) is None:
            raise NotFound("sleep", before)
        return unit.sleeps.list(limit=limit, before=before)


@read_again
def report(desk: Desk, agent_id: str, sleep_id: str) -> SleepReport:
    """Return what that sleep did, with the memories' words of then and of now; what was forgotten since is left empty.
    Raise NotFound, InvalidInput (it is a self-care's).
    """
    checked_name(sleep_id, "id")
    with desk.reading(agent_id) as unit:
        record = unit.sleeps.get(sleep_id)
        if record is None and unit.audit.list(job=sleep_id, actions=CARING, limit=1):
            raise InvalidInput(
                "id",
                f"{sleep_id!r} is a self-care's",
                "see the summaries for what it made, and the audit log of that job for every change",
            )
        if record is None:
            raise NotFound("sleep", sleep_id)
        entries = [*audit_log(unit, job=sleep_id)]
        undone = {id: one.at for one in entries for id in one.undoes}
        entries = [one for one in entries if one.action in ACTS]
        memories = unit.memories.get({entry.target for entry in entries})
        said = _said_then(unit, entries, memories)
        remaining = unit.episodes.count_unconsolidated()
    changes = [replace(one, undone_at=undone.get(one.id)) for one in applied(entries, memories, said)]
    return SleepReport(sleep=record, changes=tuple(changes), remaining=remaining)


def _said_then(
    unit: Unit, entries: Sequence[AuditEntry], memories: Mapping[str, Memory]
) -> Mapping[str, str]:
    """Return what a memory said at an entry that doesn't tell it, by the entry's id, where it was reworded afterwards:
    what the next entry that rewords it has as before.
    """
    said: dict[str, str] = {}
    for one in entries:
        memory = memories.get(one.target)
        if memory is None or memory.version == 1 or _essence(one.after) is not None:
            continue  # as it always was; or told in the entry itself
        behind = unit.audit.list(target=one.target, after=one.id, limit=_PAGE)
        before = next((old for later in behind if (old := _essence(later.before)) is not None), None)
        if before is not None:
            said[one.id] = before
    return said


def applied(
    entries: Iterable[AuditEntry], memories: Mapping[str, Memory], said: Mapping[str, str] | None = None
) -> tuple[Applied, ...]:
    """Return audit entries as the changes that they tell of; ``memories`` by id, as far as they are still there;
    ``said``: what memories said at an entry, by its id, where that is neither told in it nor what they say now.
    """
    return tuple(_applied(entry, memories.get(entry.target), said or {}) for entry in entries)


def _applied(entry: AuditEntry, memory: Memory | None, said: Mapping[str, str]) -> Applied:
    now = memory.essence if memory is not None and entry.after is not None else None
    return Applied(
        id=entry.id,
        act=ACTS[entry.action],
        target=entry.target,
        text=_essence(entry.after) or said.get(entry.id, now),
        reason=entry.reason,
        before=entry.before,
        after=entry.after,
        sources=_sources(entry),
        now=now,
    )


def _essence(payload: Mapping[str, object] | None) -> str | None:
    found = (payload or {}).get("essence")
    return found if isinstance(found, str) else None


def _sources(entry: AuditEntry) -> tuple[str, ...]:
    """Return the episodes that the change added as the memory's sources."""
    before, after = (set(_listed(one)) for one in (entry.before, entry.after))
    return tuple(sorted(after - before))


def _listed(payload: Mapping[str, object] | None) -> Sequence[str]:
    listed = (payload or {}).get("source_episodes")
    return [str(one) for one in listed] if isinstance(listed, list | tuple) else []
