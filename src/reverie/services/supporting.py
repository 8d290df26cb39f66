"""supporting: whether the night carries what is proposed: each claim is held against the episodes that it names.

Texts are embedded here, outside any transaction; what names no episode gets those that carry it, or is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.domain.change import NEW, Connect, Contradict, Fade, Learn, Reinforce, Revise
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, Origin
from reverie.domain.settings import Settings
from reverie.domain.sleep import Rejected
from reverie.domain.trust import SourceTrust
from reverie.ports.aggregates import Vector
from reverie.ports.night import Cluster
from reverie.rules.activation import GUARDED_KINDS
from reverie.rules.changing import MARKED
from reverie.rules.dedupe import differs
from reverie.rules.echo import steers
from reverie.rules.evidence import TURNED, Evidence, Said, denies_less, told, turns, words_in
from reverie.rules.forgetting import sentences
from reverie.rules.keep import kept_for
from reverie.rules.resolve import not_revised, side_of
from reverie.rules.terms import terms
from reverie.rules.trust import instructs
from reverie.services.desk import Desk
from reverie.services.doubting import Doubts
from reverie.services.gathering import Gathered
from reverie.services.sourcing import Sourcing, in_order
from reverie.services.validating import (
    Checks,
    Refused,
    Sound,
    check_revision,
    refusal,
    without_lesson,
)

_SAME_THING = 0.3  # the least cosine of two that contradict each other
_MOST_FOUND = 5  # episodes that are found for a change that names none
_GONE = "it names a new memory that was refused"
_NO_ORDER = "no principal tells in its episodes that this is to be done from now on"
_UNMARKED = "what is kept ({}) is reworded only where it is said that it has changed"
_NOT_WHOLE = "what is kept ({}) is reworded only where its episodes alone say all of it"
_NO_LESSON = "what steers the agent gets no lesson in a sleep"
_DENIED = "none of its episodes says plainly what it denies no more"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Supported:
    """What the night carries, and the vectors of the new wordings by the change's place."""

    sound: Sequence[Sound]
    vectors: Mapping[int, Vector]
    rejected: Sequence[Rejected]


def supported(desk: Desk, gathered: Gathered, checks: Checks) -> Supported:
    """The changes that have their evidence in the night, each looked at by itself."""
    worded = [one for one in checks.sound if isinstance(one.change, Learn | Revise)]
    texts = [one.change.essence for one in worded if isinstance(one.change, Learn | Revise)]
    vectors = (
        dict(zip([one.place for one in worded], desk.embedder.embed(texts), strict=True)) if texts else {}
    )
    learns = {one.number: one for one in checks.sound if one.number >= 0}
    scales = _Scales(gathered, desk.settings, vectors, learns)
    kept, rejected = list[Sound](), list[tuple[int, Rejected]]()
    for one in sorted(checks.sound, key=lambda one: (not isinstance(one.change, Revise), one.place)):
        try:
            weighed = scales.weighed(one)
            why = scales.lesson_fails(weighed)
            if why is not None:
                weighed = scales.plain(weighed)
                left_out = f"its lesson was left out: {why}"
                rejected.append((one.place, refusal(desk.settings, one.change, left_out)))
        except Refused as refused:
            scales.refused.add(one.number)
            rejected.append((one.place, refusal(desk.settings, one.change, refused.why)))
            continue
        scales.note(weighed)
        kept.append(weighed)
    return Supported(
        sound=sorted(kept, key=lambda one: one.place),
        vectors=vectors,
        rejected=[*checks.rejected, *(left for _, left in sorted(rejected, key=lambda one: one[0]))],
    )


class _Scales:
    """Knows what was said and what is known, and weighs one change after the other. ``refused``: numbers of Learns."""

    def __init__(
        self,
        gathered: Gathered,
        settings: Settings,
        vectors: Mapping[int, Vector],
        learns: Mapping[int, Sound],
    ) -> None:
        self.refused: set[int] = set()
        self._gathered, self._vectors, self._learns = gathered, vectors, learns
        self._stated_from = (settings.stated_confidence + settings.inferred_confidence) / 2
        self._revised: dict[str, Sound] = {}
        self._sourcing = Sourcing(gathered)
        self._doubts = Doubts(gathered, self._sourcing)
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
            case Learn(quoted=quoted) if quoted is not None:
                return one
            case Learn(essence=essence, kind=kind):
                self._check(essence, self._vectors[one.place], one.sources)
                if kind in GUARDED_KINDS and not self._evidence(one.sources).gives_order(essence):
                    raise Refused(_NO_ORDER)
            case Reinforce(memory_id=id):
                return self._confirmed(one, self._gathered.shown[id])
            case Revise(memory_id=id):
                return self._reworded(one, one.change, self._gathered.shown[id])
            case Contradict(memory_id=id, contradicted_by=other):
                self._check_conflict(one, id, other)
            case Fade(memory_id=id):
                return self._resting(one, self._doubts.of_fade(self._gathered.shown[id], one.sources))
            case Connect(memory_a=id, memory_b=other):
                for end in (id, other):
                    self._check_there(end)
        return one

    def note(self, one: Sound) -> None:
        """What the changes behind it may rest on."""
        if isinstance(one.change, Revise):
            self._revised[one.change.memory_id] = one

    def lesson_fails(self, one: Sound) -> str | None:
        """Why the lesson that a change brings can't be kept, or None where it can or there is none."""
        if not isinstance(one.change, Learn | Revise) or one.change.lesson is None:
            return None
        known = [self._gathered.shown[one.change.memory_id]] if isinstance(one.change, Revise) else []
        kind = known[0].kind if known else one.change.kind if isinstance(one.change, Learn) else None
        if kind in GUARDED_KINDS:
            return _NO_LESSON
        lesson = one.change.lesson
        return self._evidence(one.sources, known).unknown(lesson) or self._evidence(one.sources).orders(
            lesson
        )

    def plain(self, one: Sound) -> Sound:
        """The change but for its lesson. Raises Refused where nothing is left."""
        if isinstance(one.change, Revise):
            known = self._gathered.shown[one.change.memory_id]
            if one.change.essence == known.essence:
                raise Refused(
                    f"its lesson can't be kept, and it changes nothing else: {self.lesson_fails(one)}"
                )
        return without_lesson(one)

    def _check(
        self, essence: str, vector: Vector, sources: Sequence[Episode], known: Sequence[Memory] = ()
    ) -> None:
        cosine = max(float(self._gathered.said[one.id] @ vector) for one in sources)
        why = self._evidence(sources, known).against(essence, cosine)
        if why is None and turns(essence, [one.content for one in sources], words_in(self._names)):
            why = TURNED
        if why is not None:
            raise Refused(why)

    def _confirmed(self, one: Sound, known: Memory) -> Sound:
        vector = self._gathered.vectors[known.id]
        sources = [
            episode for episode in one.sources or self._candidates(known) if self._says(known.essence, vector, episode)
        ]  # fmt: skip
        if known.kind in GUARDED_KINDS:
            sources = [
                episode for episode in sources
                if instructs(self._sourcing.trust([episode], known.essence, steering=True), Origin.SLEEP)
            ]  # fmt: skip
        if not sources:
            raise Refused("no episode of this night says it again")
        rested = self._resting(one, sources if one.sources else self._best(sources, vector))
        return replace(rested, again=self._said_whole(known.essence, rested.sources))

    def _says(self, essence: str, vector: Vector, episode: Episode) -> bool:
        """Whether an episode carries a wording. Questions confirm nothing."""
        evidence = self._evidence([_told(episode)])
        cosine = float(self._gathered.said[episode.id] @ vector)
        return evidence.confirms(essence, cosine) and evidence.against(essence, cosine) is None

    def _said_whole(self, essence: str, sources: Sequence[Episode]) -> datetime | None:
        """When a principal last said all of a wording in one sentence."""
        said = [
            min(one.time, self._gathered.night.now) for one in sources
            if one.source_trust is SourceTrust.PRINCIPAL and self._evidence([_told(one)]).says_whole(essence)
        ]  # fmt: skip
        return max(said, default=None)

    def _reworded(self, one: Sound, change: Revise, known: Memory) -> Sound:
        vector = self._vectors[one.place]
        if one.sources:
            self._check_rewording(change, vector, known, one.sources)
            self._check_later(change, known, one)
            return one
        found, why = list[Episode](), "no episode of this night says what it would say"
        for episode in self._candidates(known):
            try:
                self._check(change.essence, vector, [episode], [known])
                self._check_new_words(change, known, [episode])
            except Refused:
                continue
            try:
                check_revision(self._gathered, change, self._trust_of([episode], change, known))
                self._check_rewording(change, vector, known, [episode])
            except Refused as refused:
                why = refused.why
                continue
            found.append(episode)
        if not found:
            raise Refused(why)
        rested = self._resting(one, self._best(found, vector))
        rested = replace(rested, trust=self._trust_of(rested.sources, change, known))
        check_revision(self._gathered, change, rested.trust)
        self._check_later(change, known, rested)
        return rested

    def _check_rewording(
        self, change: Revise, vector: Vector, known: Memory, sources: Sequence[Episode]
    ) -> None:
        """Raises Refused where the sources don't carry the new wording. It may keep words of the old one; not so where
        more hangs on it.
        """
        kept = kept_for(known, proven=False, achieved=False)
        if kept is None and known.kind in GUARDED_KINDS:
            kept = str(known.kind)
        self._check(change.essence, vector, sources, [] if kept else [known])
        if change.essence == known.essence:
            return
        alone = self._evidence([_told(one) for one in sources])
        if denies_less(change.essence, known.essence) and not alone.says_plainly(change.essence):
            raise Refused(_DENIED)
        if not set(terms(known.essence)) <= set(terms(change.essence)):  # else it is told plainly, no more
            self._check_new_words(change, known, sources)
        if kept is None:
            return
        whole = [one for one in sources if self._carries(change.essence, known, one)]
        if not whole:
            raise Refused(_NO_ORDER if known.kind in GUARDED_KINDS else _NOT_WHOLE.format(kept))
        if known.pinned or known.kind in GUARDED_KINDS:
            marked = [
                replace(one, content=part)
                for one in whole
                for part in sentences(told(one.content))
                if MARKED.stand_in(part)
            ]
            if not any(self._carries(change.essence, known, one) for one in marked):
                raise Refused(_UNMARKED.format(kept))

    def _carries(self, essence: str, known: Memory, source: Episode) -> bool:
        """Whether an episode by itself says all that something which is kept would say."""
        alone = self._evidence([_told(source)])
        if known.kind in GUARDED_KINDS:
            return alone.gives_order(essence)
        return alone.says_whole(essence) or alone.says_plainly(essence)

    def _check_new_words(self, change: Revise, known: Memory, sources: Sequence[Episode]) -> None:
        """What is new in the wording must come from what is taken for its sources."""
        new = set(terms(change.essence)) - set(terms(known.essence))
        if new and all(new.isdisjoint(terms(one.content)) for one in sources):
            raise Refused("its episodes have none of the words that are new in it")

    def _check_later(self, change: Revise, known: Memory, rested: Sound) -> None:
        """Raises Refused where what the memory says holds against what it would say: it was said later, or outright.
        What only tells its own episodes otherwise is neither later nor earlier.
        """
        if {one.id for one in rested.sources} <= set(known.source_episodes):
            return
        side = side_of(known, stated_from=self._stated_from)
        why = not_revised(side, stated=change.stated, at=rested.at, now=self._gathered.night.now)
        if why is not None:
            raise Refused(why)

    def _check_conflict(self, one: Sound, id: str, other: str) -> None:
        """Two that contradict each other must tell of the same, and otherwise; and the night must tell of one."""
        for end in (id, other):
            self._check_there(end)
        (mine, vector), (theirs, beside) = self._told(id), self._told(other)
        cosine = float(vector @ beside)
        if cosine < _SAME_THING or set(terms(mine)).isdisjoint(terms(theirs)):
            raise Refused("the two are about different things")
        sides = {id: self._tonight(id, one), other: self._tonight(other, one)}
        said = [each for side in sides.values() for each in side]
        if not said:
            raise Refused("no episode of this night says either of the two")
        self._doubts.check_conflict(sides)
        if differs(mine, theirs) is None:
            raise Refused("the two can both be so")

    def _tonight(self, id: str, one: Sound) -> Sequence[Episode]:
        """The night's episodes on which a memory or a Learn rests, or which say it."""
        spoken = self._gathered.spoken
        if id.startswith(NEW):
            return [each for each in self._learns[int(id.removeprefix(NEW))].sources if each.id in spoken]
        if id in self._revised:
            return [each for each in self._revised[id].sources if each.id in spoken]
        known, vector = self._gathered.shown[id], self._gathered.vectors[id]
        own = [spoken[each] for each in known.source_episodes if each in spoken]
        named = [each for each in one.sources if each.id in spoken]
        return own or [
            each for each in named or self._candidates(known) if self._says(known.essence, vector, each)
        ]

    def _check_there(self, id: str) -> None:
        if id.startswith(NEW) and int(id.removeprefix(NEW)) in self.refused:
            raise Refused(_GONE)

    def _told(self, id: str) -> tuple[str, Vector]:
        worded = self._learns[int(id.removeprefix(NEW))] if id.startswith(NEW) else self._revised.get(id)
        if worded is None:
            return self._gathered.shown[id].essence, self._gathered.vectors[id]
        assert isinstance(worded.change, Learn | Revise)
        return worded.change.essence, self._vectors[worded.place]

    def _candidates(self, known: Memory) -> Sequence[Episode]:
        """The episodes of the clusters that the memory was shown with."""
        return [
            one for place in self._shown.get(known.id, self._every) for one in self._cluster(place).episodes
        ]

    def _best(self, found: Sequence[Episode], vector: Vector) -> Sequence[Episode]:
        ranked = sorted(found, key=lambda one: (-float(self._gathered.said[one.id] @ vector), one.id))
        return ranked[:_MOST_FOUND]

    def _resting(self, one: Sound, sources: Sequence[Episode]) -> Sound:
        rested = in_order(sources)
        at = min(rested[-1].time, self._gathered.night.now)
        return replace(one, sources=rested, trust=self._sourcing.trust(rested), at=at)

    def _trust_of(self, sources: Sequence[Episode], change: Revise, known: Memory) -> SourceTrust:
        """That of a new wording which rests on these sources."""
        steering = steers(known.kind, known.priority)
        return self._sourcing.trust(sources, change.essence, change.lesson, steering=steering)

    def _evidence(self, sources: Sequence[Episode], known: Sequence[Memory] = ()) -> Evidence:
        asked = (*(one.id for one in sources), *(one.content for one in sources), *(one.id for one in known))
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


def _told(episode: Episode) -> Episode:
    """It without its questions."""
    return replace(episode, content=told(episode.content)) if "?" in episode.content else episode
