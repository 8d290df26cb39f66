"""sourcing: the episodes that a change rests on, and how far these are trusted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reverie.domain.episode import Episode
from reverie.domain.trust import SourceTrust
from reverie.rules.echo import Echo, trust_of
from reverie.services.gathering import Gathered


class Sourcing:
    """Knows a night's episodes, and what outside sources said in it."""

    def __init__(self, gathered: Gathered) -> None:
        self._gathered = gathered
        self._echoes: dict[frozenset[str], Echo] = {}

    def named(self, ids: object) -> tuple[Episode, ...] | str:
        """The episodes of these ids, in order of time; or what is wrong with the ids."""
        if not isinstance(ids, tuple | list):
            return "its sources are no list of episodes"
        found: dict[str, Episode] = {}
        for id in ids:
            episode = self._gathered.heard.get(id) if isinstance(id, str) else None
            if episode is None:
                return "it names an episode that wasn't shown"
            found[episode.id] = episode
        return in_order(found.values())

    def trust(self, sources: Sequence[Episode], *texts: str | None, steering: bool = False) -> SourceTrust:
        """How far texts that rest on these sources are trusted (``rules.echo.trust_of``)."""
        return trust_of(texts, sources, self._echo(sources), steering=steering)

    def _echo(self, sources: Sequence[Episode]) -> Echo:
        """What outside sources said in the same conversations, and near to what was said in any."""
        ids, rooms = frozenset(one.id for one in sources), {one.conversation for one in sources}
        if ids not in self._echoes:
            said = [
                one.content
                for cluster in self._gathered.night.clusters
                for one in (*cluster.episodes, *cluster.earlier)
                if one.source_trust is SourceTrust.EXTERNAL
                and (one.conversation in rooms or not ids.isdisjoint(each.id for each in cluster.episodes))
            ]
            self._echoes[ids] = Echo(dict.fromkeys(said))
        return self._echoes[ids]


def in_order(episodes: Iterable[Episode]) -> tuple[Episode, ...]:
    """By time, then id."""
    return tuple(sorted(episodes, key=lambda one: (one.time, one.id)))
