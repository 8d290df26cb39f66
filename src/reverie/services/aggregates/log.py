"""The audit log, and digests of what was forgotten."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.memory import NEAR, RELATIONS
from reverie.domain.time import from_micros
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import Aggregate, Arrival, Incoming, paged
from reverie.services.codecs import HEX, NAME, OBJECT, TIME, WORDS, Shape, choice, maybe

_PAGE = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Tombstone:
    """A digest of something forgotten."""

    digest: bytes
    at: datetime


def audit_log(
    unit: Unit, *, job: str | None = None, target: str | None = None, actions: Collection[Action] = ()
) -> Iterator[AuditEntry]:
    """Return the entries of the audit log, all or those of one job, one target or these actions, in their order."""
    return paged(
        lambda after: unit.audit.list(job=job, target=target, actions=actions, limit=_PAGE, after=after)
    )


def standing_log(unit: Unit, target: str) -> Iterator[AuditEntry]:
    """Return the changes of one target, in their order, without those that were undone, alone or with their job."""
    entries = [*audit_log(unit, target=target)]
    undone = {id for one in entries for id in one.undoes}
    jobs: dict[str | None, bool] = {None: False}
    for one in entries:
        if one.job not in jobs:
            jobs[one.job] = any(
                unit.audit.list(job=one.job, target=one.job, actions=[Action.REVERT], limit=1)
            )
        if one.action is not Action.REVERT and one.id not in undone and not jobs[one.job]:
            yield one


def as_forgotten(relation: str) -> str:
    """Return the name of an edge as a forget leaves it: none that a mind gave."""
    return relation if relation in RELATIONS else NEAR


def _is_logged(unit: Unit, rows: Sequence[AuditEntry]) -> Callable[[AuditEntry], bool]:
    there = unit.audit.known([entry.id for entry in rows])
    return lambda entry: entry.id in there


def _tombstones(unit: Unit) -> Iterator[Tombstone]:
    for page in unit.transfer.pages("tombstones"):
        for digest, at in page:
            assert isinstance(digest, bytes | memoryview)
            yield Tombstone(digest=bytes(digest), at=from_micros(int(str(at))))


def _keep(unit: Unit, rows: Sequence[Tombstone]) -> None:
    for stone in rows:
        unit.tombstones.add([stone.digest], stone.at)


def _arrive(unit: Unit, rows: Sequence[Tombstone], incoming: Incoming) -> Iterator[Arrival[Tombstone]]:
    known = unit.tombstones.known({stone.digest for stone in rows})
    for stone in rows:
        if not incoming.same_secret:
            yield Arrival(key="", what="left_out")  # they mean nothing here
        elif stone.digest in known:
            yield Arrival(key="", what="known")
        else:
            yield Arrival(key="", what="added", row=stone)


TOMBSTONE: Aggregate[Tombstone] = Aggregate(
    name="tombstone",
    shape=Shape(fields={"digest": HEX, "at": TIME}, make=Tombstone),
    key=lambda stone: ("digest", stone.digest),
    rows=_tombstones,
    add=_keep,
    arrive=_arrive,
)


def audit_of(rows: Iterable[Aggregate[Any]]) -> Aggregate[AuditEntry]:
    """Declare the audit log of these aggregates."""
    told = {one.action: one.log_texts for one in rows if one.action is not None}

    def texts(entry: AuditEntry) -> Iterator[str]:
        for payload in (entry.before, entry.after):
            yield from (value for value in (payload or {}).values() if isinstance(value, str))
        if entry.action in told:
            yield from told[entry.action](entry)

    def scrubbed(entry: AuditEntry, incoming: Incoming) -> AuditEntry:
        """Return the entry without what was forgotten."""
        if entry.target in incoming.gone or any(map(incoming.is_forgotten, texts(entry))):
            return replace(entry, before=None, after=None, reason=None)
        if not incoming.anything_forgotten or entry.job is None:
            return entry
        after = entry.after
        if entry.action is Action.CONNECT and after is not None:
            after = {**after, "relation": as_forgotten(str(after.get("relation")))}
        return replace(entry, after=after, reason=None)  # a mind gave it, in whatever words

    return Aggregate(
        name="audit",
        shape=Shape(
            fields={
                "id": NAME, "at": TIME, "actor": WORDS, "action": choice(Action), "target": WORDS,
                "before": maybe(OBJECT), "after": maybe(OBJECT), "reason": maybe(WORDS), "job": maybe(NAME),
            },
            make=AuditEntry,
        ),
        key=lambda entry: ("id", entry.id),
        rows=audit_log,
        add=lambda unit, rows: unit.audit.add(rows),
        is_log=True,
        is_known=_is_logged,
        texts=texts,
        enter=scrubbed,
    )  # fmt: skip
