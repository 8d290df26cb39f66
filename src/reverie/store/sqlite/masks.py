"""Which rows of a corpus pass a filter: one boolean a row."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.message import Role
from reverie.domain.query import Filter
from reverie.domain.time import MICROS_PER_DAY, micros
from reverie.memory.decay import FADE_DAYS, faded_confidences
from reverie.memory.scope import matches
from reverie.store.sqlite.columns import Mask, Names, any_of
from reverie.store.sqlite.corpus import Corpus
from reverie.store.where import check_searched

KIND_PLACE = {kind: place for place, kind in enumerate(Kind)}
STATE_PLACE = {state: place for place, state in enumerate(State)}
ROLE_PLACE = {role: place for place, role in enumerate(Role)}

_FACETS = np.arange(len(Kind) * len(State) * 4)
_PAST = _FACETS % 2 == 1
_SUPERSEDED = _FACETS // 2 % 2 == 1
_STATES = _FACETS // 4 % len(State)
_KINDS = _FACETS // (4 * len(State))


def facet(kind: Kind, state: State, *, superseded: bool, past: bool) -> int:
    """Return the four in one number, for the column of that name."""
    return ((KIND_PLACE[kind] * len(State) + STATE_PLACE[state]) * 2 + superseded) * 2 + past


def superseded_in(facets: NDArray[np.unsignedinteger]) -> Mask:
    """Return which of these facets are of superseded memories."""
    found: Mask = _SUPERSEDED[facets]
    return found


def valid_at(corpus: Corpus, rows: NDArray[np.intp], moment: datetime) -> Mask:
    """Return which of these memories are true in the world at that moment."""
    asked = micros(moment)
    valid: Mask = (corpus.column("valid_from")[rows] <= asked) & (corpus.column("valid_to")[rows] > asked)
    return valid


def label_key(field: str, label: str) -> int:
    """Return the key in Corpus.labels of a label of a field (tags, topics, entities); case makes no difference."""
    return hash((field, label.casefold()))


def memory_mask(
    corpus: Corpus,
    scopes: Names[tuple[str, ...]],
    where: Filter,
    *,
    now: datetime,
    as_of: datetime | None = None,
) -> Mask:
    """Return which memories pass.

    With ``as_of``: wordings believed and valid then, whatever state and supersession they have come to since.
    """
    mask: Mask = _facets_pass(where, at_a_moment=as_of is not None).take(corpus.column("facet"))
    mask &= corpus.alive
    if as_of is not None:
        moment = micros(as_of)
        for window in ("believed", "valid"):
            mask &= corpus.column(f"{window}_from") <= moment
            mask &= corpus.column(f"{window}_to") > moment
    _narrow(mask, corpus, where)
    if where.review is not None:
        mask &= corpus.column("review") == where.review
    if where.scoped:
        mask &= ~any_of(corpus.column("scope"), scopes.codes([()]))
    if where.scope is not None:
        path = where.scope
        known = tuple(scopes.values)
        covers = np.fromiter((matches(globs, path) for globs in known), np.bool_, len(known))
        mask &= covers.take(corpus.column("scope"))
    if where.min_confidence is not None:
        _confident(mask, corpus, where.min_confidence, micros(now))
    return mask


def episode_mask(
    corpus: Corpus, conversations: Names[str], channels: Names[str], speakers: Names[str], where: Filter
) -> Mask:
    """Return which episodes pass."""
    mask = corpus.alive.copy()
    _narrow(mask, corpus, where)
    _one_of(mask, corpus, "conversation", conversations, where.conversations)
    _one_of(mask, corpus, "channel", channels, where.channels)
    _one_of(mask, corpus, "speaker", speakers, where.speakers)
    if where.roles:
        mask &= any_of(corpus.column("role"), [ROLE_PLACE[role] for role in where.roles])
    return mask


def _facets_pass(where: Filter, *, at_a_moment: bool) -> Mask:
    return _facets_of(where.kinds, where.states, where.include_superseded, at_a_moment)


@lru_cache(256)
def _facets_of(
    kinds: frozenset[Kind], states: frozenset[State], include_superseded: bool, at_a_moment: bool
) -> Mask:
    """Return which facets pass; filters differ little from question to question."""
    passes = np.ones(len(_FACETS), np.bool_)
    if kinds:
        passes &= any_of(_KINDS, [KIND_PLACE[kind] for kind in kinds])
    if not at_a_moment:
        passes &= ~_PAST
        if states:
            passes &= any_of(_STATES, [STATE_PLACE[state] for state in states])
        if not include_superseded:
            passes &= ~_SUPERSEDED
    passes.flags.writeable = False
    return passes


def _narrow(mask: Mask, corpus: Corpus, where: Filter) -> None:
    """What both corpora have: ids, labels, times, importance."""
    check_searched(where)
    if where.ids is not None:
        mask &= corpus.ids.among(where.ids)
    for field in ("tags", "topics", "entities"):
        labels: frozenset[str] = getattr(where, field)
        if labels:
            mask &= corpus.labels.with_any({label_key(field, label) for label in labels})
    if where.since is not None:
        mask &= corpus.column("time") >= micros(where.since)
    if where.until is not None:
        mask &= corpus.column("time") < micros(where.until)
    if where.min_importance is not None:
        mask &= corpus.column("importance") >= np.float32(where.min_importance)  # never true of NaN


def _one_of(mask: Mask, corpus: Corpus, column: str, names: Names[str], wanted: Collection[str]) -> None:
    if wanted:
        mask &= any_of(corpus.column(column), names.codes(wanted))


def _confident(mask: Mask, corpus: Corpus, least: float, now: int) -> None:
    """Take away what has faded below ``least``. It only lowers: the young and the too low need no sums."""
    confidence, fades_from = corpus.column("confidence"), corpus.column("fades_from")
    mask &= confidence >= np.float32(least)
    old = np.flatnonzero(mask & (fades_from <= now - FADE_DAYS * MICROS_PER_DAY))
    faded = faded_confidences(confidence[old], fades_from[old], now)
    mask[old[faded < np.float32(least)]] = False
