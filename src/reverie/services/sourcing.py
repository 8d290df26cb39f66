"""sourcing: the episodes that a change rests on, and how far these are trusted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reverie.domain.episode import Episode
from reverie.domain.memory import Quoted
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


def quoted_from(quoted: Quoted | None, essence: str, sources: Iterable[Episode]) -> Quoted | None:
    """A quotation with who said it and when as its message has them; None where none of the sources is its message, or
    that doesn't say it word for word.
    """
    said = next((one for one in sources if quoted is not None and one.id == quoted.episode), None)
    if quoted is None or said is None or " ".join(essence.split()) not in " ".join(said.content.split()):
        return None
    return replace(quoted, role=said.role, speaker=said.speaker, at=said.time)
