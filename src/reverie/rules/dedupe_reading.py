"""What the duplicates' guard reads in one text: its words with their roles, its numbers, names, identifiers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from reverie.rules.dedupe_tense import BE_AND_HAVE, is_past, main_verb
from reverie.rules.dedupe_words import (
    CONTRACTED,
    HALF_NEGATIONS,
    JOINING,
    NEGATIONS,
    NUMBER_WORDS,
    PRONOUNS,
    TENSES,
    TURNING,
    UNSAID,
    function_key,
    key_of,
)
from reverie.rules.terms import STOP_WORDS, shortened_marks

_WORD = re.compile(r"(?:(?<!\w)[-\u2212])?\d+(?:[.,:/\-]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_MARKS = re.compile("[\u0300-\u036f]")
_SENTENCE_END = re.compile(r"[.!?:;\u2026\n\"\u201c\u201d]\s*$")
_IDENTIFIER = re.compile(r"[@_/\\#]|[^\W\d_]\.[^\W\d_]|[^\W\d_]\d|\d[^\W\d_]|[a-z][A-Z]")
_SURE_IDENTIFIER = re.compile(r"[@_\\#]\w|^\D*/\w")
_AMOUNT = re.compile(r"\W{0,4}(?:US|AU|CA|A|C)?\W{0,4}\d[\d.,:]*[^\W\d_]{0,3}\W{0,4}")
_ASCII_SYMBOL = re.compile(r"[$+<=>^|~]")
_SIGN = re.compile(r"(?<=\w)-(?!\w)")
_SECRETS = re.compile(
    r"\b(?:pass(?:word|phrase|code)s?|logins?|usernames?|pin)\b"
    r"|\b(?:codes?|keys?|tokens?)\b(?:\W{1,3}\w{1,40}){0,4}?\s{0,3}(?:\b(?:is|are|was|were)\b|[:=])",
    re.IGNORECASE,
)
_PUNCTUATION = ".,;:!?()[]{}\"'\u201c\u201d\u2019"
_INITIALS = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_SPLIT_NOT = re.compile(r"(?<=\w) n['\u2019]t\b")  # as tokenizers write it: do n't
_PERCENT = re.compile(r"\bper cent\b|(?<=\d)\s?%")
_TENS = re.compile(
    r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ]"
    r"(one|two|three|four|five|six|seven|eight|nine)\b",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r",(?=\d{3}\b)")
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
    tells: bool  # says something by itself: no negation, no small word
    cut: bool  # punctuation, or nothing
    joined: bool  # a comma, a slash, and, or, versus
    leans: bool  # nothing but a space: it belongs to the word before
    past: bool | None = None  # whether it tells what was, if it is a verb; None if it tells no time


@dataclass(kw_only=True, slots=True)
class Reading:
    """What the guard looks at in one text."""

    tokens: list[Token] = field(default_factory=list)  # all words but UNSAID and JOINING
    numbers: list[tuple[str, str]] = field(default_factory=list)  # each with what it counts
    negated: list[str] = field(default_factory=list)  # the key of what each negation is followed by
    turning: list[str] = field(
        default_factory=list
    )  # small words that turn a statement, those of "can't" too
    verbs: list[str] = field(default_factory=list)  # be and have that are no auxiliaries
    symbols: list[str] = field(default_factory=list)  # emoji, signs, operators
    identifiers: list[str] = field(default_factory=list)  # addresses, paths; of a secret every word
    secret: bool = False
    words: set[str] = field(default_factory=set)  # of the tokens, folded


@lru_cache(_CACHED)
def read(text: str) -> Reading:
    """Reads one text, in a time that grows with its length; one text is laid beside many."""
    if not text.isascii():
        text = _MARKS.sub("", unicodedata.normalize("NFKD", shortened_marks(text)))
    reading = Reading(secret=bool(_SECRETS.search(text)))
    reading.symbols = [*_symbols(text), *_SIGN.findall(text)]
    plain = _joined_again(text)
    reading.identifiers = [
        token.strip(_PUNCTUATION)
        for token in (text if reading.secret else plain).split()
        if reading.secret or (_IDENTIFIER.search(token) and not _AMOUNT.fullmatch(token))
    ]
    if "ty" in plain or "TY" in plain:
        plain = _TENS.sub(_tens, plain)
    if "%" in plain or "per cent" in plain:
        plain = _PERCENT.sub(" percent", plain)
    _read_words(plain, reading)
    return reading


def is_sure(identifier: str) -> bool:
    """Whether it is an address or a path beyond doubt, not a name or an amount in odd spelling."""
    return bool(_SURE_IDENTIFIER.search(identifier))


def _joined_again(text: str) -> str:
    """With initials without dots (U.S. is US), and "do n't" in one."""
    if " n" in text:
        text = _SPLIT_NOT.sub("n't", text)
    return _INITIALS.sub(lambda found: found.group().replace(".", ""), text) if "." in text else text


def _symbols(text: str) -> list[str]:
    """Signs, operators, emoji; a backtick is but a quotation mark."""
    if text.isascii():
        return _ASCII_SYMBOL.findall(text)
    return [letter for letter in text if unicodedata.category(letter)[0] == "S" and letter != "`"]


def _tens(found: re.Match[str]) -> str:
    tens, unit = found.groups()
    return str(int(NUMBER_WORDS[tens.lower()]) + int(NUMBER_WORDS.get(unit.lower(), "1")))


def _read_words(text: str, reading: Reading) -> None:
    found = list(_WORD.finditer(text))
    words = [match.group().casefold().replace("\u2019", "'").removesuffix("'s") for match in found]
    shouted = text.isupper()
    end = 0
    leans = joined = False
    for place, (match, word) in enumerate(zip(found, words, strict=True)):
        between = text[end : match.start()] if place else "."
        end = match.end()
        cut = between != " " and not between.isspace()
        if cut and not joined:
            bare = between.strip(" `'")
            joined = bool(bare) and not bare.strip(",/&")
        key, role, turns = _nature(word)
        if word == "other" and words[place - 1 : place] == ["each"]:
            turns = False
        if turns and (cut or not match.group().istitle() or len(word) == 1):  # else it is the month of May
            reading.turning.append(CONTRACTED.get(word.replace("'", ""), word))
        if word in BE_AND_HAVE:
            _note_verb(main_verb(words, place), reading)
        if role is Role.UNSAID and match.group() == "A" and not cut and not shouted:
            role = Role.NAME  # A, B and C are names too
        if role is Role.UNSAID:
            leans, joined = False, joined or word in JOINING
            continue
        if role is Role.NUMBER:
            reading.numbers.append((key, "" if word in NUMBER_WORDS else _unit(words, place + 1)))
        elif role is Role.NEGATION:
            after = words[place + 1 : place + 1 + _REACH]
            reading.negated.append(key_of(next((other for other in after if other not in STOP_WORDS), "")))
        elif role is Role.CONTENT and match.group()[0].isupper():
            role = _capitalised(text, match)
        reading.words.add(word)
        tells = role is not Role.FUNCTION and role is not Role.NEGATION
        verbal = shouted or role is Role.CONTENT or role is Role.OPENING
        past = is_past(words, place) if verbal else None
        reading.tokens.append(Token(key, word, role, tells, cut, joined, leans and not cut, past))
        leans, joined = role is not Role.FUNCTION, False


def _note_verb(verb: str, reading: Reading) -> None:
    """ "Have to" turns a statement as must does."""
    if verb == "must":
        reading.turning.append(verb)
    elif verb:
        reading.verbs.append(verb)


@lru_cache(_CACHED_WORDS)
def _nature(word: str) -> tuple[str, Role, bool]:
    """Of a folded word: its key, its role as far as the word alone tells, and whether it turns a statement."""
    bare = word.replace("'", "")
    turns = word in TURNING or word in PRONOUNS or word in TENSES or bare in CONTRACTED
    if word[-1:].isdigit():
        return _THOUSANDS.sub("", word).replace("\u2212", "-"), Role.NUMBER, turns
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word], Role.NUMBER, turns
    if word in JOINING or word in UNSAID:
        return word, Role.UNSAID, turns
    if bare in NEGATIONS or bare in HALF_NEGATIONS or word.endswith("n't"):
        return "not", Role.NEGATION, turns
    if word in STOP_WORDS:
        return function_key(word), Role.FUNCTION, turns
    return key_of(word), Role.CONTENT, turns


def _unit(words: Sequence[str], place: int) -> str:
    """What a number counts: the word behind it, unless that is a small one."""
    unit = words[place] if place < len(words) else ""
    return "" if unit in STOP_WORDS and unit != "am" else key_of(unit)


def _capitalised(text: str, match: re.Match[str]) -> Role:
    if any(letter.isupper() for letter in match.group()[1:]):
        return Role.NAME
    start = match.start()
    opens = not text[:start].strip() if start < 8 else False
    return Role.OPENING if opens or _SENTENCE_END.search(text[max(start - 8, 0) : start]) else Role.NAME
