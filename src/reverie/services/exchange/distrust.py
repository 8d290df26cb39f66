"""Reduce a stranger's export to what may enter a bank: what it says, as external text; nothing that steers the agent.

A file that isn't the owner's own may claim to be anybody's word. So its memories and messages become external, whatever
they say of themselves. Every aggregate stays out: an agent acts on it, or a revert would restore from it. The file's
messages form conversations of their own, so that none of them stands in one that the agent is having. Vectors are
computed anew.
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
_IMPORTED = "imported: "


def distrusted(contents: Contents) -> Contents:
    """Return the contents as external text."""
    episodes = [*_each(_episode(one) for one in contents.episodes)]
    narratives = {one.memory_id for one in contents.of("summary")}  # a stranger's stand for nothing
    memories = [*_each(_memory(one) for one in contents.memories if one.id not in narratives)]
    left_out = Counter({name: len(rows) for name, rows in contents.rows.items()})
    left_out.update(
        profile=int(contents.profile is not None), episode=len(contents.episodes) - len(episodes),
        memory=len(contents.memories) - len(memories),
    )  # fmt: skip
    return Contents(
        header=contents.header, trusted=False,
        rooms=[replace(one, id=_name_apart(one.id)) for one in contents.rooms], episodes=episodes, memories=memories,
        connections=contents.connections, left_out=left_out,
    )  # fmt: skip


def _each(values: Iterator[Kept | None]) -> Iterator[Kept]:
    return (one for one in values if one is not None)


def _episode(kept: KeptEpisode) -> KeptEpisode | None:
    said: Episode = kept.episode
    if said.content == NOTHING_LEFT:
        return None
    lowered = replace(
        said,
        conversation=_name_apart(said.conversation),
        source_trust=SourceTrust.EXTERNAL,
        consolidated_at=None,
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


def _name_apart(conversation: str) -> str:
    """Return the name of a conversation of its own, the same whenever the file is imported."""
    if len(conversation) + len(_IMPORTED) > MAX_NAME:
        conversation = hashlib.sha256(conversation.encode()).hexdigest()
    return f"{_IMPORTED}{conversation}"
