"""Whose doing a clause tells: the speaker's own, or another's.

"My flatmate got a Tesla" is of the flatmate, "got a Tesla" and "mum got me a Tesla" are of the speaker: what counts is
the subject of the clause, or of the one that it goes on from. A sentence that begins without one is the speaker's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from reverie.rules.claims_words import CARS, NO_PEOPLE, USED
from reverie.rules.doers_words import DOES, HAS, OF_MANY, PERSON
from reverie.rules.label_words import WEAK
from reverie.rules.verbs import ADVERBS, is_past


class Doer(Enum):
    """Whose doing it is."""

    OWN = "own"
    OTHER = "other"
    UNSURE = "unsure"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Clause:
    start: int
    end: int
    opens: bool  # a sentence


_STOP = re.compile(r"(?<![.!?\u2026])[.!?\u2026]++(?=\s|$)(?<!\b[DM]r\.)(?<!\bMrs\.)(?<!\bSt\.)|\n")
_BREAK = re.compile(
    r"[,;:()\u2013\u2014]|\s-\s|(?<!\bme)(?<!\bmyself)\s(?:and|but|so|because|since|while|whereas|when|where|though"
    r"|although|then|until|if|that|who|which|after|before|plus|as)\s|^(?:after|before|when|since|while|as|if"
    r"|because)\s",
    re.IGNORECASE,
)
_LIGHT = re.compile(
    r"^\W*(?:(?:and|but|so|oh|ok|okay|well|now|also|btw|lol|haha|then|yes|yeah|yep|no|wow|omg|anyway|apparently"
    r"|just|today"
    r"|yesterday|tonight|finally|honestly|actually|turns out|guess what|fyi|update|news|hey|hi|recently|only"
    r"|[a-z]{3,}(?:ally|tely|ntly|ously|edly|ently|arly|fully|ably|ibly|kily|dly)|last (?:night|week|month|year)"
    r"|this (?:week|month|morning|year))\b\W*)*",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|im|ive|we|we're|we've|we'd|we'll|both of us|all of us|(?:me|myself) and|and (?:me"
    r"|myself)"
    r"|me too|us two)\b",
    re.IGNORECASE,
)
_TO_ME = re.compile(r"\b(?:me|us|mine|ours)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"^(?P<who>he|she|they|it|this|that|there|who|which|you)(?P<is>'s| is|'re| are| was| were)?\b", re.I
)
_DETERMINED = re.compile(
    r"^(?P<whose>(?:[\w-]+ )?[\w-]+'s|my|our|your|his|her|their|the|an?|some|this|that|these|those|one of|two of"
    r"|both|all"
    r"|every|another|any|no|most of|half)\b(?: (?:of )?(?:my|our|the|his|her|their|those|these))?"
    r"(?P<rest>(?: [\w'-]+){0,7})",
    re.IGNORECASE,
)
_BARE = re.compile(r"^(?P<name>[A-Z][\w-]+(?: (?:and|&) [A-Z][\w-]+| [A-Z][\w-]+){0,2}) (?P<rest>[\w'-]+)")
_VERB = re.compile(rf"(?:{DOES}|{HAS})", re.IGNORECASE)
_OF_MANY = re.compile(OF_MANY)
_DOES = re.compile(DOES, re.IGNORECASE)
_OF_THINGS_TOO = re.compile(
    r"(?:live|work|move|use|take|run|keep|switch|read|find|name|call|book|sign)\w*|took|ran|kept|found",
    re.IGNORECASE,
)
_BEHIND_IS = frozenset(
    "at in on with from for a an the not all back off out over up down here there no so too".split()
)
_ENDS_OF_PHRASE = frozenset("at in on from of with across next down up over round behind for by to".split())
_NO_OWNER = frozenset(
    "it's that's there's what's he's she's who's here's let's today's tomorrow's tonight's yesterday's week's month's"
    " year's everything's monday's tuesday's wednesday's thursday's friday's saturday's sunday's where's"
    " how's".split()
)
_PARENT = re.compile(
    r"^(?:mum|mam|mom|mummy|mommy|dad|daddy|gran|granny|nan|nana|grandma|grandpa|grandad|granda)\b", re.I
)
_POSSESSED = re.compile(
    rf"'s (?P<words>[\w'-]+(?: [\w'-]+){{0,5}}?) (?P<verb>{DOES}|{HAS}|(?<=[sn] ){OF_MANY})\b"
)
_GOES_ON = re.compile(r"^\W*(?:(?:and|but|so|now|then|also|still|just|finally)\W+)*", re.IGNORECASE)
_HAD = re.compile(
    r"\b(?:(?:had|has|have|having|got|gets|getting|adopted|bought|brought|expecting|welcomed|rescued)(?: \w+)?"
    r"|an?|another|some|two|three) (?:[\w-]+ ){0,3}$",
    re.IGNORECASE,
)
_NAMING = frozenset({"called", "named", "is", "now", "just", "there", "here"})
_GOES_BACK = re.compile(rf"(?:{_PRONOUN.pattern[1:]}|(?:an?|the|another|one)\b)", re.IGNORECASE)
_MOST_BETWEEN = 3
"""Words between an owner and what is his: "my lovely little old flat"."""
_SPEAKS = re.compile(r"the (?:assistant|user)\b", re.IGNORECASE)
_OF_TIME = re.compile(r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)


def doer(text: str, at: int) -> Doer:
    """Whose doing it is that the clause around a place tells."""
    clauses = _clauses(text, at)
    for number, one in enumerate(clauses):
        found = _of_clause(text, one, at if number == 0 else one.end)
        if found is not None:
            return found
        if one.opens and not _goes_back(text, one):
            return Doer.OWN
    return Doer.UNSURE


def owner(text: str, at: int) -> Doer:
    """Whose the thing is that stands at a place, by the word before it: "my rent", "the neighbour's rent". Unsure
    where it has only an article, or none.
    """
    before = re.findall(r"[\w'-]+|[^\w\s]", text[:at].rstrip())[-4:]
    for number, raw in enumerate(reversed(before)):
        word = raw.lower()
        if word in ("my", "our", "mine"):
            return Doer.OWN
        if word in ("his", "her", "their", "your"):
            return Doer.OTHER
        if word.endswith("'s") or (word.endswith("s'") and len(word) > 3):
            return Doer.UNSURE if word in _NO_OWNER else Doer.OTHER
        if (number and not word.isalnum()) or _VERB.fullmatch(word) or number == _MOST_BETWEEN:
            break
        if not word[:1].isalpha() or word in (
            "the",
            "a",
            "an",
            "and",
            "to",
            "in",
            "on",
            "at",
            "for",
            "is",
            "are",
            "of",
        ):
            break
    return Doer.UNSURE


def someone(clause: str) -> str:
    """Who does what a clause tells, in small letters, where it begins with somebody who has no name: "the guy
    upstairs"; else empty.
    """
    said = _said(clause, _Clause(start=0, end=len(clause), opens=True), len(clause))
    bare = _BARE.match(said)
    if (
        _PRONOUN.match(said)
        or _PARENT.match(said)
        or _SPEAKS.match(said)
        or (bare is not None and _is_name(bare["name"]))
    ):
        return ""
    if _subject(said) is not Doer.OTHER:
        return ""
    words = said.lower().split()
    verb = _verb(words) or 0
    return " ".join(words[:verb]) if "'s" not in words[0] else ""


def possessed(text: str, at: int) -> str:
    """Whoever of somebody's does what is told, where a name ends at a place: "ex" in "Mara's ex got a Tesla"; empty
    where nobody, or only a thing.
    """
    phrase = _POSSESSED.match(text, at)
    if phrase is None:
        return ""
    words = phrase["words"].split()
    head = next((place for place, word in enumerate(words) if word in _ENDS_OF_PHRASE), len(words))
    person = next((word for word in words[:head] if PERSON.fullmatch(word)), "")
    if person or not head or words[0].lower() in ADVERBS:
        return person.lower()
    does = _DOES.fullmatch(phrase["verb"]) and not _OF_THINGS_TOO.fullmatch(phrase["verb"])
    return words[head - 1].lower() if does and not _is_thing(words[:head]) else ""


def goes_on(clause: str) -> bool:
    """Whether a clause has no subject of its own, and tells of who does what the clause before it tells."""
    words = _GOES_ON.sub("", clause).split()
    return bool(words) and (_VERB.fullmatch(words[0]) is not None or words[0].endswith("ed"))


def is_others_affair(text: str, at: int) -> bool:
    """Whether who does what is told there is another's: "Liam's landlord put the rent up"."""
    nearest = _clauses(text, at)[0]
    phrase = _DETERMINED.match(_said(text, nearest, at))
    whose = phrase["whose"].lower() if phrase is not None else ""
    return whose in ("his", "her", "their") or (whose.endswith("'s") and whose.split()[-1] not in _NO_OWNER)


def tells_more(between: str) -> bool:
    """Whether a verb stands between a role and a name, so that the name isn't his: "my dentist moved to Faro"."""
    words = between.lower().replace(",", " ").split()
    return any(
        _VERB.fullmatch(word) or word in ("and", "to") or is_past(word)
        for word in words
        if word not in _NAMING
    )


def is_had(text: str, at: int) -> bool:
    """Whether a thing is what somebody has or gets: "had the baby", "adopted a little dog"; or any: "a dog"."""
    return _HAD.search(text[:at]) is not None


def _clauses(text: str, at: int) -> list[_Clause]:
    """The clause that holds a place and those before it, the nearest first, to where the text begins."""
    cuts: list[tuple[int, int, bool]] = [(0, 0, True)]
    cuts += [(one.start(), one.end(), True) for one in _STOP.finditer(text)]
    cuts += [(one.start(), one.end(), False) for one in _BREAK.finditer(text)]
    cuts.sort()
    found: list[_Clause] = []
    for number, (_, start, opens) in enumerate(cuts):
        if start > at:
            break
        end = cuts[number + 1][0] if number + 1 < len(cuts) else len(text)
        if text[start:end].strip():
            if found and not text[found[-1].start : found[-1].end].strip():
                opens = opens or found[-1].opens
            found.append(_Clause(start=start, end=end, opens=opens))
        elif opens and number + 1 < len(cuts):
            cuts[number + 1] = (*cuts[number + 1][:2], True)
    return found[::-1] or [_Clause(start=0, end=len(text), opens=True)]


def _said(text: str, one: _Clause, upto: int) -> str:
    raw = text[one.start : upto]
    light = _LIGHT.match(raw)
    return raw[light.end() if light else 0 :]


def _goes_back(text: str, one: _Clause) -> bool:
    """Whether it goes back to what was said before: it begins with a pronoun, or is a mere "a brown spaniel"."""
    return _GOES_BACK.match(_said(text, one, one.end)) is not None


def _of_clause(text: str, one: _Clause, upto: int) -> Doer | None:
    """None where the clause has no subject of its own, or one that only goes back to the clause before."""
    said, whole = _said(text, one, upto), text[one.start : one.end]
    if _OWN.search(text[one.start : upto]):
        return Doer.OWN
    pronoun = _PRONOUN.match(said)
    if pronoun is not None:
        low = pronoun["who"].lower()
        if low in ("he", "she", "they") and not pronoun["is"]:
            return Doer.UNSURE if _TO_ME.search(whole) else Doer.OTHER
        return None
    other = _subject(said)
    if other is None:
        return None
    return Doer.UNSURE if other is Doer.OTHER and _TO_ME.search(whole) else other


def _subject(said: str) -> Doer | None:
    """Whose doing a clause is that begins so; None where no subject stands there."""
    if _PARENT.match(said):
        return Doer.OTHER
    if _PERSON_ALONE.match(said):
        return Doer.OTHER
    bare = _BARE.match(said)
    if bare is not None and _is_name(bare["name"]):
        verb = bare["rest"]
        return Doer.OTHER if bare["name"].endswith("'s") or _VERB.fullmatch(verb) else None
    phrase = _DETERMINED.match(said)
    if phrase is None:
        return None
    whose = phrase["whose"].lower()
    if whose.endswith("'s"):
        if whose.split()[-1] in _NO_OWNER:
            return None
        if _is_name(phrase["whose"].split()[-1]) or PERSON.fullmatch(whose.split()[-1].removesuffix("'s")):
            return Doer.OTHER
        return _of_thing(whose) if _verbal(phrase["rest"]) else Doer.OTHER
    words = phrase["rest"].split()
    verb = _verb(words)
    names = words[:verb]
    if any(word.lower().endswith("'s") and word.lower() not in _NO_OWNER for word in names):
        return Doer.OTHER
    head = next((place for place, word in enumerate(names) if word.lower() in _ENDS_OF_PHRASE), len(names))
    if any(PERSON.fullmatch(word) or _is_name(word) for word in names[:head]) or PERSON.fullmatch(
        " ".join(names[:head])
    ):
        return Doer.OTHER
    if whose in ("his", "her", "their"):
        return Doer.OTHER
    if verb is None:
        return Doer.OWN if whose in ("my", "our") else None
    does = next((word for word in words[verb : verb + 2] if _DOES.fullmatch(word)), "")
    if not does or _is_thing(names[:head]) or (whose in ("my", "our") and _OF_THINGS_TOO.fullmatch(does)):
        return Doer.UNSURE
    return Doer.OTHER


def _verb(words: list[str]) -> int | None:
    """Where the verb of a subject stands, not at its beginning or behind a preposition: "the girl at work is"."""
    return next(
        (
            place
            for place, word in enumerate(words)
            if place
            and (
                _VERB.fullmatch(word)
                or (_OF_MANY.fullmatch(word) and words[place - 1].endswith(("s", "n", "e")))
            )
            and words[place - 1].lower() not in _ENDS_OF_PHRASE
        ),
        None,
    )


def _of_thing(whose: str) -> Doer:
    return Doer.OWN if whose.startswith(("my ", "our ")) else Doer.UNSURE


_PERSON_ALONE = re.compile(
    r"^(?:everyone|everybody|someone|somebody|people|folks|kids|no(?:body| one)|some of|neighbours?|friends?)\b",
    re.I,
)


def _verbal(rest: str) -> bool:
    """Whether "Anna's" is "Anna has" or "Anna is", by what stands behind."""
    words = rest.split()
    first = words[0].lower() if words else "at"
    return first in ADVERBS or first in _BEHIND_IS or _VERB.fullmatch(first) is not None


def _is_thing(words: list[str]) -> bool:
    """Whether what is spoken of is a thing by name: the Tesla, my iPhone, the project."""
    low = [word.lower() for word in words]
    return any(word in CARS or word in USED or word in NO_PEOPLE for word in low) or not words


def _is_name(name: str) -> bool:
    """Whether a word with a capital can be somebody's name."""
    first = name.split()[0]
    low = first.lower().removesuffix("'s")
    return (
        first[:1].isupper()
        and low not in WEAK
        and not _is_thing([low])
        and low not in ADVERBS
        and not _VERB.fullmatch(low)
        and not _OF_TIME.match(low)
        and len(low) > 2
    )
