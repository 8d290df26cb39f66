"""Neural links, what came by them, and whose requests are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from reverie.domain.link import CORPORA, Include, LinkItem, LinkState, LinkTerms, NeuralLink, Side
from reverie.domain.time import from_micros
from reverie.errors import InvalidInput
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import Aggregate, Arrival, Incoming, one_by_one, paged
from reverie.services.codecs import NAME, NAMES, OBJECT, SWITCH, TEXT, TIME, Shape, choice, maybe

_PAGE = 100
_TERMS = {"include": NAMES, "kinds": NAMES, "scope": maybe(NAME), "tags": NAMES}


@dataclass(frozen=True, kw_only=True, slots=True)
class Blocked:
    """An agent whose requests for a neural link are refused."""

    other: str
    at: datetime


def every_link(unit: Unit) -> Iterator[NeuralLink]:
    """Return all links, newest first."""
    return paged(lambda before: unit.links.list(limit=_PAGE, before=before))


def shared_links(unit: Unit) -> Iterator[NeuralLink]:
    """Return the links by which something was shared and not taken back, newest first."""
    return (one for one in every_link(unit) if one.state is LinkState.ACCEPTED)


def _links(unit: Unit) -> Iterator[NeuralLink]:
    return reversed([*every_link(unit)])


def _items(unit: Unit) -> Iterator[LinkItem]:
    return (item for link in _links(unit) for item in unit.links.items(link.id))


def _blocks(unit: Unit) -> Iterator[Blocked]:
    for page in unit.transfer.pages("link_blocks"):
        for other, at in page:
            yield Blocked(other=str(other), at=from_micros(int(str(at))))


def _block(unit: Unit, rows: Sequence[Blocked]) -> None:
    for one in rows:
        unit.links.block(one.other, one.at)


def _is_blocked(unit: Unit, _rows: Sequence[Blocked]) -> Callable[[Blocked], bool]:
    blocked = set(unit.links.blocked())
    return lambda one: one.other in blocked


def _make(**given: Any) -> NeuralLink:
    terms = {name: given.pop(name) for name in _TERMS}
    try:
        include = tuple(map(Include, terms.pop("include")))
    except ValueError:
        raise InvalidInput("include", "one is not shared that way", f"use {', '.join(Include)}") from None
    return NeuralLink(terms=LinkTerms(include=include, **terms), **given)


def _split(link: NeuralLink) -> Mapping[str, Any]:
    own = {name: getattr(link, name) for name in NeuralLink.__slots__}
    return own | {name: getattr(link.terms, name) for name in _TERMS}


def _ended(link: NeuralLink, _incoming: Incoming) -> NeuralLink:
    """Return the link, expired where nobody has answered it: nobody answers it from another bank."""
    return replace(link, state=LinkState.EXPIRED) if link.state is LinkState.PENDING else link


def _arrive(_unit: Unit, rows: Sequence[LinkItem], incoming: Incoming) -> Iterator[Arrival[LinkItem]]:
    """Of what came by a link that enters, what is here alone."""
    entering = {link.id for link in incoming.rows[NEURAL_LINK.name]}
    ids = {table: incoming.there(table, {one.id for one in rows if one.table == table}) for table in CORPORA}
    for one in rows:
        id = ids[one.table].get(one.id)
        if one.link_id not in entering:
            yield Arrival(key=one.id, what="known")
        elif id is None:
            yield Arrival(key=one.id, what="left_out")
        else:  # it may have met what the bank had
            yield Arrival(key=id, what="added", row=replace(one, id=id, own=one.own or id != one.id))


NEURAL_LINK: Aggregate[NeuralLink] = Aggregate(
    name="neural_link",
    shape=Shape(
        fields={
            "id": NAME, "side": choice(Side), "other": NAME, "state": choice(LinkState), "message": maybe(TEXT),
            "asked_at": TIME, "expires_at": TIME, "decided_at": maybe(TIME), "revoked_at": maybe(TIME),
            **_TERMS, "counts": OBJECT,
        },
        make=_make,
        split=_split,
    ),
    key=lambda one: ("id", one.id),
    rows=_links,
    add=one_by_one(lambda unit: unit.links.put),
    is_known=lambda unit, _rows: lambda link: unit.links.get(link.id) is not None,
    enter=_ended,
)  # fmt: skip
LINK_ITEM: Aggregate[LinkItem] = Aggregate(
    name="link_item",
    shape=Shape(
        fields={"link_id": NAME, "corpus": NAME, "source_id": NAME, "id": NAME, "own": SWITCH}, make=LinkItem
    ),
    key=lambda one: ("source_id", one.link_id, one.corpus, one.source_id),
    rows=_items,
    add=lambda unit, rows: unit.links.add_items(rows),
    arrive=_arrive,
)
LINK_BLOCK: Aggregate[Blocked] = Aggregate(
    name="link_block",
    shape=Shape(fields={"other": NAME, "at": TIME}, make=Blocked),
    key=lambda one: ("other", one.other),
    rows=_blocks,
    add=_block,
    is_known=_is_blocked,
)
