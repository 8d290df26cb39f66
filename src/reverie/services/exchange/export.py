"""Export one agent's bank as lines of JSON, whole and readable by anybody; ``docs/export.md`` describes the format.

All lines come from one state of the bank, a page at a time. What is stored only to be fast, or belongs to the place
where the bank lies, is left out: caches, indexes, leases, what models cost.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import numpy as np

from reverie.domain.ids import checked_name
from reverie.domain.text import checked_switch
from reverie.errors import Busy, InvalidInput
from reverie.ports.aggregates import Vector
from reverie.ports.store import Unit
from reverie.services.aggregates import AGGREGATES, line_object
from reverie.services.codecs import (
    END,
    FORMAT,
    HEADER,
    VERSION,
    Header,
    KeptEpisode,
    KeptMemory,
    KeptVersion,
    Profile,
    Room,
    line_of,
)
from reverie.services.runtime import Desk, batches

_PAGE = 500
_ALL_RUNS = 1 << 31
_NOT_CANONICAL = frozenset({HEADER, END, "watermark"})
_TOUCHES = frozenset({"touches", "last_touched_at"})

Entry = Mapping[str, object]


def export(
    desk: Desk, agent_id: str, *, with_log: bool = True, with_vectors: bool = False
) -> Iterator[Entry]:
    """Yield the lines of the agent's bank as JSON objects, the header first and the counts and the checksum last.

    ``with_log``: the audit log and the records of sleeps too. ``with_vectors``: the embeddings too, so that an import
    needn't compute them. The bank is read while the lines are taken: take them all, or close the iterator. Raise
    InvalidInput for an agent that has never written, StoreError for one that is half copied.
    """
    checked_name(agent_id, "agent")
    checked_switch(with_log, "with_log")
    checked_switch(with_vectors, "with_vectors")
    with suppress(Busy):  # what this process has not written yet, else it is left out
        desk.touches.flush()
    with desk.reading(agent_id) as unit:
        if unit.agents.get() is None:
            raise InvalidInput("agent", f"{agent_id!r} has never written", "name an agent that is there")
    return _sealed(_lines(desk, agent_id, with_log=with_log, with_vectors=with_vectors))


def canonical(desk: Desk, agent_id: str) -> tuple[str, ...]:
    """Return the bank as sorted lines that are equal where two banks are, nothing for an agent that has never written.

    Names, log, vectors, counters, watermarks and touches are left out.
    """
    with desk.reading(agent_id) as unit:
        if unit.agents.get() is None:
            return ()
    lines = _lines(desk, agent_id, with_log=False, with_vectors=False)
    kept = ({name: item for name, item in one.items() if name not in _TOUCHES} for one in lines)
    return tuple(sorted(line_of(one) for one in kept if one["type"] not in _NOT_CANONICAL))


def seal(counts: Mapping[str, int], digest: str) -> Entry:
    """Return the last line's object."""
    return {"type": END, "counts": dict(counts), "sha256": digest}


def _sealed(lines: Iterator[Entry]) -> Iterator[Entry]:
    digest, counts = hashlib.sha256(), Counter[str]()
    for one in lines:
        digest.update(f"{line_of(one)}\n".encode())
        counts[str(one["type"])] += 1
        yield one
    yield seal(counts, digest.hexdigest())


def _lines(desk: Desk, agent_id: str, *, with_log: bool, with_vectors: bool) -> Iterator[Entry]:
    with desk.reading(agent_id) as unit:
        agent = unit.agents.get()
        assert agent is not None
        yield line_object(HEADER, _header(desk, unit, agent_id, with_log=with_log, with_vectors=with_vectors))
        yield line_object("profile", Profile(agent=agent, secret=unit.agents.secret()))
        yield from (line_object("conversation", one) for one in _rooms(unit))
        yield from (line_object("episode", one) for one in _episodes(unit, with_vectors=with_vectors))
        yield from (line_object("memory", one) for one in _memories(unit, with_vectors=with_vectors))
        yield from _connections(unit)
        for aggregate in AGGREGATES:
            if with_log or not aggregate.is_log:
                yield from (line_object(aggregate.name, row) for row in aggregate.rows(unit))


def _header(desk: Desk, unit: Unit, agent_id: str, *, with_log: bool, with_vectors: bool) -> Header:
    embedder, dimensions = unit.agents.embedder() or (None, None)
    return Header(
        format=FORMAT, version=VERSION, agent=agent_id, exported_at=desk.clock(), embedder=embedder,
        dimensions=dimensions, vectors=with_vectors, log=with_log,
    )  # fmt: skip


def _rooms(unit: Unit) -> Iterator[Room]:
    after: str | None = None
    while page := unit.conversations.list(limit=_PAGE, after=after):
        after = page[-1].id
        positions = unit.conversations.next_positions([room.id for room in page])
        yield from (Room(id=one.id, channel=one.channel, next_position=positions[one.id]) for one in page)


def _episodes(unit: Unit, *, with_vectors: bool) -> Iterator[KeptEpisode]:
    for ids in _ids(unit, "episodes"):
        vectors = unit.episodes.vectors(ids) if with_vectors else {}
        known = unit.episodes.get(ids)
        yield from (KeptEpisode(episode=known[id], vector=vectors.get(id)) for id in ids)


def _memories(unit: Unit, *, with_vectors: bool) -> Iterator[KeptMemory]:
    past: dict[tuple[str, int], Vector] = {}
    for page in unit.transfer.pages("memory_versions") if with_vectors else ():
        past |= {(str(row[0]), int(str(row[1]))): np.frombuffer(bytes(row[-1]), dtype="<f4") for row in page}  # type: ignore[arg-type]  # a vector's bytes
    for ids in _ids(unit, "memories"):
        yield from memories_with_all(unit, ids, with_vectors=with_vectors, past=past)


def _connections(unit: Unit) -> Iterator[Entry]:
    seen: set[tuple[str, str, str]] = set()
    for ids in _ids(unit, "memories"):
        for edge in unit.memories.connections(ids):
            key = (edge.source, edge.target, edge.relation)
            if key not in seen:
                seen.add(key)
                yield line_object("connection", edge)


def _ids(unit: Unit, table: str) -> Iterator[Sequence[str]]:
    """Yield ids in the order of storing, a page at a time."""
    return batches(unit.transfer.order(table), _PAGE)


def memories_with_all(
    unit: Unit,
    ids: Sequence[str],
    *,
    with_vectors: bool = False,
    past: Mapping[tuple[str, int], Vector] | None = None,
) -> Iterator[KeptMemory]:
    """Yield those of these memories that are there, in this order, each with all that hangs on it."""
    known, past = unit.memories.get(ids), past or {}
    vectors = unit.memories.vectors(ids) if with_vectors else {}
    histories, steps = unit.memories.histories(ids), unit.procedures.get(ids)
    achieved, dues = unit.goals.achieved(ids), unit.dues.get(ids)
    for id in ids:
        if id not in known:
            continue
        yield KeptMemory(
            memory=known[id],
            versions=tuple(
                KeptVersion(version=one, vector=past.get((id, one.version))) for one in histories.get(id, ())
            ),
            steps=steps.get(id),
            runs=tuple(unit.procedures.runs(id, limit=_ALL_RUNS)) if id in steps else (),
            achieved=achieved.get(id),
            due=dues.get(id),
            vector=vectors.get(id),
        )
