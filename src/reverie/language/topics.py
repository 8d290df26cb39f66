"""Topics of a text: its keyphrases, without a model.

After RAKE (Rose et al. 2010): stop words and punctuation part the text into phrases, a word scores its degree
over its frequency, a phrase the sum of its words. Two changes for short, spoken texts: phrases have three words
at most, and, as in YAKE (Campos et al. 2020), what stands early counts more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reverie.domain.text_cache import text_cache
from reverie.language.entity_names import beginning, entities
from reverie.language.label_words import WEAK
from reverie.language.lexical_terms import SIGNS

MOST_TOPICS = 5
_LONGEST_PHRASE = 3
_LONGEST_WORD = 24
_LONGEST_WRITTEN = _LONGEST_WORD + len("'s")
_EARLY = 0.5
_CACHED_WORDS = 1 << 14
_LONGEST_KNOWN = 4_000


def _parts(plain: str) -> re.Pattern[str]:
    """Build the pattern of words. A word is its group; without it there stands what parts phrases. Apostrophes
    and hyphens belong inside a word; underscores, slashes and dots inside make it an identifier, which is an
    entity.
    """
    return re.compile(rf"({plain}+(?:['\u2019.@/:-]+{plain}+)*)|[^\s'\u2019-]")


_PART, _ASCII_PART = _parts(rf"[\w{SIGNS}]"), _parts("[A-Za-z0-9_]")
_IDENTIFIER = re.compile(r"[.@/:_\d]")
_CONTRACTED = re.compile(r"n't$|'(?:[dm]|ll|re|ve)$")
_PIECE = re.compile(r"[\W_]+")
# Chinese, Japanese, Thai and their like: a run is a whole clause, unless it is short
_UNSPACED = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17d3\u3041-\u30ff\u3400-\u9fff]")
_LONGEST_UNSPACED = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Labels:
    """What a text is about: casefolded topics, best first, and entities as written."""

    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


def labels(text: str, speakers: tuple[str, ...] = ()) -> Labels:
    """Return the topics and entities of a text; a topic made of words of the entities is left out."""
    return (_known if len(text) <= _LONGEST_KNOWN else _labels)(text, speakers)


def _labels(text: str, speakers: tuple[str, ...]) -> Labels:
    named = entities(text, speakers)
    if not named:
        return Labels(topics=topics(text))
    known = {piece for name in named for piece in _pieces(name.casefold())}
    own = tuple(topic for topic in topics(text) if not known.issuperset(_pieces(topic)))
    return Labels(topics=own, entities=named)


_known = text_cache(512)(_labels)
"""Of texts that aren't longer than what memories are, as a rule."""


def _pieces(label: str) -> list[str]:
    return label.split(" ") if label.replace(" ", "").isalnum() else _PIECE.split(label)


def topics(text: str) -> tuple[str, ...]:
    """Return at most MOST_TOPICS keyphrases of one to three words, casefolded, best first; empty for an empty text.

    The same text gives the same topics anywhere. Any string is welcome; ``entities.MOST_READ`` characters are read.
    """
    phrases = _phrases(beginning(text))
    frequency: dict[str, int] = {}
    degree: dict[str, int] = {}
    for phrase in phrases:
        for word in phrase:
            frequency[word] = frequency.get(word, 0) + 1
            degree[word] = degree.get(word, 0) + len(phrase)
    scores: dict[tuple[str, ...], float] = {}
    for place, phrase in enumerate(phrases):
        worth = sum(degree[word] / frequency[word] for word in phrase)
        scores[phrase] = scores.get(phrase, 0.0) + worth * (1 + _EARLY / (1 + place))
    ranked = sorted(scores, key=lambda phrase: -scores[phrase])  # equal ones stay in the order of the text
    chosen: list[tuple[str, ...]] = []
    for phrase in ranked:
        if len(chosen) == MOST_TOPICS:
            break
        if not any(set(phrase) <= set(other) for other in chosen):
            chosen.append(phrase)
    return tuple(" ".join(phrase) for phrase in chosen)


def _phrases(text: str) -> list[tuple[str, ...]]:
    """Return runs of words that mean something, in pieces of three words at most."""
    found: list[tuple[str, ...]] = []
    run: list[str] = []
    for written in (_ASCII_PART if text.isascii() else _PART).findall(text):
        word = _meaning(written) if len(written) <= _LONGEST_WRITTEN else ""
        if word:
            run.append(word)
        elif run:
            _close(run, found)
    if run:
        _close(run, found)
    return found


@text_cache(_CACHED_WORDS)
def _meaning(written: str) -> str:
    """Return the word folded, if it may be part of a topic; else ""."""
    word = written.replace("\u2019", "'").casefold().removesuffix("'s")
    return word if _means(word) else ""


def _means(word: str) -> bool:
    """Return whether a folded word may be part of a topic."""
    if word in WEAK or not 2 <= len(word) <= _LONGEST_WORD or (len(word) == 2 and word.isascii()):
        return False
    if word.isascii():
        return not (_IDENTIFIER.search(word) or _CONTRACTED.search(word))
    return not (_IDENTIFIER.search(word) or (len(word) > _LONGEST_UNSPACED and _UNSPACED.search(word)))


def _close(run: list[str], found: list[tuple[str, ...]]) -> None:
    """Move a run to the phrases found, and empty it."""
    for start in range(0, len(run), _LONGEST_PHRASE):
        piece = tuple(run[start : start + _LONGEST_PHRASE])
        if len(piece) > 1 or len(piece[0]) <= 4 or not piece[0].endswith("ed"):  # "painted" alone is no topic
            found.append(piece)
    run.clear()
