"""Which messages that are left tell of what was forgotten still: the receipt of a forget names them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Set
from itertools import islice, product

from reverie.domain.query import Filter
from reverie.errors import StoreError
from reverie.language import terms
from reverie.memory.forgetting import Gone, gone_of, still_telling
from reverie.ports.search import Probe
from reverie.services.runtime import Desk, read_again

_log = logging.getLogger("reverie.forget")

MOST_READ, MOST_TEXTS, MOST_MESSAGES, AT_ONCE = 1_000, 400, 100, 20
"""So many of the texts that went are read, and of so many is it looked for, of so many of them at once where more than
that went, each time among twice so many messages: those that have the rarest of their words.
"""


def echoes(
    desk: Desk, agent_id: str, texts: Iterable[str], also: Set[str] = frozenset()
) -> tuple[str, ...] | None:  # fmt: skip
    """Return the ids of the messages of the bank that hold what tells of one of the texts, and of those ``also`` named,
    in order of time; None where it can't be searched just now.
    """
    try:
        return still_told(desk, agent_id, texts, also)
    except StoreError as error:
        _log.warning("what tells still of what was forgotten was not looked up: %s", type(error).__name__)
        return None


@read_again
def still_told(desk: Desk, agent_id: str, texts: Iterable[str], also: Set[str]) -> tuple[str, ...]:
    """See ``echoes``. Raise StoreError."""
    view = desk.search.view(agent_id)
    names = frozenset(term for name in view.speakers for term in terms(name))
    told = (gone_of(text, names) for text in islice(dict.fromkeys(texts), MOST_READ))
    gone = [*islice(dict.fromkeys(one for one in told if one.sentences), MOST_TEXTS)]
    width = 1 if len(gone) <= AT_ONCE else AT_ONCE
    found: set[str] = set()
    for start, of in product(
        range(0, len(gone), width), (_telling, _words)
    ):  # or many words would hide rare ones
        probe = Probe(
            filter=Filter(), now=desk.clock(), terms=sorted(of(gone[start : start + width])),
            limit=MOST_MESSAGES, labels=False, context=False,
        )  # fmt: skip
        candidates = view.episodes(probe)
        found.update(id for id, score in zip(candidates.ids, candidates.lexical, strict=True) if score > 0)
    if not found and not also:
        return ()
    with desk.store.read(agent_id) as unit:
        count = unit.episodes.count(Filter())
        left = sorted(unit.episodes.get(found | also).values(), key=lambda one: (one.time, one.id))
    telling_still = {
        *still_telling(gone, {one.id: one.content for one in left if one.id in found}, count),
        *also,
    }
    return tuple(one.id for one in left if one.id in telling_still)


def _telling(gone: Iterable[Gone]) -> set[str]:
    return {word for one in gone for word in one.telling}


def _words(gone: Iterable[Gone]) -> set[str]:
    return {word for one in gone for said in one.sentences for word in said}
