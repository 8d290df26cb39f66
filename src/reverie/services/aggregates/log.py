"""The audit log, and digests of what was forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.time import from_micros
from reverie.memory.society import told_by
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import Aggregate, paged
from reverie.services.codecs import HEX, NAME, OBJECT, TIME, WORDS, Shape, choice, maybe

_PAGE = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Tombstone:
    """A digest of something forgotten."""

    digest: bytes
    at: datetime


def audit_log(
    unit: Unit, *, job: str | None = None, target: str | None = None, action: Action | None = None
) -> Iterator[AuditEntry]:
    """Return the entries of the audit log, all or those of one job, one target or one action, in their order."""
    actions = () if action is None else (action,)
    return paged(
        lambda after: unit.audit.list(job=job, target=target, actions=actions, limit=_PAGE, after=after)
    )


def texts_of(entry: AuditEntry) -> Iterator[str]:
    """Yield the texts that an entry's before and after hold."""
    for payload in (entry.before, entry.after):
        for value in (payload or {}).values():
            if isinstance(value, str):
                yield value
    body = (entry.after or {}).get("body")
    if entry.action is Action.DIARY and isinstance(body, Mapping):
        yield from told_by(entry.target, body)


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


def _is_kept(unit: Unit, rows: Sequence[Tombstone]) -> Callable[[Tombstone], bool]:
    known = unit.tombstones.known({stone.digest for stone in rows})
    return lambda stone: stone.digest in known


TOMBSTONE: Aggregate[Tombstone] = Aggregate(
    name="tombstone",
    shape=Shape(fields={"digest": HEX, "at": TIME}, make=Tombstone),
    key=lambda stone: ("digest", stone.digest),
    rows=_tombstones,
    add=_keep,
    is_known=_is_kept,
)
AUDIT: Aggregate[AuditEntry] = Aggregate(
    name="audit",
    shape=Shape(
        fields={
            "id": NAME, "at": TIME, "actor": WORDS, "action": choice(Action), "target": WORDS, "before": maybe(OBJECT),
            "after": maybe(OBJECT), "reason": maybe(WORDS), "job": maybe(NAME),
        },
        make=AuditEntry,
    ),
    key=lambda entry: ("id", entry.id),
    rows=audit_log,
    add=lambda unit, rows: unit.audit.add(rows),
    is_log=True,
    is_known=_is_logged,
    texts=texts_of,
)  # fmt: skip
