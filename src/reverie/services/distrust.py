"""What of a stranger's export may enter a bank: what it says, as external text; nothing that steers the agent.

A file that isn't the owner's own may name itself anybody's word. So its memories and messages become external, whatever
they say of themselves, and are cleaned as any text that comes in; and what an agent acts on, or what a revert would
restore from, stays out: soul, diary, relationships, neural links, profile, queued writes, the log, tombstones. Its
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
from reverie.services.bank_file import Contents
from reverie.services.bank_values import KeptEpisode, KeptMemory, KeptVersion
from reverie.services.desk import Desk
from reverie.services.redact import clean

Kept = TypeVar("Kept")
_BESIDE = "imported: "


def distrusted(desk: Desk, contents: Contents) -> Contents:
    """The contents as external text."""
    episodes = [*_each(_episode(desk, one) for one in contents.episodes)]
    narratives = {one.memory_id for one in contents.summaries}  # a stranger's stand for nothing
    memories = [*_each(_memory(desk, one) for one in contents.memories if one.id not in narratives)]
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


def _episode(desk: Desk, kept: KeptEpisode) -> KeptEpisode | None:
    said: Episode = kept.episode
    content = _cleaned(desk, said.content)
    if content is None:
        return None
    lowered = replace(
        said, conversation=_beside(said.conversation), content=content, source_trust=SourceTrust.EXTERNAL,
        consolidated_at=None,
    )  # fmt: skip
    return KeptEpisode(episode=lowered)


def _memory(desk: Desk, kept: KeptMemory) -> KeptMemory | None:
    known: Memory = kept.memory
    essence = _cleaned(desk, known.essence)
    if essence is None:
        return None
    lowered = replace(
        known, essence=essence, lesson=_cleaned(desk, known.lesson), source_trust=SourceTrust.EXTERNAL,
        origin=Origin.IMPORT, pinned=False, state=State.ACTIVE if known.state is State.SUMMARIZED else known.state,
    )  # fmt: skip
    steps = kept.steps and replace(
        kept.steps, steps=tuple(_cleaned(desk, step) or "…" for step in kept.steps.steps)
    )
    return replace(
        kept, memory=lowered, versions=tuple(_each(_version(desk, one) for one in kept.versions)), steps=steps,
        runs=tuple(replace(run, note=_cleaned(desk, run.note)) for run in kept.runs),
        achieved=kept.achieved and replace(kept.achieved, note=_cleaned(desk, kept.achieved.note)), vector=None,
    )  # fmt: skip


def _version(desk: Desk, kept: KeptVersion) -> KeptVersion | None:
    essence = _cleaned(desk, kept.version.essence)
    if essence is None:
        return None
    lesson = _cleaned(desk, kept.version.lesson)
    return KeptVersion(version=replace(kept.version, essence=essence, lesson=lesson))


def _beside(conversation: str) -> str:
    """The name of a conversation of its own, the same whenever the file is imported."""
    if len(conversation) + len(_BESIDE) > MAX_NAME:
        conversation = hashlib.sha256(conversation.encode()).hexdigest()
    return f"{_BESIDE}{conversation}"


def _cleaned(desk: Desk, text: str | None) -> str | None:
    """The text as it may be stored, None where nothing is left."""
    return None if text is None else clean(desk.settings, text).text.strip() or None
