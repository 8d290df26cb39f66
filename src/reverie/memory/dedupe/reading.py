"""What the duplicates' guard reads in one text: its words with their roles, numbers, denials, signs, identifiers."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from reverie.domain.text_cache import text_cache
from reverie.language import STOP_WORDS, shortened_marks
from reverie.memory.dedupe.words import JOINING, NEGATIONS, NUMBER_WORDS, PAST, UNSAID, is_past, key_of

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
_CACHED_WORDS = 1 << 15
_CACHED = 64  # texts
_REACH = 5  # words behind a negation among which it finds what it negates


class Role(Enum):
    """What a token is to the guard."""

    CONTENT = "content"
    NAME = "name"
    OPENING = "opening"  # capitalised, but at a sentence's beginning: a name or any word
    NUMBER = "number"
    NEGATION = "negation"
    FUNCTION = "function"
    UNSAID = "unsaid"  # never a token: an article, an auxiliary, "and"


class Token(NamedTuple):
    """One word or number. ``key`` is what it is compared by, ``word`` is folded; ``cut``, ``joined``, ``leans``: what
    stands before.
    """

    key: str
    word: str
    role: Role
    past: bool  # it tells what was, if it is a verb
    cut: bool  # punctuation, or nothing
    joined: bool  # a comma, a slash, and, or, versus
    leans: bool  # nothing but a space: it belongs to the word before

    @property
    def tells(self) -> bool:
        """Whether it says something by itself: no negation, no small word."""
        return self.role is not Role.FUNCTION and self.role is not Role.NEGATION


@dataclass(kw_only=True, slots=True)
class Reading:
    """What the guard looks at in one text."""

    tokens: list[Token] = field(default_factory=list)  # all words but UNSAID
    numbers: list[str] = field(default_factory=list)
    negated: list[str] = field(default_factory=list)  # the key of what each negation is followed by
    past: list[str] = field(default_factory=list)  # auxiliaries that tell the past
    signs: list[str] = field(default_factory=list)  # emoji, operators, currencies
    identifiers: list[str] = field(default_factory=list)  # addresses, paths; of a secret every word


@text_cache(_CACHED)
def read(text: str) -> Reading:
    """Reads one text, in a time that grows with its length; one text is laid beside many."""
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
    reading = Reading(signs=signs, identifiers=identifiers)
    _read_words(text, reading)
    return reading


def _tens(found: re.Match[str]) -> str:
    tens, unit = found.group(1).lower(), found.group(2).lower()
    return str(int(NUMBER_WORDS[tens]) + int(NUMBER_WORDS.get(unit, "1")))


def _read_words(text: str, reading: Reading) -> None:
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
        if role is Role.UNSAID:
            leans, joined = False, joined or word in JOINING
            continue
        if role is Role.NUMBER:
            reading.numbers.append(key)
        elif role is Role.NEGATION:
            after = words[place + 1 : place + 1 + _REACH]
            reading.negated.append(key_of(next((other for other in after if other not in STOP_WORDS), "")))
        elif role is Role.CONTENT and match.group()[0].isupper():
            role = _capitalised(text, match)
        past = is_past(word, words[place - 1] if place else "")
        reading.tokens.append(Token(key, word, role, past, cut, joined, leans and not cut))
        leans, joined = role is not Role.FUNCTION, False


@text_cache(_CACHED_WORDS)
def _nature(word: str) -> tuple[str, Role]:
    """Of a folded word: its key, and its role as far as the word alone tells."""
    if not word[0].isalpha():
        return _NO_DIGITS.sub("", word).replace("\u2212", "-"), Role.NUMBER
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word], Role.NUMBER
    if word in JOINING or word in UNSAID:
        return key_of(word), Role.UNSAID
    if word.replace("'", "") in NEGATIONS:
        return "not", Role.NEGATION
    return key_of(word), Role.FUNCTION if word in STOP_WORDS else Role.CONTENT


def _capitalised(text: str, match: re.Match[str]) -> Role:
    if any(letter.isupper() for letter in match.group()[1:]):
        return Role.NAME
    start = match.start()
    opens = not text[:start].strip() if start < 8 else False
    return Role.OPENING if opens or _SENTENCE_END.search(text[max(start - 8, 0) : start]) else Role.NAME
