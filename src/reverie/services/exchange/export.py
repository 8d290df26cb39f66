"""export: one agent's bank as lines of JSON, whole and readable by anybody; ``docs/export.md`` has the format.

All comes from one state of the bank, a page at a time. What is stored only to be fast, or belongs to the place where
the bank lies, is left out: caches, indexes, leases, what models cost.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import numpy as np

from reverie.domain.ids import checked_name
from reverie.domain.link import NeuralLink
from reverie.domain.text import checked_switch
from reverie.domain.time import from_micros
from reverie.domain.watermark import Watermark
from reverie.errors import Busy, InvalidInput
from reverie.ports.aggregates import Vector
from reverie.ports.store import Unit
from reverie.services.codecs import (
    END,
    FORMAT,
    HEADER,
    VERSION,
    Blocked,
    Header,
    KeptEpisode,
    KeptMemory,
    KeptVersion,
    Profile,
    Room,
    Tombstone,
    entry,
    line_of,
)
from reverie.services.runtime import Desk, all_pages

_PAGE = 500
_ALL_RUNS = 1 << 31
_NOT_CANONICAL = frozenset({HEADER, END, "watermark"})
_TOUCHES = frozenset({"touches", "last_touched_at"})

Entry = Mapping[str, object]


def export(
    desk: Desk, agent_id: str, *, with_log: bool = True, with_vectors: bool = False
) -> Iterator[Entry]:
    """The lines of the agent's bank as JSON objects, the header first and the counts and the checksum last.

    ``with_log``: the audit log and the records of sleeps too. ``with_vectors``: the embeddings too, so that an import
    needn't compute them. The bank is read while the lines are taken: take them all, or close the iterator. Raises
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
    """The bank as sorted lines that are equal where two banks are: without names, log, vectors, counters, watermarks
    and touches. Nothing for an agent that has never written.
    """
    with desk.reading(agent_id) as unit:
        if unit.agents.get() is None:
            return ()
    lines = _lines(desk, agent_id, with_log=False, with_vectors=False)
    kept = ({name: item for name, item in one.items() if name not in _TOUCHES} for one in lines)
    return tuple(sorted(line_of(one) for one in kept if one["type"] not in _NOT_CANONICAL))


def seal(counts: Mapping[str, int], digest: str) -> Entry:
    """The last line's object."""
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
        reading = _Reading(unit, with_vectors)
        yield entry(HEADER, _header(desk, unit, agent_id, with_log=with_log, with_vectors=with_vectors))
        yield from reading.rooms()
        yield from reading.episodes()
        yield from reading.memories()
        yield from reading.rest()
        if with_log:
            yield from reading.log()


def _header(desk: Desk, unit: Unit, agent_id: str, *, with_log: bool, with_vectors: bool) -> Header:
    embedder, dimensions = unit.agents.embedder() or (None, None)
    return Header(
        format=FORMAT, version=VERSION, agent=agent_id, exported_at=desk.clock(), embedder=embedder,
        dimensions=dimensions, vectors=with_vectors, log=with_log,
    )  # fmt: skip


class _Reading:
    """One state of a bank, line after line."""

    def __init__(self, unit: Unit, with_vectors: bool) -> None:
        self._unit, self._with_vectors = unit, with_vectors

    def rooms(self) -> Iterator[Entry]:
        """The profile and the conversations."""
        agent = self._unit.agents.get()
        yield entry("profile", Profile(agent=agent, secret=self._unit.agents.secret()))  # type: ignore[arg-type]
        after: str | None = None
        while page := self._unit.conversations.list(limit=_PAGE, after=after):
            after = page[-1].id
            positions = self._unit.conversations.next_positions([room.id for room in page])
            for room in page:
                yield entry(
                    "conversation", Room(id=room.id, channel=room.channel, next_position=positions[room.id])
                )

    def episodes(self) -> Iterator[Entry]:
        """Messages in the order of storing."""
        for ids in self._ids("episodes"):
            vectors = self._unit.episodes.vectors(ids) if self._with_vectors else {}
            known = self._unit.episodes.get(ids)
            for id in ids:
                yield entry("episode", KeptEpisode(episode=known[id], vector=vectors.get(id)))

    def memories(self) -> Iterator[Entry]:
        """Memories in the order of storing, then their edges."""
        past = self._past_vectors()
        for ids in self._ids("memories"):
            for one in memories_with_all(self._unit, ids, with_vectors=self._with_vectors, past=past):
                yield entry("memory", one)
        yield from self._connections()

    def rest(self) -> Iterator[Entry]:
        """What stands beside messages and memories."""
        unit = self._unit
        for soul in unit.soul.list():
            yield entry("soul", soul)
        yield from self._society()
        for page in unit.transfer.pages("watermarks"):
            for job, conversation, position, *_ in page:
                yield entry(
                    "watermark",
                    Watermark(job=str(job), conversation=str(conversation), position=int(str(position))),
                )
        after: str | None = None
        while queued := unit.outbox.list(limit=_PAGE, after=after):
            after = queued[-1].id
            yield from (entry("queued", one) for one in queued)
        for stone in tombstones(unit):
            yield entry("tombstone", stone)

    def _society(self) -> Iterator[Entry]:
        """The diary, every view of others, and what summaries stand for."""
        yield from (entry("diary", page) for page in all_pages(self._unit))
        yield from (entry("relationship", view) for view in self._unit.relationships.history())
        after: str | None = None
        while page := self._unit.summaries.list(limit=_PAGE, after=after):
            after = page[-1].memory_id
            yield from (entry("summary", one) for one in page)
        yield from self._links()

    def _links(self) -> Iterator[Entry]:
        """Neural links, what came by them, and who is blocked."""
        links = [one for page in self._pages_of_links() for one in page]
        yield from (entry("neural_link", one) for one in reversed(links))
        for link in reversed(links):
            yield from (entry("link_item", one) for one in self._unit.links.items(link.id))
        for page in self._unit.transfer.pages("link_blocks"):
            for other, at in page:
                yield entry("link_block", Blocked(other=str(other), at=from_micros(int(str(at)))))

    def _pages_of_links(self) -> Iterator[Sequence[NeuralLink]]:
        before: str | None = None
        while page := self._unit.links.list(limit=_PAGE, before=before):
            before = page[-1].id
            yield page

    def log(self) -> Iterator[Entry]:
        """Sleeps, oldest first, and the audit log."""
        before: str | None = None
        ids: list[str] = []
        while sleeps := self._unit.sleeps.list(limit=_PAGE, before=before):
            before = sleeps[-1].id
            ids += [one.id for one in sleeps]
        for id in reversed(ids):
            yield entry("sleep", self._unit.sleeps.get(id))
        after: str | None = None
        while page := self._unit.audit.list(limit=_PAGE, after=after):
            after = page[-1].id
            yield from (entry("audit", one) for one in page)

    def _ids(self, table: str) -> Iterator[Sequence[str]]:
        """Ids in the order of storing, a page at a time."""
        for page in self._unit.transfer.pages(table):
            if page:
                yield [str(row[0]) for row in page]

    def _past_vectors(self) -> Mapping[tuple[str, int], Vector]:
        if not self._with_vectors:
            return {}
        return {
            (str(row[0]), int(str(row[1]))): np.frombuffer(_bytes(row[-1]), dtype="<f4")
            for page in self._unit.transfer.pages("memory_versions")
            for row in page
        }

    def _connections(self) -> Iterator[Entry]:
        seen: set[tuple[str, str, str]] = set()
        for ids in self._ids("memories"):
            for edge in self._unit.memories.connections(ids):
                key = (edge.source, edge.target, edge.relation)
                if key not in seen:
                    seen.add(key)
                    yield entry("connection", edge)


def memories_with_all(
    unit: Unit,
    ids: Sequence[str],
    *,
    with_vectors: bool = False,
    past: Mapping[tuple[str, int], Vector] | None = None,
) -> Iterator[KeptMemory]:
    """Those of these memories that are there, in this order, each with all that hangs on it."""
    known, past = unit.memories.get(ids), past or {}
    vectors = unit.memories.vectors(ids) if with_vectors else {}
    histories, steps = unit.memories.histories(ids), unit.procedures.get(ids)
    achieved = unit.goals.achieved(ids)
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
            vector=vectors.get(id),
        )


def tombstones(unit: Unit) -> Iterator[Tombstone]:
    """All that were forgotten, by their digests."""
    for page in unit.transfer.pages("tombstones"):
        for digest, at in page:
            yield Tombstone(digest=_bytes(digest), at=from_micros(int(str(at))))


def _bytes(value: object) -> bytes:
    assert isinstance(value, bytes | memoryview)
    return bytes(value)
