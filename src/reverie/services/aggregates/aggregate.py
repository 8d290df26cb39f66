"""What every aggregate declares of itself: how its rows are exported, imported, forgotten and shared by a link."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any, Generic, TypeVar

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.kinds import Kind
from reverie.domain.link import Include
from reverie.ports.store import Unit
from reverie.services.codecs import Shape

Row = TypeVar("Row")
IsForgotten = Callable[[str | None], bool]
LiesIn = Callable[[datetime], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Arrival(Generic[Row]):
    """What becomes of one line of a file: a field of ``domain.imported.Counted``, and the row to write, if any."""

    key: str
    what: str
    row: Row | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Incoming:
    """What an import knows when the rows of an aggregate arrive.

    ``new``: the bank isn't there yet. ``same_secret``: the file's digests mean something here. ``rooms``: conversations
    that get messages of the file. ``rows``: those of the aggregates before that enter, by name. ``there``: what ids of
    the file's memories or episodes are in the bank after the import, without those that are nothing.

    ``is_forgotten`` tells of a text, ``anything_forgotten`` of the bank. ``gone``: ids of rows that stay out.
    """

    new: bool
    same_secret: bool
    rooms: Collection[str]
    rows: Mapping[str, Sequence[Any]]
    there: Callable[[str, Collection[str]], Mapping[str, str]]
    is_forgotten: IsForgotten
    anything_forgotten: bool
    gone: Collection[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Losing(Generic[Row]):
    """What a forget takes of one aggregate.

    ``left`` has the rows that change by id, None where nothing is left of one. ``texts`` are kept from being learned
    again. ``names`` are what the receipt tells. ``logged`` are targets in the audit log that tell of it too.
    """

    left: Mapping[str, Row | None] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    logged: tuple[str, ...] = ()

    @property
    def gone(self) -> tuple[str, ...]:
        """Ids of the rows of which nothing is left."""
        return tuple(id for id, row in self.left.items() if row is None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A row as another agent receives it by a link: a memory, or a message of one conversation, as
    ``domain.link.CORPORA`` says.

    ``source_id`` names the row in its own bank. ``said`` are the row's own words within ``text``.
    """

    source_id: str
    text: str
    at: datetime
    said: tuple[str, ...] = ()
    kind: Kind = Kind.OBSERVATION
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    mood: str | None = None


def paged(
    page_after: Callable[[str | None], Sequence[Row]], id_of: Callable[[Row], str] = attrgetter("id")
) -> Iterator[Row]:
    """Yield rows a page at a time: ``page_after`` returns the page behind a row's id, the first one for None."""
    after: str | None = None
    while page := page_after(after):
        yield from page
        after = id_of(page[-1])


def one_by_one(verb: Callable[[Unit], Callable[[Row], object]]) -> Callable[[Unit, Iterable[Row]], None]:
    """Return what calls a verb of a unit with each row."""

    def done(unit: Unit, rows: Iterable[Row]) -> None:
        for row in rows:
            verb(unit)(row)

    return done


def _never(_unit: Unit, _rows: Sequence[object]) -> Callable[[object], bool]:
    return lambda _row: False


@dataclass(frozen=True, kw_only=True, slots=True)
class Aggregate(Generic[Row]):
    """One kind of row that a bank has beside its messages and memories.

    ``name``: the type of its lines in an export. ``key``: the field and the values that no other line may have too.
    ``rows``: all rows of a bank, in the order of an export. ``add`` writes new rows, or replaces those of their key.

    By an import: ``is_known`` tells of a file's rows whether the bank has them; ``texts``: what a row says, to be
    compared with what was forgotten; ``enter``: the row as it enters (None: ``texts`` decide whether it does);
    ``arrive`` (in place of these): what becomes of a file's rows.

    ``lose``: what a forget of a range of time takes, ``lose_one`` of one item; ``remove`` deletes rows by their ids.
    ``tell``: the rows as ``include`` shares them by a link, under the name of their owner.

    ``action``: the audit log's for its rows. ``log_texts``: what such an entry tells beside its plain texts.
    ``log_outlives``: the entries hold the text of rows that are gone; a forget empties those of a row that was added in
    the range, also later ones.
    """

    name: str
    shape: Shape
    key: Callable[[Row], tuple[Hashable, ...]]
    rows: Callable[[Unit], Iterable[Row]]
    add: Callable[[Unit, Sequence[Row]], None]
    is_log: bool = False
    is_known: Callable[[Unit, Sequence[Row]], Callable[[Row], bool]] = _never
    texts: Callable[[Row], Iterable[str | None]] = lambda _row: ()
    enter: Callable[[Row, Incoming], Row] | None = None
    arrive: Callable[[Unit, Sequence[Row], Incoming], Iterable[Arrival[Row]]] | None = None
    lose: Callable[[Unit, LiesIn], Losing[Row]] | None = None
    lose_one: Callable[[Unit, str], Losing[Row]] = lambda _unit, _key: Losing()
    remove: Callable[[Unit, Collection[str]], None] = lambda _unit, _ids: None
    action: Action | None = None
    log_texts: Callable[[AuditEntry], Iterable[str]] = lambda _entry: ()
    log_outlives: bool = False
    include: Include | None = None
    tell: Callable[[Unit, str], Iterable[Told]] = lambda _unit, _owner: ()

    def arrivals(self, unit: Unit, rows: Sequence[Row], incoming: Incoming) -> Iterator[Arrival[Row]]:
        """Yield what becomes of each row of a file. Rows that are there or that were forgotten don't enter."""
        if self.arrive is not None:
            yield from self.arrive(unit, rows, incoming)
            return
        is_known = self.is_known(unit, rows)
        for row in rows:
            id = str(self.key(row)[1])
            if is_known(row):
                yield Arrival(key=id, what="known")
            elif self.enter is not None:
                yield Arrival(key=id, what="added", row=self.enter(row, incoming))
            elif any(map(incoming.is_forgotten, self.texts(row))):
                yield Arrival(key=id, what="forgotten")
            else:
                yield Arrival(key=id, what="added", row=row)

    def take(self, unit: Unit, losing: Losing[Row]) -> None:
        """Delete and rewrite rows as a forget planned it. Tombstones and the log are the caller's."""
        self.remove(unit, losing.left.keys())
        self.add(unit, [row for row in losing.left.values() if row is not None])
