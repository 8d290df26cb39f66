"""Which messages that are left tell of what was forgotten still: the receipt of a forget names them."""

from __future__ import annotations

from collections.abc import Iterable

from reverie.domain.query import Filter
from reverie.ports.search import Probe
from reverie.rules.still_told import still_telling, telling
from reverie.services.desk import Desk, read_again

MOST_TEXTS, MOST_MESSAGES, AT_ONCE = 400, 100, 20
"""Of so many of the texts that went is it looked for, of so many of them at once where more than that went, each time
among so many messages: those that have the rarest of their words.
"""


@read_again
def still_told(desk: Desk, agent_id: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Ids of the messages of the bank that hold what tells of one of the texts, in order of time."""
    view = desk.search.view(agent_id)
    told = dict.fromkeys(telling(text, view.speakers) for text in texts)
    gone = [one for one in told if one][:MOST_TEXTS]
    width = 1 if len(gone) <= AT_ONCE else AT_ONCE
    found: set[str] = set()
    for start in range(0, len(gone), width):
        probe = Probe(
            filter=Filter(), now=desk.clock(), terms=sorted(frozenset().union(*gone[start : start + width])),
            limit=MOST_MESSAGES, labels=False, context=False,
        )  # fmt: skip
        candidates = view.episodes(probe)
        found.update(id for id, score in zip(candidates.ids, candidates.lexical, strict=True) if score > 0)
    if not found:
        return ()
    with desk.store.read(agent_id) as unit:
        count = unit.episodes.count(Filter())
        left = sorted(unit.episodes.get(found).values(), key=lambda one: (one.time, one.id))
    return still_telling(gone, {one.id: one.content for one in left}, count)
