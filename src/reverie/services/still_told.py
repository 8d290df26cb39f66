"""Which messages that are left tell of what was forgotten still: the receipt of a forget names them."""

from __future__ import annotations

from collections.abc import Iterable

from reverie.domain.query import Filter
from reverie.ports.search import Probe
from reverie.rules.still_told import still_telling, telling
from reverie.services.desk import Desk, read_again

MOST_TEXTS, MOST_MESSAGES = 200, 100
"""Of so many of the texts that went is it looked for, and among so many messages of each: those that have the rarest
of its words.
"""


@read_again
def still_told(desk: Desk, agent_id: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Ids of the messages of the bank that hold what tells of one of the texts, in order of time."""
    view = desk.search.view(agent_id)
    gone = list(dict.fromkeys(telling(text, view.speakers) for text in texts))[:MOST_TEXTS]
    found: set[str] = set()
    for one in filter(None, gone):
        probe = Probe(
            filter=Filter(), now=desk.clock(), terms=sorted(one), limit=MOST_MESSAGES, labels=False,
            context=False,
        )  # fmt: skip
        candidates = view.episodes(probe)
        found.update(id for id, score in zip(candidates.ids, candidates.lexical, strict=True) if score > 0)
    if not found:
        return ()
    with desk.store.read(agent_id) as unit:
        count = unit.episodes.count(Filter())
        left = sorted(unit.episodes.get(found).values(), key=lambda one: (one.time, one.id))
    return still_telling(gone, {one.id: one.content for one in left}, count)
