"""Text into the terms that lexical search knows: folded words, without stop words, stemmed."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from reverie.domain.text_cache import text_cache

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from snowballstemmer.english_stemmer import EnglishStemmer

_LISTED = """
a about above after again against ain't all am an and any are aren't as at be because been before being
below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down
during each few for from further had hadn't has hasn't have haven't having he he'd he'll her here hers
herself him himself his how i i'd i'll i'm i've if in into is isn't it it'd it'll its itself just let's
me mightn't more most mustn't my myself needn't no nor not now of off on once only or other our ours
ourselves out over own same shan't she she'd she'll should should've shouldn't so some such than that
that'd that'll the their theirs them themselves then there these they they'd they'll they're they've
this those through to too under until up very was wasn't we we'd we'll we're we've were weren't what
when where which while who whom why will with won't would would've wouldn't you you'd you'll you're
you've your yours yourself yourselves
aint arent couldnt didnt doesnt dont hadnt hasnt havent im isnt ive mustnt shouldnt thats theyre theyve
wasnt werent wouldnt youre youve
"""
STOP_WORDS = frozenset(_LISTED.split())
"""English words that say nothing about a text's subject: articles, pronouns, prepositions, auxiliaries,
question words, their contractions, also as typed without an apostrophe where that is no other word."""

MAX_TERM = 64
"""A longer word is cut to so many characters."""

_CACHED_WORDS = 1 << 15

_SPACED = bytes(sign if chr(sign).isascii() and chr(sign).isalnum() else 32 for sign in range(256))
_ASCII_WORD = re.compile(r"([a-z0-9][a-z0-9']{0,63})[a-z0-9']*")
SIGNS = (
    "\u0900-\u0963\u0966-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u109d\u17b4-\u17d3\u3099\u309a"
)
"""Vowel signs, for a set in a pattern: they belong to their word, though Python's \\w leaves them out. Indic, Thai,
Lao, Burmese, Khmer."""
_WORD = re.compile(rf"([\w{SIGNS}][\w{SIGNS}']{{0,63}})[\w{SIGNS}']*")
# Diacritics of Latin, Greek, Cyrillic, Hebrew and Arabic, soft hyphens and invisible joiners
_DIACRITICS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u00ad\u200c\u200d\u2060\ufeff]+"
)
# Scripts that are written without spaces (or, in Korean, with endings glued to the word)
_UNSPACED = re.compile(
    "[\u3005-\u3007\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\uac00-\ud7a3\u1100-\u11ff\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0edf"
    "\u1000-\u103f\u1050-\u109f\u1780-\u17d3]+"
)
# Signs of the former that are words by themselves: Chinese characters, Korean syllables
_WORD_SIGNS = re.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\uac00-\ud7a3\u1100-\u11ff]"
)
# Normalizing takes quadratic time in the length of a run of combining marks; no script needs more than a few
_MARK_RUN = re.compile("((?:[^\\w\\s]|[\uff9e\uff9f]){16})(?:[^\\w\\s]|[\uff9e\uff9f])+")
# Letters with their marks in them, and signs between words, of which no run matters to words
_MAY_BE_MARKS = re.compile("[^\x00-\u02ff\u2010-\u2027\u20ac]")
# The only endings that the stemmer touches; 30 µs a word are saved on every second one
_STEMMED_ENDING = re.compile("(?:[seyi]|ed|ing|[aul]l|[eo]r|ion|ism|ic|[aei][ns]t)$")


def terms(text: str) -> list[str]:
    """Return the terms of `text`, in order and with repetitions.

    Folded (case, compatibility forms, diacritics), split into runs of letters and digits, without possessive
    's and without STOP_WORDS, stemmed by Snowball's English rules, at most MAX_TERM characters each. Chinese,
    Japanese, Korean, Thai, Lao, Burmese and Khmer runs become pairs of neighbouring characters, a
    character alone stays alone. A text of nothing but stop words keeps them, so that "who are you" can be
    found by its own words. Any string is welcome, lone surrogates included; time is linear in its length.
    """
    return terms_of(words_of(text))


def memory_terms(essence: str, lesson: str | None, labels: Iterable[str]) -> list[str]:
    """Return the terms of a memory: of essence and lesson, and what its tags, topics and entities add to them.

    A label's words that stand in the text don't count again, or labels taken from it would weigh it anew. With signs
    as in ``message_terms``.
    """
    own = terms(f"{essence}\n{lesson or ''}")
    known = set(own)
    return _with_signs(own + [term for label in labels for term in label_terms(label) if term not in known])


def message_terms(text: str) -> list[str]:
    """Return the terms of `text` and, once each, the Chinese characters and Korean syllables in its pairs: a question
    of a single one finds it so.
    """
    return _with_signs(terms(text))


def _with_signs(found: list[str]) -> list[str]:
    if "".join(found).isascii():
        return found
    signs = dict.fromkeys(sign for term in found if len(term) == 2 for sign in _WORD_SIGNS.findall(term))
    return found + [sign for sign in signs if sign not in found]


@text_cache(_CACHED_WORDS)
def label_terms(label: str) -> tuple[str, ...]:
    """Return the terms of a label: of a bank's labels many are the same."""
    return tuple(terms(label))


def query_terms(
    text: str, without: Collection[str] = (), stops: Mapping[str, Collection[str]] | None = None
) -> list[str]:
    """Return the distinct terms of `text` in order of first appearance: what is searched for.

    Words of the names in `without` are left out, however they are cased and with a possessive 's too. `stops`: stop
    words (folded as by ``words_of``) of other languages, whose own are left out of a question in one of them. If only
    stop words are left, these are the terms, as in `terms`; empty if nothing is left.
    """
    words = words_of(text)
    if without:
        names = {_bare(word) for name in without for word in words_of(name)}
        words = [word for word in words if _bare(word) not in names]
    if stops:
        words = _without_stops(words, stops) or words
    return list(dict.fromkeys(terms_of(words)))


def _without_stops(words: list[str], stops: Mapping[str, Collection[str]]) -> list[str]:
    """Return the words without the stop words of their language: the one that most of them are stop words of. English,
    whose own `terms_of` leaves out, comes before others; where several are even, each one's are left out.
    """
    held = {language: sum(word in known for word in words) for language, known in stops.items()}
    most = max(held.values(), default=0)
    if most <= sum(word in STOP_WORDS for word in words):
        return words
    left_out = {word for language, known in stops.items() if held[language] == most for word in known}
    return [word for word in words if word not in left_out]


def keywords(text: str) -> list[str]:
    """Return the distinct words of `text`, folded and stemmed as terms are, but stop words among them: for exact
    look-up.
    """
    return list(dict.fromkeys(filter(None, map(_keyword, words_of(text)))))


def terms_of(words: Sequence[str]) -> list[str]:
    """Return the ``terms`` of a text whose words are known."""
    return list(filter(None, map(_term, words))) or list(filter(None, map(_stem, words)))


def shortened_marks(text: str) -> str:
    """Return the text with runs of combining marks cut to what a script needs: normalizing them takes quadratic
    time.
    """
    return text if text.isascii() else _MARK_RUN.sub(r"\1", text)


def words_of(text: str) -> list[str]:
    """Return folded words as they stand in the text, with inner and trailing apostrophes, cut to MAX_TERM."""
    if text.isascii():
        return _cut_ascii_words(text.lower())
    sparse = text if _MAY_BE_MARKS.search(text) is None else shortened_marks(text)
    folded = unicodedata.normalize("NFKD", sparse).casefold()
    bare = _DIACRITICS.sub("", folded)
    if bare.isascii():  # Péter and Tomás: what is below would change nothing
        return _cut_ascii_words(bare)
    plain = unicodedata.normalize("NFC", bare)
    plain = plain.replace("_", " ").replace("\u2019", "'").replace("\u02bc", "'")
    return _WORD.findall(_UNSPACED.sub(_pairs, plain))


def _cut_ascii_words(lowered: str) -> list[str]:
    if "'" not in lowered:
        words = ascii_words(lowered)
        if max(map(len, words), default=0) <= MAX_TERM:
            return words
    return _ASCII_WORD.findall(lowered)


def ascii_words(lowered: str) -> list[str]:
    """Return the runs of letters and digits of a lowered ASCII text, in half the time that a pattern takes."""
    return lowered.encode().translate(_SPACED).decode().split()


def _pairs(run: re.Match[str]) -> str:
    characters = run.group()
    if len(characters) == 1:
        return f" {characters} "
    return f" {' '.join(map(str.__add__, characters, characters[1:]))} "


def _bare(word: str) -> str:
    """Return a word without possessive 's and apostrophes."""
    return word.rstrip("'").removesuffix("'s").replace("'", "")


@text_cache(_CACHED_WORDS)
def _term(word: str) -> str:
    """Return the term of a folded word; "" if it is a stop word."""
    closed = word.rstrip("'")
    if closed in STOP_WORDS or closed.removesuffix("'s") in STOP_WORDS:
        return ""
    return _stem(closed)


@text_cache(_CACHED_WORDS)
def _keyword(word: str) -> str:
    return _stem(word)


def _stem(word: str) -> str:
    bare = _bare(word)
    if not (bare.isascii() and bare.isalpha() and _STEMMED_ENDING.search(bare)):
        return bare
    with _stemming:
        return str(_stemmer().stemWord(bare))


_stemming = threading.Lock()  # a Snowball stemmer keeps the word it works on in itself


@lru_cache(1)
def _stemmer() -> EnglishStemmer:
    from snowballstemmer.english_stemmer import EnglishStemmer  # 14 ms, and only a search needs it

    return EnglishStemmer()
