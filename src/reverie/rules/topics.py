"""Topics of a text: its keyphrases, without a model.

After RAKE (Rose et al. 2010): stop words and punctuation part the text into phrases, a word scores its degree
over its frequency, a phrase the sum of its words. Two changes for short, spoken texts: phrases have three words
at most, and, as in YAKE (Campos et al. 2020), what stands early counts more.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from reverie.rules.entities import beginning, entities
from reverie.rules.label_words import WEAK
from reverie.rules.terms import SIGNS

MOST_TOPICS = 5
_LONGEST_PHRASE = 3
_LONGEST_WORD = 24
_EARLY = 0.5
# Apostrophes and hyphens inside; underscores, slashes and dots inside make it an identifier, which is an entity
_WORD = re.compile(rf"[\w{SIGNS}]+(?:['\u2019.@/:-]+[\w{SIGNS}]+)*")
_BREAK = re.compile(r"[^\s'\u2019-]")
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
    """The topics and entities of a text; a topic made of words of the entities is left out."""
    named = entities(text, speakers)
    known = {piece for name in named for piece in _PIECE.split(name.casefold())}
    own = tuple(topic for topic in topics(text) if not known.issuperset(_PIECE.split(topic)))
    return Labels(topics=own, entities=named)


def topics(text: str) -> tuple[str, ...]:
    """At most MOST_TOPICS keyphrases of one to three words, casefolded, best first; empty for an empty text.

    The same text gives the same topics anywhere. Any string is welcome; ``entities.MOST_READ`` characters are read.
    """
    phrases = _phrases(beginning(text))
    frequency: Counter[str] = Counter(word for phrase in phrases for word in phrase)
    degree: Counter[str] = Counter()
    for phrase in phrases:
        for word in phrase:
            degree[word] += len(phrase)
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
    """Runs of words that mean something, in pieces of three words at most."""
    found: list[tuple[str, ...]] = []
    run: list[str] = []
    end = 0
    for match in _WORD.finditer(text):
        if _BREAK.search(text, end, match.start()):
            _close(run, found)
        word = match.group().replace("\u2019", "'").casefold().removesuffix("'s")
        end = match.end()
        if _means(word):
            run.append(word)
        else:
            _close(run, found)
    _close(run, found)
    return found


def _means(word: str) -> bool:
    """Whether a folded word may be part of a topic."""
    if word in WEAK or not 2 <= len(word) <= _LONGEST_WORD or (len(word) == 2 and word.isascii()):
        return False
    if word.isascii():
        return not (_IDENTIFIER.search(word) or _CONTRACTED.search(word))
    return not (_IDENTIFIER.search(word) or (len(word) > _LONGEST_UNSPACED and _UNSPACED.search(word)))


def _close(run: list[str], found: list[tuple[str, ...]]) -> None:
    """Moves a run to the phrases found and empties it."""
    for start in range(0, len(run), _LONGEST_PHRASE):
        piece = tuple(run[start : start + _LONGEST_PHRASE])
        if len(piece) > 1 or len(piece[0]) <= 4 or not piece[0].endswith("ed"):  # "painted" alone is no topic
            found.append(piece)
    run.clear()
