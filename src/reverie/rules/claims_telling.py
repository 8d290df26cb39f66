"""Claims told plainly: "Maya traded the Polo in for an Octavia" says that she drives one, and is to be found by it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from reverie.rules.claim import Claim
from reverie.rules.claims_words import OCCUPATIONS
from reverie.rules.heard import bare
from reverie.rules.terms import terms

_TOLD: Mapping[str, str] = MappingProxyType(
    {
        "home": "{who} lives in {value}",
        "employer": "{who} works at the company {value}",
        "title": "{who}'s job is {value}",
        "car": "{who} drives {value}",
        "diet": "{who}'s diet is {value}",
        "gym": "{who} goes to {value} (gym)",
        "studies": "{who} studies {value}",
        "commute": "{who} gets to work by {value}",
    }
)
_BY_ITSELF = re.compile(r"(?:cycl|bik|walk|driv)(?:e|es|s|ing)\b", re.IGNORECASE)
_USES = "uses "
_LED = ": "
_BRIEF = 7  # words
_LONGEST = 48  # characters of a value
_NO_VALUE = re.compile(r"[.!?:;\"\n]")
_TITLE = re.compile(OCCUPATIONS)


def plainly(essence: str, claims: Sequence[Claim], who: str) -> str:
    """The essence, led by its first claim about ``who`` in plain words where it doesn't say it so itself."""
    for claim in claims:
        if not claim.main or not claim.holds or who.removeprefix("The ").lower() not in claim.subjects:
            continue
        told = _plain(claim, who)
        if told and not set(terms(told)) <= set(terms(essence)):
            return f"{told}{_LED}{essence}"
        if told:
            return essence
    return essence


def briefly(known: str, essence: str) -> str:
    """What takes the place of a brief memory is brief: "Anna lives in Berlin" for "Anna lives in Munich"."""
    told, led, rest = essence.partition(_LED)
    if (
        not led
        or len(known.split()) > _BRIEF
        or not rest
        or "(" in told
        or known.split()[:2] != told.split()[:2]
    ):
        return essence
    return f"{told}." if known.endswith(".") else told


def _plain(claim: Claim, who: str) -> str:
    value = claim.told.strip(" .,'\"")
    if not value or len(value) > _LONGEST or _NO_VALUE.search(value):
        return ""
    if claim.attribute == "commute" and _BY_ITSELF.match(value):
        return f"How {who} gets to work"
    if (
        claim.attribute == "title"
        and not value.startswith(("a ", "an ", "the "))
        and not _TITLE.search(value)
    ):
        return ""
    if claim.attribute.startswith(_USES):
        return f"{who} uses {value} ({claim.attribute.removeprefix(_USES)})"
    pattern = _TOLD.get(claim.attribute)
    return pattern.format(who=who, value=value) if pattern else ""


_HER_NAME = re.compile(r"^(?:[\w ]{1,24}: )?(?:her|his|their|its|the) name(?= is\b)", re.IGNORECASE)
_NAMED = re.compile(r"^(?P<who>.{2,60}?)(?:'s name is| is (?:called|named))\b")


def named_after(known: str, said: str) -> str:
    """ "Her name is Katrin, not Karin" with whose name that is, from the memory that it corrects; else as it is."""
    whose = _NAMED.match(known)
    if whose is None:
        return said
    named, found = _HER_NAME.subn(lambda _: f"{whose['who']}'s name", bare(said), count=1)
    return named if found else said
