"""What a neural link brought is trusted by hand, or taken back."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence, Set
from dataclasses import replace
from datetime import datetime

from reverie.domain.audit import Action
from reverie.domain.link import NeuralLink
from reverie.domain.memory import Memory, State
from reverie.domain.trust import SourceTrust
from reverie.errors import StoreError
from reverie.ports.store import Unit
from reverie.services.aggregates import shared_links
from reverie.services.evidence import fallen as fallen_summaries
from reverie.services.evidence import go_back, leave_sleeps, left_of, topple
from reverie.services.runtime import Desk, batches, changed, entry
from reverie.services.soul import rewrite

_log = logging.getLogger("reverie.link")
_PAGE = 500
_WITHOUT = "messages on which it rested were taken back; it says what it says without them"
_APART = "what it was merged into was taken back"


def adopted(desk: Desk, unit: Unit, link: NeuralLink, actor: str) -> int:
    """Trust the memories that came by the link; return how many were not trusted so before."""
    now, count = desk.clock(), 0
    for page in batches(sorted(_brought(unit, link.id)[0]), _PAGE):
        known = [
            one for one in unit.memories.get(page).values() if one.source_trust is not SourceTrust.PRINCIPAL
        ]
        unit.links.entrust([one.id for one in known], SourceTrust.PRINCIPAL, now)
        trust = {"source_trust": str(SourceTrust.PRINCIPAL)}
        unit.audit.add(
            [
                entry(
                    desk, Action.ADOPT, one.id, actor=actor, at=now, before={"source_trust": str(one.source_trust)},
                    after=trust, reason=f"all that came by neural link {link.id}",
                )
                for one in known
            ]
        )  # fmt: skip
        count += len(known)
    return count


def taken_back(desk: Desk, unit: Unit, link_id: str, now: datetime, actor: str) -> None:
    """Take what came by the link out of the receiver's bank, with all that tells it. What the receiver had itself
    stays, and what came by another link that stands. There are no tombstones: it may be shared again.
    """
    memories, episodes = _brought(unit, link_id)
    for other in shared_links(unit):
        if other.id != link_id:
            kept, said = _brought(unit, other.id)
            memories, episodes = memories - kept, episodes - said
    fallen = _left(desk, unit, episodes, memories, now, actor)
    gone = {*memories, *fallen}
    down = fallen_summaries(unit, summaries=gone, memories=gone, episodes=(), gone=gone)
    topple(desk, unit, down, now, actor)
    gone |= down.summaries.keys()
    _awake(desk, unit, gone, now, actor)
    unit.links.drop_items(link_id)
    unit.audit.scrub([*gone, *episodes])
    unit.fresh.forget(memories=gone, episodes=episodes)
    # All at once, in their order: what a bank does about a deletion once, it does once.
    unit.memories.delete(sorted(gone))
    unit.episodes.delete(sorted(episodes))
    unit.digests.clear()
    unit.portraits.clear()
    leave_sleeps(unit)


def tidied(desk: Desk, agent_id: str) -> None:
    """Take what is gone for good out of files too, as a forget does."""
    try:
        desk.store.scour()
    except StoreError as error:
        _log.warning("the file could not be rewritten after a revoke: %s", type(error).__name__)
    rewrite(desk, agent_id)


def _brought(unit: Unit, link_id: str) -> tuple[Set[str], Set[str]]:
    """Return the memories and the episodes that came by the link, not those that were there already."""
    memories: set[str] = set()
    episodes: set[str] = set()
    for one in unit.links.items(link_id):
        if not one.own:
            (episodes if one.table == "episodes" else memories).add(one.id)
    return memories, episodes


def _left(
    desk: Desk, unit: Unit, episodes: Set[str], memories: Set[str], now: datetime, actor: str
) -> Set[str]:
    """Put the receiver's own memories that rest on these messages back to what they say without them; return those of
    which nothing is left.
    """
    fallen: set[str] = set()
    seen: set[str] = set()
    for page in batches(sorted(episodes), _PAGE):
        resting = unit.transfer.among("memory_sources", "episode_id", page)
        others = {str(memory) for memory, _ in resting} - memories - seen
        seen |= others
        history = unit.memories.histories(others)
        for id, memory in unit.memories.get(others).items():
            left = left_of(unit, memory, episodes, history.get(id, ()), now)
            if left.memory is None:
                fallen.add(id)
            elif left.reworded or left.dropped:
                go_back(unit, id, left)
                unit.audit.add([entry(desk, Action.LINK, id, actor=actor, at=now, reason=_WITHOUT)])
    return fallen


def _awake(desk: Desk, unit: Unit, gone: Set[str], now: datetime, actor: str) -> None:
    """Make what was merged into something that goes stand by itself again."""
    for page in batches(sorted(gone), _PAGE):
        for id in _replaced_by(unit, page):
            merged = unit.memories.get([id])[id]
            if id not in gone and merged.state is State.ARCHIVED:
                awake: Memory = replace(merged, state=State.ACTIVE, superseded_by=None, updated_at=now)
                unit.memories.update(awake)
                before, after = changed(merged, awake)
                unit.audit.add(
                    [
                        entry(
                            desk, Action.MERGE, id, actor=actor, at=now, before={**before, "superseded_by": None},
                            after=after, reason=_APART,
                        )
                    ]
                )  # fmt: skip


def _replaced_by(unit: Unit, ids: Collection[str]) -> Sequence[str]:
    edges = unit.memories.connections(ids)
    ends = {end for edge in edges for end in (edge.source, edge.target)} - set(ids)
    return sorted(id for id, one in unit.memories.get(ends).items() if one.superseded_by in set(ids))
