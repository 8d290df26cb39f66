"""What the duplicates' guard reads in one text: its words with their roles, numbers, denials, signs, identifiers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from reverie.domain.text_cache import text_cache
from reverie.language import STOP_WORDS, keywords, shortened_marks
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
def word_key(word: str) -> str:
    """Return what a folded word is compared by: its base form if irregular, in American spelling, stemmed."""
    word = _bases().get(word, word)
    if len(word) > 5:
        word = word[:3] + word[3:].replace("our", "or")
        for british, american in _SPELLINGS:
            word = word[:-9] + word[-9:].replace(british, american)
    return "".join(keywords(word))


def is_past(word: str, before: str) -> bool:
    """Return whether a folded word tells the past, if it is a verb, by its form and the word before it."""
    return before not in _TIMELESS and _is_past_form(word)


def same(one: str, other: str) -> bool:
    """Return whether two keys can say the same."""
    groups = _groups()
    return not groups.get(one, _NONE).isdisjoint(groups.get(other, _NONE))


@text_cache(_CACHED_WORDS)
def _is_past_form(word: str) -> bool:
    return word in _pasts() or (word.endswith("ed") and len(word) > 3 and word_key(word) != word)


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
            found.setdefault(word_key(word), set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}


_WORD = re.compile(
    r"(?:(?<!\w)[-\u2212])?\d+(?:[.,:/\-]\d+)*(?:\s?[ap]m\b|(?:st|nd|rd|th)\b)?|[^\W\d_]+(?:['\u2019][^\W\d_]+)*",
    re.IGNORECASE,
)
_MARKS = re.compile("[\u0300-\u036f]")
_SENTENCE_END = re.compile(r"[.!?:;\u2026\n\"\u201c\u201d]\s*$")
_IDENTIFIER = re.compile(r"[@_/\\#]|[^\W\d_]\.[^\W\d_]|[^\W\d_]\d|\d[^\W\d_]|[a-z][A-Z]")
_AMOUNT = re.compile(r"\W{0,8}\d[\d.,:]*[^\W\d_]{0,3}\W{0,4}")
_NOT = re.compile(r"(?<=\bcan)not\b|(?<=\bdo)nt\b|(?<=\w)\s?n['\u2019]t\b", re.IGNORECASE)
_TENS = re.compile(
    r"\b((?:twen|thir|for|fif|six|seven|eigh|nine)ty)[- ](one|two|three|four|five|six|seven|eight|nine)\b",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[$%+<=>^|~]|(?<=\w)-(?!\w)|[^\w\s\x00-\x7f]")
_SECRETS = re.compile(
    r"\b(?:pass(?:word|phrase|code)s?|logins?|usernames?|pin)\b"
    r"|\b(?:codes?|keys?|tokens?)\b(?:\W{1,3}\w{1,40}){0,4}?\s{0,3}(?:\b(?:is|are|was|were)\b|[:=])",
    re.IGNORECASE,
)
_PUNCTUATION = ".,;:!?()[]{}\"'\u201c\u201d\u2019"
_NO_DIGITS = re.compile(r",(?=\d{3}\b)|\s|(?:st|nd|rd|th)$")
_CACHED = 64  # texts
_REACH = 5  # words behind a negation among which it finds what it negates


class WordRole(Enum):
    """What a token is to the guard."""

    CONTENT = "content"
    NAME = "name"
    OPENING = "opening"  # capitalised, but at a sentence's beginning: a name or any word
    NUMBER = "number"
    NEGATION = "negation"
    FUNCTION = "function"
    UNSAID = "unsaid"  # never a token: an article, an auxiliary, "and"


class WordToken(NamedTuple):
    """One word or number. ``key`` is what it is compared by, ``word`` is folded; ``cut``, ``joined``, ``leans``: what
    stands before.
    """

    key: str
    word: str
    role: WordRole
    past: bool  # it tells what was, if it is a verb
    cut: bool  # punctuation, or nothing
    joined: bool  # a comma, a slash, and, or, versus
    leans: bool  # nothing but a space: it belongs to the word before

    @property
    def tells(self) -> bool:
        """Whether it says something by itself: no negation, no small word."""
        return self.role is not WordRole.FUNCTION and self.role is not WordRole.NEGATION


@dataclass(kw_only=True, slots=True)
class WordReading:
    """What the guard looks at in one text."""

    tokens: list[WordToken] = field(default_factory=list)  # all words but UNSAID
    numbers: list[str] = field(default_factory=list)
    negated: list[str] = field(default_factory=list)  # the key of what each negation is followed by
    past: list[str] = field(default_factory=list)  # auxiliaries that tell the past
    signs: list[str] = field(default_factory=list)  # emoji, operators, currencies
    identifiers: list[str] = field(default_factory=list)  # addresses, paths; of a secret every word


@text_cache(_CACHED)
def read_text(text: str) -> WordReading:
    """Read one text, in a time that grows with its length; one text is laid beside many."""
    if not text.isascii():
        text = _MARKS.sub("", unicodedata.normalize("NFKD", shortened_marks(text)))
    text = _TENS.sub(_tens, _NOT.sub(" not", text))
    signs = [sign for sign in _SIGN.findall(text) if sign.isascii() or unicodedata.category(sign)[0] == "S"]
    secret = _SECRETS.search(text) is not None
    identifiers = [
        token.strip(_PUNCTUATION)
        for token in text.split()
        if secret or (_IDENTIFIER.search(token) and not _AMOUNT.fullmatch(token))
    ]
    reading = WordReading(signs=signs, identifiers=identifiers)
    _read_words(text, reading)
    return reading


def _tens(found: re.Match[str]) -> str:
    tens, unit = found.group(1).lower(), found.group(2).lower()
    return str(int(NUMBER_WORDS[tens]) + int(NUMBER_WORDS.get(unit, "1")))


def _read_words(text: str, reading: WordReading) -> None:
    found = list(_WORD.finditer(text))
    words = [match.group().casefold().replace("\u2019", "'").removesuffix("'s") for match in found]
    end = 0
    leans = joined = False
    for place, (match, word) in enumerate(zip(found, words, strict=True)):
        between = text[end : match.start()]
        cut = not between.isspace()
        between = between.strip(" `'")
        joined = joined or bool(between and place and not between.strip(",/&"))
        end = match.end()
        key, role = _nature(word)
        if word in PAST:
            reading.past.append(key)
        if role is WordRole.UNSAID:
            leans, joined = False, joined or word in JOINING
            continue
        if role is WordRole.NUMBER:
            reading.numbers.append(key)
        elif role is WordRole.NEGATION:
            after = words[place + 1 : place + 1 + _REACH]
            reading.negated.append(word_key(next((other for other in after if other not in STOP_WORDS), "")))
        elif role is WordRole.CONTENT and match.group()[0].isupper():
            role = _capitalised(text, match)
        past = is_past(word, words[place - 1] if place else "")
        reading.tokens.append(WordToken(key, word, role, past, cut, joined, leans and not cut))
        leans, joined = role is not WordRole.FUNCTION, False


@text_cache(_CACHED_WORDS)
def _nature(word: str) -> tuple[str, WordRole]:
    """Return the key of a folded word, and its role as far as the word alone tells."""
    if not word[0].isalpha():
        return _NO_DIGITS.sub("", word).replace("\u2212", "-"), WordRole.NUMBER
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word], WordRole.NUMBER
    if word in JOINING or word in UNSAID:
        return word_key(word), WordRole.UNSAID
    if word.replace("'", "") in NEGATIONS:
        return "not", WordRole.NEGATION
    return word_key(word), WordRole.FUNCTION if word in STOP_WORDS else WordRole.CONTENT


def _capitalised(text: str, match: re.Match[str]) -> WordRole:
    if any(letter.isupper() for letter in match.group()[1:]):
        return WordRole.NAME
    start = match.start()
    opens = not text[:start].strip() if start < 8 else False
    return (
        WordRole.OPENING if opens or _SENTENCE_END.search(text[max(start - 8, 0) : start]) else WordRole.NAME
    )
