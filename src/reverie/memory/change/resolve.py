"""Resolve: what a change makes of a memory, and which of two that contradict each other holds."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.trust import SourceTrust, least_trusted
from reverie.language import terms
from reverie.memory.change.staleness import kept_for
from reverie.memory.decay import faded_confidence
from reverie.memory.prompt import GUARDED_KINDS
from reverie.memory.trust import may_instruct

CONTRADICTED = 0.2
"""What a memory's confidence loses where another one holds against it,"""
LEAST_CONFIDENCE = 0.1
"""though nothing goes below this by it; under this by a Fade it is inactive."""

_INSTANT = timedelta(microseconds=1)
"""How long the wording that is told anew was believed: its window in the history isn't empty."""

NEWER = "the newer statement of a principal holds"
LATER = "what was said later holds"
"""A mind's resolution that says no more than ``NEWER``."""
STATED = "what was stated holds against what was inferred"
OPEN = "neither holds: both stay"
LESS_TRUSTED = "neither holds: the newer one is less trusted, so both stay"
KEPT = "neither holds: what is kept ({}) is linked with the other, no more"
EARLIER = "it was said before what the memory says"
INFERRED = "it is inferred, and what the memory says was stated"


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One side of a contradiction: the memory, whether it was said outright, and when it was said last."""

    memory: Memory
    stated: bool
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """Who holds, if anyone, and why; ``replaces``: the loser was so until then, and is no longer."""

    winner: Side | None
    loser: Side | None
    why: str
    replaces: bool = False


def side_of(memory: Memory, *, stated_from: float) -> Side:
    """Return a memory of the bank as a side. It isn't kept whether it was said outright: what was committed or
    captured was, and what is at least as sure as halfway between the two confidences that memories are born with
    (``stated_from``).
    """
    deliberate = memory.origin in (Origin.COMMIT, Origin.PATTERN)
    at = max(memory.believed_from, memory.last_reinforced_at)
    return Side(memory=memory, stated=deliberate or memory.confidence >= stated_from, at=at)


def verdict(one: Side, other: Side) -> Verdict:
    """Return which of two that contradict each other holds: what a principal stated later against what was said before,
    what was stated against what was inferred. Nothing holds against what is more trusted.
    """
    older, newer = sorted((one, other), key=lambda side: (side.at, side.memory.id))
    outranked = _is_less_trusted(newer, older)
    if newer.at > older.at and newer.stated and newer.memory.source_trust is SourceTrust.PRINCIPAL:
        return Verdict(winner=newer, loser=older, why=NEWER, replaces=True)
    if newer.stated and not older.stated and not outranked:
        return Verdict(winner=newer, loser=older, why=STATED, replaces=newer.at > older.at)
    if older.stated and not newer.stated and not _is_less_trusted(older, newer):
        return Verdict(winner=older, loser=newer, why=STATED)
    return Verdict(winner=None, loser=None, why=LESS_TRUSTED if outranked else OPEN)


def spared(found: Verdict) -> Verdict:
    """Return the verdict, but that nothing which is kept for good loses in a sleep, and what steers the agent only to
    what may steer it.
    """
    if found.loser is None or found.winner is None:
        return found
    loser, winner = found.loser.memory, found.winner.memory
    why = kept_for(loser, proven=False, achieved=False)
    if why is None and loser.kind in GUARDED_KINDS:
        steers = winner.kind in GUARDED_KINDS and may_instruct(winner)
        why = None if steers else str(loser.kind)
    return found if why is None else Verdict(winner=None, loser=None, why=KEPT.format(why))


def not_revised(known: Side, *, stated: bool, at: datetime, now: datetime) -> str | None:
    """Return why what was said then doesn't take the place of what a memory says, or None where it may. Of a memory
    that a clock ahead made nobody knows when it was said.
    """
    if at < known.at <= now:
        return EARLIER
    return INFERRED if known.stated and not stated else None


def loser_after(found: Verdict, now: datetime) -> Memory | None:
    """Return the loser as it stands after it: less sure (the fade so far is folded in), and where what is so now
    replaces it, superseded and true until then. What will be so replaces nothing yet: it only ends the other then. None
    where nobody lost.
    """
    if found.winner is None or found.loser is None:
        return None
    known, winner = found.loser.memory, found.winner
    begins = winner.memory.valid_from
    if found.replaces and begins is not None and begins > now:
        ends = known.valid_to is None or known.valid_to > begins
        return replace(known, valid_to=begins, updated_at=now) if ends else None
    faded = faded_confidence(known.confidence, known.fades_from, now)
    lower = min(faded, max(faded - CONTRADICTED, LEAST_CONFIDENCE))
    new = replace(known, confidence=lower, confidence_at=now, updated_at=now)
    if not found.replaces:
        return new
    until = winner.memory.valid_from or winner.at
    begun = known.valid_from is None or known.valid_from < until
    if begun and (known.valid_to is None or known.valid_to > until):
        new = replace(new, valid_to=until)
    return replace(new, state=State.ARCHIVED, superseded_by=winner.memory.id)


def faded(known: Memory, confidence: float, now: datetime) -> Memory | None:
    """Return the memory with that confidence, inactive under 0.1; None where that is no less than what time has left of
    it.
    """
    if confidence >= faded_confidence(known.confidence, known.fades_from, now):
        return None
    state = State.INACTIVE if confidence < LEAST_CONFIDENCE else known.state
    return replace(known, confidence=confidence, confidence_at=now, state=state, updated_at=now)


def retired(known: Memory, at: datetime, now: datetime) -> Memory:
    """Return the memory as one that no longer holds, since ``at`` at the latest: archived, for what was so until
    then.
    """
    ends = at if known.valid_to is None else min(at, known.valid_to)
    if known.valid_from is not None and ends <= known.valid_from:
        ends = known.valid_from + _INSTANT
    return replace(known, state=State.ARCHIVED, valid_to=ends, updated_at=now)


@dataclass(frozen=True, kw_only=True, slots=True)
class Wording:
    """What a memory says from now on: believed ``since`` then, true in the world from ``known_since`` on where that was
    said, and told last ``at`` that time. ``doubted``: our checks doubt it.
    """

    essence: str
    lesson: str | None
    since: datetime
    known_since: datetime | None
    at: datetime
    sources: tuple[str, ...]
    trust: SourceTrust
    confidence: float
    kind: Kind
    priority: Priority
    doubted: bool = False


def revised(known: Memory, wording: Wording, now: datetime) -> Memory:
    """Return the memory with another wording under its old id, as sure as what is stated or inferred anew, and at most
    as trusted as it was and as its sources are. It is active again.

    A wording is never believed before the one that it replaces, and none from a time on that is still to come: then it
    is believed from ``now`` on. What says all that the memory said, from its own sources, is believed as long as that
    was: nobody said anything when it was reworded. What says something else wasn't believed before, whoever said it.
    """
    since = _believed_since(known, wording, now)
    valid_from = wording.known_since or (since if known.valid_from is not None else None)
    over = known.valid_to is not None and known.valid_to <= max(since, valid_from or since)
    return replace(
        known,
        essence=wording.essence,
        quoted=None,
        lesson=wording.lesson or known.lesson,
        kind=wording.kind,
        priority=wording.priority,
        needs_review=wording.doubted,
        confidence=wording.confidence,
        confidence_at=min(max(known.confidence_at, wording.at), now),
        source_episodes=tuple(sorted({*known.source_episodes, *wording.sources})),
        source_trust=least_trusted((known.source_trust, wording.trust)),
        state=State.ACTIVE,
        version=known.version + 1,
        believed_from=since,
        valid_from=valid_from,
        valid_to=None if over else known.valid_to,
        updated_at=now,
    )


def _believed_since(known: Memory, wording: Wording, now: datetime) -> datetime:
    times = (wording.since, wording.at)  # since when it holds, else when it was said
    later = next((time for time in times if known.believed_from < time <= now), None)
    if later is not None:
        return later
    retold = known.believed_from + _INSTANT
    whole = known.source_episodes and is_retold(known, wording.sources)
    return retold if whole and retold <= now and keeps_words(wording.essence, known.essence) else now


def keeps_words(wording: str, known: str) -> bool:
    """Return whether a wording has every content word of the known one."""
    return set(terms(known)) <= set(terms(wording))


def is_retold(known: Memory, sources: Collection[str]) -> bool:
    """Return whether a wording from these sources only tells again what the memory rests on already."""
    return set(sources) <= set(known.source_episodes)


def is_less_trusted(one: SourceTrust, other: SourceTrust) -> bool:
    """Return whether the first is trusted less than the second."""
    return one.rank > other.rank


def _is_less_trusted(one: Side, other: Side) -> bool:
    return is_less_trusted(one.memory.source_trust, other.memory.source_trust)
