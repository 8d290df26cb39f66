"""Salience: how much a statement is worth keeping, as a linear sum of what it shows.

Centrality (how near it is to what the snippet is about), specificity (numbers, names, length, long words), novelty
against the bank, strength of emotion, and what its words do: whether they tell of the speaker, plan, decide, prefer,
or thank and chat. One set of weights for what people say and one for what the agent says, in
``rules.salience_weights``; how they were found: docs/why/extraction.md.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from reverie.domain.emotion import Emotion, Emotions
from reverie.rules import cue_words
from reverie.rules.salience_weights import Weights
from reverie.rules.sentences import Sentence

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
# A capital inside a sentence; cheaper than rules.entities, and a count is enough
_NAME = re.compile(r"[A-Z](?<=[\w,;:]\s.)(?:[a-z]+|[A-Z]{1,5}\b)")
_NUMBER = re.compile(r"\d+")
_TERM = re.compile('["\u201c\'\u2018][A-Z][^"\u201d\n]{3,60}["\u201d\'\u2019]')
_MANY, _LONG_WORD = 4, 8
_TOPICAL, _REPEATED, _USUAL = 0.7, 0.95, 0.45
_FAINT = frozenset({Emotion.NEUTRAL, Emotion.APPROVAL, Emotion.REALIZATION})
_TABLES = (
    ("own", cue_words.FIRST),
    ("together", cue_words.TOGETHER),
    ("yours", cue_words.SECOND),
    ("intent", cue_words.INTENT),
    ("decision", cue_words.DECISION),
    ("preference", cue_words.PREFERENCE),
    ("state", cue_words.STATE),
    ("feeling", cue_words.FEELING),
    ("courtesy", cue_words.COURTESY),
    ("meta", cue_words.META),
    ("settled", cue_words.SETTLED),
    ("hedged", cue_words.HEDGED),
)
_NAMES = tuple(name for name, _ in _TABLES)
_MARKED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        word: tuple(name for name, table in _TABLES if word in table)
        for word in frozenset().union(*(table for _, table in _TABLES))
    }
)
"""Which tables a word is in: one look for each word, not one for each table."""
_SHARED = ("own", "together", "yours", "courtesy", "settled", "state")
WORDING = (
    "length",
    "length_squared",
    *(name for name, _ in _TABLES),
    *(f"{name}_share" for name in _SHARED),
    "numbers",
    "names",
    "terms",
    "leans",
    "listed",
    "introduces",
    "colon",
    "exclaims",
    "last",
    "long_words",
    "orders",
)
"""What the words alone show."""
SETTING = (
    "about_self",
    "requests",
    "among_people",
    "crowd",
    "central",
    "of_message",
    "answers",
    "topical",
    "known",
    "felt",
)
"""What the snippet and the bank add."""
CUES = (*WORDING, *SETTING)


@dataclass(frozen=True, kw_only=True, slots=True)
class Snippets:
    """What a snippet shows as a whole: the share of people's sentences that tell of themselves, and of those that are
    requests.
    """

    about_self: float
    requests: float


def words(text: str) -> list[str]:
    """The words of a text in small letters, contractions whole."""
    low = text.lower()
    if low.isascii():
        return _ASCII_WORD.findall(low)
    return [word.replace("\u2019", "'") for word in _WORD.findall(low)]


def wording(said: Sequence[Sentence], *, last: bool) -> dict[str, float]:
    """The cues of WORDING, of sentences as they were said; ``last`` whether they end their message."""
    text = " ".join(one.text for one in said)
    read = words(text)
    count = max(1, len(read))
    counts = Counter(read)
    found = {"length": math.log(count), "length_squared": math.log(count) ** 2}
    hits = dict.fromkeys(_NAMES, 0)
    for word in _MARKED.keys() & counts.keys():
        for name in _MARKED[word]:
            hits[name] += counts[word]
    for name in _NAMES:
        found[name] = min(hits[name], _MANY) / _MANY
    for name in _SHARED:
        found[f"{name}_share"] = min(1.0, _MANY * hits[name] / count)
    opening = read[0] if read else ""
    return found | {
        "numbers": min(3, len(_NUMBER.findall(text))) / 3,
        "names": min(_MANY, len(set(_NAME.findall(text)))) / _MANY,
        "terms": float(bool(_TERM.search(text))),
        "leans": float(opening in cue_words.LEANING),
        "listed": sum(one.listed for one in said) / len(said),
        "introduces": float(said[-1].text.endswith(":")),
        "colon": float(":" in text),
        "exclaims": sum(one.text.endswith("!") for one in said) / len(said),
        "last": float(last),
        "long_words": sum(len(word) >= _LONG_WORD for word in read) / count,
        "orders": float(opening in cue_words.ORDERS),
    }


def snippet_cues(people: Sequence[Sentence]) -> Snippets:
    """Of the sentences that people, not the agent, said in a snippet."""
    if not people:
        return Snippets(about_self=0.0, requests=0.0)
    read = [words(one.text) for one in people]
    return Snippets(
        about_self=sum(not cue_words.FIRST.isdisjoint(one) for one in read) / len(read),
        requests=sum(one[:1] != [] and one[0] in cue_words.ORDERS for one in read) / len(read),
    )


def familiarity(cosine: float) -> dict[str, float]:
    """Two cues of the greatest cosine to a memory: how much a statement is of what the bank is about, which speaks for
    it, and beyond that how much it says what is known, which speaks against it. A bank that holds nothing (-1) tells
    nothing: then both are as usual.
    """
    if cosine <= -1.0:
        return {"topical": _USUAL, "known": 0.0}
    return {
        "topical": max(0.0, min(_TOPICAL, cosine)),
        "known": max(0.0, min(1.0, (cosine - _TOPICAL) / (_REPEATED - _TOPICAL))),
    }


def feeling_strength(emotions: Emotions | None) -> float:
    """How plainly a text shows feelings, in [0, 1], from its three labels; 0 where nobody judged."""
    if emotions is None:
        return 0.0
    return sum(share for label, share in zip(emotions, (0.6, 0.25, 0.15), strict=True) if label not in _FAINT)


def salience(cues: Mapping[str, float], weights: Weights) -> float:
    """The sum, in log odds; a cue that isn't given counts as it is on average."""
    return weights.bias + sum(
        weight * (cues[name] - weights.means[name])
        for name, weight in weights.weights.items()
        if name in cues
    )


def importance_of(log_odds: float) -> float:
    """In [0, 1], to three digits."""
    return round(1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, log_odds)))), 3)
