"""Check whether the night carries what is proposed. Facts and trust are checked; what a sentence means is the
mind's to judge: where ours doubts it, the change lands, less sure and marked for review, and instructs nobody.

Texts are embedded here, outside any transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from reverie.domain.change import NEW, Connect, Contradict, Fade, Learn, Reinforce, Retire, Revise
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, default_priority
from reverie.domain.memory import Memory, Origin
from reverie.domain.sleep import Rejected
from reverie.domain.trust import SourceTrust
from reverie.language import asks, query_terms, terms
from reverie.memory.change import (
    CLOSE_COSINE,
    INFERRED,
    LEAST_COSINE,
    Echo,
    is_less_trusted,
    not_revised,
    side_of,
    steers,
    trust_of,
)
from reverie.memory.dedupe import texts_differ
from reverie.memory.privacy import is_own
from reverie.memory.prompt import GUARDED_KINDS
from reverie.memory.trust import instructs
from reverie.ports.aggregates import Vector
from reverie.services.observe import gives_rule, may_rule, says_rule
from reverie.services.runtime import Desk
from reverie.services.sleep.checks import Refused, ValidChange, refusal, without_lesson
from reverie.services.sleep.gathering import Gathered
from reverie.services.sleep.sourcing import OUTSIDE, Sourcing
from reverie.services.sleep.validating import validated

STEERING_FLOOR = 0.3
"""The least cosine of what stands in every prompt to a principal's message that tells it or ends it."""
SAME_THING = 0.3
"""Two wordings with a lesser cosine that share no word either are about different things."""

_GONE = "it names a new memory that was refused"
_OUTSIDE_LESSON = "outside sources teach the agent nothing"
_FAR = "no message of a principal seems to say this"
_NOT_SAID = "no principal gives this rule in nearly the same words"
_DEMOTED = "no principal ends this rule"
_WAITS = "its wording waits for review"
_ANOTHER = "it is about something else than the memory"
_PINNED = "what is pinned is changed by hand, not by a sleep"
_CONFIRMED = "the assistant said it, and a principal's message beside it doesn't say it alone"
_ELSEWHERE = "its episodes are about something else"
_LESS_TRUSTED = "no episode of this night that speaks against the memory is trusted as much as it"


@dataclass(frozen=True, kw_only=True, slots=True)
class Supported:
    """What the night carries, and the vectors of the new wordings by the change's place; what it doesn't carry, and
    what was left out of what it does (``partly``), by place.
    """

    valid: Sequence[ValidChange]
    vectors: Mapping[int, Vector]
    rejected: Mapping[int, Rejected]
    partly: Mapping[int, Rejected] = field(default_factory=dict)


def checked(
    desk: Desk, gathered: Gathered, changes: Sequence[object], *, skip: Collection[int] = ()
) -> Supported:
    """Return the changes whose values, facts and trust hold, each looked at by itself. ``skip``: places of those that
    were refused before; they are only counted.
    """
    sourcing = Sourcing(gathered)
    checks = validated(changes, gathered, sourcing, desk.settings, skip=skip)
    worded = [one for one in checks.valid if isinstance(one.change, Learn | Revise)]
    texts = [one.change.essence for one in worded if isinstance(one.change, Learn | Revise)]
    vectors = (
        dict(zip([one.place for one in worded], desk.embedder.embed(texts), strict=True)) if texts else {}
    )
    support = _Support(desk, gathered, sourcing, vectors)
    kept: list[ValidChange] = []
    rejected, partly = dict(checks.rejected), dict[int, Rejected]()
    for one in sorted(checks.valid, key=lambda one: (not isinstance(one.change, Learn | Revise), one.place)):
        try:
            change = support.supported(one)
        except Refused as refused:
            support.refused.add(one.number)
            rejected[one.place] = refusal(desk.settings, one.change, refused.why)
            continue
        if why := support.lesson_fails(change):
            partly[one.place] = refusal(desk.settings, one.change, f"its lesson was left out: {why}")
            change = without_lesson(change)
        support.note(change)
        kept.append(change)
    return Supported(
        valid=sorted(kept, key=lambda one: one.place), vectors=vectors, rejected=rejected, partly=partly
    )


class _Support:
    """Knows what was said and what is known, and weighs one change after the other. ``refused``: numbers of Learns."""

    def __init__(
        self, desk: Desk, gathered: Gathered, sourcing: Sourcing, vectors: Mapping[int, Vector]
    ) -> None:
        self.refused: set[int] = set()
        self._desk, self._gathered, self._vectors = desk, gathered, vectors
        settings = desk.settings
        self._stated_from = (settings.remember.stated_confidence + settings.remember.inferred_confidence) / 2
        self._sourcing = sourcing
        self._outside = Echo(one.content for one in self._sourcing.outsiders())
        self._said: dict[str, ValidChange] = {}  # what the night words anew, by "new:0" or the memory's id

    def supported(self, one: ValidChange) -> ValidChange:
        """Return the change with its trust and doubts. Raise Refused."""
        match one.change:
            case Learn():
                return self._learned(one, one.change)
            case Revise(memory_id=id):
                return self._reworded(one, one.change, self._gathered.shown[id])
            case Reinforce(memory_id=id):
                return self._confirmed(one, self._gathered.shown[id])
            case Retire(memory_id=id) | Fade(memory_id=id):
                return self._against(one, self._gathered.shown[id])
            case Contradict(memory_id=id, contradicted_by=other):
                self._check_conflict(one, id, other)
            case Connect(memory_a=id, memory_b=other):
                for end in (id, other):
                    self._check_there(end)
        return one

    def note(self, one: ValidChange) -> None:
        """What the changes behind it may rest on."""
        if isinstance(one.change, Learn):
            self._said[f"{NEW}{one.number}"] = one
        elif isinstance(one.change, Revise):
            self._said[one.change.memory_id] = one

    def lesson_fails(self, one: ValidChange) -> str | None:
        """Return why the lesson that a change brings can't be kept, or None where it can or there is none."""
        if not isinstance(one.change, Learn | Revise) or one.change.lesson is None:
            return None
        said = [each for each in one.sources if each.source_trust is SourceTrust.PRINCIPAL] or one.sources
        trust = trust_of([one.change.lesson], said, self._outside, steering=False)
        if not OUTSIDE.isdisjoint((one.trust, trust)):
            return _OUTSIDE_LESSON
        return self._sourcing.facts(said, self._known(one.change)).missing(one.change.lesson)

    def _known(self, change: Learn | Revise) -> Sequence[Memory]:
        return [self._gathered.shown[change.memory_id]] if isinstance(change, Revise) else []

    def _learned(self, one: ValidChange, change: Learn) -> ValidChange:
        vector, steering = self._vectors[one.place], steers(change.kind)
        orders = steering and change.kind is not Kind.ARCHITECTURE
        trust = self._sourcing.trust(one.sources, [change.essence], vector, steering=orders)
        doubts: tuple[str, ...] = ()
        if change.kind in GUARDED_KINDS and not instructs(trust, Origin.SLEEP):
            if trust is not SourceTrust.AGENT or not _is_confirmed(one.sources):
                raise Refused(f"a {change.kind} must rest on a principal's own words, and on nothing else")
            trust, doubts = SourceTrust.PRINCIPAL, (_CONFIRMED,)
        if change.quoted is None:
            doubts += self._doubts(one, change.essence)
        if steering and trust is SourceTrust.PRINCIPAL:
            doubts += self._not_given(one, change.essence, change.kind)
        return replace(one, trust=trust, doubts=doubts)

    def _reworded(self, one: ValidChange, change: Revise, known: Memory) -> ValidChange:
        if known.pinned:
            raise Refused(_PINNED)
        vector, kind = self._vectors[one.place], change.kind or known.kind
        priority = known.priority if kind is known.kind else default_priority(kind)
        steering = steers(known.kind, known.priority) or steers(kind, priority)
        orders = steering and {known.kind, kind} != {Kind.ARCHITECTURE}
        trust = self._sourcing.trust(one.sources, [change.essence], vector, known=[known], steering=orders)
        if not GUARDED_KINDS.isdisjoint((known.kind, kind)) and not instructs(trust, Origin.SLEEP):
            raise Refused(f"a {kind} is reworded by a principal's own words, and by nothing else")
        if is_less_trusted(trust, known.source_trust) and (steering or not _is_confirmed(one.sources)):
            raise Refused(f"sources of trust {trust} don't revise what is trusted as {known.source_trust}")
        doubts = self._doubts(one, change.essence, known)
        if known.needs_review and change.essence == known.essence:
            doubts = (*doubts, _WAITS)
        apart = float(vector @ self._gathered.vectors[known.id]) < CLOSE_COSINE
        if apart and not self._shared(change.essence, known.essence):
            doubts = (*doubts, _ANOTHER)
        why = self._is_behind(one, change, known)
        if why not in (None, INFERRED):
            raise Refused(str(why))
        if not steering:
            return replace(one, trust=trust, doubts=doubts if why is None else (*doubts, why))
        against = self._not_given(one, change.essence, kind) if trust is SourceTrust.PRINCIPAL else ()
        if not steers(kind, priority) and not any(self._may_end(each, known) for each in one.sources):
            against = (*against, _DEMOTED)
        against = (*against, *(each for each in doubts if each in (_ANOTHER, _WAITS)))
        if against == (_NOT_SAID,) and change.essence != known.essence:
            return replace(
                one, change=_as_new_rule(one, change, kind), trust=trust, doubts=(*doubts, *against)
            )
        if against:
            raise Refused(f"what steers the agent is reworded only where that is plainly said: {against[0]}")
        return replace(one, trust=trust)

    def _is_behind(self, one: ValidChange, change: Revise, known: Memory) -> str | None:
        """Return why what the memory says holds against what it would say, or None: it was said later, or outright.
        What only tells its own episodes otherwise is neither later nor earlier.
        """
        if {each.id for each in one.sources} <= set(known.source_episodes):
            return None
        side = side_of(known, stated_from=self._stated_from)
        return not_revised(side, stated=change.stated, at=one.at, now=self._gathered.night.now)

    def _doubts(self, one: ValidChange, essence: str, known: Memory | None = None) -> tuple[str, ...]:
        """Return what speaks against a wording. Raise Refused where a number or a name comes from nowhere."""
        before = [] if known is None else [known]
        if (why := self._sourcing.facts(one.sources, before).missing(essence)) is not None:
            raise Refused(why)
        facts = self._sourcing.facts(one.sources, [each for each in before if not each.needs_review])
        cosine = self._sourcing.cosine(one.sources, self._vectors[one.place])
        return facts.doubts(essence, cosine, rewords=known is not None)

    def _not_given(self, one: ValidChange, essence: str, kind: Kind) -> tuple[str, ...]:
        """Return why it isn't plain that a principal says what would steer the agent: a rule in nearly the same words,
        what else stands in every prompt at least about the same.
        """
        own = [*filter(may_rule, one.sources)]
        if kind in GUARDED_KINDS:
            return () if any(says_rule(essence, each.content) for each in own) else (_NOT_SAID,)
        return (_FAR,) if self._sourcing.cosine(own, self._vectors[one.place]) < STEERING_FLOOR else ()

    def _gives_rule(self, episode: Episode) -> bool:
        return gives_rule(self._desk.judges, episode, self._gathered.said[episode.id])

    def _confirmed(self, one: ValidChange, known: Memory) -> ValidChange:
        sources = one.sources
        if known.kind in GUARDED_KINDS:
            sources = tuple(filter(may_rule, sources))
            if not sources:
                raise Refused(f"a {known.kind} is confirmed by a principal's own words alone")
        sources = tuple(each for each in sources if self._is_about(each, known))
        if not sources:
            raise Refused(_ELSEWHERE)
        at = min(max(each.time for each in sources), self._gathered.night.now)
        return replace(one, sources=sources, trust=_best(sources), at=at)

    def _against(self, one: ValidChange, known: Memory) -> ValidChange:
        """Check that a change against a memory rests on episodes that are trusted as much, and about it."""
        if known.pinned:
            raise Refused(_PINNED)
        heard = [each for each in one.sources if self._counts(each, known)]
        if not heard:
            raise Refused(_LESS_TRUSTED)
        about = tuple(each for each in heard if self._is_about(each, known))
        if steers(known.kind, known.priority):
            about = tuple(each for each in about if self._may_end(each, known))
        if not about:
            raise Refused(_ELSEWHERE)
        at = min(max(each.time for each in about), self._gathered.night.now)
        return replace(one, sources=about, trust=_best(about), at=at)

    def _counts(self, episode: Episode, known: Memory) -> bool:
        """Return whether an episode of this night is trusted as much as the memory; what is pasted is external."""
        if episode.id not in self._gathered.spoken:
            return False
        trust = episode.source_trust if is_own(episode.content) else SourceTrust.EXTERNAL
        return not is_less_trusted(trust, known.source_trust)

    def _may_end(self, episode: Episode, known: Memory) -> bool:
        """Return whether a principal plainly speaks of a standing rule, so that it may end by that."""
        cosine = float(self._gathered.said[episode.id] @ self._gathered.vectors[known.id])
        if not may_rule(episode) or asks(episode.content):
            return False
        if not self._sourcing.is_english([episode]):
            return cosine >= CLOSE_COSINE
        return cosine >= STEERING_FLOOR and self._gives_rule(episode)

    def _shared(self, essence: str, other: str) -> Set[str]:
        """Return the telling words that two texts share, names of those who speak aside."""
        told = set(query_terms(essence, without=self._sourcing.names))
        return told & set(terms(other))

    def _is_about(self, episode: Episode, known: Memory) -> bool:
        """Return whether an episode may bear on a memory: by its meaning or a word. Where another language is spoken,
        which our vectors don't read, any may, but on what steers the agent.
        """
        near = float(self._gathered.said[episode.id] @ self._gathered.vectors[known.id]) >= LEAST_COSINE
        english = self._sourcing.is_english([episode])
        shared = bool(self._shared(known.essence, episode.content))
        return near or shared or not (english or steers(known.kind, known.priority))

    def _check_conflict(self, one: ValidChange, id: str, other: str) -> None:
        """One of the two is told tonight, by somebody who is trusted as much as the other; and both can't be so."""
        for end in (id, other):
            self._check_there(end)
        if texts_differ(self._essence(id), self._essence(other)) is None:
            raise Refused("the two can both be so")
        apart = float(self._vector(id) @ self._vector(other)) < SAME_THING
        if apart and not self._shared(self._essence(id), self._essence(other)):
            raise Refused("the two are about different things")
        sides = {id: self._tonight(id, one), other: self._tonight(other, one)}
        if not any(sides.values()):
            raise Refused("no episode of this night says either of the two")
        known = {end: self._gathered.shown[end] for end in sides if end in self._gathered.shown}
        against = [
            each for end in known for facing in sides if facing != end
            for each in sides[facing] if self._counts(each, known[end])
        ]  # fmt: skip
        if known and not against:
            raise Refused(_LESS_TRUSTED)

    def _tonight(self, id: str, one: ValidChange) -> Sequence[Episode]:
        """Return the night's episodes on which a memory or a Learn rests, else those that the change names for it."""
        worded, spoken = self._said.get(id), self._gathered.spoken
        if worded is not None:
            return [each for each in worded.sources if each.id in spoken]
        own = [spoken[each] for each in self._gathered.shown[id].source_episodes if each in spoken]
        known = self._gathered.shown[id]
        return own or [each for each in one.sources if each.id in spoken and self._is_about(each, known)]

    def _check_there(self, id: str) -> None:
        if id.startswith(NEW) and int(id.removeprefix(NEW)) in self.refused:
            raise Refused(_GONE)

    def _vector(self, id: str) -> Vector:
        worded = self._said.get(id)
        return self._gathered.vectors[id] if worded is None else self._vectors[worded.place]

    def _essence(self, id: str) -> str:
        worded = self._said.get(id)
        if worded is None:
            return self._gathered.shown[id].essence
        assert isinstance(worded.change, Learn | Revise)
        return worded.change.essence


def _as_new_rule(one: ValidChange, change: Revise, kind: Kind) -> Learn:
    """Return what would reword a rule and isn't plainly said as one: it stands beside the rule, which holds until
    somebody approves of the other.
    """
    return Learn(
        essence=change.essence, kind=kind, sources=tuple(each.id for each in one.sources), stated=change.stated,
        confidence=change.confidence, importance=change.importance, lesson=change.lesson, since=change.since,
    )  # fmt: skip


def _is_confirmed(sources: Sequence[Episode]) -> bool:
    """Return whether a principal is among those who said it, and nobody from outside."""
    trusts = {one.source_trust for one in sources}
    return SourceTrust.PRINCIPAL in trusts and OUTSIDE.isdisjoint(trusts)


def _best(sources: Sequence[Episode]) -> SourceTrust:
    return next(trust for trust in SourceTrust if any(one.source_trust is trust for one in sources))
