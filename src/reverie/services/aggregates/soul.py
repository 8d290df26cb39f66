"""Soul entries: who the agent is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from reverie.domain.audit import Action
from reverie.domain.link import Include
from reverie.domain.soul import SoulEntry
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import Aggregate, LiesIn, Losing, Told, one_by_one
from reverie.services.codecs import NAME, TEXT, TIME, Shape


def _is_known(unit: Unit, _rows: Sequence[SoulEntry]) -> Callable[[SoulEntry], bool]:
    there = unit.soul.list()
    known = {one.id for one in there} | {one.text.casefold() for one in there}
    return lambda one: one.id in known or one.text.casefold() in known


def _lose(unit: Unit, lies_in: LiesIn) -> Losing[SoulEntry]:
    gone = {one.id: one.text for one in unit.soul.list() if lies_in(one.created_at)}
    return Losing(left=dict.fromkeys(gone), texts=tuple(gone.values()), names=tuple(gone))


def _tell(unit: Unit, _owner: str) -> Iterator[Told]:
    for one in unit.soul.list():
        yield Told(source_id=one.id, text=one.text, at=one.created_at, tags=("soul",))


SOUL: Aggregate[SoulEntry] = Aggregate(
    name="soul",
    shape=Shape(fields={"id": NAME, "text": TEXT, "created_at": TIME}, make=SoulEntry),
    key=lambda one: ("id", one.id),
    rows=lambda unit: unit.soul.list(),
    add=one_by_one(lambda unit: unit.soul.add),
    is_known=_is_known,
    texts=lambda one: (one.text,),
    lose=_lose,
    remove=one_by_one(lambda unit: unit.soul.remove),
    action=Action.SOUL,
    log_outlives=True,
    include=Include.SOUL,
    tell=_tell,
)
