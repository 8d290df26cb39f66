"""doubting: what speaks against a memory in a night: nobody less trusted than it, and nobody in another's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.rules.evidence import FLOOR
from reverie.rules.resolve import is_less_trusted
from reverie.rules.terms import query_terms, terms
from reverie.services.gathering import Gathered
from reverie.services.sourcing import Sourcing
from reverie.services.validating import Refused

_NOTHING = "it names no episode of this night that speaks against the memory"
_LESS_TRUSTED = "no episode of this night that speaks against the memory is trusted as much as it"
_ELSE = "its episodes are about something else"


class Doubts:
    """Knows a night, and how far its episodes are trusted."""

    def __init__(self, gathered: Gathered, sourcing: Sourcing) -> None:
        self._gathered, self._sourcing = gathered, sourcing
        spoken = gathered.spoken.values()
        self._names = {gathered.agent.id, *(one.speaker for one in spoken if one.speaker)}

    def of_fade(self, known: Memory, named: Sequence[Episode]) -> Sequence[Episode]:
        """Return the named episodes that may fade the memory. Raises Refused where there is none."""
        tonight = [one for one in named if one.id in self._gathered.spoken]
        if not tonight:
            raise Refused(_NOTHING)
        heard = [one for one in tonight if self._counts(one, known)]
        if not heard:
            raise Refused(_LESS_TRUSTED)
        about = [one for one in heard if self._is_about(one, known)]
        if not about:
            raise Refused(_ELSE)
        return about

    def check_conflict(self, sides: Mapping[str, Sequence[Episode]]) -> None:
        """Raise Refused where no memory of the bank has anything against it; ``sides``: two, by id, with the night's
        episodes that say each. What is new has no standing to lose.
        """
        known = {id: self._gathered.shown[id] for id in sides if id in self._gathered.shown}
        against = [
            one
            for id in known
            for other in sides
            if other != id
            for one in sides[other]
            if self._counts(one, known[id])
        ]
        if known and not against:
            raise Refused(_LESS_TRUSTED)

    def _counts(self, episode: Episode, known: Memory) -> bool:
        """Whether it is trusted as much as the memory; pasted text is external, whoever sent it."""
        return not is_less_trusted(self._sourcing.trust([episode], steering=True), known.source_trust)

    def _is_about(self, episode: Episode, known: Memory) -> bool:
        """Whether it is near to the memory and has a word of it, names of those who speak aside."""
        near = float(self._gathered.said[episode.id] @ self._gathered.vectors[known.id]) >= FLOOR
        told = set(query_terms(known.essence, without=self._names))
        return near and (not told or not told.isdisjoint(terms(episode.content)))
