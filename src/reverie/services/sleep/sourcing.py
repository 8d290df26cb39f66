"""Know the episodes that a change rests on, what stands in them, and how far they are trusted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, Quoted
from reverie.domain.trust import SourceTrust
from reverie.language import words_of
from reverie.memory.change import Echo, Facts, Said, is_english, is_less_trusted, names_in, trust_of
from reverie.memory.privacy import is_own
from reverie.ports.aggregates import Vector
from reverie.services.sleep.gathering import Gathered

OUTSIDE = frozenset({SourceTrust.OTHER, SourceTrust.EXTERNAL})


class Sourcing:
    """Knows a night's episodes, and what outside sources said in it."""

    def __init__(self, gathered: Gathered) -> None:
        self._gathered = gathered
        self._echoes: dict[frozenset[str], Echo] = {}
        self._around: dict[SourceTrust, Set[str]] = {}
        self._spoken: dict[str, list[str]] = {}
        self._english: dict[frozenset[str], bool] = {}
        self._read: dict[tuple[object, ...], Facts] = {}
        for one in gathered.heard.values():
            if one.source_trust not in OUTSIDE:  # what a tool prints says nothing of what people speak
                self._spoken.setdefault(one.conversation, []).append(one.content)
        people = {one.speaker for one in gathered.heard.values() if one.speaker}
        self._names = (gathered.agent.id, *gathered.agent.principals, *sorted(people))
        self.names = {word for name in self._names for word in words_of(name)}

    def named(self, ids: object) -> tuple[Episode, ...] | str:
        """Return the episodes of these ids, in order of time; or what is wrong with the ids."""
        if not isinstance(ids, tuple | list):
            return "its sources are no list of episodes"
        found: dict[str, Episode] = {}
        for id in ids:
            episode = self._gathered.heard.get(id) if isinstance(id, str) else None
            if episode is None:
                return "it names an episode that wasn't shown"
            found[episode.id] = episode
        return in_order(found.values())

    def facts(
        self,
        sources: Sequence[Episode],
        known: Iterable[Memory] = (),
        least: SourceTrust = SourceTrust.EXTERNAL,
    ) -> Facts:
        """Return what stands in the sources and in what was known; names may also stand in what was said around them by
        whoever is trusted as much as ``least``.
        """
        known = tuple(known)
        key = (tuple(one.id for one in sources), tuple((one.id, one.version) for one in known), least)
        if key not in self._read:
            self._read[key] = self._facts(sources, known, least)
        return self._read[key]

    def _facts(self, sources: Sequence[Episode], known: Sequence[Memory], least: SourceTrust) -> Facts:
        if least not in self._around:
            heard = self._gathered.heard.values()
            texts = [one.content for one in heard if not is_less_trusted(one.source_trust, least)]
            if least is SourceTrust.EXTERNAL:
                texts += (one.essence for one in self._gathered.shown.values())
            self._around[least] = names_in(texts)
        said = [Said(text=one.content, speaker=one.speaker, time=one.time) for one in sources]
        said += [Said(text=one.essence, speaker=None, time=one.believed_from) for one in known]
        english = self.is_english(sources)
        return Facts(
            said, self._gathered.zone, around=self._around[least], names=self._names, english=english
        )

    def is_english(self, sources: Sequence[Episode]) -> bool:
        """Return whether English is spoken in the conversations of these."""
        rooms = frozenset(one.conversation for one in sources)
        if rooms not in self._english:
            texts = [text for room in sorted(rooms) for text in self._spoken.get(room, ())]
            self._english[rooms] = is_english(" ".join(texts or [one.content for one in sources]))
        return self._english[rooms]

    def trust(
        self, sources: Sequence[Episode], texts: Sequence[str], vector: Vector, *,
        known: Sequence[Memory] = (), steering: bool = False,
    ) -> SourceTrust:  # fmt: skip
        """Return how far texts are trusted that rest on these sources: as the most trusted of them that carry them
        alone, but where they repeat what an outside source said (``memory.change.echoes.trust_of``). What is
        ``steering`` the agent isn't trusted where an outside source is among them.
        """
        outside = [one for one in sources if one.source_trust in OUTSIDE]
        groups = [[one for one in sources if one.source_trust is trust] for trust in SourceTrust]
        groups = [some for some in groups if some]
        if steering and outside:
            return trust_of(texts, sources, self.echo(sources), steering=True)
        beside = sources if steering else outside
        chosen = next(
            (some for some in groups[:-1] if self._alone(some, texts, vector, known, beside)), groups[-1]
        )
        if steering:  # what is pasted beside somebody's own words takes nothing from these
            chosen = [one for one in chosen if is_own(one.content)] or chosen
        return trust_of(texts, chosen, self.echo(sources), steering=steering)

    def _alone(
        self, some: Sequence[Episode], texts: Sequence[str], vector: Vector, known: Sequence[Memory],
        beside: Sequence[Episode],
    ) -> bool:  # fmt: skip
        """Return whether these carry the texts without the other sources: each number and name, and as much of the
        meaning.
        """
        facts = self.facts(some, known, some[0].source_trust)
        near = self.cosine(some, vector)
        if not all(facts.tells(text, near) for text in texts):
            return False
        return near >= self.cosine(beside, vector)

    def cosine(self, sources: Iterable[Episode], vector: Vector) -> float:
        """Return the cosine of a text to the nearest of them; -1 for none."""
        return max((float(self._gathered.said[one.id] @ vector) for one in sources), default=-1.0)

    def outsiders(self) -> Sequence[Episode]:
        """Return what others and outside sources said in the night, and what somebody pasted."""
        return [
            one for one in self._gathered.heard.values() if one.source_trust in OUTSIDE or not is_own(one.content)
        ]  # fmt: skip

    def echo(self, sources: Sequence[Episode]) -> Echo:
        """Return what outside sources said in the same conversations."""
        rooms = frozenset(one.conversation for one in sources)
        if rooms not in self._echoes:
            said = [
                one.content for one in self._gathered.heard.values()
                if one.source_trust is SourceTrust.EXTERNAL and one.conversation in rooms
            ]  # fmt: skip
            self._echoes[rooms] = Echo(dict.fromkeys(said))
        return self._echoes[rooms]


def in_order(episodes: Iterable[Episode]) -> tuple[Episode, ...]:
    """Return the episodes by time, then id."""
    return tuple(sorted(episodes, key=lambda one: (one.time, one.id)))


def quoted_from(quoted: Quoted | None, essence: str, sources: Iterable[Episode]) -> Quoted | None:
    """Return a quotation with who said it and when as its message has them; None where none of the sources is its
    message, or that doesn't say it word for word.
    """
    said = next((one for one in sources if quoted is not None and one.id == quoted.episode), None)
    if quoted is None or said is None or " ".join(essence.split()) not in " ".join(said.content.split()):
        return None
    return replace(quoted, role=said.role, speaker=said.speaker, at=said.time)
