"""Memories: the list with its filters, and a search whose hits show what their scores are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from reverie.domain.kinds import Kind
from reverie.domain.meanings import MEANINGS
from reverie.domain.memory import Memory, State
from reverie.domain.query import MemoryHit, Recall
from reverie.doors.page.frame import PAGE_SIZE, View
from reverie.doors.page.times import day_behind

_HITS = 30
_REVIEW = {"yes": True, "no": False}


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """A summand of a score. ``start`` and ``width``: where it lies on the bar of all hits, in percent."""

    name: str
    points: float
    meaning: str
    start: float
    width: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """A hit, with its terms: those that lift it lie on the bar, those that lower it are told behind."""

    hit: MemoryHit
    terms: Sequence[Term]


def index(view: View) -> Response:
    """Show memories, newest first, or those that answer a question."""
    query, kind, state, review = (view.asked(name) for name in ("q", "kind", "state", "review"))
    since, until = view.asked("since"), view.asked("until")
    chosen = {"kind": kind, "state": state, "review": review, "since": since, "until": until}
    first, last = since or None, day_behind(until)
    values: dict[str, Any] = {"query": query, "chosen": chosen, "kinds": [*Kind], "states": [*State]}
    if query:
        found = view.agent.recall(
            query, limit=_HITS, explain=True, kinds=kind or None, deep=state not in ("", State.ACTIVE), since=first,
            until=last,
        )  # fmt: skip
        values |= {"found": found, "hits": _scored(_passing(found, state, review))}
    else:
        page = view.agent.memories(
            kinds=kind or None, states=state or None, review=_REVIEW.get(review), limit=PAGE_SIZE + 1, after=view.after,
            newest_first=True, since=first, until=last,
        )  # fmt: skip
        values |= {"filtered": any(chosen.values()), **view.pager(page, "memories", chosen=chosen)}
    return view.either("memories_found.html", "memories.html", **values)


def _passing(found: Recall[MemoryHit], state: str, review: str) -> Sequence[MemoryHit]:
    def passes(memory: Memory) -> bool:
        wanted = _REVIEW.get(review, memory.needs_review)
        return (not state or memory.state == state) and memory.needs_review is wanted

    return [hit for hit in found.hits if passes(hit.memory)]


def _scored(hits: Sequence[MemoryHit]) -> Sequence[Scored]:
    """Return the hits with their bars: all on one scale, so that bars compare."""
    most = max((sum(max(one, 0.0) for one in hit.terms.values()) for hit in hits), default=0.0) or 1.0
    return [Scored(hit=hit, terms=_terms(hit, most)) for hit in hits]


def _terms(hit: MemoryHit, most: float) -> Sequence[Term]:
    terms, at = [], 0.0
    for name, points in hit.terms.items():
        width = 100 * max(points, 0.0) / most
        if round(points, 3):
            terms.append(
                Term(name=name, points=points, meaning=MEANINGS.get(name, ""), start=at, width=width)
            )
        at += width
    return terms
