"""Consolidation: what the night's statements do to what is known (docs/why/consolidation.md).

Statements are taken in order of time. Each either takes the place of what was so until then, confirms what is known,
stands against it, or is learned; and what recurs over days is inferred. The same night gives the same proposal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from reverie.domain.change import Contradict, Fade, Learn, Proposal, Reinforce, Revise
from reverie.domain.memory import Origin
from reverie.domain.message import Role
from reverie.minds.local.extracting import Feeling
from reverie.minds.local.gathering import gathered, worth_embedding
from reverie.minds.local.keeping import is_covered, keep_whole
from reverie.minds.local.ledger import Entry, Ledger
from reverie.minds.local.linking import connect
from reverie.minds.local.matching import Found, carried_over, found_in
from reverie.minds.local.recurring import inferred
from reverie.minds.local.said import Said
from reverie.minds.local.vectors import Floats
from reverie.ports.embedder import Embedder
from reverie.ports.night import Night
from reverie.rules import changing
from reverie.rules.before import with_before
from reverie.rules.claims_telling import briefly, named_after
from reverie.rules.dates import moments
from reverie.rules.evidence import denies_less
from reverie.rules.keep import kept_for
from reverie.rules.kinding import kind_of
from reverie.rules.lessons import lesson_of
from reverie.rules.slots import slot_of
from reverie.rules.terms import terms
from reverie.rules.topics import labels

FLOOR = 0.5
"""Importance below which a statement is not learned in a sleep: the loop has read it already, with all its cues."""
_SHARE_EMBEDDED = 0.6
_LEAST_EMBEDDED = 12
"""At most so many statements are embedded: this share of the night's episodes, but at least so many."""
_DROPPED_CONFIDENCE = 0.3
_SURE = 0.5
_SAME_THING = 0.3
"""As the sleep's check of contradictions has it."""
_ALIKE = 0.88
"""Cosine from which two wordings may be taken for one memory."""
_DAY = timedelta(days=1)
_ECHOES = frozenset({Origin.LOOP, Origin.SLEEP})
_LATER = "what was said later holds"


def consolidated(night: Night, embedder: Embedder, feel: Feeling | None) -> Proposal:
    """What the night's episodes teach."""
    episodes = sum(len(cluster.episodes) for cluster in night.clusters)
    most = max(_LEAST_EMBEDDED, round(_SHARE_EMBEDDED * episodes))
    everything = gathered(night)
    said = worth_embedding(everything.stated, FLOOR, most)
    vectors = embedder.embed([one.essence for one in said]) if said else None
    ledger = Ledger.of(night, embedder.dimensions, () if vectors is None else night.look(vectors))
    speakers = tuple(sorted({one.speaker for one in said}))
    if vectors is not None:
        emotions = [None] * len(said) if feel is None else feel([one.essence for one in said], vectors)
        for row, one in enumerate(said):
            _Turn(night, ledger, one, vectors[row], speakers).take(emotions[row])
    _keep(night, ledger, embedder, everything.whole)
    _fade_dropped(night, ledger)
    inferred(night, ledger, embedder, everything.stated, speakers)
    connect(ledger, speakers)
    return Proposal(changes=ledger.changes())


def _keep(night: Night, ledger: Ledger, embedder: Embedder, whole: Sequence[Said]) -> None:
    """Keeps the messages that are told whole, but for those that are known."""
    new = [one for one in whole if not is_covered(ledger, one)]
    if not new:
        return
    speakers = tuple(sorted({one.speaker for one in new}))
    vectors = embedder.embed([one.essence for one in new])
    for row, one in enumerate(new):
        known = keep_whole(ledger, one, vectors[row], speakers)
        if known is not None:
            _Turn(night, ledger, one, vectors[row], speakers).confirm(known)


class _Turn:
    """One statement on its way into the ledger."""

    def __init__(
        self, night: Night, ledger: Ledger, said: Said, vector: Floats, speakers: Sequence[str]
    ) -> None:
        self._night, self._ledger, self._said, self._vector = night, ledger, said, vector
        self._speakers = tuple(speakers)

    def take(self, emotions: object) -> None:
        """Does what it does to what is known."""
        found = found_in(self._ledger, self._said, self._vector)
        if found.outdated:
            self._change(found)
        elif found.same is not None and found.same not in found.echo:
            self.confirm(found.same)
        elif found.echo:
            self._against(found, found.echo[0].key)
            self._tell_plainly(found.echo[0])
        elif self._said.shown:
            self._against(found, self._learn(emotions))
        elif found.agreeing is not None and not self._says_more(found.agreeing):
            self.confirm(found.agreeing)
        elif self._said.importance >= FLOOR:
            self._against(found, self._learn(emotions))

    def _says_more(self, known: Entry) -> bool:
        """Whether it says that something has changed, and more exactly what: a head nurse now, not a nurse."""
        return self._said.marked and any(
            mine.about(theirs) and mine.value > theirs.value
            for mine in self._said.claims
            for theirs in known.claims
        )

    def _change(self, found: Found) -> None:
        """The value has changed. Where a memory was made of the same words in the day, or nothing older than the night
        has the old value, what has it is told to be outdated; else the best memory that has it is revised.
        """
        whole = self._carry_over(found.outdated)
        if whole == found.outdated:
            return
        found = replace(found, outdated=tuple(entry for entry in found.outdated if entry not in whole))
        known = [entry for entry in found.outdated if entry.memory is not None]
        target = known[0] if known else None
        beside = found.echo[0] if found.echo else found.same
        lead = self._said.lead
        plain = bool(lead) and target is not None and not _is_kept(target, lead)
        if target is not None and self._renewed(target, found):
            return
        if not plain and (target is None or lead or (beside is not None and self._is_near(target, beside))):
            self._put_beside(found, beside)
            return
        assert target is not None
        essence = briefly(target.essence, named_after(target.essence, self._said.essence))
        if plain and (found.echo or (beside is not None and self._cosine(beside) >= _ALIKE)):
            essence = f"{lead}."  # the other words are kept already
        elif plain and self._is_enough():
            essence = f"{lead}."
        self._revise(target, _LATER, essence)
        for entry in found.outdated:
            if entry is not target:
                self._contradict(entry.key, target.key, _LATER)

    def _renewed(self, target: Entry, found: Found) -> bool:
        """Whether the target was reworded so that it names what it replaces, without which it wouldn't be found."""
        said = self._said
        if said.lead and any(mine.about(theirs) for mine in said.claims for theirs in target.claims):
            return False  # the plain words say what it is about
        new = f"{said.lead}." if said.lead and self._is_all() else said.essence
        essence = with_before(new, target.essence, frozenset(said.speaker.lower().split()))
        if essence == new or _is_kept(target, essence):
            return False
        self._revise(target, _LATER, essence)
        for entry in found.outdated:
            if entry is not target:
                self._contradict(entry.key, target.key, _LATER)
        return True

    def _is_all(self) -> bool:
        """Whether the plain words have the numbers and times that were said."""
        lead, told = slot_of(self._said.lead).values, slot_of(self._said.as_said).values
        value = self._said.claims[0].value if self._said.claims else frozenset()
        if not value <= frozenset(terms(self._said.lead)):
            return False
        return all(sort in lead for sort in ("number", "time", "day", "date") if sort in told)

    def _carry_over(self, outdated: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Rewords those that tell of more than what has changed, so that the rest of them stays; which they are."""
        done: list[Entry] = []
        for entry in outdated:
            essence = carried_over(entry, self._said) if entry.memory is not None else None
            if essence is not None and not _is_kept(entry, essence):
                self._revise(entry, _LATER, essence)
                done.append(entry)
        return tuple(done)

    def _put_beside(self, found: Found, beside: Entry | None) -> None:
        """What is outdated stands against a memory of its own: that which is there, else a new one."""
        if found.echo and self._said.lead and not self._says_lead(found.echo[0]):
            key = self._learn(None, f"{self._said.lead}.")
        elif beside is None:
            key = self._learn(None)
        else:
            key = beside.key
            if not found.echo:
                self.confirm(beside)
        for entry in found.outdated:
            self._contradict(entry.key, key, _LATER)

    def _cosine(self, entry: Entry) -> float:
        return float(self._ledger.vectors[self._ledger.entries.index(entry)] @ self._vector)

    def _says_lead(self, echo: Entry) -> bool:
        """Whether a memory has all that is told plainly."""
        return frozenset(terms(self._said.lead)) <= echo.terms

    def _is_enough(self) -> bool:
        """Whether the plain words are all that is to be kept: the others name nobody, and these stand in them."""
        told = frozenset(terms(self._said.lead)) - frozenset(terms(self._said.speaker))
        heard = told & frozenset(terms(self._said.message.content))
        return self._said.shown and " said: " in self._said.as_said[:40] and 2 * len(heard) >= len(told)

    def _can_lead(self, echo: Entry) -> bool:
        """Whether words that lead it stand in the message: else the memory of it can't be given them."""
        lead = frozenset(terms(self._said.lead)) - echo.terms
        return not lead.isdisjoint(terms(self._said.message.content))

    def _revise(self, target: Entry, reason: str, essence: str) -> None:
        target.reword(self._said, essence)
        self._ledger.put(self._ledger.entries.index(target), self._vector)
        self._ledger.revised[target.key] = Revise(
            memory_id=target.key, essence=essence, reason=reason, sources=self._said.sources,
            stated=self._said.stated, lesson=lesson_of(essence, kind_of(essence)), since=self._since(),
        )  # fmt: skip

    def _is_near(self, one: Entry, other: Entry) -> bool:
        """Whether two are near enough to be set against each other: a sleep refuses what seems not to be."""
        first, second = (self._ledger.vectors[self._ledger.entries.index(entry)] for entry in (one, other))
        return float(first @ second) >= _SAME_THING and not one.terms.isdisjoint(other.terms)

    def _tell_plainly(self, echo: Entry) -> None:
        """What was made of the same words by the way, and is found better when it is told plainly."""
        memory, said = echo.memory, self._said
        if memory is None or not said.lead or self._says_lead(echo) or echo.essence.startswith(said.lead):
            return
        if memory.pinned or memory.origin not in _ECHOES or echo.revised or not self._can_lead(echo):
            self._learn(None, f"{said.lead}.")
        else:
            self._revise(echo, "it is told plainly", f"{said.lead}: {echo.essence}")

    def _since(self) -> datetime:
        """Since when it is so: the time that it names, where that is past; else when it was said."""
        time = self._said.message.time
        if any(claim.attribute.startswith("when ") for claim in self._said.claims):
            return time
        text = " ".join(part.text for part in self._said.statement.said)
        windows = [one for one in moments(text, time, self._night.zone) if one.certainty >= _SURE]
        if len(windows) == 1 and windows[0].since < time and windows[0].until <= time + _DAY:
            return windows[0].since
        return time

    def confirm(self, entry: Entry) -> None:
        """It was said again."""
        said = self._said
        new = [source for source in said.sources if source not in entry.sources]
        if not new:
            return
        if entry.memory is None:  # learned in this night: it has one source more
            number = int(entry.key.partition(":")[2])
            learned = self._ledger.learned[number]
            self._ledger.learned[number] = replace(learned, sources=(*learned.sources, *new))
        elif entry.key in self._ledger.revised:
            revised = self._ledger.revised[entry.key]
            self._ledger.revised[entry.key] = replace(revised, sources=(*revised.sources, *new))
        else:
            before = self._ledger.confirmed.get(entry.key)
            sources = (*(before.sources if before else ()), *new)
            self._ledger.confirmed[entry.key] = Reinforce(
                memory_id=entry.key, reason="it was said again", sources=sources
            )
        entry.sources |= set(new)

    def _learn(self, emotions: object, plain: str = "") -> str:
        said, key = self._said, self._ledger.next_key()
        essence = plain or (f"{said.lead}." if self._is_enough() else said.essence)
        kind = kind_of(essence)
        about = labels(essence, self._speakers)
        learn = Learn(
            essence=essence, kind=kind, sources=said.sources, stated=said.stated, importance=said.importance,
            lesson=lesson_of(essence, kind, emotions),  # type: ignore[arg-type]  # the classifier's labels
            emotions=emotions,  # type: ignore[arg-type]
            topics=about.topics, entities=about.entities, since=self._since(),
        )  # fmt: skip
        entry = Entry(
            key=key, essence=essence, kind=kind, claimed=said.claims, since=said.message.time,
            sources=set(said.sources),
        )  # fmt: skip
        self._ledger.learn(learn, entry, self._vector)
        return key

    def _against(self, found: Found, key: str) -> None:
        for entry in found.opposite:
            if entry.key != key:
                self._contradict(entry.key, key, "the one says what the other denies")

    def _contradict(self, older: str, newer: str, resolution: str) -> None:
        if (newer, older) in self._ledger.contradicted or older == newer:
            return
        self._ledger.contradicted[older, newer] = Contradict(
            memory_id=older, contradicted_by=newer, resolution=resolution, sources=self._said.sources
        )


def _is_kept(entry: Entry, lead: str) -> bool:
    """Whether a sleep rewords it only in its sources' own words: what it keeps, and what denies something."""
    if denies_less(lead, entry.essence):
        return True
    if entry.memory is None or entry.memory.pinned:
        return False
    return kept_for(entry.memory, proven=False, achieved=False) is not None


def _fade_dropped(night: Night, ledger: Ledger) -> None:
    """ "Forget about the boat": what it names matters less from now on."""
    for cluster in night.clusters:
        for episode in cluster.episodes:
            if episode.role is not Role.USER:
                continue
            for words in changing.dropped(episode.content):
                _drop(ledger, words, episode.content)


def _drop(ledger: Ledger, words: frozenset[str], text: str) -> None:
    named = [
        entry
        for entry in ledger.entries
        if entry.memory is not None and not entry.memory.pinned and words <= entry.terms and not entry.revised
    ]
    if len(named) != 1 or ledger.is_faded(named[0].key) or not text:
        return
    memory = named[0].memory
    assert memory is not None
    if memory.confidence > _DROPPED_CONFIDENCE:
        ledger.faded[memory.id] = Fade(
            memory_id=memory.id, confidence=_DROPPED_CONFIDENCE, reason="it was said to matter no longer"
        )
