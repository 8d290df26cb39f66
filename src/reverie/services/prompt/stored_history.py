"""Read a stored conversation for a turn's window: its latest messages, and the summaries of those before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.message import Message
from reverie.errors import NotFound
from reverie.memory.forgetting import sentences
from reverie.memory.prompt import size_of
from reverie.services.runtime import Desk, read_again

_STEP = 256
"""Reading begins at every so many messages, so that it begins at the same one for many turns, and a history that is
summarized is summarized once.
"""

_FRAME = 8
"""Tokens that stand around a message: its role, its speaker, where it came from."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """``messages``: the latest that no summary stands for, 256 to 511 of them where there are more, and as many closed
    ones before them as there is room for; ``closed``: the summaries of what was closed and isn't all
    among them, in the order of the conversation.
    """

    channel: str
    messages: Sequence[Message]
    closed: Sequence[Memory]


@read_again
def spoken(desk: Desk, agent_id: str, conversation: str, *, tokens: int) -> Spoken:
    """Return the conversation as the bank holds it, for a window whose messages have so many tokens. Raise
    NotFound.
    """
    with desk.reading(agent_id) as unit:
        room = unit.conversations.get(conversation)
        if room is None:
            raise NotFound("conversation", conversation)
        closed = unit.summaries.closed(conversation)
        ends = unit.conversations.next_positions([conversation])[conversation]
        live = max((one.last + 1 for one in closed if one.last is not None), default=0)
        begin = max(live, (ends // _STEP - 1) * _STEP)
        episodes = [*unit.episodes.forward(conversation, begin, 2 * _STEP)]
        left = tokens - sum(map(_size, episodes))
        if begin == live > 0 and left > 0:  # what was said last stays word for word, closed or not
            before = unit.episodes.forward(conversation, max(0, live - _STEP), min(live, _STEP))
            for one in reversed([one for one in before if one.position < live]):
                left -= _size(one)
                if left < 0:
                    break
                episodes.insert(0, one)
        memories = unit.memories.get([one.memory_id for one in closed])
    messages = [
        Message(
            role=one.role, content=one.content, speaker=one.speaker, time=one.time, ref=one.ref, tags=one.tags,
            metadata=one.metadata,
        )
        for one in episodes
    ]  # fmt: skip
    begins = episodes[0].position if episodes else ends
    older = [one.memory_id for one in closed if one.first is not None and one.first < begins]
    summaries = [memories[id] for id in older if id in memories]
    return Spoken(channel=room.channel, messages=messages, closed=summaries)


def _size(episode: Episode) -> int:
    return size_of(episode.content) + _FRAME


def latest_of(
    closed: Sequence[Memory], fits: Callable[[Sequence[tuple[str, str]]], bool]
) -> Sequence[tuple[str, str]]:
    """Return ids and texts of as many of the summaries as fit together, the latest of them, in their order: each whole,
    but where not even the last one fits, its beginning.
    """
    kept: list[tuple[str, str]] = []
    for memory in reversed(closed):
        if not fits([(memory.id, memory.essence), *kept]):
            break
        kept.insert(0, (memory.id, memory.essence))
    if kept or not closed:
        return kept
    parts = sentences(closed[-1].essence)
    while parts and (
        parts[-1].rstrip().endswith(":") or not fits([(closed[-1].id, "".join(parts).rstrip())])
    ):
        parts.pop()
    return [(closed[-1].id, "".join(parts).rstrip())] if parts else []
