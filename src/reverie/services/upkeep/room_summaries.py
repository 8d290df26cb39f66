"""Close conversations that are over under summaries: the messages stay, and a narrative stands for them (s4).

A conversation is over when nobody has said anything in it for an hour. Where more messages are live than
``Settings.self_care.live_entries``, the oldest ones of conversations that go on are closed too, of the longest silent
first. Closing changes nothing of recall of episodes, of sleep or of the memory loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from reverie.domain.audit import Action
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.summary import OpenRoom, Summary
from reverie.domain.trust import SourceTrust, least_trusted
from reverie.memory.change import Said
from reverie.memory.quoting import StandsFor, name_counts, narrative_head
from reverie.ports.mind import Mind
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, Job
from reverie.services.upkeep.narratives import Care, Source, mean, most_frequent

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
        """Return how many summaries that takes at least."""
        return -(-self.count // MOST_MESSAGES)


def closings(desk: Desk, unit: Unit) -> Sequence[Closing]:
    """Return what is to be closed now: of conversations that are over, and of others as far as that is due."""
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
    """Return whether nobody has spoken there for a while, by what was said and by when we heard it."""
    now = desk.clock()
    if now - room.last_at < QUIET:
        return False
    last = unit.episodes.tail(room.id, 1)
    return bool(last) and now - last[-1].observed_at >= QUIET


def close(care: Care, mind: Mind, wanted: Sequence[Closing]) -> None:
    """Close them; what is said meanwhile stays live. Raise Paused, Stopped, JobRunning, MindFailed."""
    for one in wanted:
        left = one.count
        for _ in care.tries():
            messages = care.job.read(partial(_next, care.job, one.room, left))
            if not messages:
                break
            made = care.summary(mind, partial(_source, care, messages))
            if made is None:
                continue
            care.rooms.append(made)
            care.closed += len(messages)
            left -= len(messages)
            if left <= 0:
                care.told()
                break


def _next(job: Job, room: str, left: int, unit: Unit) -> Sequence[Episode]:
    """Return the first live messages of a conversation, an even share of those that are to be closed."""
    share = -(-left // -(-left // MOST_MESSAGES))
    job.desk.check_embedder(job.agent_id, unit.agents.embedder())
    for begin, end in unit.summaries.open_spans(room):
        found = unit.episodes.forward(room, begin, share)
        inside = [one for one in found if end is None or one.position <= end]
        if inside:
            return inside
    return ()


def _source(care: Care, messages: Sequence[Episode]) -> Source:
    tokens = -(-sum(len(one.content.encode()) for one in messages) // 3)
    zone = care.job.desk.zone(care.job.agent_id)
    shown = [replace(one, time=one.time.astimezone(zone)) for one in messages]
    return Source(
        most=care.length(tokens, _SHARE),
        head=partial(_head, shown),
        tell=partial(_told, shown),
        said=[Said(text=one.content, speaker=one.speaker, time=one.time) for one in shown],
        zone=zone,
        given=_given(care.job.desk, messages),
        write=partial(_write, care, messages),
    )


def _head(messages: Sequence[Episode], fits: Callable[[str], bool]) -> str:
    """Return the summary's first line."""
    times = [one.time for one in messages]
    spoke = name_counts([one.speaker] for one in messages if one.speaker)
    return narrative_head(min(times), max(times), StandsFor(messages=len(messages)), spoke, fits)


def _told(messages: Sequence[Episode], mind: Mind, most: int) -> str:
    """Return a summary of all of them, piece after piece."""
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


def _write(care: Care, messages: Sequence[Episode], unit: Unit) -> Callable[[Memory], None] | None:
    if not _still_live(unit, messages):
        return None

    def rest(memory: Memory) -> None:
        first, last = messages[0], messages[-1]
        times = [one.time for one in messages]
        unit.summaries.add(
            Summary(
                memory_id=memory.id, job=care.job.id, conversation=first.conversation, first=first.position,
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

    return rest


def _still_live(unit: Unit, messages: Sequence[Episode]) -> bool:
    """Return whether they are all that is live from the first to the last of them, as it was read."""
    first, last = messages[0], messages[-1]
    spans = unit.summaries.open_spans(first.conversation)
    if not any(begin <= first.position and (end is None or last.position <= end) for begin, end in spans):
        return False
    now = unit.episodes.forward(first.conversation, first.position, len(messages))
    return [(one.id, one.content) for one in now] == [(one.id, one.content) for one in messages]
