"""What undoing a job, or one change of it, would do, read from the audit log: every change stands there with before and
after.

It may be undone alone as long as the bank is what it left. Later changes that rest on it are told, a line each, and
rolled back along with it only where that is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.memory import CONTRADICTS, DERIVED_FROM, Connection, Memory
from reverie.domain.time import EPOCH
from reverie.ports.store import Unit
from reverie.services.aggregates import standing_log
from reverie.services.codecs import MEMORY
from reverie.services.evidence import Fallen, fallen, topple
from reverie.services.runtime import Desk, plain, to_json

_OF_THE_JOB = frozenset({Action.SLEEP, Action.SELF_CARE, Action.REVERT})
_BIRTHS = frozenset({Action.REMEMBER, Action.SUMMARIZE, Action.CLOSE})
"""Whose entries without a before made a memory."""

_FOLLOWING = frozenset({"updated_at", "version", "believed_from", "confidence_at", "last_reinforced_at"})
_OF_ITS_WORDING = frozenset({"emotions", "entities", "lesson", "topics"})
_IN_WORDS = {
    "essence": "its wording",
    "source_episodes": "the messages behind it",
    "superseded_by": "what replaces it",
    "valid_from": "since when it holds",
    "valid_to": "until when it held",
    "reinforcement_count": "how often it was confirmed",
    "needs_review": "whether it waits for approval",
}


@dataclass(kw_only=True, slots=True)
class Rollback:
    """What is to be done: memories that go, edges that go, and by memory the changes to take back, latest first.

    ``ours``: what is asked to be undone; ``others``: what else is taken back of the log, if it is done all the same.
    ``why``: later changes that depend on it; ``dropped``: what goes then, in words; ``lost``: what can't be restored at
    all. ``fallen``: later summaries that tell of what goes or is taken back. ``covered``: how many edges go with the
    job's own summaries. ``changed_since``: memories that keep the time of their latest change.
    """

    ours: Sequence[AuditEntry] = ()
    others: list[AuditEntry] = field(default_factory=list)

    removed: list[str] = field(default_factory=list)
    edges: list[Connection] = field(default_factory=list)
    changes: dict[str, list[AuditEntry]] = field(default_factory=dict)
    memories: Mapping[str, Memory] = field(default_factory=dict)
    why: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    fallen: Fallen = field(default_factory=Fallen)
    covered: int = 0
    changed_since: set[str] = field(default_factory=set)


def rollback(unit: Unit, entries: Sequence[AuditEntry], change: str | None = None) -> Rollback:
    """Return what undoing the job with these entries, or only the change with that id, would do to the bank as it is.
    What was undone or forgotten since is passed over.
    """
    standing = [*_standing(entries)]
    ours = standing if change is None else _parts(standing, change)
    return _RollbackPlanner(unit, standing, ours, is_exact=change is None).read()


def apply(desk: Desk, unit: Unit, plan: Rollback, actor: str) -> int:
    """Do it, and return how many edges of the job were there still."""
    topple(desk, unit, plan.fallen, desk.clock(), actor)
    edges = sum(unit.undo.disconnect(edge) for edge in plan.edges)
    if plan.removed:
        unit.memories.delete(plan.removed)
    gone = set(plan.removed)
    for id, changes in plan.changes.items():
        memory, vector = plan.memories[id], None
        for one in changes:
            memory = _taken_back(unit, memory, one, keeps_time=id in plan.changed_since)
            if (number := _version_left(one)) is not None:
                vector = unit.undo.drop_version(id, number)
        if memory.superseded_by in gone:
            memory = replace(memory, superseded_by=None)
        unit.memories.update(memory, vector)
    return edges


class _RollbackPlanner:
    """``standing``: what stands of the job; ``entries``: that which is to be undone; ``is_exact``: nothing else of what
    a sleep changed may have changed since.
    """

    def __init__(
        self, unit: Unit, standing: Sequence[AuditEntry], entries: Sequence[AuditEntry], *, is_exact: bool
    ) -> None:
        self._unit, self._entries, self._is_exact = unit, entries, is_exact
        self._ours = frozenset(one.id for one in entries)
        self._learned = {one.target for one in entries if _is_birth(one)}
        self._covered = frozenset(
            (str(by), one.target, DERIVED_FROM) for one in entries if (by := (one.after or {}).get("summary"))
        )
        self._plan = Rollback(ours=entries)
        self._beside = {one.target for one in standing if one.id not in self._ours and one.before}

    def read(self) -> Rollback:
        plan, unit = self._plan, self._unit
        touched: dict[str, list[AuditEntry]] = {}
        for one in self._entries:
            if one.action is not Action.CONNECT:
                touched.setdefault(one.target, []).append(one)
            elif one.after is not None:
                plan.edges.append(_edge(one.after))
        known = unit.memories.get(touched)
        self._emptied(known)
        for id in sorted(known):
            left = _left(unit, touched[id])
            differing = _differing(unit, known[id], left)
            if differing == ["updated_at"] and self._may_differ(touched[id]):
                differing = []  # something else of it was changed since
                plan.changed_since.add(id)
            elif not differing and id in self._beside:
                plan.changed_since.add(id)
            if differing:
                plan.why.append(f"memory {id} was changed later ({_in_words(differing)})")
            if id not in self._learned:
                self._take_back(id, touched[id], later=bool(differing))
            elif differing:
                plan.dropped.append(f"memory {id}: what was changed later ({_in_words(differing)})")
        plan.removed = sorted(self._learned & known.keys())
        removed = set(plan.removed)
        plan.covered = sum(by in removed and id in known for by, id, _ in self._covered)
        self._told_by_summaries(known)
        if plan.removed:
            self._hanging()
        plan.memories = unit.memories.get(plan.changes)
        return plan

    def _may_differ(self, entries: Sequence[AuditEntry]) -> bool:
        """Return whether what else was changed of their memory since may stay."""
        return not self._is_exact or all(one.action is Action.SUMMARIZE for one in entries)

    def _take_back(self, id: str, ours: Sequence[AuditEntry], *, later: bool) -> None:
        changes = [one for one in ours if one.before]
        if later:
            since = min(one.id for one in ours)
            changes = [one for one in self._log_of(id) if one.id >= since]
            self._drop(one for one in changes if one.id not in self._ours)
        self._restore(id, changes)

    def _restore(self, id: str, changes: Iterable[AuditEntry]) -> None:
        """Plan to take changes of a memory back, where they explain every wording that it has had since."""
        latest_first = sorted(changes, key=lambda one: one.id, reverse=True)
        if not latest_first:
            return
        plan, unit = self._plan, self._unit
        plan.changes[id] = latest_first
        wanted = {(id, number) for one in latest_first if (number := _version_left(one)) is not None}
        for _, number in sorted(wanted - unit.memories.past(wanted).keys()):
            plan.lost.append(f"wording {number} of memory {id} is no longer in its history")
        if not wanted:
            return
        [now] = unit.memories.get([id]).values()
        then = _version_before(now.version, latest_first)
        kept = {old.version for old in unit.memories.versions(id)} - {number for _, number in wanted}
        if then is None or any(number >= then for number in kept):
            plan.lost.append(f"memory {id} was reworded by what the log tells nothing of any more")

    def _emptied(self, known: Mapping[str, Memory]) -> None:
        """Note the job's changes of memories that are there still, of which a forget has left nothing in the log."""
        made = {(edge.source, edge.target, edge.relation) for edge in self._plan.edges}
        for one in self._entries:
            if one.before is not None or one.after is not None:
                continue
            if one.action is not Action.CONNECT:
                if one.target in known:
                    said = f"what {one.action} changed of memory {one.target} was forgotten, so it can't be restored"
                    self._plan.lost.append(said)
                continue
            for edge in self._unit.memories.connections([one.target]):
                key = (edge.source, edge.target, edge.relation)
                if edge.source == one.target and edge.created_at == one.at and key not in made:
                    made.add(key)
                    self._plan.lost.append(
                        f"an edge of memory {one.target} that the log tells nothing of any more"
                    )

    def _told_by_summaries(self, known: Mapping[str, Memory]) -> None:
        """Plan what becomes of later summaries that stand for what is taken back."""
        later = {
            id: told for id, told in self._unit.summaries.above(known).items() if id not in self._learned
        }
        for id, told in later.items():
            self._depends(f"summary {id} tells of {len(told)} of its memories")
        self._plan.fallen = fallen(
            self._unit, summaries=later, memories=(), episodes=(), gone=self._plan.removed
        )

    def _hanging(self) -> None:
        """Plan what becomes of what came to hang on learned memories since."""
        plan, unit, learned = self._plan, self._unit, set(self._plan.removed)
        made = {(edge.source, edge.target, edge.relation) for edge in plan.edges} | self._covered
        for edge in unit.memories.connections(plan.removed):
            if edge.source in plan.fallen.summaries:
                continue  # told already
            if (edge.source, edge.target, edge.relation) not in made:
                said = f"memory {edge.source} was connected with {edge.target} later ({edge.relation})"
                self._depends(said)
        for id in sorted(unit.procedures.get(plan.removed)):
            self._depends(f"memory {id} became a procedure")
        for id in sorted(unit.goals.achieved(plan.removed)):
            self._depends(f"goal {id} was achieved")
        for id in sorted(unit.dues.get(plan.removed)):
            self._depends(f"goal {id} was given a due time")
        for id, others in unit.undo.superseding(plan.removed).items():
            for other in others:
                if other not in learned and other not in plan.changes:
                    self._depends(f"memory {id} superseded {other} later")
                    self._give_back(other, id)

    def _give_back(self, id: str, superseded_by: str) -> None:
        """Plan to take changes of a memory that was superseded later back to before that."""
        log = [*self._log_of(id)]
        since = next((one.id for one in log if (one.after or {}).get("superseded_by") == superseded_by), None)
        changes = [one for one in log if since is not None and one.id >= since]
        self._drop(changes)
        self._restore(id, changes)

    def _depends(self, said: str) -> None:
        self._plan.why.append(said)
        self._plan.dropped.append(said)

    def _drop(self, changes: Iterable[AuditEntry]) -> None:
        for one in changes:
            self._plan.others.append(one)
            said = f"{one.action} of memory {one.target} by {one.actor}"
            self._plan.dropped.append(f"{said} at {one.at.isoformat(timespec='seconds')}")

    def _log_of(self, id: str) -> Iterator[AuditEntry]:
        """Return the changes of the memory's own fields."""
        for one in standing_log(self._unit, id):
            if one.before and one.before.keys() <= MEMORY.keys():
                yield one


def _standing(entries: Sequence[AuditEntry]) -> Iterator[AuditEntry]:
    """Return a job's changes, as they would be told if those that were undone alone had never been made."""
    undone = {id for one in entries for id in one.undoes}
    since: dict[str, object] = {}
    for one in entries:
        if one.action in _OF_THE_JOB:
            continue
        if "updated_at" not in (one.before or {}):
            if one.id not in undone:
                yield one
        elif one.id in undone:
            since.setdefault(one.target, (one.before or {})["updated_at"])
        else:
            told = since.pop(one.target, (one.before or {})["updated_at"])
            yield replace(one, before={**(one.before or {}), "updated_at": told})


def _parts(standing: Sequence[AuditEntry], id: str) -> Sequence[AuditEntry]:
    """Return a change with what is nothing without it: all that the job made of a memory that it learned there, and the
    edge of a contradiction.
    """
    place = next(place for place, one in enumerate(standing) if one.id == id)
    change, before = standing[place], standing[max(0, place - 1) : place]
    if _is_birth(change):
        return [one for one in standing if change.target in (one.target, _end(one))]
    if change.action is Action.CONTRADICT and before and _contradicts(before[0], change.target):
        return [*before, change]
    return [change]


def _end(one: AuditEntry) -> object:
    """Return where an edge leads to; None for what is no edge."""
    return (one.after or {}).get("target") if one.action is Action.CONNECT else None


def _contradicts(edge: AuditEntry, id: str) -> bool:
    return (edge.after or {}).get("relation") == CONTRADICTS and id in (edge.target, _end(edge))


def _left(unit: Unit, entries: Sequence[AuditEntry]) -> dict[str, object]:
    """Return the fields of a memory as the job left them, without what was forgotten since."""
    left: dict[str, object] = {}
    for one in entries:
        left.update(one.after or {})
    return {name: _still(unit, name, value) for name, value in left.items() if name in MEMORY}


def _differing(unit: Unit, memory: Memory, left: Mapping[str, object]) -> list[str]:
    """Return the fields that are no longer what the job left."""
    now = {**to_json(memory), "updated_at": plain(memory.updated_at)}
    return sorted(
        name for name, value in left.items() if name in now and _still(unit, name, now[name]) != value
    )


def _in_words(differing: Sequence[str]) -> str:
    """Return the fields that a person knows of, by their words; what a memory says stays out of errors."""
    follows = _FOLLOWING | _OF_ITS_WORDING if "essence" in differing else _FOLLOWING
    fields = [
        _IN_WORDS.get(name, f"its {name.replace('_', ' ')}") for name in differing if name not in follows
    ]
    return ", ".join(dict.fromkeys(fields)) or "something else of it"


def _still(unit: Unit, name: str, value: object) -> object:
    """Return a field's JSON value without what isn't there any more."""
    if name == "source_episodes" and isinstance(value, list):
        return sorted(unit.episodes.get([str(id) for id in value]))
    if name == "superseded_by" and value is not None:
        return value if unit.memories.get([str(value)]) else None
    return value


def _version_left(one: AuditEntry) -> int | None:
    """Return the number under which the change left the old wording in the history."""
    before, after = one.before or {}, one.after or {}
    number = before.get("version")
    return number if isinstance(number, int) and number != after.get("version") else None


def _version_before(number: int, latest_first: Iterable[AuditEntry]) -> int | None:
    """Return the memory's version number before these changes; None where they don't lead to the present one."""
    for one in latest_first:
        before, after = one.before or {}, one.after or {}
        if "version" in after:
            if after["version"] != number or not isinstance(before.get("version"), int):
                return None
            number = cast(int, before["version"])
    return number


def _is_birth(one: AuditEntry) -> bool:
    """Return whether the entry made a memory; of one that was emptied since there is nothing left."""
    return one.action in _BIRTHS and (
        one.action is Action.REMEMBER or (one.before is None and one.after is not None)
    )


def _taken_back(unit: Unit, memory: Memory, one: AuditEntry, *, keeps_time: bool) -> Memory:
    """Return the memory with its fields as they were before that change."""
    said = {name: _still(unit, name, value) for name, value in (one.before or {}).items() if name in MEMORY}
    if keeps_time:
        said.pop("updated_at", None)
    values = {name: MEMORY[name].read(value, name) for name, value in said.items()}
    return replace(memory, **values)


def _edge(after: Mapping[str, object]) -> Connection:
    source, target, relation = (str(after[name]) for name in ("source", "target", "relation"))
    return Connection(source=source, target=target, relation=relation, created_at=EPOCH)
