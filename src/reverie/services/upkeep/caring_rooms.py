"""Conversations that are over are closed under summaries: the messages stay, and a narrative stands for them (s4).

A conversation is over when nobody has said anything in it for an hour. Where more messages are live than
``Settings.self_care.live_entries``, the oldest ones of conversations that go on are closed too, of the longest silent
first. Closing changes nothing of recall of episodes, of sleep or of the memory loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta, tzinfo
from functools import partial

from reverie.domain.audit import Action
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.summary import OpenRoom, Summary
from reverie.domain.time import zone_of
from reverie.domain.trust import SourceTrust, least_trusted
from reverie.memory.change import Said
from reverie.memory.quoting import StandsFor, name_counts, narrative_head
from reverie.ports.aggregates import Vector
from reverie.ports.mind import Mind
from reverie.ports.store import Unit
from reverie.services.remember import unforgotten
from reverie.services.runtime import Desk, read_again
from reverie.services.upkeep.caring import TRIES, Care, ToldOf, mean, most_frequent

MOST_MESSAGES = 500
"""So many messages stand under one summary at most."""
LEAST_MESSAGES = 6
"""A shorter conversation stays live until closing is due."""
QUIET = timedelta(hours=1)
_LEAST_DUE = 50
"""Where closing is due, at least so many messages of a conversation are closed at once."""
_SHARE = 4
_AT_ONCE = 24_000
"""Bytes of messages that a mind reads at once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Closing:
    """The first ``count`` live messages of a conversation are to be closed."""

    room: str
    count: int

    @property
    def summaries(self) -> int:
        """How many summaries that are at least."""
        return -(-self.count // MOST_MESSAGES)


@read_again
def closings(desk: Desk, agent_id: str) -> Sequence[Closing]:
    """What is to be closed now: of conversations that are over, and of others as far as that is due."""
    with desk.reading(agent_id) as unit:
        rooms = unit.summaries.rooms()
        over = [one for one in rooms if one.live >= LEAST_MESSAGES and _is_over(desk, unit, one)]
    found = [Closing(room=one.id, count=one.live) for one in over]
    done = {one.room for one in found}
    excess = sum(one.live for one in rooms if one.id not in done) - desk.settings.self_care.live_entries
    for one in rooms:
        if excess <= 0:
            break
        if one.id not in done:
            count = min(one.live, max(excess, _LEAST_DUE))
            found.append(Closing(room=one.id, count=count))
            excess -= count
    return found


def _is_over(desk: Desk, unit: Unit, room: OpenRoom) -> bool:
    """Whether nobody has spoken there for a while, by what was said and by when we heard it."""
    now = desk.clock()
    if now - room.last_at < QUIET:
        return False
    last = unit.episodes.tail(room.id, 1)
    return bool(last) and now - last[-1].observed_at >= QUIET


@read_again
def live_count(desk: Desk, agent_id: str) -> int:
    """How many messages of its own conversations are live."""
    with desk.reading(agent_id) as unit:
        return sum(one.live for one in unit.summaries.rooms())


def close(care: Care, mind: Mind, wanted: Sequence[Closing]) -> None:
    """Closes them; what is said meanwhile stays live. Raises Paused, Stopped, JobRunning, MindFailed."""
    for one in wanted:
        left, tries = one.count, 0
        while left > 0 and tries < TRIES:
            care.breathe()
            messages = _next(care.desk, care.agent_id, one.room, left)
            if not messages:
                break
            if not _chunk(care, mind, messages):
                tries += 1
                care.tally.changed = True
                continue
            left, tries = left - len(messages), 0
            care.tally.closed += len(messages)
            care.advance(len(messages))


@read_again
def _next(desk: Desk, agent_id: str, room: str, left: int) -> Sequence[Episode]:
    """The first live messages of a conversation, an even share of those that are to be closed."""
    share = -(-left // -(-left // MOST_MESSAGES))
    with desk.reading(agent_id) as unit:
        desk.check_embedder(agent_id, unit.agents.embedder())
        for begin, end in unit.summaries.open_spans(room):
            found = unit.episodes.forward(room, begin, share)
            inside = [one for one in found if end is None or one.position <= end]
            if inside:
                return inside
    return ()


def _chunk(care: Care, mind: Mind, messages: Sequence[Episode]) -> bool:
    """One summary; False where its messages were changed meanwhile."""
    tokens = -(-sum(len(one.content.encode()) for one in messages) // 3)
    most = care.length(tokens, _SHARE)
    with care.pace.work():
        zone = _zone(care.desk, care.agent_id)
        shown = [replace(one, time=one.time.astimezone(zone)) for one in messages]
        said = [Said(text=one.content, speaker=one.speaker, time=one.time) for one in shown]
        told_of = ToldOf(said=said, zone=zone)
        text = care.narrative(mind, most, partial(_head, shown), partial(_told, shown), told_of)
        given, filled, vector = care.born(text, **_given(care.desk, messages))
    write = partial(_write, care, messages, given, filled, vector)
    if not care.desk.store.transact(care.agent_id, write):
        return False
    care.tally.rooms.append(filled.id)
    return True


@read_again
def _zone(desk: Desk, agent_id: str) -> tzinfo:
    with desk.reading(agent_id) as unit:
        agent = unit.agents.get()
    return UTC if agent is None else zone_of(agent.time_zone)


def _head(messages: Sequence[Episode], fits: Callable[[str], bool]) -> str:
    """The summary's first line."""
    times = [one.time for one in messages]
    spoke = name_counts([one.speaker] for one in messages if one.speaker)
    return narrative_head(min(times), max(times), StandsFor(messages=len(messages)), spoke, fits)


def _told(messages: Sequence[Episode], mind: Mind, most: int) -> str:
    """A summary of all of them, piece after piece."""
    so_far: str | None = None
    for piece in _pieces(messages):
        so_far = mind.compress(piece, so_far=so_far, max_tokens=most)
    return so_far or ""


def _pieces(messages: Sequence[Episode]) -> Iterator[Sequence[Episode]]:
    piece: list[Episode] = []
    size = 0
    for one in messages:
        size += len(one.content.encode())
        if piece and size > _AT_ONCE:
            yield piece
            piece, size = [], len(one.content.encode())
        piece.append(one)
    yield piece


def _given(desk: Desk, messages: Sequence[Episode]) -> dict[str, object]:
    trust: SourceTrust = least_trusted(one.source_trust for one in messages)
    return {
        "confidence": desk.settings.remember.inferred_confidence,
        "importance": mean(one.metadata.importance for one in messages),
        "topics": most_frequent(one.metadata.topics for one in messages),
        "entities": most_frequent(one.metadata.entities for one in messages),
        "source_episodes": tuple(sorted(one.id for one in messages)),
        "source_trust": trust,
        "valid_from": min(one.time for one in messages),
    }


def _write(
    care: Care, messages: Sequence[Episode], given: Memory, filled: Memory, vector: Vector, unit: Unit
) -> bool:
    care.check(unit)
    if not _still_live(unit, messages):
        return False
    [memory] = unforgotten(unit, [given], [filled])
    first, last = messages[0], messages[-1]
    times = [one.time for one in messages]
    unit.memories.add([memory], vector[None])
    unit.summaries.add(
        Summary(
            memory_id=memory.id, job=care.id, conversation=first.conversation, first=first.position,
            last=last.position, items=len(messages), began_at=min(times), ended_at=max(times),
            created_at=memory.created_at,
        )
    )  # fmt: skip
    said: dict[str, object] = {
        "conversation": first.conversation,
        "first": first.position,
        "last": last.position,
    }
    unit.audit.add([care.birth(Action.CLOSE, memory, **said)])
    return True


def _still_live(unit: Unit, messages: Sequence[Episode]) -> bool:
    """Whether they are all that is live from the first to the last of them, as it was read."""
    first, last = messages[0], messages[-1]
    spans = unit.summaries.open_spans(first.conversation)
    if not any(begin <= first.position and (end is None or last.position <= end) for begin, end in spans):
        return False
    now = unit.episodes.forward(first.conversation, first.position, len(messages))
    return [(one.id, one.content) for one in now] == [(one.id, one.content) for one in messages]
