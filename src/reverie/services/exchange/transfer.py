"""copy: agents' banks, whole, from one store into another, engine to engine.

Of each agent one state of the source is read, however long it takes. Its rows come in pages, each a transaction of its
own at the destination, so a copy that was killed goes on behind the last page. The agent's own row comes last, in a
transaction that compares counts and checksums of every table on both sides first: until then the agent isn't there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from reverie.domain.ids import checked_name
from reverie.domain.outcome import Copied
from reverie.errors import Busy, InvalidInput, StoreError
from reverie.ports.store import Unit
from reverie.ports.transfer import AGENT, Copying, Part, RawRow
from reverie.services.exchange.tally import Tally
from reverie.services.runtime import Desk, Progress

_MANY = 500
"""About so many rows go in one transaction."""

Tallies = dict[str, Tally]
Piece = tuple[str, Sequence[RawRow]]


def copy(
    source: Desk,
    target: Desk,
    agents: Iterable[str] | str | None = None,
    *,
    on_progress: Progress | None = None,
) -> tuple[Copied, ...]:
    """Copy these agents, or all. Raise InvalidInput, StoreError; agents before the one that fails are whole."""
    one, other = source.store.info(), target.store.info()
    if source.store is target.store or (one.engine, one.where) == (other.engine, other.where):
        raise InvalidInput("destination", "it is the source itself", "give another file or database")
    with suppress(Busy):  # what this process has not written yet, else it is left out
        source.touches.flush()
    wanted = _wanted(source, agents)
    sizes = {agent_id: _size(source, target, agent_id) for agent_id in wanted}
    report = _Report(tell=on_progress, total=sum(sizes.values()))
    done = []
    for agent_id in wanted:
        done.append(_copy_agent(source, target, agent_id, report.rows))
        report.settle(sizes[agent_id])
    if any(one.written for one in done):
        target.store.catch_up()  # who comes next should not find it slow
    return tuple(done)


def abandon(desk: Desk, agent_id: str) -> None:
    """Delete what an unfinished copy of this agent has left here. Do nothing where there is none."""
    with desk.store.read(agent_id) as unit:
        if unit.transfer.under_way() is None:
            return

    def clear(unit: Unit) -> None:
        if unit.transfer.under_way() is not None:
            _clear(unit)
            unit.transfer.abandon()

    desk.store.transact(agent_id, clear)


def _clear(unit: Unit) -> None:
    for table in unit.transfer.tables(Part.REVISED, Part.UNREVISED, Part.CACHE):
        unit.transfer.clear(table)


@dataclass(kw_only=True, slots=True)
class _Report:
    """Progress over all agents; what was written meanwhile doesn't take it past the end."""

    tell: Progress | None
    total: int
    settled: int = 0
    now: int = 0

    def rows(self, count: int) -> None:
        self.now += count
        if self.tell is not None:
            self.tell(min(self.now, self.total), self.total)

    def settle(self, count: int) -> None:
        self.settled += count
        self.now = self.settled
        self.rows(0)


def _wanted(source: Desk, agents: Iterable[str] | str | None) -> Sequence[str]:
    known = source.store.agent_ids()
    if agents is None:
        return known
    given = [agents] if isinstance(agents, str) else list(agents)
    wanted = list(dict.fromkeys(checked_name(agent_id, "agents") for agent_id in given))
    for agent_id in wanted:
        if agent_id not in known:
            raise InvalidInput("agents", f"the source has no agent {agent_id!r}", "choose from its agents")
    return wanted


def _size(source: Desk, target: Desk, agent_id: str) -> int:
    """Return how many rows the agent has. Raise InvalidInput, before anything is copied, where another has its name."""
    with source.store.read(agent_id) as old, target.store.read(agent_id) as new:
        if new.agents.get() is not None:
            if new.agents.secret() != old.agents.secret():
                raise _taken(agent_id, "another agent of that name is there")
            if new.agents.rev() != old.agents.rev():
                raise _taken(agent_id, "it is there, and one of the two has changed since it was copied")
        copied = old.transfer.tables(Part.REVISED, Part.UNREVISED, Part.AGENT)
        return sum(map(old.transfer.count, copied))


def _taken(agent_id: str, problem: str) -> InvalidInput:
    return InvalidInput(
        "destination",
        f"agent {agent_id!r}: {problem}; nothing of it was changed",
        "copy to another file or database, or name the other agents alone",
    )


def _copy_agent(source: Desk, target: Desk, agent_id: str, advance: Callable[[int], None]) -> Copied:
    with source.store.read(agent_id) as old:
        copying = _AgentCopy(
            target=target, agent_id=agent_id, old=old, advance=advance,
            copying=Copying(
                source=hashlib.sha256(b"reverie copy " + old.agents.secret()).digest(), rev=old.agents.rev(),
                holder=target.ids(target.clock()), started_at=target.clock(),
            ),
        )  # fmt: skip
        with target.store.read(agent_id) as new:
            if new.agents.get() is not None:
                return _there_already(agent_id, old, new, advance)
        if copying.begin(resume=True):
            with suppress(_Differs):  # it was changed without a new revision: what is there is of no use
                return copying.run()
            copying.begin(resume=False)
        return copying.run()


def _there_already(agent_id: str, old: Unit, new: Unit, advance: Callable[[int], None]) -> Copied:
    """What has no revision aside: each side counts it for itself. Raise InvalidInput unless the rest is equal."""
    tallies = {}
    for table in old.transfer.tables(Part.REVISED, Part.AGENT):
        tallies[table] = _tally(old, table, advance)
        if not tallies[table].agrees_with(_tally(new, table)):
            raise _taken(agent_id, f"it is there, with other contents in {table}")
    return _copied(agent_id, tallies, written=0)


def _tally(unit: Unit, table: str, advance: Callable[[int], None] | None = None) -> Tally:
    tally = Tally()
    for page in unit.transfer.pages(table):
        tally.add(page)
        if advance is not None:
            advance(len(page))
    return tally


def _copied(agent_id: str, tallies: Mapping[str, Tally], *, written: int) -> Copied:
    return Copied(
        agent_id=agent_id,
        rows={table: tally.rows for table, tally in tallies.items()},
        checksums={table: tally.checksum for table, tally in tallies.items()},
        written=written,
    )


class _Differs(StoreError):
    """Source and destination don't agree after all."""

    def __init__(self, agent_id: str, table: str) -> None:
        super().__init__(
            f"the copy of agent {agent_id!r} differs from its source in {table} and was not finished;"
            " check both (`reverie check`) and copy again"
        )


@dataclass(kw_only=True, slots=True)
class _AgentCopy:
    """One agent on its way; ``old`` is one state of the source."""

    target: Desk
    agent_id: str
    old: Unit
    copying: Copying
    advance: Callable[[int], None]
    written: int = 0
    tallies: Tallies = field(default_factory=dict)

    def begin(self, *, resume: bool) -> bool:
        """Take hold of the destination. Whether there is something to go on behind; else nothing is left there."""

        def take(new: Unit) -> bool:
            known = new.transfer.under_way()
            same = (self.copying.source, self.copying.rev)
            goes_on = resume and known is not None and (known.source, known.rev) == same
            new.transfer.hold(self.copying)
            if not goes_on:
                _clear(new)
            return goes_on

        return self.target.store.transact(self.agent_id, take)

    def run(self) -> Copied:
        """Copy what is missing. Raise _Differs."""
        self.written, self.tallies = 0, {}
        held: list[Piece] = []
        for piece in self._missing():
            held.append(piece)
            if sum(len(rows) for _, rows in held) >= _MANY:
                self._write(held)
                held = []
        self._finish(held)
        return _copied(self.agent_id, self.tallies, written=self.written)

    def _missing(self) -> Iterator[Piece]:
        """Yield what the destination hasn't got yet; what it has must be how the source's rows begin."""
        for table in self.old.transfer.tables(Part.REVISED):
            with self.target.store.read(self.agent_id) as new:
                there, last = new.transfer.count(table), new.transfer.last(table)
            tally = self.tallies[table] = Tally()
            for page in self.old.transfer.pages(table):
                known = min(max(there - tally.rows, 0), len(page))
                if known and tally.rows + known == there and page[known - 1] != last:
                    raise _Differs(self.agent_id, table)
                tally.add(page)
                self.advance(len(page))
                if known < len(page):
                    yield table, page[known:]
            if tally.rows < there:
                raise _Differs(self.agent_id, table)

    def _write(self, pieces: Sequence[Piece]) -> None:
        self.target.store.transact(self.agent_id, lambda new: self._put(new, pieces))
        self.written += sum(len(rows) for _, rows in pieces)

    def _put(self, new: Unit, pieces: Sequence[Piece]) -> None:
        known = new.transfer.under_way()
        if known is None or known.holder != self.copying.holder:
            raise StoreError(
                f"another copy of agent {self.agent_id!r} into this destination has taken over; let that one end"
            )
        for table, rows in pieces:
            new.transfer.add(table, rows)

    def _finish(self, pieces: Sequence[Piece]) -> None:
        """The last pages, what has no revision, the comparison, and with it the agent itself: all or nothing."""
        unrevised = {table: self._all(table) for table in self.old.transfer.tables(Part.UNREVISED)}
        agent = self._all(AGENT)

        def finish(new: Unit) -> None:
            self._put(new, pieces)
            for table, rows in unrevised.items():
                new.transfer.clear(table)
                new.transfer.add(table, rows)
            new.transfer.finish(agent[0])
            for table, tally in self.tallies.items():
                if not tally.agrees_with(_tally(new, table)):
                    raise _Differs(self.agent_id, table)

        self.target.store.transact(self.agent_id, finish)
        self.written += sum(map(len, [*(rows for _, rows in pieces), *unrevised.values(), agent]))

    def _all(self, table: str) -> list[RawRow]:
        tally = self.tallies[table] = Tally()
        rows = [row for page in self.old.transfer.pages(table) for row in page]
        tally.add(rows)
        self.advance(len(rows))
        return rows
