"""Who else holds what is forgotten here: the receipt of a forget names them. Their copies are theirs to forget, or go
when the link is revoked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from reverie.domain.link import CORPORA, Include, NeuralLink, Side
from reverie.domain.outcome import Forgot
from reverie.ports.store import Unit
from reverie.services.aggregates import date_of_note, every_link, shared_links
from reverie.services.runtime import Desk, read_again

Held = Mapping[str, Collection[str]]
"""Ids by corpus."""


@read_again
def holders(desk: Desk, agent_id: str, receipt: Forgot, lost: Held) -> tuple[str, ...]:
    """Return what to tell of other agents' copies of what the receipt names, also of those that were passed on.

    ``lost``: ids of the rows of aggregates that went or changed, by corpus.
    """
    gone = {
        "memories": [*receipt.memories, *receipt.reworded_memories],
        "episodes": [*receipt.episodes, *receipt.rewritten_episodes],
        **lost,
    }
    return tuple(_told(desk, agent_id, gone, {agent_id})) if any(gone.values()) else ()


@read_again
def kept_requests(
    desk: Desk, agent_id: str, since: datetime | None = None, until: datetime | None = None
) -> tuple[str, ...]:
    """Return what to tell of messages of that time (``since`` inclusive, ``until`` exclusive) with which the agent
    asked others for a link: these keep them, as lines of their own banks.
    """
    with desk.store.read(agent_id) as unit:
        sent = [
            one
            for one in every_link(unit)
            if one.side is Side.ASKED
            and (since is None or since <= one.asked_at)
            and (until is None or one.asked_at < until)
        ]
    return tuple(_kept(desk, agent_id, sent))


def _kept(desk: Desk, agent_id: str, sent: Sequence[NeuralLink]) -> Iterator[str]:
    for link in sent:
        with desk.store.read(link.other) as unit:
            line = unit.links.get(link.id)
        if line is not None and line.other == agent_id and line.message is not None:
            yield f"agent {link.other} keeps the message of neural link {link.id}; have it forgotten there"


def _told(desk: Desk, agent_id: str, gone: Held, seen: set[str]) -> Iterator[str]:
    with desk.store.read(agent_id) as unit:
        given = [one for one in shared_links(unit) if one.side is Side.RECEIVED]
    for link in given:
        with desk.store.read(link.other) as unit:
            if unit.agents.get() is None:
                yield f"agent {link.other}, who isn't in this store, may hold a copy, by neural link {link.id}"
                continue
            every = [name for names in CORPORA.values() for name in names]
            copies = {name: _copies(unit, link, name, gone.get(name, ())) for name in every}
        count = sum(map(len, copies.values()))
        if not count:
            continue
        yield (
            f"agent {link.other} holds a copy of {count:,} of these, by neural link {link.id};"
            " revoke the link, or have them forgotten there"
        )
        if link.other not in seen:
            there = {
                corpus: [id for came in names for id in copies[came]] for corpus, names in CORPORA.items()
            }
            yield from _told(desk, link.other, there, {*seen, link.other})


def _copies(unit: Unit, link: NeuralLink, corpus: str, ids: Collection[str]) -> Sequence[str]:
    if not ids:
        return ()
    if corpus == Include.DIARY:  # what came are notes, what goes are pages
        items = [
            one for one in unit.links.items(link.id, corpus=corpus) if date_of_note(one.source_id) in ids
        ]
    else:
        items = [*unit.links.copies_of(link.id, corpus, ids)]
    return [one.id for one in items if not one.own]
