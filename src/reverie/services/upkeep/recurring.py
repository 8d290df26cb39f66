"""recurring: which of the new episodes say what was said before, again and again."""

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
from reverie.services.runtime import Desk, Pace, read_again

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
        """Their ids, sorted."""
        return tuple(sorted(one.id for one in self.episodes))

    def last(self, now: datetime) -> datetime:
        """When it was said last; a clock that was ahead then doesn't count."""
        return min(self.episodes[-1].time, now)


def recurring_in(
    desk: Desk, agent_id: str, new: Sequence[Episode], pace: Pace, dull: Container[str] = ()
) -> Iterator[Recurring]:
    """What recurs with these new episodes, each thing once, in order of time: near by
    ``Settings.housekeeping.promote_cosine``, and nothing that tells it apart. ``dull``: contents that are passed over.
    Raises Stopped.

    An episode is compared with a bounded number of wordings, however many are like it.
    """
    settings, zone = desk.settings, desk.zone(agent_id)
    fresh = {one.id: one for one in new if may_recur(one)}
    near = _near(desk, agent_id, [*fresh], pace)
    others = _episodes(desk, agent_id, {id for some in near.values() for id in some})
    taken: set[str] = set()
    done: set[_Wording] = set()
    enough = partial(
        recurring,
        zone=zone,
        least=settings.housekeeping.promote_episodes,
        days=settings.housekeeping.promote_days,
    )
    for one in sorted(fresh.values(), key=lambda one: (one.time, one.id)):
        if one.id in taken or _wording(one) in done or one.content in dull:
            continue
        done.add(_wording(one))
        every = [one, *_saying(one, [others[id] for id in near.get(one.id, ()) if id in others])]
        if enough(every) is None:
            continue
        same = _ends(sorted(every, key=lambda one: (one.time, one.id)), _MOST_SOURCES)
        outside = _outside(desk, agent_id, same)
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
            pace.breathe()


_Wording = tuple[object, ...]
_Item = TypeVar("_Item")


def _wording(one: Episode) -> _Wording:
    """What decides whether it says the same as another one."""
    return (one.role, one.speaker, one.outcome, is_event(one), one.content)


def _saying(one: Episode, others: Sequence[Episode]) -> Iterator[Episode]:
    """Those of the others that say the same; each wording is compared once."""
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
    """The first and the last of them."""
    return some if len(some) <= most else [*some[: most // 2], *some[-(most // 2) :]]


@read_again
def _outside(desk: Desk, agent_id: str, episodes: Sequence[Episode]) -> Mapping[str, Sequence[str]]:
    """For each episode what outside sources said in its conversation just before: as far back as a snippet reaches."""
    size, found = desk.settings.loop.snippet_messages, dict[str, Sequence[str]]()
    with desk.reading(agent_id) as unit:
        for one in episodes:
            before = unit.episodes.forward(one.conversation, max(one.position - size, 0), size)
            found[one.id] = [
                each.content
                for each in before
                if each.position < one.position and each.source_trust is SourceTrust.EXTERNAL
            ]
    return found


def _weighed(episode: Episode, outside: Sequence[str]) -> Episode:
    if episode.source_trust is SourceTrust.EXTERNAL or not Echo(outside).repeats(episode.content):
        return episode
    return replace(episode, source_trust=SourceTrust.EXTERNAL)


def _near(desk: Desk, agent_id: str, ids: Sequence[str], pace: Pace) -> Mapping[str, Sequence[str]]:
    """For each new episode those that are near to it, nearest first. Episodes with equal vectors are one wording."""
    vectors = _vectors(desk, agent_id, ids)
    if not vectors:
        return {}
    asked = {_digest(vector): vector for vector in vectors.values()}
    best = _Best(np.stack([*asked.values()]), desk.settings.housekeeping.promote_cosine)
    saying: dict[bytes, list[str]] = {}
    every = _before(_talk(desk, agent_id), vectors)
    for start in range(0, len(every), _PAGE):
        pace.breathe()
        fresh: dict[bytes, Floats] = {}
        for id, vector in _vectors(desk, agent_id, every[start : start + _PAGE]).items():
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
    """The new episodes, and those that came last before the last of them."""
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
        """Their digests."""
        return [[digest for _, digest in found] for found in self._found]


@read_again
def _talk(desk: Desk, agent_id: str) -> Sequence[str]:
    with desk.reading(agent_id) as unit:
        return unit.episodes.ids(_TALK)


@read_again
def _vectors(desk: Desk, agent_id: str, ids: Sequence[str]) -> Mapping[str, Floats]:
    with desk.reading(agent_id) as unit:
        found = unit.episodes.vectors(ids)
    return {id: found[id] for id in ids if id in found}


@read_again
def _episodes(desk: Desk, agent_id: str, ids: Collection[str]) -> Mapping[str, Episode]:
    with desk.reading(agent_id) as unit:
        return unit.episodes.get(ids)
