"""Words as the duplicates' guard compares them: their keys, which of them say the same, and which tell what was."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from reverie.domain.text_cache import text_cache
from reverie.language import keywords
from reverie.memory.dedupe.tables import OTHERS, SAME, VERBS

_UNITS = """zero - two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty""".split()
_OTHER_NUMBERS = """thirty:30 forty:40 fifty:50 sixty:60 seventy:70 eighty:80 ninety:90 hundred:100 thousand:1000
million:1000000 billion:1000000000 half:1/2 once:1x twice:2x first:1 second:2 third:3 fourth:4 fifth:5""".split()
NUMBER_WORDS = {word: str(value) for value, word in enumerate(_UNITS)} | dict(
    pair.split(":") for pair in _OTHER_NUMBERS
)
"""Words for numbers, as digits; without "one", which is an article too."""

NEGATIONS = frozenset(
    """not no never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt isnt arent wasnt
    werent wont wouldnt shouldnt couldnt hasnt havent hadnt aint hardly barely unable refuses refused stopped quit
    avoids lack lacks lacking forbidden denied rejected negative false former formerly non nem nincs kein keine
    nicht nie niemals pas jamais inte ikke niet geen nooit zonder ei não nao nélkül nelkul не нет ни никогда ничего
    никто нельзя без""".split()
)
PAST = frozenset("was were been had did".split())
"""Auxiliaries that tell the past: they count, where others go unsaid."""

UNSAID = frozenset("a an the is are was were been being am does did has had having one some".split())
"""Articles and auxiliaries: they stand in one text or the other as its grammar wants."""

JOINING = frozenset("and or vs versus".split())

SAYING = frozenset("say state add note comment remark".split())

_CASES = {"me": "i", "him": "he", "us": "we", "them": "they", "her": "she", "ca": "can", "wo": "will"}
_SPELLINGS = (("isation", "ization"), ("ising", "izing"), ("ise", "ize"), ("ence", "ense"), ("tre", "ter"))
_TIMELESS = frozenset(
    "is are am be being get gets a an the my your his her its our their that this these those".split()
)
"""A past form behind one of these is a participle: it tells no time."""
_NONE: frozenset[int] = frozenset()
_CACHED_WORDS = 1 << 15


@text_cache(_CACHED_WORDS)
def key_of(word: str) -> str:
    """What a folded word is compared by: its base form if irregular, in American spelling, stemmed."""
    word = _bases().get(word, word)
    if len(word) > 5:
        word = word[:3] + word[3:].replace("our", "or")
        for british, american in _SPELLINGS:
            word = word[:-9] + word[-9:].replace(british, american)
    return "".join(keywords(word))


def is_past(word: str, before: str) -> bool:
    """Whether a folded word tells the past, if it is a verb, by its form and the word before it."""
    return before not in _TIMELESS and _is_past_form(word)


def same(one: str, other: str) -> bool:
    """Whether two keys can say the same."""
    groups = _groups()
    return not groups.get(one, _NONE).isdisjoint(groups.get(other, _NONE))


@text_cache(_CACHED_WORDS)
def _is_past_form(word: str) -> bool:
    return word in _pasts() or (word.endswith("ed") and len(word) > 3 and key_of(word) != word)


@lru_cache(1)
def _pasts() -> frozenset[str]:
    return frozenset(form for forms in map(str.split, VERBS.split("|")) for form in forms[1:])


@lru_cache(1)
def _bases() -> Mapping[str, str]:
    groups = map(str.split, f"{VERBS} | {OTHERS}".split("|"))
    return _CASES | {form: forms[0] for forms in groups for form in forms[1:]}


@lru_cache(1)
def _groups() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(SAME.split("|")):
        for word in group.split():
            found.setdefault(key_of(word), set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}
