"""Whose affair a statement tells of, and whether two tell of the same one's.

"My boss lives in Milan now" is of the boss, whoever says it, and says nothing of where its speaker lives. Who is meant
is told by whom the clauses begin with, with their possessors: Anna's friend is neither Anna nor Zoe's friend.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reverie.rules.changing import is_marked
from reverie.rules.claim import NOBODY, USER
from reverie.rules.claims import CLAUSE
from reverie.rules.claims_subject import Subjects
from reverie.rules.everyday_words import EVERYDAY
from reverie.rules.heard import SAID, bare, is_in_own_words
from reverie.rules.salience import words

_LONGEST = 400  # characters
_PRONOUNS = frozenset({"he", "she"})
_OWN = re.compile(r"\b(?:(?P<own>I|we|me|us|myself)(?P<short>'(?:m|re|ve|ll|d))?|my|our)\b", re.IGNORECASE)
_LONG = {"'m": " is", "'re": " is", "'ve": " has", "'ll": " will", "'d": " had"}
_IS = re.compile(
    r"(?:[A-Z][\w-]+(?:'s)?|[Tt]he) [\w' -]{0,40}?(?:is|are|was) (?:now )?(?:called )?(?:[DM]r\.? |Mrs\.? )?[A-Z]"
)
_OPENING_IS = re.compile(
    r"[A-Z][\w-]+(?: (?:now|also|still))? (?:is|are|was|were|isn't|costs?|starts?|begins?|ends?)\b"
)
_TITLE = re.compile(r"\b(?:Dr|Mrs?|Ms|Prof)\b\.? (?=[A-Z])")
_OWNED = re.compile(r"\b[A-Z][\w-]+'s\b")
_CUT = re.compile(r",\s+(?=[A-Z][\w-]+ (?!and\b)[a-z])")


@dataclass(frozen=True, kw_only=True, slots=True)
class People:
    """``about``: whom clauses begin with, by every name; ``owners``: of whom it tells who belongs to them ("Anna's wife
    is Rita"); ``named``: who else is named. ``words``: all of its words.
    """

    about: frozenset[str]
    owners: frozenset[str]
    named: frozenset[str]
    words: frozenset[str]

    @property
    def pronoun(self) -> bool:
        """Whether it is of somebody whom only what stands before it names."""
        return bool(self.about) and self.about <= _PRONOUNS


@lru_cache(4096)
def people_of(text: str, speaker: str = "", *, changed: bool = False) -> People:
    """The people of a statement; its first 400 characters are read. ``changed``: those of its clauses alone that say
    that something has changed, where some do.
    """
    text = text.partition(" Before that: ")[0]
    if is_in_own_words(text):
        speaker = speaker or text.partition(SAID)[0]
        text = _own(bare(text), speaker.removeprefix("The "))
    text = _TITLE.sub("", text[:_LONGEST].replace("\u2019", "'"))
    subjects = Subjects(text)
    clauses = [part for one in CLAUSE.split(text) if one for part in _CUT.split(one) if part]
    marked = [one for one in clauses if is_marked(one)] if changed else []
    about, owners = set[str](), set[str]()
    for one in marked or clauses:
        found = _about(one, subjects, speaker.lower())
        about |= found
        if _IS.match(one):
            owners |= {owner for name in found if (owner := name.rpartition("'s ")[0])}
    named = frozenset(name for keys in subjects.named_in(text) for name in keys) - about
    read = frozenset(words(_OWNED.sub("", text)))
    return People(about=frozenset(about), owners=frozenset(owners), named=named, words=read)


def _own(text: str, speaker: str) -> str:
    """Told of its speaker: whose is what is his."""

    def of(found: re.Match[str]) -> str:
        if found["own"] is None:
            return f"{speaker}'s"
        return f"{speaker}{_LONG.get((found['short'] or '').lower(), '')}"

    return _OWN.sub(of, text.replace("\u2019", "'"))


def _about(clause: str, subjects: Subjects, speaker: str) -> frozenset[str]:
    """Whom a clause begins with; empty for a thing, and for a word that opens it and may be no name."""
    found = subjects.opened_by(clause) or frozenset()
    first = clause.partition(" ")[0].lower().removesuffix("'s")
    if found == {first} and first not in (USER, speaker) and (first in EVERYDAY or _OPENING_IS.match(clause)):
        return frozenset()
    return found - {NOBODY}


def last_named(text: str, speaker: str) -> frozenset[str]:
    """Whom "she" means behind a text: the last person that it names or begins with, but for its speaker."""
    text = _own(text[-_LONGEST:], speaker)
    named = [keys for keys in Subjects(text).named_in(text) if speaker.lower() not in keys]
    return named[-1] if named else frozenset()


def are_of_others(new: People, old: People) -> bool:
    """Whether two statements are plainly of different people, of whom the one says nothing of the other's."""
    if not new.about or not old.about or _is_user(new, old) or _is_user(old, new):
        return False
    if new.about & (old.about | old.owners | old.named) or old.about & (new.named | new.owners):
        return False
    return not any(name in old.words for name in new.about if "'s " not in name)


def _is_user(one: People, other: People) -> bool:
    """Whether one is of whoever "the user" may be, and the other of somebody by name."""
    return USER in one.about and not all("'s " in name for name in other.about)
