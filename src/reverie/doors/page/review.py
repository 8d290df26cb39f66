"""Review: what waits for approval, and what others said that isn't trusted; dealt with one by one, by keyboard too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.responses import Response

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.query import MemoryHit
from reverie.domain.trust import SourceTrust
from reverie.doors.page.frame import View, missing

_SHOWN = 30
_MOST_SOURCES = 3
_MOST_NEAR, _LOOKED_AT = 2, 12
_NEAR, _LEAST = 0.4, 0.15
"""How close another memory is that tells of the same: of what a memory is to itself, and in any case."""
_OUTSIDE = (SourceTrust.EXTERNAL, SourceTrust.OTHER)


def index(view: View) -> Response:
    """Show the queue."""
    return _queue(view)


def approve(view: View) -> Response:
    """Approve a wording, and show what is left."""
    return _dealt(view, view.agent.approve(view.value("id")), "Approved")


def trust(view: View) -> Response:
    """Trust a memory from outside, and show what is left."""
    id = view.value("id")
    view.agent.adopt(id)
    found = view.agent.get(id)
    if not isinstance(found, Memory):
        raise missing("that is no memory")
    return _dealt(view, found, "Trusted from now on")


def near(view: View) -> Response:
    """Return what else is known about the same, so that a contradiction shows."""
    memory = view.agent.get(view.value("id"))
    if not isinstance(memory, Memory):
        raise missing("that is no memory")
    found = view.agent.recall(memory.essence, limit=_LOOKED_AT, touch=False)
    close = {hit.id: _closeness(hit) for hit in found.hits}
    least = max(_LEAST, _NEAR * close.get(memory.id, 0.0))
    others = [hit for hit in found.hits if hit.id != memory.id and close[hit.id] >= least]
    others.sort(key=lambda hit: -close[hit.id])
    return view.part("review_near.html", near=[hit.memory for hit in others[:_MOST_NEAR]])


def _dealt(view: View, memory: Memory, word: str) -> Response:
    words = f"{word}: {memory.essence}"
    return _queue(view, said=words) if view.wants_part else view.done(words, "review")


def _queue(view: View, said: str = "") -> Response:
    waiting = view.agent.memories(review=True, limit=_SHOWN + 1)
    outside = view.agent.memories(review=False, source_trust=_OUTSIDE, limit=_SHOWN + 1, newest_first=True)
    sources = _sources(view, waiting[:_SHOWN])
    return view.either(
        "review_queue.html", "review.html", waiting=waiting[:_SHOWN], more=len(waiting) > _SHOWN, said=said,
        outside=outside[:_SHOWN], more_outside=len(outside) > _SHOWN, sources=sources,
        doubts={one.id: _doubt(view, one) for one in waiting[:_SHOWN]},
    )  # fmt: skip


def _sources(view: View, waiting: Sequence[Memory]) -> Mapping[str, Sequence[Episode]]:
    """Return the first messages that each rests on, by the memory's id."""
    wanted = {one.id: one.source_episodes[:_MOST_SOURCES] for one in waiting}
    found = {one.id: one for one in view.agent.jobs.sources([id for ids in wanted.values() for id in ids])}
    return {memory: [found[id] for id in ids if id in found] for memory, ids in wanted.items()}


def _doubt(view: View, memory: Memory) -> str | None:
    """Return what the night said of a wording that it doubts."""
    told = view.agent.audit(target=memory.id, actions=("remember", "revise"), limit=1, newest_first=True)
    return told[0].reason if told else None


def _closeness(hit: MemoryHit) -> float:
    """Return what of a hit's score is about the question alone."""
    return sum(hit.terms.get(name, 0.0) for name in ("semantic", "lexical"))
