"""recurring: which of the new episodes say what was said before, again and again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.domain.query import Filter
from reverie.domain.trust import SourceTrust
from reverie.ports.search import Floats
from reverie.rules.echo import repeats
from reverie.rules.promote import may_recur, recurring, says_the_same
from reverie.services.desk import Desk, read_again
from reverie.services.pace import Pace

_REACH = 50_000  # episodes that came last, with which new ones are compared
_PAGE = 4_000
_MOST_NEAR = 200
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


def recurring_in(desk: Desk, agent_id: str, new: Sequence[Episode], pace: Pace) -> Iterator[Recurring]:
    """What recurs with these new episodes, each thing once, in order of time: near by ``Settings.promote_cosine``, and
    nothing that tells it apart. Raises Stopped.
    """
    settings, zone = desk.settings, desk.zone(agent_id)
    fresh = {one.id: one for one in new if may_recur(one)}
    near = _near(desk, agent_id, [*fresh], pace)
    others = _episodes(desk, agent_id, {id for some in near.values() for id in some})
    taken: set[str] = set()
    for one in sorted(fresh.values(), key=lambda one: (one.time, one.id)):
        if one.id in taken:
            continue
        told = [others[id] for id in near.get(one.id, ()) if id in others]
        same = [one, *(other for other in told if may_recur(other) and says_the_same(one, other))]
        enough = partial(recurring, zone=zone, least=settings.promote_episodes, days=settings.promote_days)
        if enough(same) is None:
            continue
        outside = _outside(desk, agent_id, same)
        weighed = [_weighed(each, outside[each.id]) for each in same]
        found = enough(weighed)
        if found is not None:
            ids = {each.id for each in found}
            taken |= {one.id, *ids}
            own = {each.id: each for each in same if each.source_trust is SourceTrust.PRINCIPAL}
            yield Recurring(
                episodes=tuple(own.get(each.id, each) for each in found),
                teller=next(own.get(each.id, each) for each in weighed if each.id in ids),
                outside=tuple(dict.fromkeys(text for each in found for text in outside[each.id])),
            )
            pace.breathe()


@read_again
def _outside(desk: Desk, agent_id: str, episodes: Sequence[Episode]) -> Mapping[str, Sequence[str]]:
    """For each episode what outside sources said in its conversation just before: as far back as a snippet reaches."""
    size, found = desk.settings.snippet_messages, dict[str, Sequence[str]]()
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
    if episode.source_trust is SourceTrust.EXTERNAL or not repeats(episode.content, outside):
        return episode
    return replace(episode, source_trust=SourceTrust.EXTERNAL)


def _near(desk: Desk, agent_id: str, ids: Sequence[str], pace: Pace) -> Mapping[str, Sequence[str]]:
    """For each new episode those that are near to it, nearest first."""
    vectors = _vectors(desk, agent_id, ids)
    if not vectors:
        return {}
    asked = np.stack(list(vectors.values()))
    found: list[list[tuple[float, str]]] = [[] for _ in vectors]
    every = _talk(desk, agent_id)[-_REACH:]
    for start in range(0, len(every), _PAGE):
        pace.breathe()
        page = _vectors(desk, agent_id, every[start : start + _PAGE])
        if not page:
            continue
        names = list(page)
        cosines = asked @ np.stack(list(page.values())).T
        for near, row in zip(found, cosines, strict=True):
            places = np.flatnonzero(row >= desk.settings.promote_cosine)
            best = places[np.argsort(-row[places], kind="stable")[:_MOST_NEAR]]
            near += [(-float(row[place]), names[place]) for place in best.tolist()]
    return {
        id: [other for _, other in sorted(near)[:_MOST_NEAR] if other != id]
        for id, near in zip(vectors, found, strict=True)
    }


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
