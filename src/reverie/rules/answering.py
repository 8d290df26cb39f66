"""Which of the best hits answers the question: what a reader sees at a glance, and neither vectors nor words tell.

"What time does the choir meet?" wants a time; "Where does Dale's mother live?" is about his mother; and "Who is Ana's
boss?" is answered by what was said last, unless it asks what was so before. What a hit shows of this is a row of
FEATURES, each between 0 and about 1. Their weights were fitted on scripted lives (``python -m bench answering``;
figures: docs/why/ranking.md), and what they come to is told in three terms of the score, those of GROUPS.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.rules import answering_words as words
from reverie.rules.answering_weights import WEIGHTS
from reverie.rules.before import now_of
from reverie.rules.changing import MARKED, NEWS, TURNED
from reverie.rules.glance import Glance, glance

LOOKED_AT = 5
"""So many hits are looked at; what stands behind them stays there."""
GROUPS: Mapping[str, Sequence[str]] = {
    "asked": ("kind", "other_kind", "name", "people", "other_people", "words", "all_words"),
    "told": ("asks", "marked", "turned", "news", "named", "numbered", "quoted", "quoted_long", "led"),
    "later": (
        "rival", "rival_alike", "rival_kind", "rival_turned", "rivals", "rival_names_marked", "rival_names_kind",
        "follows_turned", "follows_names", "follows_names_marked", "follows_names_kind",
    ),
}  # fmt: skip
"""The features by the term that tells them. ``kind``: it holds what is wanted, ``name``: what may be it, a name;
``people``: it is about the relatives that are asked for. ``rival``: the best later hit, ``follows``: the best earlier
one, each by its share of the best score of all; ``…_alike``: as far as both tell of the same; ``…_names``: as far as
one names what else the other says; so where that one holds what is wanted (``_kind``), or says that something has
changed (``_turned``, ``_marked``)."""
FEATURES = tuple(name for group in GROUPS.values() for name in group)
_READ = 600  # characters
_LONG = 60
"""Words of a quotation from which a longer one tells no more."""
_MUCH = 5.0
"""So many rare words in common (in log odds) are as much as can be."""
_NONE = (0.0,) * len(GROUPS["later"])
_WEIGHTS = np.asarray([WEIGHTS[name] for name in FEATURES])
_ENDS = [0, *accumulate(map(len, GROUPS.values()))]
_COLUMNS = {name: slice(*ends) for name, ends in zip(GROUPS, pairwise(_ENDS), strict=True)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A hit as it is looked at. ``score``: what it has so far; ``time``: when it was learned, in microseconds;
    ``heard``: it was made of messages, so that its beginning tells truly whether it quotes one.
    """

    text: str
    score: float
    time: int
    heard: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What a question asks for: sorts of values, of which relatives, by which topics. ``names`` in small letters and
    ``stems``, all its words, say nothing new where a hit has them; ``values`` (numbers, times, colours …) that it names
    mean the hit that has them, not a later one; ``past``: it asks what was.
    """

    wants: frozenset[str]
    kin: frozenset[str]
    topics: frozenset[str]
    names: frozenset[str]
    stems: frozenset[str]
    values: frozenset[str]
    past: bool


@lru_cache(256)
def asked_of(question: str) -> Asked:
    """What a question asks for; its beginning is read."""
    text = question[:_READ].replace("\u2019", "'")
    low = text.lower()
    seen = glance(text)
    return Asked(
        wants=words.wanted(seen.held, low),
        kin=seen.kin, topics=seen.topics, names=seen.names, stems=seen.terms, values=seen.values,
        past=words.PAST.are_among(seen.held, low),
    )  # fmt: skip


def answering(question: str, hits: Sequence[Candidate]) -> list[Mapping[str, float]]:
    """What is to be added to each hit's score, by the terms of GROUPS."""
    if not hits:
        return []
    rows = features(question, hits) * _WEIGHTS
    parts = {name: rows[:, columns].sum(axis=1).tolist() for name, columns in _COLUMNS.items()}
    return [{name: parts[name][row] for name in GROUPS} for row in range(len(hits))]


def features(question: str, hits: Sequence[Candidate]) -> NDArray[np.float64]:
    """A row of FEATURES for each hit, shape (hits, features)."""
    asked = asked_of(question)
    seen = [_Seen.of(_read(one.text, one.heard), asked) for one in hits]
    later = [_NONE] * len(hits) if asked.past else _later(hits, seen)
    rows = [(*one.asked, *one.text.looks, *follows) for one, follows in zip(seen, later, strict=True)]
    return np.asarray(rows, np.float64).reshape(len(hits), len(FEATURES))


class _Text(NamedTuple):
    """A hit's text as it holds now, whatever is asked. ``looks``: the features of group ``told``."""

    seen: Glance
    turned: bool
    marked: bool
    looks: tuple[float, ...]


@lru_cache(4_096)
def _read(text: str, heard: bool) -> _Text:  # a key of the cache
    """Reads a text's beginning; of one bank the same are hit again and again."""
    text = now_of(text)[:_READ].replace("\u2019", "'")
    quoted = words.QUOTED.match(text) if heard else None
    said = text[quoted.end() :] if quoted else text
    seen = glance(said)
    turned, marked = TURNED.are_among(seen.held, said), MARKED.are_among(seen.held, said)
    looks = (
        "?" in said,
        marked,
        turned,
        NEWS.are_among(seen.held, said),
        bool(seen.names),
        "number" in seen.sorts,
        quoted is not None,
        math.log(min(len(said.split()), _LONG) + 1) / 4 if quoted else 0.0,
        quoted is None and words.LED.match(said) is not None,
    )
    return _Text(seen=seen, turned=turned, marked=marked, looks=tuple(map(float, looks)))


class _Seen(NamedTuple):
    """A hit's text in the light of the question. ``asked``: the features of that group; ``fits``: it holds what is
    wanted; ``telling``: its words beyond the question; ``meant``: its values that the question names.
    """

    text: _Text
    asked: tuple[float, ...]
    fits: bool
    telling: frozenset[str]
    meant: frozenset[str]

    @classmethod
    def of(cls, text: _Text, asked: Asked) -> _Seen:
        """Looks at a hit's text."""
        seen = text.seen
        wanted, named, kin = bool(asked.wants), "name" in asked.wants, seen.kin
        fits = not asked.wants.isdisjoint(seen.sorts) or (named and not seen.names <= asked.names)
        shared = len(asked.topics & seen.topics)
        group = (
            float(wanted and not named and fits),
            float(wanted and not named and not fits),
            float(named and fits),
            len(asked.kin & kin) / max(1, len(asked.kin)),
            float(bool(kin) and asked.kin.isdisjoint(kin)),
            shared / (1 + len(asked.topics)),
            float(shared == len(asked.topics) > 0),
        )
        return cls(
            text=text, asked=group, fits=fits, telling=seen.terms - asked.stems, meant=seen.values & asked.values
        )  # fmt: skip


def _later(hits: Sequence[Candidate], seen: Sequence[_Seen]) -> list[tuple[float, ...]]:
    """The features of group ``later`` for each hit: how far each two tell of the same, and name what else the other
    says.
    """
    best = max((one.score for one in hits), default=0.0)
    shares = [max(one.score, 0.0) / best if best > 0 else 0.0 for one in hits]
    rare = _rare(seen)
    rivals, befores = [_Rival() for _ in hits], [_Before() for _ in hits]
    order = sorted(range(len(hits)), key=lambda place: hits[place].time)
    for rank, new in enumerate(order):
        later = seen[new]
        for old in order[:rank]:
            earlier = seen[old]
            if hits[old].time == hits[new].time or not earlier.meant <= later.meant:
                continue
            both = earlier.telling & later.telling
            names = min(1.0, sum([rare[term] for term in both]) / _MUCH) if both else 0.0
            rivals[old].meet(later, shares[new], _alike(earlier.text.seen, later.text.seen), names)
            befores[new].meet(shares[old], names)
    return [
        (*rival.features(), *before.features(one))
        for rival, before, one in zip(rivals, befores, seen, strict=True)
    ]


def _rare(seen: Sequence[_Seen]) -> Mapping[str, float]:
    """How rare each word is among the hits, in log odds; what all have tells nothing."""
    counts = Counter(chain.from_iterable(one.telling for one in seen))
    odds = [0.0, *(math.log(len(seen) / count) for count in range(1, len(seen) + 1))]
    return {term: odds[count] for term, count in counts.items()}


def _alike(one: Glance, other: Glance) -> float:
    shared = len(one.topics & other.topics)
    return shared / (2 + min(len(one.topics), len(other.topics)))


class _Rival:
    """The best of what later hits have against one."""

    __slots__ = ("alike", "kind", "names_kind", "names_marked", "share", "total", "turned")

    def __init__(self) -> None:
        self.share = self.alike = self.kind = self.turned = self.total = self.names_marked = (
            self.names_kind
        ) = 0.0

    def meet(self, later: _Seen, share: float, alike: float, names: float) -> None:
        """Takes account of one."""
        names *= share
        self.total += share**4
        self.share = max(self.share, share)
        self.alike = max(self.alike, share * alike)
        if later.text.turned:
            self.turned = max(self.turned, share)
        if later.text.marked:
            self.names_marked = max(self.names_marked, names)
        if later.fits:
            self.kind = max(self.kind, share)
            self.names_kind = max(self.names_kind, names)

    def features(self) -> tuple[float, ...]:
        """Those of group ``later`` that are about later hits."""
        return (
            self.share, self.alike, self.kind, self.turned, math.log1p(self.total), self.names_marked, self.names_kind
        )  # fmt: skip


class _Before:
    """The best of the earlier hits."""

    __slots__ = ("names", "share")

    def __init__(self) -> None:
        self.share = self.names = 0.0

    def meet(self, share: float, names: float) -> None:
        """Takes account of one."""
        self.share = max(self.share, share)
        self.names = max(self.names, share * names)

    def features(self, one: _Seen) -> tuple[float, ...]:
        """Those of group ``later`` that are about earlier hits of one."""
        turned, marked, names = one.text.turned, one.text.marked, self.names
        return (self.share * turned, names, names * marked, names * one.fits)
