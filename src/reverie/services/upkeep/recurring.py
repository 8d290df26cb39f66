"""Find which of the new episodes say what was said before, again and again."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import TypeVar

import numpy as np

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.query import Filter
from reverie.domain.trust import SourceTrust
from reverie.memory.change import Echo, is_event, may_recur, recurring, says_the_same
from reverie.ports.search import Floats
from reverie.ports.store import Unit
from reverie.services.runtime import Job

_REACH = 20_000
"""A new episode is compared with so many that came last before the end of its portion,"""
_MOST_WORDINGS = 12
"""and of those with so many of the nearest wordings: what bounds the time that it takes."""
_PAGE = 4_000
_MOST_REPEATS, _MOST_ALIKE = 200, 16
"""Of those that say it in the same words, and of each other wording, so many are looked at: the first and the last."""
_MOST_SOURCES = 32
"""Of those that say the same so many are read: the first and the last."""
_TALK = Filter(roles=frozenset({Role.USER, Role.AGENT}))


@dataclass(frozen=True, kw_only=True, slots=True)
class Recurring:
    """Episodes that say the same, in order of time, and the one whose words stand for all.

    An episode that isn't a principal's and repeats what an outside source said shortly before it is as little trusted
    here as that is, whatever is stored of it. ``outside``: what outside sources said before them.
    """

    episodes: tuple[Episode, ...]
    teller: Episode
    outside: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Return their ids, sorted."""
        return tuple(sorted(one.id for one in self.episodes))

    def last(self, now: datetime) -> datetime:
        """Return when it was said last; a clock that was ahead then doesn't count."""
        return min(self.episodes[-1].time, now)


def recurring_in(job: Job, new: Sequence[Episode], unwanted: Container[str] = ()) -> Iterator[Recurring]:
    """Yield what recurs with these new episodes, each once, in order of time: near by
    ``Settings.housekeeping.promote_cosine``, and nothing that tells it apart. ``unwanted``: contents to pass over.
    Raise Stopped.

    An episode is compared with a bounded number of wordings, however many are like it.
    """
    settings, zone = job.desk.settings.housekeeping, job.desk.zone(job.agent_id)
    fresh = {one.id: one for one in new if may_recur(one)}
    near = _near(job, [*fresh])
    nearest = {id for some in near.values() for id in some}
    others = job.read(lambda unit: unit.episodes.get(nearest))
    taken: set[str] = set()
    done: set[_Wording] = set()
    enough = partial(
        recurring,
        zone=zone,
        least=settings.promote_episodes,
        days=settings.promote_days,
    )
    for one in sorted(fresh.values(), key=lambda one: (one.time, one.id)):
        if one.id in taken or _wording(one) in done or one.content in unwanted:
            continue
        done.add(_wording(one))
        every = [one, *_saying(one, [others[id] for id in near.get(one.id, ()) if id in others])]
        if enough(every) is None:
            continue
        same = _ends(sorted(every, key=lambda one: (one.time, one.id)), _MOST_SOURCES)
        outside = _outside(job, same)
        weighed = [_weighed(each, outside[each.id]) for each in same]
        found = enough(weighed)
        if found is not None:
            ids = {each.id for each in found}
            taken |= {one.id, *ids, *({each.id for each in every} - {each.id for each in same})}
            own = {each.id: each for each in same if each.source_trust is SourceTrust.PRINCIPAL}
            yield Recurring(
                episodes=tuple(own.get(each.id, each) for each in found),
                teller=next(own.get(each.id, each) for each in weighed if each.id in ids),
                outside=tuple(dict.fromkeys(text for each in found for text in outside[each.id])),
            )
            job.checkpoint()


_Wording = tuple[object, ...]
_Item = TypeVar("_Item")


def _wording(one: Episode) -> _Wording:
    """Return what decides whether it says the same as another one."""
    return (one.role, one.speaker, one.outcome, is_event(one), one.content)


def _saying(one: Episode, others: Sequence[Episode]) -> Iterator[Episode]:
    """Yield those of the others that say the same; each wording is compared once."""
    verdicts: dict[_Wording, bool] = {}
    for other in others:
        if other.id == one.id:
            continue
        wording = _wording(other)
        if wording not in verdicts:
            verdicts[wording] = may_recur(other) and says_the_same(one, other)
        if verdicts[wording]:
            yield other


def _ends(some: Sequence[_Item], most: int) -> Sequence[_Item]:
    """Return the first and the last of them."""
    return some if len(some) <= most else [*some[: most // 2], *some[-(most // 2) :]]


def _outside(job: Job, episodes: Sequence[Episode]) -> Mapping[str, Sequence[str]]:
    """Return for each episode what outside sources said in its conversation just before: as far back as a snippet
    reaches.
    """
    size = job.desk.settings.loop.snippet_messages

    def look(unit: Unit) -> Mapping[str, Sequence[str]]:
        return {
            one.id: [
                each.content
                for each in unit.episodes.forward(one.conversation, max(one.position - size, 0), size)
                if each.position < one.position and each.source_trust is SourceTrust.EXTERNAL
            ]
            for one in episodes
        }

    return job.read(look)


def _weighed(episode: Episode, outside: Sequence[str]) -> Episode:
    if episode.source_trust is SourceTrust.EXTERNAL or not Echo(outside).repeats(episode.content):
        return episode
    return replace(episode, source_trust=SourceTrust.EXTERNAL)


def _near(job: Job, ids: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the episodes near to each new one, nearest first. Episodes with equal vectors are one wording."""
    vectors = _vectors(job, ids)
    if not vectors:
        return {}
    asked = {_digest(vector): vector for vector in vectors.values()}
    best = _Best(np.stack([*asked.values()]), job.desk.settings.housekeeping.promote_cosine)
    saying: dict[bytes, list[str]] = {}
    every = _before(job.read(lambda unit: unit.episodes.ids(_TALK)), vectors)
    for start in range(0, len(every), _PAGE):
        job.checkpoint()
        fresh: dict[bytes, Floats] = {}
        for id, vector in _vectors(job, every[start : start + _PAGE]).items():
            digest = _digest(vector)
            if digest not in saying:
                fresh[digest] = vector
            saying.setdefault(digest, []).append(id)
        best.add(fresh)
    near = {
        digest: [
            id
            for other in wordings
            for id in _ends(saying[other], _MOST_REPEATS if other == digest else _MOST_ALIKE)
        ]
        for digest, wordings in zip(asked, best.wordings, strict=True)
    }
    return {id: near[_digest(vector)] for id, vector in vectors.items()}


def _before(talk: Sequence[str], new: Collection[str]) -> Sequence[str]:
    """Return the new episodes, and those that came last before the last of them."""
    end = max((place + 1 for place, id in enumerate(talk) if id in new), default=0)
    window = talk[max(0, end - _REACH) : end]
    return [*(id for id in talk[: end - len(window)] if id in new), *window]


def _digest(vector: Floats) -> bytes:
    return blake2b(vector.tobytes(), digest_size=16).digest()


class _Best:
    """For each vector that is asked for the nearest of the wordings that were added, nearest first."""

    def __init__(self, asked: Floats, least: float) -> None:
        self._asked = asked
        self._least = np.full(len(asked), least, np.float32)
        self._found: list[list[tuple[float, bytes]]] = [[] for _ in asked]

    def add(self, wordings: Mapping[bytes, Floats]) -> None:
        """More wordings by digest. A row that has enough takes only what is nearer than its last."""
        if not wordings:
            return
        names = [*wordings]
        cosines = self._asked @ np.stack([*wordings.values()]).T
        hits = cosines >= self._least[:, None]
        for row in np.flatnonzero(hits.any(axis=1)).tolist():
            places = np.flatnonzero(hits[row])
            if len(places) > _MOST_WORDINGS:
                places = places[np.argpartition(-cosines[row, places], _MOST_WORDINGS)[:_MOST_WORDINGS]]
            found = [(-float(cosines[row, place]), names[place]) for place in places.tolist()]
            self._found[row] = sorted(self._found[row] + found)[:_MOST_WORDINGS]
            if len(self._found[row]) == _MOST_WORDINGS:
                self._least[row] = np.nextafter(np.float32(-self._found[row][-1][0]), np.float32(2))

    @property
    def wordings(self) -> Sequence[Sequence[bytes]]:
        """Return their digests."""
        return [[digest for _, digest in found] for found in self._found]


def _vectors(job: Job, ids: Sequence[str]) -> Mapping[str, Floats]:
    found = job.read(lambda unit: unit.episodes.vectors(ids))
    return {id: found[id] for id in ids if id in found}
