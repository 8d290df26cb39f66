"""Words as the duplicates' guard compares them: their keys, which say the same, which exclude each other."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from reverie.rules.dedupe_tables import EXCLUSIVE, IRREGULAR, SAME
from reverie.rules.terms import keywords

_UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty""".split()
_OTHER_NUMBERS = {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "billion": "1000000000",
    "half": "1/2",
    "once": "1x",
    "twice": "2x",
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "fifth": "5",
}
NUMBER_WORDS = {word: str(value) for value, word in enumerate(_UNITS) if word != "one"} | _OTHER_NUMBERS
"""Words for numbers, as digits; without "one", which is an article too."""

NEGATIONS = frozenset(
    """not no never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt isnt arent
    wasnt werent wont wouldnt shouldnt couldnt hasnt havent hadnt aint nem nincs kein keine nicht nie niemals
    pas jamais inte ikke niet geen nooit zonder ei não nao nélkül nelkul не нет ни никогда ничего никто нельзя
    без""".split()
)
HALF_NEGATIONS = frozenset(
    """hardly barely unable refuses stopped quit avoids lack lacks lacking forbidden denied rejected refused
    negative false former formerly non""".split()
)
"""They turn a short statement round, but a longer one may say the same in other words."""

PRONOUNS = frozenset("he i she we you they them their our my your".split())
TENSES = frozenset("was were had did that will would this".split())
TURNING = frozenset(
    """above after again against all before below between can could down during few from further if less may me
    might more most must off once only or out over own same should through under until up used almost nearly
    partly fully always often sometimes usually rarely instead supposedly reportedly allegedly probably perhaps
    maybe pretends plans wants ex other alternate alternating except unless""".split()
)
"""Small words that turn a statement."""

CONTRACTED = (
    {f"{short}nt": full for short, full in (pair.split(":") for pair in "ca:can wo:will sha:shall".split())}
    | {f"{word}nt": word for word in "did was were had would could should might must".split()}
    | {"cannot": "can"}
)
"""A denial in one with its auxiliary, without the apostrophe: what of it turns a statement."""

UNSAID = frozenset("a an the is are was were been being am does did has had having one some".split())
"""Articles and auxiliaries: they stand in one text or the other as its grammar wants."""

JOINING = frozenset("and or vs versus".split())
TIMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec""".split()
)
TITLES = frozenset("mr mrs ms dr prof sir inc corp ltd co".split())
RELATIVE_DAYS = frozenset("today yesterday tomorrow tonight".split())
SAYING = frozenset("say state add note announce declare comment remark".split())
STEPS = frozenset("then first next finally respectively later afterwards before after until once".split())
"""Where one of these stands, the order of what is listed tells."""

_CASES = {"me": "i", "him": "he", "us": "we", "them": "they", "her": "she"}
_SPELLINGS = (("isation", "ization"), ("ising", "izing"), ("ise", "ize"), ("ence", "ense"), ("tre", "ter"))
_NONE: frozenset[int] = frozenset()
_CACHED_WORDS = 1 << 15


@lru_cache(_CACHED_WORDS)
def key_of(word: str) -> str:
    """What a folded word is compared by: its base form if irregular, in American spelling, stemmed."""
    word = _bases().get(word, word)
    if len(word) > 5:
        word = word[:3] + word[3:].replace("our", "or")
        for british, american in _SPELLINGS:
            word = word[:-9] + word[-9:].replace(british, american)
    return "".join(keywords(word))


def function_key(word: str) -> str:
    """What a small word is compared by: a pronoun in the first case, the rest as it is."""
    return _CASES.get(word, word)


def same(one: str, other: str) -> bool:
    """Whether two keys can say the same."""
    groups = _groups()
    return not groups.get(one, _NONE).isdisjoint(groups.get(other, _NONE))


def exclude(one: str, other: str) -> bool:
    """Whether two keys exclude each other."""
    sets = _exclusive()
    return one != other and not sets.get(one, _NONE).isdisjoint(sets.get(other, _NONE))


@lru_cache(1)
def _bases() -> Mapping[str, str]:
    return {form: forms[0] for forms in map(str.split, IRREGULAR.split("|")) for form in forms[1:]}


@lru_cache(1)
def _groups() -> Mapping[str, frozenset[int]]:
    return _by_key(SAME)


@lru_cache(1)
def _exclusive() -> Mapping[str, frozenset[int]]:
    return _by_key(EXCLUSIVE)


def _by_key(table: str) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(table.split("|")):
        for word in group.split():
            found.setdefault(key_of(word), set()).add(number)
            found.setdefault(function_key(word), set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}
