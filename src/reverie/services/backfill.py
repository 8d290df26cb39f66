"""backfill: what nobody has judged yet is judged now."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from reverie.domain.audit import Action
from reverie.domain.emotion import Emotions
from reverie.domain.outcome import Backfilled
from reverie.errors import InvalidInput
from reverie.ports.store import Unit
from reverie.services.changes import entry, plain
from reverie.services.desk import Desk, Progress, read_again

Judged = Mapping[str, tuple[str, Emotions]]
"""By id: the essence that was read, and its emotions."""


def backfill(desk: Desk, agent_id: str, *, actor: str, progress: Progress | None = None) -> Backfilled:
    """Judges the emotions of the agent's memories that have none, of any state, from their essences.

    In batches of ``Settings.batch``, each a transaction with its audit entries; version, confidence and counters stay.
    It looks for what is unjudged, so after an interruption it goes on where it was. A memory that is revised or judged
    meanwhile by somebody else is left as they left it. Raises InvalidInput where nobody judges, EmbedderMismatch.
    """
    if desk.feel is None:
        raise InvalidInput("Settings.emotions", "it is off: nobody judges here", "open the bank with it on")
    total = _count(desk, agent_id)
    done, seen, after = 0, 0, None
    while found := _judged(desk, agent_id, after):
        done += _keep(desk, agent_id, found, actor=actor)
        seen, after = seen + len(found), max(found)
        if progress is not None:
            progress(min(seen, total), total)
    return Backfilled(judged=done, left=_count(desk, agent_id))


@read_again
def _count(desk: Desk, agent_id: str) -> int:
    with desk.reading(agent_id) as unit:
        return unit.memories.count_unfelt()


@read_again
def _judged(desk: Desk, agent_id: str, after: str | None) -> Judged:
    """The next batch behind that id; empty at the end. Its vectors are read, not made anew."""
    with desk.reading(agent_id) as unit:
        desk.check_embedder(agent_id, unit.agents.embedder())
        ids = unit.memories.unfelt(limit=desk.settings.batch, after=after)
        known = unit.memories.get(ids)
        vectors = unit.memories.vectors(ids)
    if not ids:
        return {}
    essences = [known[id].essence for id in ids]
    felt = desk.felt(essences, np.stack([vectors[id] for id in ids]))
    return {
        id: (essence, one) for id, essence, one in zip(ids, essences, felt, strict=True) if one is not None
    }


def _keep(desk: Desk, agent_id: str, judged: Judged, *, actor: str) -> int:
    """Writes what is still so; gives how many that were."""

    def write(unit: Unit) -> int:
        now = desk.clock()
        there = unit.memories.get(judged)
        felt = {
            id: emotions
            for id, (essence, emotions) in judged.items()
            if id in there and there[id].emotions is None and there[id].essence == essence
        }
        unit.memories.feel(felt, now)
        unit.audit.add(
            [
                entry(
                    desk, Action.JUDGE, id, actor=actor, at=now,
                    before={"emotions": None}, after={"emotions": plain(emotions)}, reason="backfill",
                )
                for id, emotions in felt.items()
            ]
        )  # fmt: skip
        return len(felt)

    return desk.store.transact(agent_id, write)
