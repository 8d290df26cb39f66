"""The hits of one recall in their last order: of two about the same thing the newer first, repetitions behind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

import numpy as np

from reverie.domain.memory import CONTRADICTS, NEAR, Connection, State
from reverie.domain.query import EpisodeHit, MemoryHit
from reverie.domain.time import micros
from reverie.memory.scoring import FEWER_WORDS, REPEATED, STEP, Pair, lifts, outdated, repeated
from reverie.ports.store import Unit

Hit = TypeVar("Hit", bound=MemoryHit | EpisodeHit)
_SAME_THING = frozenset({NEAR, CONTRADICTS})


def later_first(unit: Unit, hits: list[MemoryHit], behind: float) -> list[MemoryHit]:
    """Return the best hits with what a later one that tells of the same takes from each (the term ``newer``), best
    first. ``behind``: the score of the next candidate, which stays behind them.
    """
    vectors = unit.memories.vectors([hit.id for hit in hits])
    if len(hits) < 2 or len({len(vector) for vector in vectors.values()}) != 1 or len(vectors) < len(hits):
        return hits  # one is being embedded anew
    rows = np.stack([vectors[hit.id] for hit in hits])
    times = [micros(hit.memory.believed_from) for hit in hits]
    words = [hit.terms.get("lexical", 0.0) for hit in hits]
    taken = outdated([hit.score for hit in hits], words, times, rows @ rows.T)
    least = min(hit.score + points for hit, points in zip(hits, taken, strict=True))
    lift = max(0.0, behind - least)
    return _best_first([_with(hit, "newer", points + lift) for hit, points in zip(hits, taken, strict=True)])


def spread(hits: list[Hit], rest: Sequence[int], read: Callable[[Sequence[int]], list[Hit]]) -> list[Hit]:
    """Return the hits once what repeats a better one counts half (the term ``repeat``), best first; where there are
    such, with further ones out of ``rest``, the places of the next candidates, that may take their places.
    """
    again = _repeated(hits)
    if not again:
        return hits
    more = [*hits, *read(rest[: 2 * len(again)])]
    for place in _repeated(more):
        hit = more[place]
        more[place] = _with(hit, "repeat", REPEATED * hit.score - hit.score)
    return _best_first(more)


def newer_first(
    unit: Unit,
    hits: Sequence[MemoryHit],
    read: Callable[[Collection[str]], Sequence[MemoryHit]],
) -> list[MemoryHit]:
    """Return the hits with the newer and unsuperseded of two about the same thing before the other (the term
    ``newer``).

    About the same thing are memories that contradict or replace each other, and near ones that answer alike. ``read``
    gives the hits of those of the ids that are candidates too, so that a newer one is found that stood just below the
    last hit; these are among the hits that come back. It comes last, so that nothing moves an older one up again.
    """
    connections = unit.memories.connections([hit.id for hit in hits]) if hits else ()
    about = [one for one in connections if one.relation in _SAME_THING]
    if not about and not any(hit.memory.superseded_by for hit in hits):
        return list(hits)
    known = {hit.id for hit in hits}
    linked = {end for one in about for end in (one.source, one.target)}
    linked |= {hit.memory.superseded_by for hit in hits if hit.memory.superseded_by}
    more = [*hits, *read(linked - known)]
    added = lifts([hit.score for hit in more], _pairs(more, about))
    lifted = [_with(hit, "newer", added[place]) if place in added else hit for place, hit in enumerate(more)]
    return _best_first(lifted)


def current_first(
    hits: list[MemoryHit],
    rest: Sequence[int],
    read: Callable[[Sequence[int]], list[MemoryHit]],
    now: datetime,
) -> list[MemoryHit]:
    """Return the hits with what was set aside, and was true only until then, behind all that may be so now (the term
    ``newer``), with further ones out of ``rest``, the places of the next candidates. What replaced it may have been
    forgotten: nothing else says that it is over.
    """
    ended = [hit for hit in hits if _has_ended(hit, now)]
    if not ended:
        return hits
    more = [*hits, *read(rest[: len(ended)])]
    current = [hit.score for hit in more if not _has_ended(hit, now)]
    most = max(hit.score for hit in ended)
    if not current or most <= 0 or most < min(current):
        return _best_first(more)
    share = (1 - STEP) * min(current) / most
    behind = {hit.id: (share - 1) * hit.score for hit in more if _has_ended(hit, now)}
    return _best_first([_with(hit, "newer", behind[hit.id]) if hit.id in behind else hit for hit in more])


def _has_ended(hit: MemoryHit, now: datetime) -> bool:
    known = hit.memory
    return known.state is State.ARCHIVED and known.valid_to is not None and known.valid_to <= now


def _repeated(hits: Sequence[Hit]) -> frozenset[int]:
    speakers = [hit.episode.speaker if isinstance(hit, EpisodeHit) else None for hit in hits]
    return repeated([hit.text for hit in hits], speakers)


def _pairs(hits: Sequence[MemoryHit], about: Sequence[Connection]) -> list[Pair]:
    place: Mapping[str, int] = {hit.id: number for number, hit in enumerate(hits)}
    pairs = []
    for edge in about:
        if edge.source in place and edge.target in place:
            ends = sorted((place[edge.source], place[edge.target]), key=lambda number: _age(hits[number]))
            older, newer = (hits[end] for end in ends)
            named = older.terms.get("lexical", 0.0) > newer.terms.get("lexical", 0.0) + FEWER_WORDS
            pairs.append(Pair(older=ends[0], newer=ends[1], surely=edge.relation == CONTRADICTS, named=named))
    for hit in hits:
        successor = hit.memory.superseded_by
        if successor is not None and successor in place:
            pairs.append(Pair(older=place[hit.id], newer=place[successor], surely=True))
    return pairs


def _age(hit: MemoryHit) -> tuple[bool, datetime, str]:
    """Return what sorts superseded before current, then by when its wording was learned."""
    return hit.memory.superseded_by is None, hit.memory.believed_from, hit.id


def _with(hit: Hit, name: str, value: float) -> Hit:
    return replace(hit, score=hit.score + value, terms={**hit.terms, name: hit.terms.get(name, 0.0) + value})


def _best_first(hits: Sequence[Hit]) -> list[Hit]:
    """Sort by score; equal scores stay in the order in which they are, which every engine gives alike."""
    return sorted(hits, key=lambda hit: -round(hit.score, 9))
