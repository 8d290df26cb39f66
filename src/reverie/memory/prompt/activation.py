"""Which memories enter a prompt unasked, and in which order (s2, with relevance to the task).

Nothing here depends on the time of asking but validity, and on its day what is due: activation is reckoned at the
latest touch or reinforcement among the memories that are compared. Their order is the same at any time, since all fade
alike, and an idle bank keeps its block to the byte.

In the layers that look at the task the count of reinforcements and touches is squashed to its eighth root, so that
what was confirmed or recalled twenty times counts half as much again as what was heard once, and not twenty times as
much: else relevance would be drowned. Measured by ``python -m bench activation``, see ``docs/why/activation.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from reverie.domain.activity import Active
from reverie.domain.block import Layer, LeftOut, Reason
from reverie.domain.episode import Episode
from reverie.domain.gist import Gist
from reverie.domain.kinds import Kind, Priority
from reverie.domain.procedure import Steps
from reverie.domain.soul import SoulEntry
from reverie.domain.summary import Summary
from reverie.domain.time import MICROS_PER_DAY, micros
from reverie.memory.decay import COUNT_CAP, HALF_LIFE_DAYS, activation_of
from reverie.memory.prompt.block import (
    BlockLine,
    BlockSection,
    left_out,
    one_line,
    source_label,
    summary_mark,
)
from reverie.memory.prompt.due import MOST_DUE, due_label, today_begins
from reverie.memory.quoting import quotation
from reverie.memory.scope import matches
from reverie.memory.scoring import MemoryCandidates
from reverie.memory.trust import instructs, may_instruct

BASELINE_KINDS = frozenset({Kind.POLICY, Kind.ARCHITECTURE, Kind.PREFERENCE})
BASELINE_PRIORITIES = frozenset({Priority.CRITICAL, Priority.HIGH})
GUARDED_KINDS = frozenset({Kind.POLICY, Kind.WORKFLOW})
"""What these say is an instruction; of a source that may not instruct they enter no layer."""
MOST_PROCEDURES = 3
COUNT_EXPONENT = 0.125
SCOPED_RELEVANCE = 0.05
"""A memory whose globs name the path has to do with the task: it counts as at least this relevant."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Situation:
    """What the rules must know of the asking: the time and the path; the least relevance of the hit that answers the
    task best, and of each that enters the least product of activation and relevance.
    """

    now: datetime
    path: str | None
    least_relevance: float
    threshold: float
    zone: tzinfo = UTC


@dataclass(frozen=True, kw_only=True, slots=True)
class RankedLines:
    """One layer's lines, best first, and what doesn't enter however large the budget is."""

    lines: tuple[BlockLine, ...]
    left_out: tuple[LeftOut, ...]


NOTHING = RankedLines(lines=(), left_out=())


def identity(entries: Sequence[SoulEntry]) -> tuple[BlockLine, ...]:
    """Return the soul entries, oldest first as they are given."""
    return tuple(
        BlockLine(
            id=entry.id,
            section=BlockSection.IDENTITY,
            text=f"- {one_line(entry.text)}",
            score=0.0,
            order=(place, entry.id),
        )
        for place, entry in enumerate(entries)
    )


def baseline(gists: Iterable[Gist], around: Situation) -> RankedLines:
    """Return layer A, out of memories of BASELINE_KINDS and BASELINE_PRIORITIES: by priority, then by activation.

    In the block they stand by priority, then oldest first: what is touched meanwhile moves nothing there.
    """
    given = list(gists)
    at = reckoned_at(given, around.now)
    scored = [(activation_of(gist, at), gist) for gist in given]
    scored.sort(key=lambda each: (each[1].priority.rank, -round(each[0], 9), each[1].id))

    def line(gist: Gist, score: float, _: int) -> BlockLine:
        order = (gist.priority.rank, gist.id)
        return _line(gist, BlockSection.BASELINE, _worded(gist, around), score, order)

    return _ranked(Layer.BASELINE, scored, lambda gist, _: _barred(gist, around, always=True), line)


def always_enters(gist: Gist, around: Situation) -> bool:
    """Return whether one of the baseline's kinds and priorities belongs there, and so in no other layer."""
    return _barred(gist, around, always=True) is None


def answerable(relevance: NDArray[np.float64], around: Situation) -> NDArray[np.float64]:
    """Return the relevances of all hits for a task; 0 where even the best is unlikely to answer it. What comes closest
    to small talk isn't close to it.
    """
    return relevance if relevance.max(initial=0.0) >= around.least_relevance else np.zeros_like(relevance)


def most_promising(
    found: MemoryCandidates, relevance: NDArray[np.float64], around: Situation
) -> Sequence[int]:
    """Return places of the candidates by what search knows of their scores, which is all but priority and touches: best
    first, of equals what was stored last.
    """
    moments = np.minimum(found.fades_from, micros(around.now))
    days = (moments.max(initial=0) - moments) / MICROS_PER_DAY
    counts = np.clip(found.reinforcement_count, 1, COUNT_CAP).astype(np.float64)
    promise = relevance * 0.5 ** (days / HALF_LIFE_DAYS) * counts**COUNT_EXPONENT
    falling = np.argsort(-np.round(promise, 12)[::-1], kind="stable")
    order: list[int] = (len(promise) - 1 - falling).tolist()
    return order


def contextual(
    gists: Iterable[Gist],
    relevance: Mapping[str, float],
    around: Situation,
    at: datetime,
    summaries: Mapping[str, Summary] = MappingProxyType({}),
) -> RankedLines:
    """Return the memories of layer B: by relevance, in [0, 1] and given for each id, times squashed activation ``at`` a
    time; of equals the older first.

    What may not instruct is labelled with its source and stands apart; ``summaries``, by id, say that they are some.
    In the block they stand oldest first.
    """

    def line(gist: Gist, score: float, _: int) -> BlockLine:
        trusted = may_instruct(gist)
        trust = None if trusted else gist.source_trust
        label = source_label(trust, gist.learned_from, summary_mark(summaries.get(gist.id)) or gist.mark)
        section = BlockSection.KNOWN if trusted else BlockSection.TOLD
        text = f"{label}{_worded(gist, around)}{_holds_for(gist, around)}"
        return _line(gist, section, text, score, (0, gist.id))

    scored = _scored(gists, relevance, at)
    return _ranked(Layer.CONTEXTUAL, scored, lambda gist, score: _unfit(gist, score, around), line)


def procedures(
    gists: Iterable[Gist], steps: Mapping[str, Steps], relevance: Mapping[str, float], around: Situation
) -> RankedLines:
    """Return layer C, out of workflows: proven ones first, then as in layer B. MOST_PROCEDURES of them enter."""
    given = list(gists)
    scored = _scored(given, relevance, reckoned_at(given, around.now))
    scored.sort(key=lambda each: not _proven(steps.get(each[1].id)))

    def line(gist: Gist, score: float, place: int) -> BlockLine:
        text = f"{_numbered(gist, steps.get(gist.id))}{_lesson(gist)}{_holds_for(gist, around)}"
        return _line(gist, BlockSection.PROCEDURES, text, score, (place, gist.id))

    return _ranked(Layer.PROCEDURES, scored, lambda gist, score: _unfit(gist, score, around), line)


def due(gists: Iterable[Gist], dues: Mapping[str, datetime], around: Situation) -> RankedLines:
    """Return what is due on the day of asking or the next, soonest first, then what is overdue, latest first:
    MOST_DUE of all. In the block they stand in the order of time.
    """
    today = today_begins(around.now, around.zone)

    def line(gist: Gist, _score: float, _place: int) -> BlockLine:
        at = dues[gist.id]
        label = source_label(None, gist.learned_from, gist.mark)
        text = f"{due_label(at, around.now, around.zone)}: {label}{_worded(gist, around)}{_holds_for(gist, around)}"
        return _line(gist, BlockSection.DUE, text, 0.0, (micros(at), gist.id))

    def turn(gist: Gist) -> tuple[bool, int, str]:
        at = dues[gist.id]
        return at < today, micros(at) * (-1 if at < today else 1), gist.id

    scored = [(0.0, gist) for gist in sorted(gists, key=turn)]
    ranked = _ranked(Layer.DUE, scored, lambda gist, _: _barred(gist, around, always=True), line)
    more = tuple(left_out(one, Reason.LIMIT) for one in ranked.lines[MOST_DUE:])
    return RankedLines(lines=ranked.lines[:MOST_DUE], left_out=(*more, *ranked.left_out))


def _ranked(
    layer: Layer,
    scored: Iterable[tuple[float, Gist]],
    barred: Callable[[Gist, float], Reason | None],
    line: Callable[[Gist, float, int], BlockLine],
) -> RankedLines:
    """Return a layer's lines in the order given, but for those that are barred. ``line`` is told how many stand
    before it.
    """
    lines: list[BlockLine] = []
    left: list[LeftOut] = []
    for score, gist in scored:
        reason = barred(gist, score)
        if reason is None:
            lines.append(line(gist, score, len(lines)))
        else:
            left.append(LeftOut(id=gist.id, layer=layer, reason=reason, score=score))
    return RankedLines(lines=tuple(lines), left_out=tuple(left))


def _line(gist: Gist, section: BlockSection, text: str, score: float, order: tuple[int, str]) -> BlockLine:
    quotes = None if gist.quoted is None else (gist.quoted.episode, one_line(gist.essence))
    return BlockLine(id=gist.id, section=section, text=f"- {text}", score=score, order=order, quotes=quotes)


def reckoned_at(activity: Iterable[Active], now: datetime, said: Iterable[Episode] = ()) -> datetime:
    """Return the time at which activation is compared: the latest touch or reinforcement of any of these, or when the
    last of these episodes was said; what lies ahead of ``now`` doesn't count. ``now`` for none.
    """
    moments = (*map(_last, activity), *(episode.time for episode in said))
    return max((moment for moment in moments if moment <= now), default=now)


def availability(active: Active, at: datetime) -> float:
    """Return the activation with its count squashed to COUNT_EXPONENT. Range 0 to 1.5."""
    count = min(max(active.reinforcement_count + active.touches, 1), COUNT_CAP)
    return float(activation_of(active, at) * count ** (COUNT_EXPONENT - 1))


def _scored(gists: Iterable[Gist], relevance: Mapping[str, float], at: datetime) -> list[tuple[float, Gist]]:
    """Score the memories, best first; equal scores in the order of their ids."""
    scored = [(relevance[gist.id] * availability(gist, at), gist) for gist in gists]
    return sorted(scored, key=lambda each: (-round(each[0], 9), each[1].id))


def _unfit(gist: Gist, score: float, around: Situation) -> Reason | None:
    """Return why what looks at the task doesn't enter, whatever the budget; None where it may."""
    if not score or score < around.threshold:
        return Reason.THRESHOLD
    return _barred(gist, around)


def _barred(gist: Gist, around: Situation, *, always: bool = False) -> Reason | None:
    """Return why a memory may not enter, whatever the task; None where it may. What enters ``always`` must instruct,
    and hold for the path that is named, or else for all.
    """
    if not may_instruct(gist) and (always or gist.kind in GUARDED_KINDS):
        return Reason.REVIEW if instructs(gist.source_trust, gist.origin) else Reason.TRUST
    begun = gist.valid_from is None or gist.valid_from <= around.now
    if not begun or (gist.valid_to is not None and gist.valid_to <= around.now):
        return Reason.VALIDITY
    if gist.scope and (always if around.path is None else not matches(gist.scope, around.path)):
        return Reason.SCOPE
    return None


def _last(active: Active) -> datetime:
    return max(active.last_reinforced_at, active.last_touched_at or active.last_reinforced_at)


def _worded(gist: Gist, around: Situation) -> str:
    """Return what a memory says on one line, as a quotation where it is one, and its lesson."""
    said = gist.essence if gist.quoted is None else quotation(gist.essence, gist.quoted, around.zone)
    return f"{one_line(said)}{_lesson(gist)}"


def _lesson(gist: Gist) -> str:
    return f" (lesson: {one_line(gist.lesson)})" if gist.lesson else ""


def _holds_for(gist: Gist, around: Situation) -> str:
    """Tell for what paths a memory holds, where it isn't known whether it holds here."""
    return f" (for {one_line(', '.join(gist.scope))})" if gist.scope and around.path is None else ""


def _proven(steps: Steps | None) -> bool:
    return steps is not None and steps.proven


def _numbered(gist: Gist, steps: Steps | None) -> str:
    """Return a procedure on one line: name, how it went, numbered steps; the essence where it has no steps."""
    if steps is None or not steps.steps:
        return one_line(gist.essence)
    runs = steps.success_count + steps.failure_count
    went = f" (worked {steps.success_count} of {runs} times)" if runs else ""
    numbered = "; ".join(f"{number}. {one_line(step)}" for number, step in enumerate(steps.steps, 1))
    return f"{one_line(steps.name)}{went}: {numbered}"
