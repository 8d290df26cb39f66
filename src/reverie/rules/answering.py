"""Which of the best hits answers the question: what a reader sees at a glance, and neither vectors nor words tell.

"What time does the choir meet?" wants a time; "Where does Dale's mother live?" is about his mother; and "Who is Ana's
boss?" is answered by what was said last, unless it asks what was so before. What a hit shows of this is a row of
FEATURES, each between 0 and about 1. Their weights were fitted on scripted lives (``python -m bench answering``;
figures: docs/why/ranking.md), and what they come to is told in three terms of the score, those of GROUPS.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.rules import answering_words as words
from reverie.rules.answering_weights import WEIGHTS
from reverie.rules.changing import MARKED, NEWS, TURNED
from reverie.rules.glance import Glance, glance
from reverie.rules.marks import lowered

LOOKED_AT = 5
"""So many hits are looked at; what stands behind them stays there."""
GROUPS: Mapping[str, Sequence[str]] = {
    "asked": ("kind", "other_kind", "name", "people", "other_people", "words", "all_words"),
    "told": ("asks", "marked", "turned", "news", "named", "numbered", "led"),
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
_MUCH = 5.0
"""So many rare words in common (in log odds) are as much as can be."""
_NONE = (0.0,) * len(GROUPS["later"])
_UNRIVALLED, _FIRST = _NONE[:7], _NONE[7:]
"""Its features where there is no later hit, and no earlier one."""
_ASKED, _TOLD, _LATER = (tuple(WEIGHTS[name] for name in names) for names in GROUPS.values())
_LANES = 8
"""From so many numbers on numpy adds up eight at a time, the sums by twos."""


class Candidate(NamedTuple):
    """A hit as it is looked at. ``score``: what it has so far; ``time``: when it was learned, in microseconds."""

    text: str
    score: float
    time: int


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
    low = lowered(text)
    seen = glance(text)
    return Asked(
        wants=words.wanted(seen.held, low),
        kin=seen.kin, topics=seen.topics, names=seen.names, stems=seen.terms, values=seen.values,
        past=words.PAST.are_among(seen.held, low),
    )  # fmt: skip


def answering(question: str, hits: Sequence[Candidate]) -> list[Mapping[str, float]]:
    """What is to be added to each hit's score, by the terms of GROUPS."""
    asked = asked_of(question)
    seen = _looked(asked, hits)
    return [
        {"asked": _points(_ASKED, one.asked), "told": one.text.told, "later": _points(_LATER, later)}
        for one, later in zip(seen, _follows(asked, hits, seen), strict=True)
    ]


def features(question: str, hits: Sequence[Candidate]) -> NDArray[np.float64]:
    """A row of FEATURES for each hit, shape (hits, features)."""
    asked = asked_of(question)
    seen = _looked(asked, hits)
    rows = [
        (*one.asked, *one.text.looks, *later)
        for one, later in zip(seen, _follows(asked, hits, seen), strict=True)
    ]
    return np.asarray(rows, np.float64).reshape(len(hits), len(FEATURES))


def _points(weights: Sequence[float], row: Sequence[float]) -> float:
    """What the features of a group come to, added up in the order in which numpy adds up a row."""
    found = [*map(mul, weights, row)]
    total = 0.0
    if len(found) >= _LANES:
        one, two, three, four, five, six, seven, eight, *found = found
        total = ((one + two) + (three + four)) + ((five + six) + (seven + eight))
    for value in found:
        total += value
    return total


class _Text(NamedTuple):
    """A hit's text as it holds now, whatever is asked. ``looks``: the features of group ``told``; ``told``: what they
    come to.
    """

    seen: Glance
    turned: bool
    marked: bool
    looks: tuple[float, ...]
    told: float


@lru_cache(4_096)
def _read(text: str) -> _Text:
    """Reads a text's beginning; of one bank the same are hit again and again."""
    said = text[:_READ].replace("\u2019", "'")
    seen = glance(said)
    low = lowered(said)
    turned, marked = TURNED.are_among(seen.held, low), MARKED.are_among(seen.held, low)
    looks = (
        float("?" in said),
        float(marked),
        float(turned),
        float(NEWS.are_among(seen.held, low)),
        float(bool(seen.names)),
        float("number" in seen.sorts),
        float(words.LED.match(said) is not None),
    )
    return _Text(seen, turned, marked, looks, _points(_TOLD, looks))


class _Seen(NamedTuple):
    """A hit's text in the light of the question. ``asked``: the features of that group; ``fits``: it holds what is
    wanted; ``telling``: its words beyond the question; ``meant``: its values that the question names.
    """

    text: _Text
    asked: tuple[float, ...]
    fits: bool
    telling: frozenset[str]
    meant: frozenset[str]


def _looked(asked: Asked, hits: Sequence[Candidate]) -> list[_Seen]:
    """Looks at the hits' texts."""
    wants, topics, relatives = asked.wants, asked.topics, asked.kin
    named = "name" in wants
    valued = bool(wants) and not named
    most, persons = len(topics), max(1, len(relatives))
    found = []
    for hit in hits:
        text = _read(hit.text)
        terms, about, values, sorts, names, kin, _ = text.seen
        fits = not wants.isdisjoint(sorts) or (named and not names <= asked.names)
        shared = len(topics & about)
        group = (
            1.0 if valued and fits else 0.0,
            1.0 if valued and not fits else 0.0,
            1.0 if named and fits else 0.0,
            len(relatives & kin) / persons,
            1.0 if kin and relatives.isdisjoint(kin) else 0.0,
            shared / (1 + most),
            1.0 if shared == most > 0 else 0.0,
        )
        found.append(_Seen(text, group, fits, terms - asked.stems, values & asked.values))
    return found


def _follows(asked: Asked, hits: Sequence[Candidate], seen: Sequence[_Seen]) -> Sequence[tuple[float, ...]]:
    return [_NONE] * len(hits) if asked.past else _later(hits, seen)


def _later(hits: Sequence[Candidate], seen: Sequence[_Seen]) -> list[tuple[float, ...]]:
    """The features of group ``later`` for each hit: how far each two tell of the same, and name what else the other
    says.
    """
    best = max([one.score for one in hits], default=0.0)
    shares = [max(one.score, 0.0) / best if best > 0 else 0.0 for one in hits]
    rare = _rare(seen)
    order = sorted(range(len(hits)), key=lambda place: hits[place].time)
    behind: list[list[tuple[float, float]]] = [[] for _ in hits]
    found = [_NONE] * len(hits)
    for rank, old in enumerate(order):
        earlier, time = seen[old], hits[old].time
        telling, meant, topics = earlier.telling, earlier.meant, earlier.text.seen.topics
        rivals: list[_Rival] = []
        for new in order[rank + 1 :]:
            later = seen[new]
            if hits[new].time == time or not meant <= later.meant:
                continue
            both = telling & later.telling
            names = math.fsum([rare[term] for term in both]) / _MUCH if both else 0.0
            if names > 1.0:
                names = 1.0
            rivals.append((later, shares[new], _alike(topics, later.text.seen.topics), names))
            behind[new].append((shares[old], names))
        found[old] = (*_against(rivals), *_behind(earlier, behind[old]))
    return found


_Rival = tuple[_Seen, float, float, float]
"""A later hit, its share of the best score, how far it tells of the same, and how far it names what the other says."""


def _against(rivals: Sequence[_Rival]) -> tuple[float, ...]:
    """The features of group ``later`` that are about later hits: the best of what they have against one."""
    if not rivals:
        return _UNRIVALLED
    kind = turned = total = marked = names_kind = 0.0
    for later, share, _, names in rivals:
        total += share**4
        text = later.text
        if text.turned and share > turned:
            turned = share
        if text.marked:
            marked = max(marked, share * names)
        if later.fits:
            kind, names_kind = max(kind, share), max(names_kind, share * names)
    most = max([share for _, share, _, _ in rivals])
    alike = max([share * alike for _, share, alike, _ in rivals])
    return (most, alike, kind, turned, math.log1p(total), marked, names_kind)


def _behind(one: _Seen, earlier: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """Those that are about earlier hits of one, by the share of each and how far it names what the one says."""
    if not earlier:
        return _FIRST
    text, names = one.text, max([share * names for share, names in earlier])
    return (max([share for share, _ in earlier]) * text.turned, names, names * text.marked, names * one.fits)


def _rare(seen: Sequence[_Seen]) -> Mapping[str, float]:
    """How rare each word is among the hits that have it, in log odds, where several have it; what all have tells
    nothing.
    """
    counts: dict[str, int] = {}
    for one in seen:
        for term in one.telling:
            counts[term] = counts.get(term, 0) + 1
    odds = [0.0, *(math.log(len(seen) / count) for count in range(1, len(seen) + 1))]
    return {term: odds[count] for term, count in counts.items() if count > 1}


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / (2 + min(len(one), len(other))) if shared else 0.0
