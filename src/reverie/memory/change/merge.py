"""Merge two memories that say the same, and reinforce one by new evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from reverie.domain.memory import Memory, Origin, State
from reverie.memory.decay import faded_confidence
from reverie.memory.dedupe import memories_differ, with_window_of
from reverie.memory.trust import may_instruct


@dataclass(frozen=True, kw_only=True, slots=True)
class MergeSide:
    """A memory with what hangs on it: whether it is a procedure, whether it is a goal that was achieved, and when it
    falls due.
    """

    memory: Memory
    has_steps: bool = False
    achieved: bool = False
    due: datetime | None = None


def precedence(one: MergeSide) -> tuple[object, ...]:
    """Sort memories by who survives a merge, best first: the more trusted, then what may instruct, what is a
    procedure, pinned, of higher priority, active, of more evidence, older.
    """
    memory = one.memory
    return (
        memory.source_trust.rank,
        not may_instruct(memory),
        not one.has_steps,
        not memory.pinned,
        memory.priority.rank,
        memory.state is not State.ACTIVE,
        -memory.reinforcement_count,
        memory.created_at,
        memory.id,
    )


def merge_obstacle(survivor: MergeSide, other: MergeSide) -> str | None:
    """Return why the one doesn't take in the other, or None if it does: what keeps a new memory from reinforcing a
    known one (``memory.dedupe.memories_differ``), and that procedures keep their names, achieved goals aren't set
    again, and goals keep their due times.
    """
    if other.has_steps:
        return "procedure"
    if survivor.achieved or other.achieved:
        return "achieved"
    if survivor.due != other.due:
        return "due"
    return memories_differ(survivor.memory, other.memory)


def merged(survivor: Memory, other: Memory, now: datetime) -> Memory:
    """Return ``survivor`` with the evidence of ``other``; its wording, kind, priority and trust stay its own.

    Counts and sources are joined, as if the other had come as a duplicate (of sources that are known already it counts
    as nothing new); touches are not in it. Of two that are trusted alike confidence is the greater, both faded to the
    later evidence, and labels, importance, emotions, lesson, validity and pinned are joined, the survivor's first; of a
    less trusted one the evidence alone is taken, and of one that may not instruct neither lesson nor pin for one that
    may.
    Where one of them is active, the survivor is.
    """
    alike = survivor.source_trust is other.source_trust
    at = max(survivor.fades_from, other.fades_from)
    sure = [faded_confidence(one.confidence, one.fades_from, at) for one in (survivor, other)]
    known = bool(other.source_episodes) and set(other.source_episodes) <= set(survivor.source_episodes)
    active = State.ACTIVE in (survivor.state, other.state)
    return replace(
        _joined(survivor, other, newer=False) if alike else survivor,
        source_episodes=tuple(sorted({*survivor.source_episodes, *other.source_episodes})),
        confidence=max(sure) if alike else sure[0],
        confidence_at=at,
        reinforcement_count=survivor.reinforcement_count + other.reinforcement_count - known,
        last_reinforced_at=max(survivor.last_reinforced_at, other.last_reinforced_at),
        state=State.ACTIVE if active else survivor.state,
        updated_at=now,
    )


def superseded(other: Memory, survivor_id: str, now: datetime) -> Memory:
    """Return the memory that was taken in: kept, and found by deep recall."""
    return replace(other, state=State.ARCHIVED, superseded_by=survivor_id, updated_at=now)


CONFIDENCE_STEP = 0.05
REACTIVATED_CONFIDENCE = 0.1


def reinforced(known: Memory, new: Memory, now: datetime) -> Memory:
    """Return ``known`` after the same thing came again as ``new``; equal to ``known`` if nothing in it is new.

    Counts unless all of ``new``'s source episodes (at least one) are known already: count + 1, confidence +
    0.05 on what the fade has left (at most 1), and back to active (confidence at least 0.1). In any case
    an importance that nobody had judged is filled, and so are the bounds of validity that it doesn't have; emotions
    that ``new`` gives and a lesson that differs replace the old ones, the larger importance stays, labels and sources
    are joined, pinned stays pinned, and what was committed consciously is from now on. What waited for approval doesn't
    once the same words come from where nothing doubts them.
    Of text less trusted than ``known`` the evidence alone is taken, not what it says of its own weight; and what may
    not instruct gives neither lesson nor pin to what may.
    The evidence counts as of ``new.created_at``, so an old conversation that is imported late doesn't
    refresh anything; ``now`` is when the change is written.
    """
    # ``memories_differ`` lets nothing through that is more trusted than what it would be merged into
    filled = known
    if new.source_trust is known.source_trust:
        origin = Origin.COMMIT if new.origin is Origin.COMMIT else known.origin
        filled = replace(_joined(known, new, newer=True), origin=origin)
    filled = replace(filled, source_episodes=tuple(sorted({*known.source_episodes, *new.source_episodes})))
    if new.source_episodes and set(new.source_episodes) <= set(known.source_episodes):
        return filled if filled == known else replace(filled, updated_at=now)
    at = max(new.created_at, known.fades_from)
    faded = faded_confidence(known.confidence, known.fades_from, at)
    confidence = min(faded + CONFIDENCE_STEP, 1.0)
    if known.state in (State.ARCHIVED, State.INACTIVE):
        confidence = max(confidence, REACTIVATED_CONFIDENCE)
        over = filled.valid_to is not None and filled.valid_to <= at
        filled = replace(
            filled, state=State.ACTIVE, superseded_by=None, valid_to=None if over else filled.valid_to
        )
    return replace(
        filled,
        confidence=confidence,
        confidence_at=at,
        reinforcement_count=known.reinforcement_count + 1,
        last_reinforced_at=at,
        updated_at=now,
    )


def confirmed(known: Memory, now: datetime) -> Memory:
    """Return ``known`` after evidence that says nothing of its own: it worked, or somebody said that it still
    counts.
    """
    return reinforced(known, replace(known, source_episodes=(), created_at=now), now)


def _joined(known: Memory, other: Memory, *, newer: bool) -> Memory:
    """Return ``known`` with what the other says of itself. ``newer``: the other's emotions and lesson replace its own;
    else they only fill what is missing.
    """
    judged = [value for value in (known.importance, other.importance) if value is not None]
    counts = may_instruct(other) or not may_instruct(known)
    first, second = (other, known) if newer else (known, other)
    lessons = [one.lesson for one in (first, second) if one is known or counts]
    return replace(
        with_window_of(known, other),
        emotions=first.emotions or second.emotions,
        importance=max(judged, default=None),
        lesson=next(filter(None, lessons), None),
        pinned=known.pinned or (counts and other.pinned),
        needs_review=known.needs_review and other.needs_review,
        tags=_union(known.tags, other.tags),
        topics=_union(known.topics, other.topics),
        entities=_union(known.entities, other.entities),
    )


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
