"""Which summaries of a file stand in the bank that it is imported into: those of which everything is there that they
stand for. The others stay out, since they may tell what was forgotten here, and what they stood for is active.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from reverie.domain.episode import Episode
from reverie.domain.memory import DERIVED_FROM, State
from reverie.domain.summary import Summary
from reverie.ports.store import Unit
from reverie.services.codecs import KeptEpisode, KeptMemory
from reverie.services.exchange.bank_file import Contents


@dataclass(kw_only=True, slots=True)
class Standing:
    """``added`` summaries, and ``fallen``: memory ids of those that stay out. What the bank has is in neither."""

    added: list[Summary] = field(default_factory=list)
    fallen: set[str] = field(default_factory=set)


def standing(
    unit: Unit,
    contents: Contents,
    same: Mapping[str, str],
    memories: Collection[KeptMemory],
    episodes: Collection[KeptEpisode],
) -> Standing:
    """``same``: what the file's ids are in the bank, without those that stay out; ``memories`` and ``episodes``: what
    enters, as it will be.
    """
    found = Standing()
    coming = {one.id: one for one in memories}
    there = unit.summaries.get([one.memory_id for one in contents.of("summary")])
    members: dict[str, list[str]] = {one.memory_id: [] for one in contents.of("summary")}
    for edge in contents.connections:
        if edge.relation == DERIVED_FROM and edge.source in members:
            members[edge.source].append(edge.target)
    every = {id for some in members.values() for id in some} - coming.keys()
    covered = {id for id, one in unit.memories.get(every).items() if one.state is State.SUMMARIZED}
    sound = coming.keys() | covered
    for one in contents.of("summary"):
        if one.memory_id in there:
            continue
        if (
            one.memory_id in coming
            and all(same.get(id) == id and id in sound for id in members[one.memory_id])
            and (
                not _is_of_messages(one, coming)
                or _is_whole(unit, one, coming[one.memory_id], same, episodes)
            )
        ):
            found.added.append(one)
        else:
            found.fallen.add(one.memory_id)
    while wave := [one for one in found.added if not found.fallen.isdisjoint(members[one.memory_id])]:
        found.fallen.update(one.memory_id for one in wave)
        found.added = [one for one in found.added if one.memory_id not in found.fallen]
    return found


def _is_of_messages(one: Summary, coming: Mapping[str, KeptMemory]) -> bool:
    """One that came by a link may close no conversation, and tells messages all the same."""
    return one.conversation is not None or bool(coming[one.memory_id].memory.source_episodes)


def _is_whole(
    unit: Unit, one: Summary, kept: KeptMemory, same: Mapping[str, str], episodes: Collection[KeptEpisode]
) -> bool:
    """Return whether all messages that it stands for are there, and in its span."""
    ids = kept.memory.source_episodes
    if len(ids) != one.items or any(same.get(id) != id for id in ids):
        return False
    if one.conversation is None:
        return True
    placed: dict[str, Episode] = {
        **unit.episodes.get(ids),
        **{each.episode.id: each.episode for each in episodes},
    }
    first, last = one.first or 0, one.last or 0
    return all(id in placed and first <= placed[id].position <= last for id in ids)


def without_fallen(
    contents: Contents, fallen: Collection[str], standing_ids: Collection[str], memories: list[KeptMemory]
) -> list[KeptMemory]:
    """Return the memories that enter, without these summaries; what these alone stood for is active."""
    loose = {
        edge.target
        for edge in contents.connections
        if edge.relation == DERIVED_FROM and edge.source in fallen
    }
    held = {
        edge.target
        for edge in contents.connections
        if edge.relation == DERIVED_FROM and edge.source in standing_ids
    }
    return [
        replace(one, memory=replace(one.memory, state=State.ACTIVE))
        if one.id in loose - held and one.memory.state is State.SUMMARIZED
        else one
        for one in memories
        if one.id not in fallen
    ]
