"""Verbs, for the duplicates' guard: whether a word tells what was or what is, and be and have where they say
something by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from reverie.rules.dedupe_tables import IRREGULAR
from reverie.rules.dedupe_words import NEGATIONS, key_of

_NO_VERBS = frozenset("child foot man mouse tooth wife woman".split())
_PRESENT_FORMS = frozenset("does has says am is are being lying".split())
_UNCHANGED = frozenset("bet burst cost cut hit hurt let put quit read set shut split spread".split())
"""Their past is their base form."""

_IS = frozenset("is are am be being isn't aren't isnt arent i'm you're we're they're gets get".split())
_WAS = frozenset(
    """was were been has have had wasn't weren't hasn't haven't hadn't wasnt werent hasnt havent hadnt i've you've
    we've they've got""".split()
)
_VERBS = {"has": "have", "have": "have", "had": "have", "been": "been"} | dict.fromkeys(
    "is are am was were".split(), "be"
)
BE_AND_HAVE = frozenset(_VERBS)
_WITH_A_BASE = frozenset(
    """to do does did will would can could shall should may might must don't doesn't didn't won't wouldn't can't
    cannot couldn't shouldn't dont doesnt didnt wont cant they we you i""".split()
)
_DETERMINERS = frozenset("a an the my your his her its our their this that these those no some".split())
_BETWEEN = frozenset("also always already still now often never just all both only".split()) | NEGATIONS
_REACH = 4  # words before a participle among which its auxiliary stands


def is_past(words: Sequence[str], place: int) -> bool | None:
    """Whether the folded word at ``place`` tells the past, if it is a verb: worked, was held, has gone.

    None if it tells no time: a participle that stands for an adjective (a closed door, written by Ben).
    """
    word = words[place]
    past, participle = _form(word)
    before = words[place - 1] if place else ""
    if word in _UNCHANGED:
        return None if before in _WITH_A_BASE or before in _DETERMINERS else True
    if not past and not participle:
        return False
    if before in _DETERMINERS:
        return None
    for near in range(place - 1, max(place - 1 - _REACH, -1), -1):
        other = words[near]
        if other in _IS:
            return False
        if other in _WAS:
            return True
        if other not in _BETWEEN and not other.endswith("ly"):
            break
    return True if past else None


def main_verb(words: Sequence[str], place: int) -> str:
    """What a form of be or have at ``place`` says by itself: "be", "been", "have"; "must" for "have to".

    "" for any other word and for an auxiliary (is held, is holding, has gone).
    """
    verb = _VERBS.get(words[place])
    if not verb:
        return ""
    after = next(
        (
            other
            for other in words[place + 1 : place + 1 + _REACH]
            if other not in _BETWEEN and other[-2:] != "ly"
        ),
        "",
    )
    if verb == "have":
        if after == "to":
            return "must"
        return "" if after == "been" or _form(after)[1] or after in _UNCHANGED else "have"
    return "" if after.endswith("ing") or any(_form(after)) else verb


@lru_cache(1 << 15)
def _form(word: str) -> tuple[bool, bool]:
    """Whether it may be a past tense, and a participle."""
    known = _irregular().get(word)
    if known:
        return known
    regular = word.endswith("ed") and len(word) > 3 and key_of(word) != word
    return regular, regular


@lru_cache(1)
def _irregular() -> dict[str, tuple[bool, bool]]:
    """The last form of three (eat ate eaten) is only a participle, unless it is the base form too (come came)."""
    found = {}
    for base, *forms in map(str.split, IRREGULAR.split("|")):
        forms = [form for form in forms if form not in _PRESENT_FORMS]
        if base in _NO_VERBS or base == "be":
            continue
        for number, form in enumerate(forms):
            if not form.endswith("ing"):
                found[form] = (number == 0, number == len(forms) - 1)
    return found
