"""Give a memory a new wording or new values under its old id; the old wording stays in the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, tzinfo

from reverie.domain.audit import Action
from reverie.domain.ids import checked_name
from reverie.domain.memory import Memory, State
from reverie.domain.revision import Revision
from reverie.domain.text import checked_switch
from reverie.domain.time import to_utc, zone_of
from reverie.errors import Forgotten, InvalidInput, NotFound
from reverie.memory.scope import problem_of
from reverie.ports.store import Unit
from reverie.services.remember import labels
from reverie.services.remember.judging import reworded, unforgotten
from reverie.services.runtime import (
    Desk,
    changed,
    cleaned,
    entry,
    first_forgotten,
    labels_of,
    lift_tombstones,
    numbered,
    reason_of,
    refuse_secrets,
    version_of,
)

_AS_GIVEN = (
    "essence",
    "kind",
    "lesson",
    "emotions",
    "importance",
    "priority",
    "scope",
    "tags",
    "topics",
    "entities",
    "pinned",
)
_LISTS = frozenset({"scope", "tags", "topics", "entities"})
_WORDING = ("essence", "lesson", "valid_from", "valid_to")


def revise(
    desk: Desk,
    agent_id: str,
    memory_id: str,
    revision: Revision,
    *,
    override: bool = False,
    actor: str,
    reason: str | None = None,
    also: Callable[[Unit, Memory], None] | None = None,
) -> Memory:
    """Return the memory as it stands after the revision.

    Where essence, lesson or validity change, the old wording goes to the history with the window in which it was
    believed, and ``as_of`` finds it there. A procedure's essence and kind stay. Raise NotFound, InvalidInput,
    Forgotten (the new essence was forgotten; not with ``override``), EmbedderMismatch. A new essence is judged anew:
    emotions, lesson and importance, each unless the revision gives or clears it, or the memory's is not what its old
    essence is judged to be: then a caller gave it, and it stays. An essence that is given waits for no approval.
    ``also`` runs at the end of the transaction; what it raises undoes the revision.
    """
    checked_switch(override, "override")
    revision = _cleaned(desk, memory_id, revision)
    reason = reason_of(desk.settings, reason)
    vector = None if revision.essence is None else desk.embedder.embed([revision.essence])[0]
    judged = reworded(desk, agent_id, memory_id, revision, vector)

    def write(unit: Unit) -> Memory:
        known = unit.memories.get([memory_id]).get(memory_id)
        if known is None:
            raise NotFound("memory", memory_id)
        agent = desk.begin(unit, agent_id)
        now = desk.clock()
        new = _revised(known, revision, now, zone_of(agent.time_zone))
        if judged is not None:
            [new] = unforgotten(unit, [new], [judged.follow(known, new, revision)])
        new = labels.revised(desk, known, new, revision)
        _check_forgotten(unit, known, new, override=override)
        _check_procedure(unit, known, new, by_its_steps=also is not None)
        if any(getattr(new, name) != getattr(known, name) for name in _WORDING):
            known = numbered(unit, known)
            new = replace(new, version=known.version + 1)
            unit.memories.add_version(version_of(known, new.believed_from))
        else:
            new = replace(new, believed_from=known.believed_from)
        if replace(new, updated_at=known.updated_at) == known:
            return done(unit, known)
        unit.memories.update(new, vector if new.essence != known.essence else None)
        before, after = changed(known, new)
        logged = entry(
            desk, Action.REVISE, memory_id, actor=actor, at=now, before=before, after=after, reason=reason
        )
        unit.audit.add([logged])
        return done(unit, new)

    def done(unit: Unit, memory: Memory) -> Memory:
        if also is not None:
            also(unit, memory)
        return memory

    return desk.store.transact(agent_id, write)


def _cleaned(desk: Desk, memory_id: str, revision: Revision) -> Revision:
    """Check the id, and give the revision without what must not be stored. Raise InvalidInput."""
    checked_name(memory_id, "id")
    problem = problem_of(revision.scope or ())
    if problem is not None:
        raise InvalidInput("scope", problem, "give fewer or simpler ones")
    essence, lesson = (
        None if text is None else cleaned(desk.settings, text, name).text
        for name, text in (("essence", revision.essence), ("lesson", revision.lesson))
    )
    refuse_secrets(desk.settings, revision.scope or (), "scope")
    labels, _ = labels_of(desk.settings, revision)
    return replace(revision, essence=essence, lesson=lesson, **labels)


def _revised(known: Memory, revision: Revision, now: datetime, zone: tzinfo) -> Memory:
    values: dict[str, object] = {
        name: getattr(revision, name) for name in _AS_GIVEN if getattr(revision, name) is not None
    }
    for name in ("valid_from", "valid_to"):
        if getattr(revision, name) is not None:
            values[name] = to_utc(getattr(revision, name), zone=zone, field=name)
    values.update({name: () if name in _LISTS else None for name in revision.clear})
    since = now if revision.time is None else to_utc(revision.time, zone=zone)
    if since > now:
        raise InvalidInput(
            "time", "it lies in the future", "give the time since when the new wording is believed"
        )
    if since <= known.believed_from:
        if revision.time is not None:
            raise InvalidInput(
                "time",
                "the wording that it replaces is younger",
                f"give a time after {known.believed_from.isoformat()}",
            )
        since = known.believed_from
    values["believed_from"] = since
    if revision.essence is not None:
        values["needs_review"] = False
    if values.get("essence", known.essence) != known.essence:
        values["quoted"] = None
    if revision.confidence is not None:
        values |= {"confidence": revision.confidence, "confidence_at": now}
    new = replace(known, updated_at=now, **values)  # type: ignore[arg-type]  # Revision checked each value
    if new.valid_from is not None and new.valid_to is not None and new.valid_from >= new.valid_to:
        raise InvalidInput("valid_to", "it is not later than valid_from", "give a window that has a length")
    return new


def _check_procedure(unit: Unit, known: Memory, new: Memory, *, by_its_steps: bool) -> None:
    """Refuse to reword a summary, or a procedure otherwise than by its steps (``services.remember.procedures``)."""
    _check_summary(unit, known, new)
    if by_its_steps or (new.essence, new.kind) == (known.essence, known.kind):
        return
    steps = unit.procedures.get([known.id]).get(known.id)
    if steps is not None:
        field = "essence" if new.essence != known.essence else "kind"
        raise InvalidInput(
            field,
            f"it is the procedure {steps.name!r}",
            "give new steps under its name instead (`reverie procedures add`, procedures.record)",
        )


def _check_summary(unit: Unit, known: Memory, new: Memory) -> None:
    """Refuse to reword a summary or what it stands for: it says what it stands for, and that stays what it says:
    neither is worded anew alone.
    """
    names = ("essence", "kind", "scope", "valid_from", "valid_to")
    field = next((name for name in names if getattr(new, name) != getattr(known, name)), None)
    if field is None:
        return
    if unit.summaries.get([known.id]):
        raise InvalidInput(
            field,
            "it is a summary, which says what it stands for",
            "forget it, so that what it stands for is active again, or remember what is so as a memory of its own",
        )
    if known.state is State.SUMMARIZED:
        raise InvalidInput(
            field,
            "a summary stands for it, and tells what it said",
            "remember what is so now as a new memory, with supersedes, or revert the self-care first",
        )


def _check_forgotten(unit: Unit, known: Memory, new: Memory, *, override: bool) -> None:
    for name in ("essence", "lesson"):
        text = getattr(new, name)
        if text is None or text == getattr(known, name):
            continue
        if override:
            lift_tombstones(unit, [text])
        elif first_forgotten(unit, [text]) is not None:
            raise Forgotten(name)
