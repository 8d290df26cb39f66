"""revise: new wording or values for a memory under its old id; the old wording stays in the history."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

import numpy as np

from reverie.domain.audit import Action
from reverie.domain.emotion import Emotions
from reverie.domain.ids import checked_name
from reverie.domain.memory import MAX_LESSON_BYTES, Memory
from reverie.domain.revision import Revision
from reverie.domain.text import checked_switch, checked_text
from reverie.domain.time import to_utc, zone_of
from reverie.errors import Forgotten, InvalidInput, NotFound
from reverie.ports.search import Floats
from reverie.ports.store import Unit
from reverie.rules.scope import problem_of
from reverie.services import labels
from reverie.services.changes import changed, entry, version_of
from reverie.services.desk import Desk, read_again
from reverie.services.tombstones import first_forgotten, lift_tombstones

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
) -> Memory:
    """The memory as it stands after the revision.

    Where essence, lesson or validity change, the old wording goes to the history with the window in which
    it was believed, and ``as_of`` finds it there. Raises NotFound, InvalidInput, Forgotten (the new essence
    was forgotten; not with ``override``), EmbedderMismatch.

    A new essence is judged anew, unless the revision gives or clears the emotions, or the memory's are not what its old
    essence is judged to be: then a caller gave them, and they stay.
    """
    checked_switch(override, "override")
    checked_name(memory_id, "id")
    if reason is not None:
        reason = checked_text(reason, "reason", most_bytes=MAX_LESSON_BYTES)
    problem = problem_of(revision.scope or ())
    if problem is not None:
        raise InvalidInput("scope", problem, "give fewer or simpler ones")
    vector = None if revision.essence is None else desk.embedder.embed([revision.essence])[0]
    judged = None if vector is None else _judged(desk, agent_id, memory_id, revision, vector)

    def write(unit: Unit) -> Memory:
        known = unit.memories.get([memory_id]).get(memory_id)
        if known is None:
            raise NotFound("memory", memory_id)
        agent = desk.begin(unit, agent_id)
        now = desk.clock()
        new = _felt(known, _revised(known, revision, now, zone_of(agent.time_zone)), judged)
        new = labels.revised(desk, known, new, revision)
        _check_forgotten(unit, known, new, override=override)
        if any(getattr(new, name) != getattr(known, name) for name in _WORDING):
            new = replace(new, version=known.version + 1)
            unit.memories.add_version(version_of(known, new.believed_from))
        else:
            new = replace(new, believed_from=known.believed_from)
        if replace(new, updated_at=known.updated_at) == known:
            return known
        unit.memories.update(new, vector if new.essence != known.essence else None)
        before, after = changed(known, new)
        logged = entry(
            desk, Action.REVISE, memory_id, actor=actor, at=now, before=before, after=after, reason=reason
        )
        unit.audit.add([logged])
        return new

    return desk.store.transact(agent_id, write)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Judged:
    """What an essence that was there is judged to be, and what the one is that replaces it."""

    essence: str
    was: Emotions | None
    will_be: Emotions | None


@read_again
def _judged(desk: Desk, agent_id: str, memory_id: str, revision: Revision, vector: Floats) -> _Judged | None:
    """Both essences judged, outside the transaction; None where there is nothing to judge."""
    if desk.feel is None or revision.essence is None:
        return None
    if revision.emotions is not None or "emotions" in revision.clear:
        return None
    with desk.store.read(agent_id) as unit:
        known = unit.memories.get([memory_id]).get(memory_id)
        vectors = unit.memories.vectors([memory_id])
        embedder = unit.agents.embedder()
    if known is None or known.essence == revision.essence:
        return None
    desk.check_embedder(agent_id, embedder)
    both = [known.essence, revision.essence]
    was, will_be = desk.felt(both, np.stack([vectors[memory_id], vector]))
    return _Judged(essence=known.essence, was=was, will_be=will_be)


def _felt(known: Memory, new: Memory, judged: _Judged | None) -> Memory:
    if judged is None or judged.essence != known.essence or known.emotions not in (None, judged.was):
        return new
    return replace(new, emotions=judged.will_be)


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
    if revision.confidence is not None:
        values |= {"confidence": revision.confidence, "confidence_at": now}
    new = replace(known, updated_at=now, **values)  # type: ignore[arg-type]  # Revision checked each value
    if new.valid_from is not None and new.valid_to is not None and new.valid_from >= new.valid_to:
        raise InvalidInput("valid_to", "it is not later than valid_from", "give a window that has a length")
    return new


def _check_forgotten(unit: Unit, known: Memory, new: Memory, *, override: bool) -> None:
    for name in ("essence", "lesson"):
        text = getattr(new, name)
        if text is None or text == getattr(known, name):
            continue
        if override:
            lift_tombstones(unit, [text])
        elif first_forgotten(unit, [text]) is not None:
            raise Forgotten(name)
