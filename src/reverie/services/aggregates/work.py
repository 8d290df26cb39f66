"""What the background jobs keep: how far they have come, writes that wait for an embedder, records of sleeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reverie.domain.change import Spent
from reverie.domain.queued import QueuedWrite
from reverie.domain.sleep import Act, Rejected, SleepRecord
from reverie.domain.watermark import Watermark
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import Aggregate, Arrival, Incoming, one_by_one, paged
from reverie.services.codecs import (
    COUNT,
    NAME,
    NAMES,
    NUMBER,
    OBJECT,
    TIME,
    WORDS,
    Shape,
    choice,
    each,
    maybe,
    one,
)

_PAGE = 500
_REJECTED = Shape(
    fields={
        "act": choice(Act),
        "reason": WORDS,
        "target": maybe(WORDS),
        "text": maybe(WORDS),
        "round": COUNT,
    },
    make=Rejected,
)
_SPENT = Shape(
    fields={"calls": COUNT, "input_tokens": COUNT, "output_tokens": COUNT, "micro_dollars": NUMBER},
    make=Spent,
)


def queued_writes(unit: Unit) -> Iterator[QueuedWrite]:
    """Return all writes that wait, in their order."""
    return paged(lambda after: unit.outbox.list(limit=_PAGE, after=after))


def _watermarks(unit: Unit) -> Iterator[Watermark]:
    for page in unit.transfer.pages("watermarks"):
        for job, conversation, position, *_ in page:
            yield Watermark(job=str(job), conversation=str(conversation), position=int(str(position)))


def _sleeps(unit: Unit) -> Iterator[SleepRecord]:
    ids = [sleep.id for sleep in paged(lambda before: unit.sleeps.list(limit=_PAGE, before=before))]
    found = (unit.sleeps.get(id) for id in reversed(ids))
    return (sleep for sleep in found if sleep is not None)


def _advance(unit: Unit, rows: Sequence[Watermark]) -> None:
    for mark in rows:
        unit.watermarks.advance(mark.job, mark.conversation, seen=0, position=mark.position)


def _is_waiting(unit: Unit, rows: Sequence[QueuedWrite]) -> Callable[[QueuedWrite], bool]:
    waiting = {write.id for write in queued_writes(unit)} if rows else set()
    return lambda write: write.id in waiting


def _arrive(unit: Unit, rows: Sequence[Watermark], incoming: Incoming) -> Iterator[Arrival[Watermark]]:
    """Only conversations that come as a whole are known to have been read."""
    for mark in rows:
        name = mark.conversation
        if not incoming.new and unit.conversations.get(name) is not None:
            yield Arrival(key=name, what="known")
        elif name in incoming.rooms:
            yield Arrival(key=name, what="added", row=mark)
        else:
            yield Arrival(key=name, what="left_out")


def _tamed(write: QueuedWrite, incoming: Incoming) -> QueuedWrite:
    """Nothing that was forgotten here comes back by a write that waits."""
    return write if incoming.new else replace(write, payload={**write.payload, "override": False})


def _scrubbed(record: SleepRecord, incoming: Incoming) -> SleepRecord:
    """Return the record as a forget leaves it: what was rejected may say it in other words."""
    if not incoming.anything_forgotten:
        return record
    return replace(record, rejected=tuple(replace(one, text=None) for one in record.rejected), notes=())


WATERMARK: Aggregate[Watermark] = Aggregate(
    name="watermark",
    shape=Shape(fields={"job": NAME, "conversation": NAME, "position": COUNT}, make=Watermark),
    key=lambda mark: ("conversation", mark.job, mark.conversation),
    rows=_watermarks,
    add=_advance,
    arrive=_arrive,
)
QUEUED: Aggregate[QueuedWrite] = Aggregate(
    name="queued",
    shape=Shape(fields={"id": NAME, "at": TIME, "verb": NAME, "payload": OBJECT}, make=QueuedWrite),
    key=lambda write: ("id", write.id),
    rows=queued_writes,
    add=one_by_one(lambda unit: unit.outbox.add),
    is_known=_is_waiting,
    enter=_tamed,
)
SLEEP: Aggregate[SleepRecord] = Aggregate(
    name="sleep",
    shape=Shape(
        fields={
            "id": NAME, "mind": WORDS, "started_at": TIME, "ended_at": TIME, "episodes": NAMES, "clusters": COUNT,
            "rejected": each(_REJECTED, "a list of objects: act, reason, target, text, round"),
            "spent": one(_SPENT, "an object: calls, input_tokens, output_tokens, micro_dollars"),
            "notes": NAMES, "reverted_at": maybe(TIME),
        },
        make=SleepRecord,
    ),
    key=lambda sleep: ("id", sleep.id),
    rows=_sleeps,
    add=one_by_one(lambda unit: unit.sleeps.add),
    is_log=True,
    is_known=lambda unit, _rows: lambda sleep: unit.sleeps.get(sleep.id) is not None,
    enter=_scrubbed,
)  # fmt: skip
