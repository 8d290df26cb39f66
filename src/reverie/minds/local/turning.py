"""One statement of a night on its way into the ledger: what it does to what is known, and how that is worded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from reverie.domain.change import Contradict, Learn, Reinforce, Revise
from reverie.domain.kinds import Kind
from reverie.domain.memory import HEARD
from reverie.minds.local.carrying import (
    carried_over,
    parted,
    reworded_with_rest,
    standing,
    tells_more,
    with_rest_of,
)
from reverie.minds.local.ledger import Entry, Ledger
from reverie.minds.local.matching import Found, changed_in, found_in
from reverie.minds.local.reaching import as_known, old_value, with_name
from reverie.minds.local.said import Said
from reverie.minds.local.vectors import Floats
from reverie.ports.embedder import Embedder
from reverie.ports.night import Night
from reverie.rules.before import BEFORE, now_of, with_before, with_rest
from reverie.rules.claims_telling import briefly, named_after
from reverie.rules.datesince import begun
from reverie.rules.evidence import denies_less
from reverie.rules.heard import is_in_own_words
from reverie.rules.keep import kept_for
from reverie.rules.kinding import kind_of
from reverie.rules.lessons import lesson_of
from reverie.rules.slots import slot_of
from reverie.rules.terms import terms
from reverie.rules.topics import labels

FLOOR = 0.5
"""Importance below which a statement is not learned in a sleep: the loop has read it already, with all its cues."""
_SAME_THING = 0.3
"""As the sleep's check of contradictions has it."""
_ALIKE = 0.88
"""Cosine from which two wordings may be taken for one memory."""
_CARRIED = 0.22
"""Cosine of a wording to its message from which a sleep takes it, and a little more."""
_SURELY_CARRIED = 0.4
"""The same, of the mean of what it is made of: of 173 wordings on seven lives one was at 0.21 itself, none below."""
_LATER = "what was said later holds"


class Turn:
    """One statement on its way into the ledger."""

    def __init__(
        self,
        night: Night,
        ledger: Ledger,
        said: Said,
        vector: Floats,
        speakers: Sequence[str],
        embedder: Embedder,
    ) -> None:
        self._embedder = embedder
        meant = as_known(with_name(said), ledger)
        if meant is not said:
            [vector] = embedder.embed([meant.essence])
        self._night, self._ledger, self._said, self._vector = night, ledger, meant, vector
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
        over = old_value(known[0], self._said) if known else frozenset[str]()
        target = _tells_most(known, self._said, over)
        beside = found.echo[0] if found.echo else found.same
        lead = self._said.lead
        plain = bool(lead) and target is not None and not _is_kept(target, lead)
        if target is not None and self._renewed(target, found, over):
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
        changed = changed_in(target, self._said)
        if len(known) > 1 and not changed:
            essence = with_rest(essence, target.essence)
        self._revise(
            target, _LATER, with_rest_of(target, self._said, changed, essence) if changed else essence
        )
        self._outdate_rest(found.outdated, target, over)

    def _outdate_rest(self, outdated: Sequence[Entry], target: Entry, over: frozenset[str]) -> None:
        """What else has the old value (``over``): it stands against the memory that has the new one, where that names
        all of it as what was before; else it is reworded too.
        """
        said = self._said
        short = f"{said.lead or said.as_said.rstrip('.!')}."
        for entry in outdated:
            if entry is target:
                continue
            essence = parted(entry, over) or reworded_with_rest(entry, said, short)
            if (
                entry.memory is None
                or _is_kept(entry, essence)
                or not tells_more(entry, target.essence, said)
            ):
                self._outdate(entry, target.key)
            else:
                self._revise(entry, _LATER, essence)

    def _renewed(self, target: Entry, found: Found, over: frozenset[str]) -> bool:
        """Whether the target was reworded so that it names what it replaces, without which it wouldn't be found."""
        said = self._said
        if said.lead and any(mine.about(theirs) for mine in said.claims for theirs in target.claims):
            return False  # the plain words say what it is about
        new = f"{said.lead}." if said.lead and self._is_all() else said.essence
        if standing(target, said):
            essence = reworded_with_rest(target, said, new)
        else:
            essence = with_before(new, target.essence, frozenset(said.speaker.lower().split()))
        if essence == new and (len(found.outdated) > 1 or not said.brings):
            essence = with_rest(new, target.essence)
        if essence == new or _is_kept(target, essence):
            return False
        self._revise(target, _LATER, essence)
        self._outdate_rest(found.outdated, target, over)
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
            changed = changed_in(entry, self._said) if entry.memory is not None else []
            essence = carried_over(entry, changed)
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
            self._outdate(entry, key)

    def _outdate(self, entry: Entry, newer: str) -> None:
        """What is over stands against what is so since; what else it told stays, as a memory of its own."""
        left = standing(entry, self._said)
        if left and entry.memory is None:
            self._learn_rest(entry, left)
        if left and entry.memory is not None and not _is_kept(entry, left):
            short = f"{self._said.lead or self._said.as_said.rstrip('.!')}."
            self._revise(entry, _LATER, reworded_with_rest(entry, self._said, short))
        else:
            self._contradict(entry.key, newer, _LATER)

    def _learn_rest(self, entry: Entry, rest: str) -> None:
        """What a statement of this night told beside what is otherwise by now."""
        number = int(entry.key.partition(":")[2])
        kind, about = kind_of(rest), labels(rest, self._speakers)
        learn = replace(
            self._ledger.learned[number], essence=rest, kind=kind, lesson=lesson_of(rest, kind),
            topics=about.topics, entities=about.entities,
        )  # fmt: skip
        own = Entry(
            key=self._ledger.next_key(),
            essence=rest,
            kind=kind,
            since=entry.since,
            sources=set(entry.sources),
        )
        self._ledger.learn(learn, own, self._embedder.embed([rest])[0])

    def _cosine(self, entry: Entry) -> float:
        return float(self._ledger.vectors[self._ledger.entries.index(entry)] @ self._vector)

    def _says_lead(self, echo: Entry) -> bool:
        """Whether a memory has all that is told plainly."""
        return frozenset(terms(self._said.lead)) <= echo.terms

    def _is_enough(self) -> bool:
        """Whether the plain words are all that is to be kept: the others name nobody, and these stand in them."""
        told = frozenset(terms(self._said.lead)) - frozenset(terms(self._said.speaker))
        heard = told & frozenset(terms(self._said.message.content))
        return self._said.shown and is_in_own_words(self._said.as_said) and 2 * len(heard) >= len(told)

    def _can_lead(self, echo: Entry) -> bool:
        """Whether words that lead it stand in the message: else the memory of it can't be given them."""
        lead = frozenset(terms(self._said.lead)) - echo.terms
        return not lead.isdisjoint(terms(self._said.message.content))

    def _revise(self, target: Entry, reason: str, essence: str) -> None:
        place = self._ledger.entries.index(target)
        essence = self._carried(essence, self._ledger.vectors[place])
        target.reword(self._said, essence)
        self._ledger.put(place, self._vector)
        self._ledger.revised[target.key] = Revise(
            memory_id=target.key, essence=essence, reason=reason, sources=self._said.sources,
            stated=self._said.stated, lesson=lesson_of(essence, kind_of(essence)), since=self._since(),
        )  # fmt: skip

    def _carried(self, essence: str, old: Floats) -> str:
        """A wording with as much of what was before as leaves it near enough to what was said. ``old``: the vector of
        what was before.
        """
        heard = self._ledger.heard.get(self._said.message.id)
        if BEFORE not in essence or heard is None:
            return essence
        now, before = (one.count(" ") + 1 for one in essence.split(BEFORE, 1))
        mixed = (
            now * self._vector + before * old
        )  # near to its vector (r = 0.87), which is needed only where in doubt
        if float(mixed @ heard) >= _SURELY_CARRIED * float(np.linalg.norm(mixed)):
            return essence
        wordings = (essence, now_of(essence), f"{self._said.lead or self._said.as_said.rstrip('.!')}.")
        near = (one for one in wordings if float(self._embedder.embed([one])[0] @ heard) >= _CARRIED)
        return next(near, wordings[-1])

    def _is_near(self, one: Entry, other: Entry) -> bool:
        """Whether two are near enough to be set against each other: a sleep refuses what seems not to be."""
        first, second = (self._ledger.vectors[self._ledger.entries.index(entry)] for entry in (one, other))
        return float(first @ second) >= _SAME_THING and not one.terms.isdisjoint(other.terms)

    def _tell_plainly(self, echo: Entry) -> None:
        """What was made of the same words by the way, and is found better when it is told plainly."""
        memory, said = echo.memory, self._said
        if memory is None or not said.lead or self._says_lead(echo) or echo.essence.startswith(said.lead):
            return
        if memory.pinned or memory.origin not in HEARD or echo.revised or not self._can_lead(echo):
            self._learn(None, f"{said.lead}.")
        else:
            self._revise(echo, "it is told plainly", f"{said.lead}: {echo.essence}")

    def _since(self) -> datetime:
        """Since when it is so, where it says that; else when it was said."""
        time = self._said.message.time
        if any(claim.attribute.startswith("when ") for claim in self._said.claims):
            return time
        text = " ".join(part.text for part in self._said.statement.said)
        about = frozenset(term for claim in self._said.claims for term in claim.value)
        return begun(text, about, time, self._night.zone) or time

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
        kind = _kind_of_led(essence, said.lead)
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
        self._ledger.contradict(
            Contradict(
                memory_id=older, contradicted_by=newer, resolution=resolution, sources=self._said.sources
            )
        )


def _tells_most(known: Sequence[Entry], said: Said, over: frozenset[str]) -> Entry | None:
    """The nearest of some memories; of two that were made of the same message that which says all that the other says,
    and more of it.
    """
    if not known:
        return None
    first = next((one for one in known if not standing(one, said)), known[0])
    more = [
        one for one in known
        if one.sources & first.sources and not tells_more(first, one.essence, said) and parted(one, over) is None
    ]  # fmt: skip
    return max((first, *more), key=lambda one: len(one.terms))


def _kind_of_led(essence: str, lead: str) -> Kind:
    """Of what it is; what is led by a plain sentence of what is so is no goal, whatever else it wishes for."""
    kind = kind_of(essence)
    return kind_of(f"{lead}.") if lead and kind is Kind.GOAL else kind


def _is_kept(entry: Entry, lead: str) -> bool:
    """Whether a sleep rewords it only in its sources' own words: what it keeps, and what denies something."""
    if denies_less(lead, entry.essence):
        return True
    if entry.memory is None or entry.memory.pinned:
        return False
    return kept_for(entry.memory, proven=False, achieved=False) is not None
