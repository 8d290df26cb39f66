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
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from reverie.rules import answering_words as words
from reverie.rules.answering_weights import WEIGHTS
from reverie.rules.before import now_of
from reverie.rules.changing import is_marked, is_news, is_turned
from reverie.rules.slots import Slot, slot_of
from reverie.rules.slots_words import KIN
from reverie.rules.terms import terms

LOOKED_AT = 10
"""So many hits are looked at; what stands behind them stays there."""
GROUPS: Mapping[str, Sequence[str]] = {
    "asked": ("kind", "other_kind", "name", "people", "other_people", "words", "all_words"),
    "told": (
        "asks", "supposes", "orders", "marked", "turned", "news", "named", "numbered", "quoted",
        "quoted_long", "led",
    ),
    "later": (
        "rival", "rival_alike", "rival_kind", "rival_turned", "rivals", "follows", "follows_alike", "follows_turned",
        "rival_names", "rival_names_marked", "rival_names_kind", "follows_names", "follows_names_marked",
        "follows_names_kind",
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
_NO_RIVAL: tuple[float, ...] = (0.0,) * 7


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
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
    low = text.lower()
    slot = slot_of(text)
    names = frozenset(name.removesuffix("'s") for name in slot.named if name)
    stems = frozenset(stem for name in names for stem in terms(name))
    return Asked(
        wants=next((sorts for pattern, sorts in words.WANTS if pattern.search(low)), frozenset()),
        kin=_kin(low), topics=(slot.topics | slot.closed) - stems, names=names, stems=frozenset(terms(text)) | stems,
        values=_values(slot), past=words.PAST.search(low) is not None,
    )  # fmt: skip


def answering(question: str, hits: Sequence[Candidate]) -> list[Mapping[str, float]]:
    """What is to be added to each hit's score, by the terms of GROUPS."""
    if not hits:
        return []
    summands = features(question, hits) * np.asarray([WEIGHTS[name] for name in FEATURES])
    ends = [0, *accumulate(map(len, GROUPS.values()))]
    parts = {
        name: summands[:, first:end].sum(axis=1).tolist()
        for name, first, end in zip(GROUPS, ends, ends[1:], strict=False)
    }
    return [{name: parts[name][row] for name in GROUPS} for row in range(len(hits))]


def features(question: str, hits: Sequence[Candidate]) -> NDArray[np.float64]:
    """A row of FEATURES for each hit, shape (hits, features)."""
    asked = asked_of(question)
    seen = [_Seen.of(one, asked) for one in hits]
    best = max((one.score for one in hits), default=0.0)
    shares = [max(one.score, 0.0) / best if best > 0 else 0.0 for one in hits]
    field = _Field(hits, seen, shares)
    rows = [
        (*_asked(asked, one), *one.text.looks, *(_NONE if asked.past else field.later(place)))
        for place, one in enumerate(seen)
    ]
    return np.asarray(rows, np.float64).reshape(len(hits), len(FEATURES))


def _values(slot: Slot) -> frozenset[str]:
    """Those that are no names."""
    return frozenset(value for sort, found in slot.values.items() if sort != "name" for value in found)


def _kin(low: str) -> frozenset[str]:
    return frozenset(KIN[word] for word in words.WORD.findall(low) if word in KIN)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Text:
    """A hit's text as it holds now, whatever is asked. ``names``: what can be a name in it; ``looks``: the features of
    group ``told``; ``values``: those that are no names, and ``sorts``, theirs.
    """

    topics: frozenset[str]
    values: frozenset[str]
    sorts: frozenset[str]
    names: frozenset[str]
    kin: frozenset[str]
    terms: frozenset[str]
    turned: bool
    marked: bool
    looks: tuple[float, ...]


@lru_cache(4_096)
def _read(text: str) -> _Text:
    """Reads a text's beginning; of one bank the same are hit again and again."""
    text = now_of(text)[:_READ]
    slot = slot_of(text)
    turned, marked = is_turned(text), is_marked(text)
    quoted = words.QUOTED.match(text) is not None
    looks = (
        "?" in text,
        words.SUPPOSES.search(text) is not None,
        words.ORDERS.search(text) is not None,
        marked,
        turned,
        is_news(text),
        "name" in slot.values,
        "number" in slot.values,
        quoted,
        math.log(text.count(" ") + 1) / 4 if quoted else 0.0,
        not quoted and words.LED.match(text) is not None,
    )
    return _Text(
        topics=slot.topics | slot.closed, values=_values(slot), sorts=frozenset(slot.values) - {"name"},
        names=frozenset(name.removesuffix("'s") for name in slot.values.get("name", ())), kin=_kin(text.lower()),
        terms=frozenset(terms(words.QUOTED.sub("", text))), turned=turned, marked=marked,
        looks=tuple(map(float, looks)),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """A hit's text in the light of the question. ``fits``: it holds what is wanted; ``telling``: its words beyond the
    question; ``meant``: its values that the question names.
    """

    text: _Text
    fits: bool
    telling: frozenset[str]
    meant: frozenset[str]

    @classmethod
    def of(cls, hit: Candidate, asked: Asked) -> _Seen:
        """Looks at a hit."""
        text = _read(hit.text)
        fits = not asked.wants.isdisjoint(text.sorts) or (
            "name" in asked.wants and not text.names <= asked.names
        )
        return cls(text=text, fits=fits, telling=text.terms - asked.stems, meant=text.values & asked.values)


def _asked(asked: Asked, one: _Seen) -> tuple[float, ...]:
    wanted, named, kin = bool(asked.wants), "name" in asked.wants, one.text.kin
    shared = len(asked.topics & one.text.topics)
    return (
        float(wanted and not named and one.fits),
        float(wanted and not named and not one.fits),
        float(named and one.fits),
        len(asked.kin & kin) / max(1, len(asked.kin)),
        float(bool(kin) and asked.kin.isdisjoint(kin)),
        shared / (1 + len(asked.topics)),
        float(shared == len(asked.topics) > 0),
    )


class _Field:
    """All hits of a question, as they stand to each other: how far each two tell of the same, and name what else the
    other says.
    """

    def __init__(self, hits: Sequence[Candidate], seen: Sequence[_Seen], shares: Sequence[float]) -> None:
        self._times = [one.time for one in hits]
        self._seen = seen
        self._shares = shares
        counts: dict[str, int] = {}
        for each in seen:
            for term in each.telling:
                counts[term] = counts.get(term, 0) + 1
        rare = {term: math.log(len(seen) / count) for term, count in counts.items()}
        size = len(seen)
        self._alikes = [[0.0] * size for _ in range(size)]
        self._naming = [[0.0] * size for _ in range(size)]
        for one in range(size):
            mine = seen[one]
            for other in range(one):
                theirs = seen[other]
                shared = len(mine.text.topics & theirs.text.topics)
                if shared:
                    alike = shared / (2 + min(len(mine.text.topics), len(theirs.text.topics)))
                    self._alikes[one][other] = self._alikes[other][one] = alike
                both = mine.telling & theirs.telling
                if both:
                    names = min(1.0, sum([rare[term] for term in both]) / _MUCH)
                    self._naming[one][other] = self._naming[other][one] = names

    def later(self, place: int) -> tuple[float, ...]:
        """The features of group ``later``."""
        mine, times, seen, shares = self._seen[place], self._times, self._seen, self._shares
        alike, naming, now = self._alikes[place], self._naming[place], times[place]
        rival, before = _NO_RIVAL, (0.0, 0.0, 0.0)
        total = 0.0
        for at, time in enumerate(times):
            share, other = shares[at], seen[at]
            same, names = share * alike[at], share * naming[at]
            if time > now and mine.meant <= other.meant:
                total += share**4
                found = (
                    share, same, share * other.fits, share * other.text.turned, names, names * other.text.marked,
                    names * other.fits,
                )  # fmt: skip
                rival = tuple(map(max, rival, found))
            elif time < now and other.meant <= mine.meant:
                before = (max(before[0], share), max(before[1], same), max(before[2], names))
        follows, follows_alike, follows_names = before
        return (
            *rival[:4], math.log1p(total), follows, follows_alike, follows * mine.text.turned, *rival[4:],
            follows_names, follows_names * mine.text.marked, follows_names * mine.fits,
        )  # fmt: skip
