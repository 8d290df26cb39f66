"""supporting: whether the night carries what is proposed: each claim is held against the episodes that it names.

Texts are embedded here, outside any transaction; what names no episode gets those that carry it, or is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.domain.change import NEW, Connect, Contradict, Learn, Reinforce, Revise
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.sleep import Act, Rejected
from reverie.ports.aggregates import Vector
from reverie.ports.night import Cluster
from reverie.rules.evidence import Evidence, Said, words_in
from reverie.rules.terms import terms
from reverie.services.desk import Desk
from reverie.services.gathering import Gathered
from reverie.services.sourcing import Sourcing, in_order
from reverie.services.validating import Checks, Refused, Sound, check_revision, refusal, without_lesson

_MOST_FOUND = 5  # episodes that are found for a change that names none
_SAME_THING = 0.3  # the least cosine of two that contradict each other
_GONE = "it names a new memory that was refused"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Supported:
    """What the night carries, and the vectors of the new wordings by the change's place."""

    sound: Sequence[Sound]
    vectors: Mapping[int, Vector]
    rejected: Sequence[Rejected]


def supported(desk: Desk, gathered: Gathered, checks: Checks) -> Supported:
    """The changes that have their evidence in the night, each looked at by itself."""
    told = [one for one in checks.sound if isinstance(one.change, Learn | Revise)]
    texts = [one.change.essence for one in told if isinstance(one.change, Learn | Revise)]
    vectors = dict(zip([one.place for one in told], desk.embedder.embed(texts), strict=True)) if texts else {}
    scales = _Scales(gathered, vectors, {one.number: one for one in checks.sound if one.number >= 0})
    kept, rejected = list[Sound](), list(checks.rejected)
    for one in checks.sound:
        try:
            weighed = scales.weighed(one)
        except Refused as refused:
            scales.refused.add(one.number)
            rejected.append(refusal(desk.settings, one.change, refused.why))
            continue
        why = scales.lesson_fails(weighed)
        if why is not None:
            rejected.append(
                Rejected(act=_act(weighed), reason=f"its lesson was left out: {why}", target=_target(weighed))
            )
            weighed = without_lesson(weighed)
        kept.append(weighed)
    return Supported(sound=kept, vectors=vectors, rejected=rejected)


class _Scales:
    """Knows what was said and what is known, and weighs one change after the other. ``refused``: numbers of Learns."""

    def __init__(
        self, gathered: Gathered, vectors: Mapping[int, Vector], learns: Mapping[int, Sound]
    ) -> None:
        self.refused: set[int] = set()
        self._gathered, self._vectors, self._learns = gathered, vectors, learns
        self._sourcing = Sourcing(gathered)
        self._names = [
            gathered.agent.id,
            *gathered.agent.principals,
            *{one.speaker for one in gathered.spoken.values() if one.speaker},
        ]
        self._around: dict[int, set[str]] = {}
        self._read: dict[tuple[str, ...], Evidence] = {}
        self._of: dict[str, int] = {}  # the cluster of each episode
        self._shown: dict[str, list[int]] = {}  # the clusters that each memory is shown with
        self._every = range(len(gathered.night.clusters))  # … and one that the mind looked up
        for place, cluster in enumerate(gathered.night.clusters):
            for one in (*cluster.episodes, *cluster.earlier):
                self._of.setdefault(one.id, place)
            for known in cluster.known:
                self._shown.setdefault(known.id, []).append(place)

    def weighed(self, one: Sound) -> Sound:
        """The change with the sources that carry it. Raises Refused."""
        match one.change:
            case Learn(essence=essence):
                self._check(essence, self._vectors[one.place], one.sources)
            case Reinforce(memory_id=id):
                return self._confirmed(one, self._gathered.shown[id])
            case Revise(memory_id=id):
                return self._reworded(one, one.change, self._gathered.shown[id])
            case Contradict(memory_id=id, contradicted_by=other):
                self._check_same_thing(id, other)
            case Connect(memory_a=id, memory_b=other):
                for end in (id, other):
                    self._check_there(end)
        return one

    def lesson_fails(self, one: Sound) -> str | None:
        """Why the lesson that a change brings can't be kept, or None where it can or there is none."""
        if not isinstance(one.change, Learn | Revise) or one.change.lesson is None:
            return None
        known = [self._gathered.shown[one.change.memory_id]] if isinstance(one.change, Revise) else []
        return self._evidence(one.sources, known).unknown(one.change.lesson)

    def _check(
        self, essence: str, vector: Vector, sources: Sequence[Episode], known: Sequence[Memory] = ()
    ) -> None:
        cosine = max(float(self._gathered.said[one.id] @ vector) for one in sources)
        why = self._evidence(sources, known).against(essence, cosine)
        if why is not None:
            raise Refused(why)

    def _confirmed(self, one: Sound, known: Memory) -> Sound:
        vector = self._gathered.vectors[known.id]
        sources = [
            episode for episode in one.sources or self._candidates(known)
            if self._evidence([episode]).confirms(known.essence, float(self._gathered.said[episode.id] @ vector))
        ]  # fmt: skip
        if not sources:
            raise Refused("no episode of this night says it again")
        return self._resting(one, sources if one.sources else self._best(sources, vector))

    def _reworded(self, one: Sound, change: Revise, known: Memory) -> Sound:
        vector = self._vectors[one.place]
        if one.sources:
            self._check(change.essence, vector, one.sources, [known])
            return one
        found = []
        for episode in self._candidates(known):
            try:
                self._check(change.essence, vector, [episode], [known])
                self._check_new_words(change, known, episode)
            except Refused:
                continue
            found.append(episode)
        if not found:
            raise Refused("no episode of this night says what it would say")
        rested = self._resting(one, self._best(found, vector), change.essence, change.lesson)
        check_revision(self._gathered, change, rested.trust)
        return rested

    def _check_new_words(self, change: Revise, known: Memory, episode: Episode) -> None:
        """What is new in the wording must come from the episode that is taken for its source."""
        new = set(terms(change.essence)) - set(terms(known.essence))
        if new and new.isdisjoint(terms(episode.content)):
            raise Refused("not of it")

    def _check_same_thing(self, id: str, other: str) -> None:
        """Two that contradict each other must tell of the same."""
        for end in (id, other):
            self._check_there(end)
        (one, vector), (two, beside) = self._told(id), self._told(other)
        if float(vector @ beside) < _SAME_THING or set(terms(one)).isdisjoint(terms(two)):
            raise Refused("the two are about different things")

    def _check_there(self, id: str) -> None:
        if id.startswith(NEW) and int(id.removeprefix(NEW)) in self.refused:
            raise Refused(_GONE)

    def _told(self, id: str) -> tuple[str, Vector]:
        if not id.startswith(NEW):
            return self._gathered.shown[id].essence, self._gathered.vectors[id]
        learn = self._learns[int(id.removeprefix(NEW))]
        assert isinstance(learn.change, Learn)
        return learn.change.essence, self._vectors[learn.place]

    def _candidates(self, known: Memory) -> Sequence[Episode]:
        """The episodes of the clusters that the memory was shown with."""
        return [
            one for place in self._shown.get(known.id, self._every) for one in self._cluster(place).episodes
        ]

    def _best(self, found: Sequence[Episode], vector: Vector) -> Sequence[Episode]:
        ranked = sorted(found, key=lambda one: (-float(self._gathered.said[one.id] @ vector), one.id))
        return ranked[:_MOST_FOUND]

    def _resting(self, one: Sound, sources: Sequence[Episode], *texts: str | None) -> Sound:
        rested = in_order(sources)
        at = min(rested[-1].time, self._gathered.night.now)
        return replace(one, sources=rested, trust=self._sourcing.trust(rested, *texts), at=at)

    def _evidence(self, sources: Sequence[Episode], known: Sequence[Memory] = ()) -> Evidence:
        asked = (*(one.id for one in sources), *(one.id for one in known))
        if asked not in self._read:
            self._read[asked] = self._evidence_of(sources, known)
        return self._read[asked]

    def _evidence_of(self, sources: Sequence[Episode], known: Sequence[Memory]) -> Evidence:
        said = [Said(text=one.content, speaker=one.speaker, time=one.time) for one in sources]
        said += [Said(text=one.essence, speaker=None, time=one.believed_from) for one in known]
        around = set[str]().union(*(self._words_of(place) for place in {self._of[one.id] for one in sources}))
        return Evidence(said, self._gathered.zone, around=around, names=self._names)

    def _words_of(self, place: int) -> set[str]:
        if place not in self._around:
            cluster = self._cluster(place)
            texts = [one.content for one in (*cluster.episodes, *cluster.earlier)]
            self._around[place] = words_in([*texts, *(one.essence for one in cluster.known)])
        return self._around[place]

    def _cluster(self, place: int) -> Cluster:
        return self._gathered.night.clusters[place]


def _act(one: Sound) -> Act:
    return Act.LEARN if isinstance(one.change, Learn) else Act.REVISE


def _target(one: Sound) -> str | None:
    return one.change.memory_id if isinstance(one.change, Revise) else None
