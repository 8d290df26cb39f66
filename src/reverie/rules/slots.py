"""Slots: what a statement gives a value to, judged without a table of attributes.

A statement's *values* are what could be otherwise: times, days, dates, numbers, names, and words of a closed class
(colours, languages, instruments, diets …). Its other telling words are its *topics*. Two statements of the same one
fill the same slot where they share a topic and have different values of the same sort: "book club is on Monday", "they
have put the book club on Wednesday".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from reverie.rules import slots_words as known
from reverie.rules.changing import replaced
from reverie.rules.heard import bare
from reverie.rules.terms import STOP_WORDS, ascii_runs, label_terms, terms

_LONGEST = 300  # characters
_BRIEF = 11  # words
_OWNER = re.compile(r"\b([a-z]+)'s (?=[a-z])")
_FIRST = re.compile(r"[A-Z][\w-]+")
_DIGIT = re.compile(r"[0-9]")
_WORD = re.compile(r"[a-z\u00e0-\u024f]+(?:'[a-z]+)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot:
    """``topics``: stems of what it tells of; ``values`` by their sort; ``kin``: which relatives it names;
    ``opening``: its first word where that can be a name.
    """

    topics: frozenset[str]
    values: Mapping[str, frozenset[str]]
    kin: frozenset[str]
    opening: str = ""

    @property
    def named(self) -> frozenset[str]:
        """Its names, with the word that it begins with."""
        return self.values.get("name", frozenset()) | {self.opening}

    def shared(self, other: Slot) -> frozenset[str]:
        """The topics that both have and that tell one thing from another."""
        mine, theirs = (one.topics | one.closed for one in (self, other))
        return (mine & theirs) - known.GENERIC

    @property
    def closed(self) -> frozenset[str]:
        """Its words of closed classes: where both have the same, that is what they tell of."""
        return frozenset().union(*(found for sort, found in self.values.items() if sort in known.CLASSES))


@lru_cache(2048)
def slot_of(text: str) -> Slot:
    """The slot of a statement in the third person; its first 300 characters are read."""
    text = bare(text.partition(" Before that: ")[0][:_LONGEST].replace("\u2019", "'"))
    values, low = _looking_so(text.lower())
    openings = known.OPENING.findall(text)
    names = {
        name for one in (*known.NAME.findall(text), *openings)
        if (name := one.lower().removesuffix("'s")) not in known.NO_NAMES
    }  # fmt: skip
    if names:
        values["name"] = frozenset(names)
    words = [word.removesuffix("'s") for word in _WORD.findall(low)]
    for word in words:
        for sort in known.CLASSES_OF.get(word, ()):
            values[sort] = values.get(sort, frozenset()) | {word}
    opening_names = {one.lower() for one in openings}  # it may be no name: "Nursery is 655 now"
    valued = frozenset().union(*values.values()) - opening_names
    kin = {known.KIN[word] for word in words if word in known.KIN}
    if "'s " in text:
        kin.update(owner for owner in _OWNER.findall(text) if owner not in known.NO_OWNERS)
    first = _FIRST.match(text)
    opening = first.group().lower() if first else ""
    return Slot(
        topics=frozenset(stem for word in words if word not in valued for stem in _topics_of(word)),
        values=values, kin=frozenset(kin),
        opening="" if opening in known.NO_NAMES or opening in STOP_WORDS or opening in known.EMPTY else opening,
    )  # fmt: skip


def _looking_so(low: str) -> tuple[dict[str, frozenset[str]], str]:
    """The values of a text in small letters that are known by how they look, and the text without them."""
    held = None
    if low.isascii():
        held = {*ascii_runs(low), known.DIGIT} if _DIGIT.search(low) else set(ascii_runs(low))
    values: dict[str, frozenset[str]] = {}
    for sort, hints, pattern in known.PATTERNS:
        if held is not None and held.isdisjoint(hints):
            continue
        found: list[str] = []
        low = pattern.sub(lambda match, found=found: found.append(match.group()) or " ", low)  # type: ignore[misc]
        if found:
            values[sort] = values.get(sort, frozenset()).union(known.plain(sort, one) for one in found)
    return values, low


@lru_cache(1 << 15)
def _topics_of(word: str) -> tuple[str, ...]:
    if word in known.EMPTY or word in STOP_WORDS:
        return ()
    return tuple(known.FAMILY.get(stem, stem) for stem in label_terms(word))


_STRICT = frozenset({"time", "day", "date", "number", "month"})
"""Of these a thing has one at a time, as a rule; another of the others must be said to be new."""
_BY_ITSELF = frozenset({"job", "diet"})
"""Of these somebody has one, whatever else is said."""
_ADDS = re.compile(
    r"\b(?:also|too|as well|another|besides|both|plus|in addition|extra|one more)\b", re.IGNORECASE
)


_THING = re.compile(r"^(?:[A-Z][\w.-]*(?: [A-Z][\w.-]*)*|The user)'s (?P<thing>[\w' -]{2,48}?) (?:is|are)\b")


def thing_of(plain: str) -> str:
    """What a plain sentence gives a value to: "Gwen's shift is on Friday". Empty for any other."""
    match = _THING.match(plain) if plain.count(" ") < _BRIEF else None
    return match["thing"] if match is not None else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A later statement with what it stands in. ``changed``: it says that something has changed; ``around``: what else
    its speaker said with it; ``names``: of him, in small letters; ``thing``: what it gives a value
    to, where that is known; ``turned``: it says itself that something is otherwise; ``nearest``: nothing is nearer.
    """

    text: str
    changed: bool = False
    around: str = ""
    names: frozenset[str] = frozenset()
    thing: str = ""
    turned: bool = False
    nearest: bool = False


_ONCE_OFF = re.compile(
    r"\b(?:was|were|got|is) (?:cancell?ed|called off|rained off) (?:\w+ )?(?:because|bc|cos|cause|due|today"
    r"|tonight|this"
    r"|as|by|since|when)\b",
    re.IGNORECASE,
)
"""What didn't take place one time goes on."""


def is_otherwise(new: Told, old: str, cosine: float) -> bool:
    """Whether the newer statement gives the same slot another value than the older one. ``cosine``: of the two."""
    if _ONCE_OFF.search(new.text):
        return False
    mine, theirs = slot_of(new.text), slot_of(old)
    both = (mine.named & theirs.named) - new.names - {""}
    if (mine.kin != theirs.kin and not both) or (not new.changed and _ADDS.search(new.text)):
        return False
    own = frozenset(stem for name in new.names for stem in terms(name))
    about = frozenset() if not new.thing else slot_of(new.thing).topics
    shared = ((mine.topics | mine.closed | about) & (theirs.topics | theirs.closed)) - known.GENERIC - own
    named = bool(new.around) and _is_named(theirs, new)
    if not shared and new.changed and new.around:
        shared = slot_of(new.around).shared(theirs) - own
    if about:
        shared &= about
    changed = new.changed or named
    least = _LEAST_NAMED if named or new.thing else _LEAST if len(shared) > 1 else _LEAST_OF_ONE
    if _is_renewed(new, mine, theirs, old, both, cosine):
        return True
    if not changed and not _are_named_alike(mine, theirs, new) and not _STRICT.isdisjoint(mine.values):
        return False  # a flight to Rome, and one to Oslo
    over = frozenset().union(*replaced(new.text)) if changed else frozenset()
    gone = _gone(theirs.named & mine.named, over)
    if gone and cosine >= _LEAST_NAMED and mine.values.get("name", frozenset()) - gone - new.names:
        return True  # "Hutch was promoted, I answer to Delgado now"
    for sort, values in mine.values.items():
        now = frozenset(
            value for value in values - new.names - both if not over or not over & frozenset(terms(value))
        )
        before = theirs.values.get(sort, frozenset()) - new.names - both
        if (
            changed
            and sort not in _STRICT
            and before
            and now - before
            and before <= now | _gone(before, over)
            and cosine >= least
        ):
            return True
        if not now or not before or now & before:
            continue
        by_itself = sort in _BY_ITSELF and (both or _is_own(new))
        if changed and cosine >= _LEAST_NAMED and (by_itself or (named and sort in known.CLASSES)):
            return True
        if not shared or cosine < least:
            continue
        if changed or sort in _STRICT or (cosine >= _LEAST_OF_ONE and _is_brief(new.text, old)):
            return True
    return False


_LEAST, _LEAST_OF_ONE, _LEAST_NAMED = 0.4, 0.5, 0.3
"""Cosines from which two may be of the same slot: by two topics, by one, by a value or thing that is named."""


def _gone(before: frozenset[str], over: frozenset[str]) -> frozenset[str]:
    return frozenset(value for value in before if over & frozenset(terms(value)))


_RENEWED, _RENEWED_BY_MARK, _MOST_RENEWED = 0.5, 0.6, 14
_EVENTS = re.compile(
    r"\b(?:went|met|saw|had|was|were|did|came|took|got|made|sent|gave|told|asked|called|rang|bought|ate)\b"
)


def _is_renewed(new: Told, mine: Slot, theirs: Slot, old: str, both: frozenset[str], cosine: float) -> bool:
    """Whether it says that the very thing the older one plainly tells of is otherwise now, whatever its value."""
    if not new.nearest or _EVENTS.search(old) or old.count(" ") > _MOST_RENEWED:
        return False
    own = frozenset(stem for name in new.names for stem in terms(name))
    said = frozenset().union(*mine.values.values()) - frozenset().union(*theirs.values.values()) - new.names
    if not (said or _is_own(new)):
        return False  # "the clocks changed and the cat didn't" says nothing of the cat's name
    if not (mine.shared(theirs) - own or both) or not _brings(mine, theirs, new):
        return False
    return cosine >= (_RENEWED if new.turned else _RENEWED_BY_MARK) and (new.turned or new.changed)


def _brings(mine: Slot, theirs: Slot, new: Told) -> bool:
    """Whether it tells anything that the older one doesn't, and not only that this is over."""
    fresh = mine.topics - theirs.topics
    values = frozenset().union(*mine.values.values()) - frozenset().union(*theirs.values.values())
    return bool(fresh or values - new.names)


def _are_named_alike(mine: Slot, theirs: Slot, new: Told) -> bool:
    """Whether they don't name different ones: a flight to Rome, and one to Oslo."""
    one, other = (slot.values.get("name", frozenset()) - new.names for slot in (mine, theirs))
    return not one or not other or not one.isdisjoint(other)


def _is_own(new: Told) -> bool:
    """Whether it is of its speaker, and not merely said by him."""
    text = bare(new.text).lower()
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in new.names)


def _is_named(theirs: Slot, new: Told) -> bool:
    """Whether an older value stands beside the newer statement: "the Portuguese is on ice"."""
    words = frozenset(re.findall(r"[a-z\u00e0-\u024f\d][\w'-]*", new.around.lower()))
    own = frozenset(re.findall(r"[a-z\u00e0-\u024f\d][\w'-]*", new.text.lower()))
    values = frozenset().union(*(found for sort, found in theirs.values.items() if sort not in _STRICT))
    return bool((values - new.names) & (words - own))


def _is_brief(new: str, old: str) -> bool:
    """Whether both are told in few words, so that they hardly tell of anything else."""
    return new.count(" ") < _BRIEF and old.count(" ") < _BRIEF
