"""What becomes of the rest of a memory whose value has changed.

A wording holds only what some message says: the new value is never put into an old sentence that tells more of the old
value ("a Pixel 6 with a cracked screen"). It takes the old one's place only in a clause that is nothing but subject,
verb and value, where each further clause is plainly about another thing. Else the new statement stands by itself, with
what was so until then behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reverie.minds.local.ledger import Entry
from reverie.minds.local.said import Said
from reverie.rules.before import BEFORE, lead_of, now_of, with_rest
from reverie.rules.claim import Claim, same_subject
from reverie.rules.claims import claims
from reverie.rules.claims_subject import subjects_of
from reverie.rules.claims_words import KIN
from reverie.rules.sentences import split
from reverie.rules.terms import terms

Change = tuple[Claim, Claim]
"""What is said now, and what a memory says of the same."""
_CUTS = re.compile(
    r"(?<=[.!?;])\s+|: |(?:;|,)? and (?=(?:she|he|they|their|her|his|[A-Z][\w-]+(?:'s)?) \w)"
    r"|, (?=(?:she|he|they|their|her|his) \w)"
)
"""Where a clause with a subject of its own begins."""
_BESIDE = re.compile(r"(?<!\s)\s++(?:with|and|that|which|who|whose|where)\s|[,;:(]")
"""Where a value goes on with something else."""
_QUALIFIES = re.compile(
    r"\b(?:with|without|that|which|who|whose|where|from|in|at|on|above|over|under|below|near|off|for|since|until|by|as)\b",
    re.IGNORECASE,
)
_LEADS_TO = re.compile(
    r"(?:\b(?:is|are|in|at|for|to|as|with|on|by|an?|the|company|called|named|drives?|uses?|studies|eats?)|'s) $",
    re.IGNORECASE,
)
"""How a plain clause goes on to its value."""
_MOST_OF_VALUE, _MOST_OF_FRAME = 4, 6  # words
_OPENS_BACK = re.compile(
    r"(?:(?:and|but|so|oh) )*+(?:the|an?|he|she|they|it|both|all|such|still|only|just)\b", re.IGNORECASE
)
"""Begins with what the sentence before it may have named."""
_COMPANION = re.compile(rf"\b(?:with|and) (?:my|our|their|his|her) (?P<kin>{KIN}),? (?P<name>[A-Z][\w-]+)\b")
"""Who is named by the way."""
_LIGHT = re.compile(r"(?: (?:now|these days|at the moment|currently|for good))*\s*[.!?;,]*\s*")
_OWN_THING = re.compile(r"(?:she|he|they|their|her|his|[A-Z][\w-]+(?:'s)?)\b")
_BACK = re.compile(
    r"\b(?:it|its|it's|there|this|that|these|those|one|ones|them|here|which|where"
    r"|boss|manager|landlord|landlady|rent|neighbours?|flatmates?|office|hours|shifts?|team|colleagues?|commute|pays?"
    r"|garden|view|battery|screen)\b",
    re.IGNORECASE,
)
"""What goes back to a value, or hangs on it."""
_OF_PEOPLE = re.compile(r"\b(?:she|he|they|her|his|their|him)\b", re.IGNORECASE)
_NO_PEOPLE = frozenset("home employer title car diet gym studies commute hours workplace reading".split())
_OF_JOB = frozenset("employer title hours workplace".split())
_FRAME = frozenset(
    terms("live lives drive drives work works job company use uses called name said now lately read reads")
)
_MORE = 2
"""So many telling words beside subject, verb and value are more than the plain sentence."""


def carried_over(entry: Entry, changed: Sequence[Change]) -> str | None:
    """A memory with the new value in the old one's place, where what else it tells is plainly of another thing. None
    for one that tells of nothing else, and for one whose rest may belong to the old value.
    """
    if now_of(entry.essence) != entry.essence:
        return None
    parts = list(_clauses(entry.essence))
    if len(parts) < 2 or not changed or parts[0][1].endswith(": "):
        return None
    essence, told = "", False
    for clause, gap in parts:
        put = next((new for mine, theirs in changed if (new := _put(clause, mine, theirs))), None)
        told = told or put is not None
        if put is None and not _is_of_another(clause, changed):
            return None
        essence += (put or clause) + gap
    return essence if told and essence != entry.essence else None


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """The clauses of a text, each with what stands between it and the next."""
    start = 0
    for cut in _CUTS.finditer(text):
        yield text[start : cut.start()], cut.group()
        start = cut.end()
    yield text[start:], ""


def _put(clause: str, mine: Claim, theirs: Claim) -> str | None:
    """A plain clause with the new value; None for any other."""
    old, new = theirs.told.strip(" .,;"), _core(mine.told)
    if not (mine.holds and new and old) or clause.count(old) != 1:
        return None
    before, _, after = clause.partition(old)
    if (
        _core(old) != old
        or before.count(" ") > _MOST_OF_FRAME
        or "," in before
        or not _LEADS_TO.search(before)
    ):
        return None
    if not _LIGHT.fullmatch(after):
        return None
    return f"{before}{new}{re.sub(r'^(?: (?:now|these days|at the moment|currently|for good))+', '', after)}"


def _core(told: str) -> str:
    """A value as far as it is one: empty where it is a long one."""
    bare = _QUALIFIES.split(_BESIDE.split(told.strip(" .,;"))[0])[0].strip()
    return bare if bare.count(" ") < _MOST_OF_VALUE else ""


def _is_of_another(clause: str, changed: Sequence[Change]) -> bool:
    """Whether a clause has a subject of its own, and nothing in it goes back to the value that has changed."""
    if not _OWN_THING.match(clause) or _BACK.search(clause):
        return False
    if _OF_PEOPLE.search(clause) and any(theirs.attribute not in _NO_PEOPLE for _, theirs in changed):
        return False
    held = frozenset(terms(clause))
    return all(held.isdisjoint(theirs.value) for _, theirs in changed)


def with_rest_of(entry: Entry, said: Said, changed: Sequence[Change], new: str) -> str:
    """The new wording; behind it what the memory said until then, where it told more than subject, verb and value."""
    value = frozenset(
        stem for _, theirs in changed for stem in (*terms(_core(theirs.told)), *terms(theirs.attribute))
    )
    told = frozenset(terms(now_of(entry.essence)))
    if len(told - _own(entry, said) - value) < _MORE:
        return new
    return reworded_with_rest(entry, said, new, f"{said.lead}." if said.lead else new)


def parted(entry: Entry, over: frozenset[str]) -> str | None:
    """A memory of several sentences, of which some have the value that is over: those, and what goes back to them, as
    what was before. None where nothing else is left.
    """
    text = now_of(entry.essence)
    told = split(text)
    ended = [bool(over) and not over.isdisjoint(terms(one)) for one in told]
    if text != entry.essence or True not in ended:
        return None
    first = ended.index(True)
    left = [
        place < first
        or not (ended[place] or _BACK.search(one) or _OF_PEOPLE.search(one) or _OPENS_BACK.match(one))
        for place, one in enumerate(told)
    ]
    now, before = (
        " ".join(one for one, is_left in zip(told, left, strict=True) if is_left is kind)
        for kind in (True, False)
    )
    if len(frozenset(terms(now)) - entry.subjects - _FRAME) < _MORE:
        return None
    return f"{now}{'' if now[-1] in '.!?' else '.'}{BEFORE}{before}"


def tells_more(entry: Entry, known: str, said: Said) -> bool:
    """Whether a memory tells more than a wording does with what was before in it."""
    return len(frozenset(terms(now_of(entry.essence))) - frozenset(terms(known)) - _own(entry, said)) >= _MORE


def reworded_with_rest(entry: Entry, said: Said, new: str, short: str = "") -> str:
    """A memory with a new statement before what it said until then. The plain sentence that led it stays, where that
    tells of something else; the statement before it is a plain one then (``short``).
    """
    left = standing(entry, said)
    if left:
        new = f"{(short or new).rstrip('.')}. {left}"
    return with_rest(new, entry.essence)


def standing(entry: Entry, said: Said) -> str:
    """What a memory whose value has changed tells of something else, in plain sentences: that which leads it, and who
    is named beside the value ("with their cat Miso"). Empty where it tells of nothing else, or that is named as over.
    """
    text = now_of(entry.essence)
    lead = lead_of(text)
    theirs = claims(lead) if lead else ()
    value = frozenset(stem for claim in theirs for stem in claim.value)
    told: list[str] = []
    if (
        theirs
        and not any(_is_of_one(mine, one) for mine in said.claims for one in theirs)
        and value.isdisjoint(terms(said.as_said))
    ):
        told.append(f"{lead}.")
    owner = said.speaker.removeprefix("The ") if said.speaker.lower() in entry.subjects else ""
    heard = frozenset((*terms(said.message.content), *terms(lead)))
    beside = [
        f"{owner}'s {one['kin']} is {one['name']}." for one in _COMPANION.finditer(text)
        if owner and heard.isdisjoint(terms(one["name"]))
    ]  # fmt: skip
    return " ".join((*told, *beside))


def _is_of_one(mine: Claim, theirs: Claim) -> bool:
    """Whether two claims are of the same thing, or of the same job: who leaves a company is its cook no more."""
    job = mine.attribute in _OF_JOB and theirs.attribute in _OF_JOB
    return mine.about(theirs) or (job and same_subject(mine.subjects, theirs.subjects))


def _own(entry: Entry, said: Said) -> frozenset[str]:
    """Words that tell of nobody and nothing else."""
    return (
        frozenset(terms(said.speaker))
        | frozenset(terms(" ".join(entry.subjects | subjects_of(said.essence))))
        | _FRAME
    )
