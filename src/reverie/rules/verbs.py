"""The little of English verbs that turning the first person into the third needs."""

from __future__ import annotations

_PAST = """
ate awoke beat became began bent bit bled blew bought bound bred broke brought built burnt came caught chose clung
crept dealt did drank dreamt drew drove dug fed fell felt flew forgave forgot fought found froze gave got grew ground
had heard held hid hung kept knelt knew laid lay leant learnt led left lent lit lost made meant met misunderstood
overslept paid ran rang rebuilt rode rose said sang sat saw sent shook shone shot shrank slept slid sold sought sowed
spelt spent spoke sprang stole stood stuck stung struck swam swept swore swung taught thought threw told took tore
understood undertook underwent went were was withdrew woke won wore wove wrote
cut hit hurt let put quit set shut split spread
"""
PAST = frozenset(_PAST.split())
"""Irregular past forms, and verbs whose past looks like their present."""

MODALS = frozenset(
    "can can't cannot could couldn't will won't would wouldn't should shouldn't shall shan't must mustn't may might "
    "mightn't did didn't had hadn't used 'd better ought".split()
)
"""What stays the same in the third person."""

ADVERBS = frozenset(
    "also always actually absolutely already almost barely basically certainly clearly completely constantly "
    "currently definitely deeply easily especially eventually finally frequently fully generally genuinely "
    "gradually hardly highly honestly initially just kinda lately literally mainly maybe merely mostly never "
    "normally now obviously occasionally often only originally particularly perhaps personally possibly previously "
    "primarily probably quickly quite rarely really recently regularly seldom sometimes soon specifically still "
    "strongly successfully suddenly surely then therefore thus totally truly typically ultimately usually "
    "very simply simply both first even ever kind sort of".split()
)
"""What may stand between a pronoun and its verb."""

_IRREGULAR = {"am": "is", "are": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't"}
_IRREGULAR |= {"aren't": "isn't", "go": "goes", "were": "was", "weren't": "wasn't"}
_VOWELS = "aeiou"


def is_past(word: str) -> bool:
    """Whether a word in small letters has a past form, as far as its letters tell."""
    return word in PAST or (
        len(word) > 3 and word.endswith("ed") and word not in ("need", "feed", "speed", "heed")
    )


def third(word: str, *, plural_past: bool = False) -> str:
    """A verb's form behind "she", for what stands behind "I", "you" or "we"; past forms and modals stay.

    ``plural_past``: "were" stays, as behind "we" where that is more than one.
    """
    low = word.lower().replace("\u2019", "'")
    if low == "were" and plural_past:
        return word
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in MODALS or is_past(low) or not low.isalpha() or low.endswith(("ing", "ly")):
        return word
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return word + "es"
    if low.endswith("y") and len(low) > 1 and low[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"
