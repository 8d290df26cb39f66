"""What a statement has to do with what is known: it says the same, takes its place, or stands against it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.domain.kinds import Kind
from reverie.minds.local.ledger import SAME, Entry, Ledger
from reverie.minds.local.reaching import (
    is_of_agent,
    is_of_same,
    is_same_thing,
    is_told_alike,
    made_beside,
    named_beside,
    shares_more,
)
from reverie.minds.local.said import Said
from reverie.minds.local.vectors import Floats
from reverie.rules.before import lead_of
from reverie.rules.changing import dropped, is_news, is_turned, replaced
from reverie.rules.claim import Claim, same_subject
from reverie.rules.claims_leads import SEVERAL
from reverie.rules.claims_subject import subjects_of
from reverie.rules.dedupe import differs
from reverie.rules.slots import Told, is_otherwise, slot_of, thing_of
from reverie.rules.terms import terms

_FAR = 0.15
"""Cosine from which a memory can say what the message says that it was made of."""
_NEAR = 0.3
"""Cosine from which any other memory has to do with a statement: its value is named as over, or its slot filled."""
_ECHO = 0.7
_AGREEING = 0.55
_MARKED = 0.55
"""Cosine from which a statement that says that something has changed means the nearest memory about the same one."""
_NEAREST = 12
_MOST_WORDS = 28
_OPPOSITE = 0.75
_BRIEF = 16  # words
_LIKING = ("likes ", "can ", "does ")
_NAME = re.compile(r"(?:^|(?<=[\w,:;(] ))[A-Z][\w.-]+")
_STEER = frozenset({Kind.POLICY, Kind.WORKFLOW})
_NO_STATES = frozenset({Kind.POLICY, Kind.WORKFLOW, Kind.OBSERVATION})


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """``same`` and ``agreeing`` say it already; ``echo``: made of the same message; ``outdated``: it takes their place,
    best first; ``opposite``: one of the two can't be so.
    """

    same: Entry | None = None
    agreeing: Entry | None = None
    echo: tuple[Entry, ...] = ()
    outdated: tuple[Entry, ...] = ()
    opposite: tuple[Entry, ...] = ()


def found_in(ledger: Ledger, said: Said, vector: Floats) -> Found:
    """What the ledger has for a statement."""
    near = [
        (entry, cosine)
        for entry, cosine in zip(ledger.entries, ledger.cosines(vector), strict=True)
        if (cosine >= _NEAR or (cosine >= _FAR and said.message.id in entry.sources))
        and not ledger.is_gone(entry)
    ]
    near.sort(key=lambda one: (-one[1], one[0].key))
    echo = tuple(
        sorted(
            (entry for entry, cosine in near if _is_echo(entry, cosine, said)),
            key=lambda one: -_confidence(one),
        )
    )
    others = [(entry, cosine) for entry, cosine in near if cosine >= _NEAR and entry not in echo]
    same = next(
        (
            entry
            for entry, cosine in near
            if cosine >= SAME and entry.kind not in _STEER and differs(entry.essence, said.essence) is None
        ),
        None,
    )
    outdated = _all_outdated(others, _others(ledger, echo), said)
    if same is not None and same not in echo and same.since >= said.message.time:
        outdated = ()
    brief = said.essence.count(" ") < _BRIEF
    agreeing = next(
        (entry for entry, cosine in others if brief and cosine >= _AGREEING and _agrees(entry, said)), None
    )
    opposite = (
        () if outdated else tuple(entry for entry, cosine in others if _is_opposite(entry, cosine, said))
    )
    return Found(same=same, agreeing=agreeing, echo=echo, outdated=outdated, opposite=opposite)


def _others(ledger: Ledger, echo: Collection[Entry]) -> Callable[[], Iterator[Entry]]:
    return lambda: (one for one in ledger.entries if one not in echo and not ledger.is_gone(one))


def _confidence(entry: Entry) -> float:
    return 1.0 if entry.memory is None else entry.memory.confidence


def _is_echo(entry: Entry, cosine: float, said: Said) -> bool:
    """Whether a memory was made of the same message, and says the same of it."""
    if entry.memory is None or entry.revised or said.message.id not in entry.sources:
        return False
    return cosine >= _ECHO or any(
        mine.about(theirs) and mine.agrees(theirs) for mine in said.claims for theirs in entry.claims
    )


def _agrees(entry: Entry, said: Said) -> bool:
    return any(
        mine.main and mine.single and mine.about(theirs) and mine.agrees(theirs)
        for mine in said.claims
        for theirs in entry.claims
    )


def _all_outdated(
    others: Sequence[tuple[Entry, float]], entries: Callable[[], Iterator[Entry]], said: Said
) -> tuple[Entry, ...]:
    """The memories whose place it takes, with what else was made of the same messages and says the same: by claims,
    else by what its message names as over, else by itself. ``entries``: near or not; they are many, and seldom needed.
    """
    older = [(entry, cosine) for entry, cosine in others if _is_older(entry, said)]
    of_people = [(entry, cosine) for entry, cosine in older if not is_of_agent(entry.essence)]

    def known() -> list[Entry]:
        return [entry for entry in entries() if _is_older(entry, said)]

    sure = _by_claims(older, said) or tuple(named_beside(known, said))
    found = tuple(
        one for one in sure or _outdated(of_people, said)
        if is_of_same(one, said) and (sure or shares_more(one, said))
    )  # fmt: skip
    if not found:
        return ()
    sources = set[str]().union(*(one.sources for one in found))
    beside = [one for one in entries() if not sources.isdisjoint(one.sources) and _is_older(one, said)]
    more = made_beside(found, beside, said, sure=bool(sure))
    return (*found, *(one for one in more if is_of_same(one, said)))


def _is_older(entry: Entry, said: Said) -> bool:
    return entry.since < said.message.time and entry.kind not in _NO_STATES and _may_be_replaced(entry, said)


def _by_claims(older: Sequence[tuple[Entry, float]], said: Said) -> tuple[Entry, ...]:
    """The memories whose claims it contradicts."""
    return tuple(entry for entry, _ in older if _claims_otherwise(entry, said))


def _outdated(older: Sequence[tuple[Entry, float]], said: Said) -> tuple[Entry, ...]:
    """The memories whose slot it fills, else those whose value it names as over, else the nearest where it says that
    something has changed.
    """
    if not (said.brings or said.claims) and said.around.count(" ") > said.as_said.count(" ") + 3:
        return ()  # what takes its place stands beside it
    slotted = _of_slot(older, said)
    if slotted:
        return slotted
    if not said.marked or dropped(said.as_said):
        return ()
    alike = tuple(entry for entry, _ in older if is_told_alike(entry, said))
    if alike:
        return alike
    subjects = subjects_of(said.essence)
    names = frozenset(terms(said.speaker))
    for old in replaced(said.essence, names):
        named = [
            entry
            for entry, _ in older
            if old <= entry.terms and (same_subject(entry.subjects, subjects) or _is_name(old, said.essence))
        ]
        if named:
            return (named[0],)
    for entry, cosine in older[:1] if is_turned(said.as_said) else ():
        shared = (entry.terms & frozenset(terms(said.essence))) - names
        if (
            cosine >= _MARKED
            and shared
            and same_subject(entry.subjects, subjects)
            and not said.claims
            and differs(entry.essence, said.essence) is not None
        ):
            return (entry,)
    return ()


def _of_slot(older: Sequence[tuple[Entry, float]], said: Said) -> tuple[Entry, ...]:
    """The memories that tell of the same thing with another value, nearest first (``rules.slots``)."""
    speaker = frozenset(said.speaker.lower().split())
    subjects, thing = subjects_of(said.essence), thing_of(said.lead)
    if not (said.declared or said.claims):
        return ()
    told = Told(
        text=said.as_said, around=said.around, names=speaker,
        changed=said.marked or said.turned or is_news(said.as_said),
        turned=is_turned(said.as_said),
        thing=thing if said.shown else "",
    )  # fmt: skip
    return tuple(
        entry
        for place, (entry, cosine) in enumerate(older[:_NEAREST])
        if entry.essence.count(" ") <= _MOST_WORDS
        and not _is_of_another(entry, said)
        and (said.marked or _may_be_of_thing(entry, thing))
        and not (_tastes(entry.claims) and _tastes(said.claims))
        and (same_subject(entry.subjects, subjects) or _is_in(subjects - speaker, entry.essence))
        and is_otherwise(replace(told, nearest=place == 0), entry.essence, cosine)
        and is_same_thing(entry, said)
    )


_TABLED = frozenset("home employer car diet gym studies hours age relationship".split())


def _is_of_another(entry: Entry, said: Said) -> bool:
    """Whether a memory plainly gives another attribute its value than the statement does."""
    theirs = {claim.attribute for claim in entry.claims if claim.main and claim.attribute in _TABLED}
    if not theirs:
        return False
    mine = {claim.attribute for claim in said.claims if claim.main}
    return bool(mine) and mine.isdisjoint(theirs)


def _may_be_of_thing(entry: Entry, thing: str) -> bool:
    """Whether what leads a memory doesn't name another thing: an instrument is no language."""
    other = thing_of(lead_of(entry.essence))
    return not (thing and other) or not slot_of(thing).topics.isdisjoint(slot_of(other).topics)


def _tastes(claimed: Sequence[Claim]) -> bool:
    return any(claim.attribute.startswith(_LIKING) for claim in claimed)


def _is_in(people: frozenset[str], text: str) -> bool:
    """Whether a memory names whom a statement is about."""
    words = frozenset(re.findall(r"\w+", text.lower()))
    return any(name and name in words for name in people)


def _is_name(old: frozenset[str], text: str) -> bool:
    """Whether what is over is written with a capital inside a sentence: a name says enough of who is meant."""
    written = {term for word in _NAME.findall(text) for term in terms(word)}
    return old <= written


def _may_be_replaced(entry: Entry, said: Said) -> bool:
    """A memory that is pinned or of more trusted making is the sleep's to judge; a procedure is no claim."""
    return not (entry.memory is not None and entry.memory.pinned and not said.marked)


def _claims_otherwise(entry: Entry, said: Said) -> bool:
    if not said.claims:
        return False
    held = entry.claims
    replacing = [
        mine
        for mine in said.claims
        for theirs in held
        if (theirs.main or len(held) == 1) and _replaces(mine, theirs, said)
    ]
    if not replacing or any(mine.main for mine in replacing):
        return bool(replacing)
    return not any(mine.about(theirs) and mine.agrees(theirs) for mine in said.claims for theirs in held)


_TOGETHER = frozenset(terms("married engaged together"))
_OLDEST = 120
_PARTNERS = frozenset(
    {"partner", "the partner", "the boyfriend", "the girlfriend", "the husband", "the wife"}
)


def _parts_with(mine: Claim, theirs: Claim, said: Said) -> bool:
    """ "Tom and Mara broke up": Tom is nobody's boyfriend any more."""
    return (
        mine.attribute == "status"
        and mine.value.isdisjoint(_TOGETHER)
        and theirs.attribute in _PARTNERS
        and theirs.holds
        and same_subject(mine.subjects, theirs.subjects)
        and not theirs.value.isdisjoint(terms(said.essence))
    )


def _replaces(mine: Claim, theirs: Claim, said: Said) -> bool:
    if _parts_with(mine, theirs, said):
        return True
    if mine.attribute == "age" and any(one.isdigit() and int(one) > _OLDEST for one in mine.value):
        return False  # a rent
    if not mine.about(theirs) or not mine.replaces(theirs):
        return False
    if mine.attribute.startswith(_LIKING) or mine.attribute in SEVERAL:
        return said.marked  # else nobody says that it has changed
    return True


def changed_in(entry: Entry, said: Said) -> list[tuple[Claim, Claim]]:
    """What a statement says otherwise than a memory: its claims, each with that whose place it takes."""
    return [
        (mine, theirs) for mine in said.claims for theirs in entry.claims if _replaces(mine, theirs, said)
    ]


def _is_opposite(entry: Entry, cosine: float, said: Said) -> bool:
    """Whether one denies what the other says."""
    if entry.since >= said.message.time:
        return False
    denied = any(
        mine.about(theirs) and mine.holds is not theirs.holds and mine.attribute.startswith(_LIKING)
        for mine in said.claims
        for theirs in entry.claims
    ) or (
        cosine >= _OPPOSITE
        and same_subject(entry.subjects, subjects_of(said.essence))
        and differs(entry.essence, said.essence) in ("opposite", "negation")
    )
    return denied and is_of_same(entry, said)
