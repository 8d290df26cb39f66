"""What becomes of two memories that say the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from reverie.domain.kinds import Priority
from reverie.domain.memory import Memory, State
from reverie.domain.trust import SourceTrust
from reverie.memory.decay import faded_confidence
from reverie.memory.dedupe import guard as dedupe
from reverie.memory.dedupe import in_window_of
from reverie.memory.trust import may_instruct

_TRUSTS = {trust: place for place, trust in enumerate(SourceTrust)}
_PRIORITIES = {priority: place for place, priority in enumerate(Priority)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """A memory with what hangs on it: whether it is a procedure, and whether it is a goal that was achieved."""

    memory: Memory
    has_steps: bool = False
    achieved: bool = False


def precedence(one: Standing) -> tuple[object, ...]:
    """Sorts memories by who survives a merge, best first: the more trusted, then what may instruct, what is a
    procedure, pinned, of higher priority, active, of more evidence, older.
    """
    memory = one.memory
    return (
        _TRUSTS[memory.source_trust],
        not may_instruct(memory),
        not one.has_steps,
        not memory.pinned,
        _PRIORITIES[memory.priority],
        memory.state is not State.ACTIVE,
        -memory.reinforcement_count,
        memory.created_at,
        memory.id,
    )


def apart(survivor: Standing, other: Standing) -> str | None:
    """Why the one doesn't take in the other, or None if it does: what keeps a new memory from reinforcing a known one
    (``memory.dedupe.guard.apart``), and that procedures keep their names and achieved goals aren't set again.
    """
    if other.has_steps:
        return "procedure"
    if survivor.achieved or other.achieved:
        return "achieved"
    return dedupe.apart(survivor.memory, other.memory)


def merged(survivor: Memory, other: Memory, now: datetime) -> Memory:
    """``survivor`` with the evidence of ``other``; its wording, kind, priority and trust stay its own.

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
        _joined(survivor, other) if alike else survivor,
        source_episodes=tuple(sorted({*survivor.source_episodes, *other.source_episodes})),
        confidence=max(sure) if alike else sure[0],
        confidence_at=at,
        reinforcement_count=survivor.reinforcement_count + other.reinforcement_count - known,
        last_reinforced_at=max(survivor.last_reinforced_at, other.last_reinforced_at),
        state=State.ACTIVE if active else survivor.state,
        updated_at=now,
    )


def superseded(other: Memory, survivor_id: str, now: datetime) -> Memory:
    """The memory that was taken in: kept, and found by deep recall."""
    return replace(other, state=State.ARCHIVED, superseded_by=survivor_id, updated_at=now)


def _joined(survivor: Memory, other: Memory) -> Memory:
    judged = [value for value in (survivor.importance, other.importance) if value is not None]
    heard = may_instruct(other) or not may_instruct(survivor)
    return replace(
        in_window_of(survivor, other),
        emotions=survivor.emotions or other.emotions,
        importance=max(judged, default=None),
        lesson=survivor.lesson or (other.lesson if heard else None),
        pinned=survivor.pinned or (heard and other.pinned),
        needs_review=survivor.needs_review and other.needs_review,
        tags=tuple(dict.fromkeys((*survivor.tags, *other.tags))),
        topics=tuple(dict.fromkeys((*survivor.topics, *other.topics))),
        entities=tuple(dict.fromkeys((*survivor.entities, *other.entities))),
    )
