"""What of a stranger's export may enter a bank: what it says, as external text; nothing that steers the agent.

A file that isn't the owner's own may name itself anybody's word. So its memories and messages become external, whatever
they say of themselves; and what an agent acts on, or what a revert would restore from, stays out: soul, diary,
relationships, neural links, profile, queued writes, the log, tombstones. Its messages form conversations of their own,
so that none of them stands in one that the agent is having. Vectors are computed anew.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from reverie.domain.episode import Episode
from reverie.domain.ids import MAX_NAME
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.trust import SourceTrust
from reverie.services.codecs import KeptEpisode, KeptMemory
from reverie.services.exchange.bank_file import Contents
from reverie.services.link import NOTHING_LEFT

Kept = TypeVar("Kept")
_BESIDE = "imported: "


def distrusted(contents: Contents) -> Contents:
    """The contents as external text."""
    episodes = [*_each(_episode(one) for one in contents.episodes)]
    narratives = {one.memory_id for one in contents.summaries}  # a stranger's stand for nothing
    memories = [*_each(_memory(one) for one in contents.memories if one.id not in narratives)]
    left_out = Counter(
        soul=len(contents.soul), queued=len(contents.queued), tombstone=len(contents.tombstones),
        sleep=len(contents.sleeps), audit=len(contents.audit), watermark=len(contents.watermarks),
        summary=len(contents.summaries), diary=len(contents.diary), relationship=len(contents.relationships),
        neural_link=len(contents.links), link_item=len(contents.items), link_block=len(contents.blocked),
        profile=int(contents.profile is not None), episode=len(contents.episodes) - len(episodes),
        memory=len(contents.memories) - len(memories),
    )  # fmt: skip
    return Contents(
        header=contents.header, trusted=False,
        rooms=[replace(one, id=_beside(one.id)) for one in contents.rooms], episodes=episodes, memories=memories,
        connections=contents.connections, left_out=left_out,
    )  # fmt: skip


def _each(values: Iterator[Kept | None]) -> Iterator[Kept]:
    return (one for one in values if one is not None)


def _episode(kept: KeptEpisode) -> KeptEpisode | None:
    said: Episode = kept.episode
    if said.content == NOTHING_LEFT:
        return None
    lowered = replace(
        said, conversation=_beside(said.conversation), source_trust=SourceTrust.EXTERNAL, consolidated_at=None
    )
    return KeptEpisode(episode=lowered)


def _memory(kept: KeptMemory) -> KeptMemory | None:
    known: Memory = kept.memory
    if known.essence == NOTHING_LEFT:
        return None
    lowered = replace(
        known, source_trust=SourceTrust.EXTERNAL, origin=Origin.IMPORT, pinned=False,
        state=State.ACTIVE if known.state is State.SUMMARIZED else known.state,
    )  # fmt: skip
    past = (replace(one, vector=None) for one in kept.versions if one.version.essence != NOTHING_LEFT)
    return replace(kept, memory=lowered, versions=tuple(past), vector=None)


def _beside(conversation: str) -> str:
    """The name of a conversation of its own, the same whenever the file is imported."""
    if len(conversation) + len(_BESIDE) > MAX_NAME:
        conversation = hashlib.sha256(conversation.encode()).hexdigest()
    return f"{_BESIDE}{conversation}"
