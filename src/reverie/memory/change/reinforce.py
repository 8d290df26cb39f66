"""What new evidence does to a memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from reverie.domain.memory import Memory, Origin, State
from reverie.memory.decay import faded_confidence
from reverie.memory.dedupe import in_window_of
from reverie.memory.trust import may_instruct

CONFIDENCE_STEP = 0.05
REACTIVATED_CONFIDENCE = 0.1


def reinforced(known: Memory, new: Memory, now: datetime) -> Memory:
    """``known`` after the same thing came again as ``new``; equal to ``known`` if nothing in it is new.

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
    # dedupe.apart lets nothing through that is more trusted than what it would be merged into
    filled = _joined(known, new) if new.source_trust is known.source_trust else known
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
    """``known`` after evidence that says nothing of its own: it worked, or somebody said that it still counts."""
    return reinforced(known, replace(known, source_episodes=(), created_at=now), now)


def _joined(known: Memory, new: Memory) -> Memory:
    judged = [value for value in (known.importance, new.importance) if value is not None]
    heard = may_instruct(new) or not may_instruct(known)
    return replace(
        in_window_of(known, new),
        emotions=new.emotions or known.emotions,
        importance=max(judged, default=None),
        lesson=(new.lesson if heard else None) or known.lesson,
        pinned=known.pinned or (heard and new.pinned),
        needs_review=known.needs_review and new.needs_review,
        origin=Origin.COMMIT if new.origin is Origin.COMMIT else known.origin,
        tags=_union(known.tags, new.tags),
        topics=_union(known.topics, new.topics),
        entities=_union(known.entities, new.entities),
    )


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
