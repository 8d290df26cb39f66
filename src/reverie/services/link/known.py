"""What the receiver of a link has already of what comes: its own, what it shared itself, what it forgot on purpose."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reverie.domain.link import LINK_CHANNEL, LinkItem, Side
from reverie.domain.memory import Memory, State
from reverie.domain.query import Filter
from reverie.domain.time import from_micros
from reverie.domain.trust import SourceTrust
from reverie.memory.change import merge_obstacle
from reverie.memory.forgetting import tombstone
from reverie.ports.store import Unit
from reverie.services.aggregates import shared_links
from reverie.services.runtime import (
    Desk,
    Likeness,
    anything_forgotten,
    batches,
    forgotten,
    merge_sides,
    message_digest,
)

_COMPARED = Filter(states=frozenset({State.ACTIVE, State.ARCHIVED}))
_BLOCK = 20_000  # vectors of the receiver at once
_PAGE = 1_000
_MOST_CANDIDATES = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class Met:
    """What something is in the receiver's bank: ``own`` stays there whatever becomes of the link."""

    id: str
    own: bool


class Known:
    """By provenance: what came by earlier links from the same agent, and what went the other way."""

    def __init__(self, source: Unit, target: Unit, source_id: str, target_id: str, link_id: str) -> None:
        self._source, self._target = source, target
        self._earlier = [
            one.id
            for one in shared_links(target)
            if one.side is Side.ASKED and one.other == source_id and one.id != link_id
        ]
        brought = [one for one in shared_links(source) if one.side is Side.ASKED]
        self._back = {one.id for one in brought if one.other == target_id}
        self.by_others = any(one.other != target_id for one in brought) or any(
            one.side is Side.ASKED and one.other != source_id for one in shared_links(target)
        )
        """Whether either has something from a third agent, which the other may have too."""

    def met(self, corpus: str, ids: Sequence[str]) -> Mapping[str, Met]:
        """Return those of the source's items that the target has, by the source's ids."""
        found: dict[str, Met] = {}
        if self._back and corpus in ("episodes", "memories"):
            shared = {
                one.id: one.source_id
                for one in self._source.links.items_of(corpus, ids)
                if one.link_id in self._back and not one.own
            }
            there = self._there(corpus, set(shared.values()))
            found = {id: Met(id=one, own=there[one]) for id, one in shared.items() if one in there}
        for link_id in self._earlier:
            for item in self._target.links.copies_of(link_id, corpus, ids):
                found.setdefault(item.source_id, Met(id=item.id, own=item.own))
        return found

    def _there(self, corpus: str, ids: Collection[str]) -> Mapping[str, bool]:
        """Return which of these the target has still, and whether each is its own, not what a link brought it."""
        if corpus == "memories":
            return {id: one.learned_from is None for id, one in self._target.memories.get(ids).items()}
        return {id: one.channel != LINK_CHANNEL for id, one in self._target.episodes.get(ids).items()}


def said_already(target: Unit, said: Mapping[str, tuple[int, str | None, str]]) -> Mapping[str, Met]:
    """Return the target's messages of the same time, speaker and words, by the ids of ``said``: its own, else one that
    came by another link, so that what two agents heard comes once from both.
    """
    here = _by_words(target.transfer.said_at({one[0] for one in said.values()}))
    return {id: here[what] for id, what in said.items() if what in here}


def told_already(target: Unit, told: Mapping[str, tuple[int, str, str]]) -> Mapping[str, Met]:
    """Return the target's memories of the same time of making, kind and essence: copies of one memory."""
    here = _by_words(target.transfer.told_at({one[0] for one in told.values()}))
    return {id: here[what] for id, what in told.items() if what in here}


def _by_words(
    rows: Iterable[tuple[str, int, str | None, str, bool]],
) -> Mapping[tuple[int, str | None, str], Met]:
    """Return what is there, by its words; what is the bank's own goes before what came by a link."""
    return {
        (time, who, text): Met(id=id, own=own)
        for id, time, who, text, own in sorted(rows, key=lambda row: row[4])
    }


class Dead:
    """What the receiver forgot on purpose."""

    def __init__(self, target: Unit) -> None:
        self._unit, self._secret = target, target.agents.secret()
        self.any = anything_forgotten(target)

    def texts(self, texts: Collection[str]) -> frozenset[str]:
        """Return those of the texts that were forgotten."""
        return forgotten(self._unit, texts) if self.any else frozenset()

    def messages(self, said: Mapping[str, tuple[Sequence[str], str | None, int, str]]) -> frozenset[str]:
        """Return those of the messages (under any of some conversations, with ref, time and words) that were."""
        if not self.any:
            return frozenset()
        digests: dict[bytes, set[str]] = {}
        for id, (rooms, ref, time, text) in said.items():
            digests.setdefault(tombstone(self._secret, text), set()).add(id)
            for room in rooms:
                for name in {ref, None}:
                    digests.setdefault(
                        message_digest(self._secret, room, name, from_micros(time), text), set()
                    ).add(id)
        return frozenset(id for digest in self._unit.tombstones.known(digests) for id in digests[digest])


def duplicates(desk: Desk, source: Unit, target: Unit, ids: Sequence[str]) -> Mapping[str, str]:
    """Return which of the source's active and archived memories say what a memory of the target's own says, and which
    that is: the law by which ``remember`` knows a duplicate (``memory.dedupe.guard``), and procedures that are equal
    to the last step.
    """
    compared = set(source.memories.ids(_COMPARED, now=desk.clock()))
    wanted = [id for id in ids if id in compared]
    own = target.links.own_memories()
    near: dict[str, list[tuple[float, str]]] = {}
    for block in batches(own, _BLOCK):
        known = target.memories.vectors(block)
        likeness = Likeness(np.stack([known[id] for id in block]))
        del known
        for some in batches(wanted, _PAGE):
            vectors = source.memories.vectors(some)
            pairs = likeness.near(
                np.stack([vectors[id] for id in some]), desk.settings.remember.duplicate_cosine
            )
            for row, place, cosine in pairs:
                near.setdefault(some[row], []).append((-cosine, block[place]))
    found: dict[str, str] = {}
    for page in batches([*near], _PAGE):
        nearest = {id: [own for _, own in sorted(near[id])[:_MOST_CANDIDATES]] for id in page}
        found |= _same(source, target, nearest)
    return found


def _same(source: Unit, target: Unit, near: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    ours = merge_sides(target, {id for each in near.values() for id in each})
    found: dict[str, str] = {}
    for id, new in merge_sides(source, near).items():
        lowered: Memory = replace(
            new.memory, source_trust=SourceTrust.EXTERNAL, pinned=False, learned_from=None
        )
        coming = replace(new, memory=lowered)
        if new.has_steps:
            same = _same_steps(source, target, id)
        else:
            same = next((own for own in near[id] if merge_obstacle(ours[own], coming) is None), None)
        if same is not None:
            found[id] = same
    return found


def _same_steps(source: Unit, target: Unit, id: str) -> str | None:
    steps = source.procedures.get([id])[id]
    known = target.procedures.named(steps.name)
    return known.memory_id if known is not None and known.steps == steps.steps else None


def item(link_id: str, corpus: str, source_id: str, met: Met) -> LinkItem:
    """Return what is noted of it."""
    return LinkItem(link_id=link_id, corpus=corpus, source_id=source_id, id=met.id, own=met.own)
