"""The scene of a glimpse: who speaks, whom "she" goes back to, and what was spoken of before."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from reverie.rules.claims_words import CARS, KIN, NO_PEOPLE, NOT_YET, USED
from reverie.rules.label_words import WEAK

NAME = r"(?-i:[A-Z][a-z]+(?!'[a-rt-z]))"
"""A name as it is written; whether it is a person's is known by ``is_person``."""
TITLED = r"(?:(?:Mr|Mrs|Ms|Miss|Dr|Mx|Frau|Herr)\.? )?" + NAME
OWNER = rf"(?:my|our|her|his|{NAME}'s)"
PLACE = r"(?P<value>(?-i:[A-Z][\w-]+(?: [A-Z][\w-]+)?))"
_NO_PERSON = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september "
    "october november december the a an in on at it's that's there's what's mum dad mom gran nan today "
    "tomorrow tonight "
    "yesterday morning evening also now then well right just finally happy good bad great sorry thanks "
    "please day week "
    "i'm i've still back first last new old big two three got had not no yes".split()
)
_NAMED = re.compile(r"\b(?P<parent>(?i:mum|mam|mom|dad|gran|nan|grandma|grandad))\b|\b[A-Z][a-z]+\b")
_SHE = re.compile(
    r"\b(?:mum|mother|mom|sister|daughter|wife|girlfriend|aunt|auntie|gran|grandma|nan|niece"
    r"|granddaughter|landlady)$"
)
_HE = re.compile(
    r"\b(?:dad|father|brother|son|husband|boyfriend|uncle|grandpa|grandad|nephew|grandson|landlord)$"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Glimpse:
    """``lead``: the plain sentence, without its full stop; ``place`` of the sentence in its message. Where ``old`` is
    given, ``value`` takes its place as the ``thing`` of whoever is known by it.
    """

    lead: str
    place: int
    old: str = ""
    thing: str = ""
    value: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """``people``: who was mentioned before, the last one last, as each is called ("Tom", "Gwen's mum"); ``names``: of
    people, by the word in small letters; ``topic``: what was said before in the talk; ``behind``: what the agent said
    to it. ``women`` and ``men`` are those of whom it is known.
    """

    speaker: str
    people: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    topic: str = ""
    behind: str = ""
    women: frozenset[str] = frozenset()
    men: frozenset[str] = frozenset()

    def named(self, text: str) -> str:
        """The text with the names of people known written with a capital; what is shouted is said quietly."""
        letters = [letter for letter in text if letter.isalpha()]
        if len(letters) > 8 and sum(map(str.isupper, letters)) > 0.7 * len(letters):
            text = text.lower()
        return re.sub(
            r"\b[a-z]+\b",
            lambda found: self.names.get(found.group(), found.group()),
            text,
        )

    @property
    def other(self) -> str:
        """Who was mentioned last and doesn't speak; empty where nobody was."""
        return next((one for one in reversed(self.people) if one != self.speaker), "")

    def she(self) -> str:
        """Whom "she" goes back to; empty where that can't be told."""
        return self._last(self.men, _HE)

    def he(self) -> str:
        """Whom "he" goes back to; empty where that can't be told."""
        return self._last(self.women, _SHE)

    def _last(self, not_these: frozenset[str], nor: re.Pattern[str]) -> str:
        for one in reversed(self.people):
            if one != self.speaker and one not in not_these and not nor.search(one):
                return one
        return ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A sentence, or a part of one, as it is read: with what its message said before it and behind it."""

    text: str
    before: str
    scene: Scene
    place: int
    after: str = ""

    def glimpse(self, lead: str) -> Glimpse:
        """What it shows."""
        return Glimpse(lead=lead, place=self.place)

    def earlier(self) -> str:
        """All that was said before, the latest last."""
        return f"{self.scene.topic} {self.before}"


_IN_JEST = re.compile(r"\b(?:as a joke|(?:just|only|was|were|am|i'm) (?:joking|kidding))\b", re.IGNORECASE)


def is_real(at: Line, upto: int) -> bool:
    """Whether what stands there is told as it is, and not asked."""
    if _IN_JEST.search(at.text):
        return False
    return NOT_YET.search(at.text[:upto]) is None and not at.text.rstrip(" \"')").endswith("?")


def is_person(word: str) -> bool:
    """Whether a capitalised word can be somebody's name."""
    low = word.lower().removesuffix("'s")
    return (
        low not in _NO_PERSON
        and low not in WEAK
        and low not in USED
        and low not in NO_PEOPLE
        and low not in CARS
        and len(low) > 2
    )


_PARENTS = {
    **dict.fromkeys("mum mam mom mummy mother".split(), "mother"),
    **dict.fromkeys("dad daddy father".split(), "father"),
    **dict.fromkeys("gran grandma granny nan grandmother".split(), "grandmother"),
    **dict.fromkeys("grandad grandpa grandfather".split(), "grandfather"),
}  # fmt: skip


def whose(word: str, at: Line) -> str:
    """Who a pronoun or name is, as he is called; empty where that can't be told."""
    low = re.sub(r"(?:'s| is| has| am|'m|'ve| turned| turns)$", "", word.strip().lower())
    if low in ("i", "my", "we", "our", "me", "us", "i'm", "we're"):
        return at.scene.speaker
    kin = re.sub(r"^(?:my|our) ", "", low)
    if kin in _PARENTS:
        return f"{at.scene.speaker}'s {_PARENTS[kin]}"
    if low in ("she", "her", "he", "him", "his"):
        near = _in_message(at, low)
        if near is not None:
            return near
        return at.scene.she() if low in ("she", "her") else at.scene.he()
    bare = re.sub(r"(?:'s| is| turned| turns)$", "", word.strip())
    return bare if is_person(bare) else ""


_THEIR_KIN = re.compile(
    rf"'s (?:(?:new|older|younger|big|little|elder|youngest|eldest|twin) )*(?P<kin>{KIN})\b"
    rf"(?:(?:,|'s| is| was)?(?: called| named)? (?P<called>{NAME}))?",
    re.IGNORECASE,
)
_INTRODUCED = re.compile(r"\b(?:called|named|met|with|to|is|and|by|of|from) $")
"""Before somebody's name, who wasn't spoken of."""


def _in_message(at: Line, pronoun: str) -> str | None:
    """Who was named last in the same message, ahead of the pronoun; empty where it may be somebody who isn't known,
    None where nobody is named. "Ada's husband, he …" isn't Ada.
    """
    here = re.search(rf"\b{pronoun}\b", at.text, re.IGNORECASE)
    text = f"{at.before} {at.text[: here.start()] if here else ''}"
    sure = at.scene.women if pronoun in ("she", "her") else at.scene.men
    for match in reversed(list(_NAMED.finditer(text))):
        if match.group() in sure and match.group() != at.scene.speaker:
            return match.group()
    nor, known = (_HE, at.scene.men) if pronoun in ("she", "her") else (_SHE, at.scene.women)
    for match in reversed(list(_NAMED.finditer(text))):
        name = (
            f"{at.scene.speaker}'s {_PARENTS.get(match.group().lower(), match.group().lower())}"
            if match["parent"]
            else match.group()
        )
        kin = _THEIR_KIN.match(text, match.end())
        if kin is not None and not nor.search(kin["kin"]):
            return kin["called"] or f"{name}'s {kin['kin'].lower()}"
        if name in known or nor.search(name) or name == at.scene.speaker:
            continue
        if match["parent"] or name.lower() in at.scene.names:
            return name
        if _INTRODUCED.search(text[: match.start()]) and is_person(name):
            return ""
    return None
