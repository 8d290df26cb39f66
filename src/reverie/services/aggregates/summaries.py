"""Summaries: what a memory that is a summary stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reverie.domain.summary import Summary
from reverie.errors import InvalidInput
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import Aggregate, Arrival, Incoming, one_by_one, paged
from reverie.services.codecs import COUNT, NAME, TIME, Shape, maybe

_PAGE = 500


def _rows(unit: Unit) -> Iterator[Summary]:
    return paged(lambda after: unit.summaries.list(limit=_PAGE, after=after), lambda one: one.memory_id)


def _make(**given: object) -> Summary:
    made = Summary(**given)  # type: ignore[arg-type]  # read by the codecs
    if any((one is None) != (made.conversation is None) for one in (made.first, made.last)):
        raise InvalidInput(
            "conversation", "it comes with first and last, or without them", "give all three or none"
        )
    if made.first is not None and made.last is not None and made.first > made.last:
        raise InvalidInput("last", "it lies before first", "export the bank again")
    return made


def _arrive(unit: Unit, rows: Sequence[Summary], incoming: Incoming) -> Iterator[Arrival[Summary]]:
    """Those stand that are there or whose memory enters with all that it tells; the import has looked at these."""
    there = unit.summaries.get([one.memory_id for one in rows])
    for one in rows:
        if one.memory_id in there:
            yield Arrival(key=one.memory_id, what="known")
        elif one.memory_id in incoming.gone:
            yield Arrival(key=one.memory_id, what="left_out")
        else:
            yield Arrival(key=one.memory_id, what="added", row=one)


SUMMARY: Aggregate[Summary] = Aggregate(
    name="summary",
    shape=Shape(
        fields={
            "memory_id": NAME, "job": NAME, "conversation": maybe(NAME), "first": maybe(COUNT), "last": maybe(COUNT),
            "items": COUNT, "began_at": TIME, "ended_at": TIME, "created_at": TIME,
        },
        make=_make,
    ),
    key=lambda one: ("memory_id", one.memory_id),
    rows=_rows,
    add=one_by_one(lambda unit: unit.summaries.add),
    arrive=_arrive,
)  # fmt: skip
