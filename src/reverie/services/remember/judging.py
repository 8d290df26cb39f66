"""Judging: emotions, lesson and importance of memories whose caller left them open."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from reverie.domain.emotion import Emotions
from reverie.domain.memory import MAX_LESSON_BYTES, Memory
from reverie.domain.revision import Revision
from reverie.domain.snippet import Judgement, Unjudged
from reverie.domain.text import checked_share, checked_text
from reverie.errors import InvalidInput, MindFailed
from reverie.ports.mind import Mind, teaches
from reverie.ports.search import Floats
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, asked, forgotten, read_again

_log = logging.getLogger("reverie.judging")


def judged(desk: Desk, part: Sequence[Memory], vectors: Floats) -> Sequence[Memory]:
    """Return the memories with what can be judged on this machine filled in; ``vectors`` (n, dimensions) are their
    essences'.

    A mind that is away is not asked at each write (``Desk.quick``): what it would judge stays None, for a backfill.
    """
    filled = list(part)
    rows = [row for row, memory in enumerate(part) if memory.emotions is None]
    if rows:
        felt = desk.felt([part[row].essence for row in rows], vectors[rows])
        for row, emotions in zip(rows, felt, strict=True):
            filled[row] = replace(part[row], emotions=emotions)
    taught = teaches(desk.quick)
    rows = [
        row
        for row, memory in enumerate(filled)
        if memory.importance is None or (taught and memory.lesson is None)
    ]
    if rows and desk.quick is not None:
        told = judgements(desk, [filled[row] for row in rows], desk.quick)
        for row, judgement in zip(rows, told, strict=True):
            filled[row] = with_judgement(filled[row], judgement)
    return filled


def judgements(
    desk: Desk, memories: Sequence[Memory], mind: Mind | None = None
) -> Sequence[Judgement | None]:
    """Return what the mind (None: the desk's) judges of each; None for all where there is no mind, or it failed (which
    is logged), and for one of which it says nothing that may be stored: no mind is trusted.
    """
    mind = mind or desk.mind
    if mind is None:
        return [None] * len(memories)
    open_ones = [
        Unjudged(essence=one.essence, kind=one.kind, emotions=one.emotions, sources=one.source_episodes)
        for one in memories
    ]
    try:
        told = asked(mind, partial(mind.judge, open_ones))
        if len(told) != len(open_ones):
            raise MindFailed(mind.id, f"it judged {len(told)} of {len(open_ones)} memories")
    except MindFailed as error:
        _log.warning("memories stay unjudged: %s", error.why)
        return [None] * len(memories)
    return [_sound(one) for one in told]


def _sound(told: object) -> Judgement | None:
    """Return a judgement whose values may be stored."""
    if not isinstance(told, Judgement):
        return None
    try:
        lesson = told.lesson
        if lesson is not None:
            lesson = checked_text(lesson, "lesson", most_bytes=MAX_LESSON_BYTES)
        return Judgement(lesson=lesson, importance=checked_share(told.importance, "importance"))
    except InvalidInput:
        return None


def with_judgement(memory: Memory, judgement: Judgement | None) -> Memory:
    """Return the memory with lesson and importance where it has none."""
    if judgement is None:
        return memory
    importance = judgement.importance if memory.importance is None else memory.importance
    return replace(memory, lesson=memory.lesson or judgement.lesson, importance=importance)


def unforgotten(unit: Unit, given: Sequence[Memory], filled: Sequence[Memory]) -> Sequence[Memory]:
    """Return the filled memories without those judged lessons that were forgotten on purpose: what a caller gives is
    refused, what a mind says again is left out.
    """
    judged = [
        one.lesson if one.lesson != own.lesson else None for one, own in zip(filled, given, strict=True)
    ]
    dead = forgotten(unit, {lesson for lesson in judged if lesson is not None})
    return [
        replace(one, lesson=None) if lesson in dead else one
        for one, lesson in zip(filled, judged, strict=True)
    ]


def as_duplicate(known: Memory, given: Memory, filled: Memory) -> Memory:
    """Return what a duplicate tells: what its caller gave, and what was judged of it where ``known`` has nothing and
    says it in the same words.
    """
    if known.essence != given.essence:
        return given
    return replace(
        given,
        emotions=filled.emotions if known.emotions is None else given.emotions,
        lesson=filled.lesson if known.lesson is None else given.lesson,
        importance=filled.importance if known.importance is None else given.importance,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Reworded:
    """What an essence that was there is judged to be, and what the one is that replaces it: (emotions, judgement)."""

    essence: str
    was: tuple[Emotions | None, Judgement | None]
    will_be: tuple[Emotions | None, Judgement | None]

    def follow(self, known: Memory, new: Memory, revision: Revision) -> Memory:
        """Return the new memory, with what was judged of the old wording judged of the new one; what a caller gave, now
        or before, or cleared, stays.
        """
        if known.essence != self.essence:
            return new
        (felt, old), (feels, fresh) = self.was, self.will_be
        if _follows(revision, "emotions") and known.emotions in (None, felt):
            new = replace(new, emotions=feels)
        if fresh is None:
            return new
        if _follows(revision, "lesson") and known.lesson in (None, old and old.lesson):
            new = replace(new, lesson=fresh.lesson)
        if _follows(revision, "importance") and known.importance in (None, old and old.importance):
            new = replace(new, importance=fresh.importance)
        return new


@read_again
def reworded(
    desk: Desk, agent_id: str, memory_id: str, revision: Revision, vector: Floats | None
) -> Reworded | None:
    """Return both wordings judged, outside the transaction; None where there is nothing to judge. ``vector`` is
    the new essence's.
    """
    if revision.essence is None or vector is None:
        return None
    with desk.store.read(agent_id) as unit:
        known = unit.memories.get([memory_id]).get(memory_id)
        vectors = unit.memories.vectors([memory_id])
        embedder = unit.agents.embedder()
    if known is None or known.essence == revision.essence:
        return None
    desk.check_embedder(agent_id, embedder)
    new = replace(known, essence=revision.essence, kind=revision.kind or known.kind)
    return reworded_all(desk, [(known, new)], np.stack([vectors[memory_id]]), np.stack([vector]))[0]


def reworded_all(
    desk: Desk, pairs: Sequence[tuple[Memory, Memory]], before: Floats, after: Floats
) -> Sequence[Reworded]:
    """Return the judgements of both wordings of each memory, that which it has and that which it gets; the vectors (n,
    dimensions) are their essences'.
    """
    if not pairs:
        return []
    every = [*(known for known, _ in pairs), *(new for _, new in pairs)]
    felt = desk.felt([one.essence for one in every], np.concatenate([before, after]))
    every = [replace(one, emotions=emotions) for one, emotions in zip(every, felt, strict=True)]
    quick = desk.quick
    judged = [None] * len(every) if quick is None else judgements(desk, every, quick)
    told = list(zip(felt, judged, strict=True))
    count = len(pairs)
    return [
        Reworded(essence=known.essence, was=was, will_be=will_be)
        for (known, _), was, will_be in zip(pairs, told[:count], told[count:], strict=True)
    ]


def _follows(revision: Revision, name: str) -> bool:
    return getattr(revision, name) is None and name not in revision.clear
