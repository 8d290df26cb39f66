"""spoken: a stored conversation as a turn's window takes it: its latest messages, and what stands for those before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reverie.domain.memory import Memory
from reverie.domain.message import Message
from reverie.errors import NotFound
from reverie.rules.forgetting import sentences
from reverie.services.desk import Desk, read_again

_STEP = 256
"""Reading begins at every so many messages, so that it begins at the same one for many turns, and a history that is
summarized is summarized once.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """``messages``: the latest that no summary stands for, 256 to 511 of them where there are more; ``closed``: the
    summaries of what was closed, in the order of the conversation.
    """

    channel: str
    messages: Sequence[Message]
    closed: Sequence[Memory]


@read_again
def spoken(desk: Desk, agent_id: str, conversation: str) -> Spoken:
    """The conversation as the bank holds it. Raises NotFound."""
    with desk.reading(agent_id) as unit:
        room = unit.conversations.get(conversation)
        if room is None:
            raise NotFound("conversation", conversation)
        closed = unit.summaries.closed(conversation)
        ends = unit.conversations.next_positions([conversation])[conversation]
        live = max((one.last + 1 for one in closed if one.last is not None), default=0)
        begin = max(live, (ends // _STEP - 1) * _STEP)
        episodes = unit.episodes.forward(conversation, begin, 2 * _STEP)
        memories = unit.memories.get([one.memory_id for one in closed])
    messages = [
        Message(
            role=one.role, content=one.content, speaker=one.speaker, time=one.time, ref=one.ref, tags=one.tags,
            metadata=one.metadata,
        )
        for one in episodes
    ]  # fmt: skip
    summaries = [memories[one.memory_id] for one in closed if one.memory_id in memories]
    return Spoken(channel=room.channel, messages=messages, closed=summaries)


def latest_of(
    closed: Sequence[Memory], fits: Callable[[Sequence[tuple[str, str]]], bool]
) -> Sequence[tuple[str, str]]:
    """Ids and texts of as many of the summaries as fit together, the latest of them, in their order: each whole, but
    where not even the last one fits, its beginning.
    """
    kept: list[tuple[str, str]] = []
    for memory in reversed(closed):
        if not fits([(memory.id, memory.essence), *kept]):
            break
        kept.insert(0, (memory.id, memory.essence))
    if kept or not closed:
        return kept
    parts = sentences(closed[-1].essence)
    while parts and not fits([(closed[-1].id, "".join(parts).rstrip())]):
        parts.pop()
    return [(closed[-1].id, "".join(parts).rstrip())] if parts else []
