"""What stands around a message, told as plainly as possible: every text read, in pure Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from reverie.domain.message import Role
from reverie.language.lexical_terms import terms
from reverie.language.utterances import asks, says_when
from reverie.memory.scoring.bm25 import BM25, DEFAULT, SESSION
from reverie.ports.search import EpisodeCandidates

Key = TypeVar("Key", bound=Hashable)
BESIDE = (-2, -1, 1, 2)
FLAGS = ("among", "answers", "says_when")
"""The columns of the context that are yes or no."""


class Line(NamedTuple):
    """A message to be said: of which conversation, its text, its vector's place in DIRECTIONS, and who says it."""

    conversation: str
    text: str
    direction: int
    speaker: str | None = None
    role: Role = Role.USER


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message that is in the bank now."""

    id: str
    conversation: str
    position: int
    text: str
    vector: NDArray[np.float32]
    speaker: str | None = None
    role: Role = Role.USER


def agree(
    got: EpisodeCandidates, said: Sequence[Said], vector: NDArray[np.float32] | None, words: Sequence[str]
) -> None:
    """Fails unless the context of each candidate is what the bank's messages make it."""
    names = ("session", "around", "before", "person", *FLAGS)
    wanted: dict[str, list[Any]] = {name: [] for name in names}
    by_id = {one.id: one for one in said}
    at = {(one.conversation, one.position): one for one in said}
    lexical = bm25({one.id: terms(one.text) for one in said}, words, DEFAULT)
    sessions = bm25(_conversations(said), words, SESSION)
    for id in got.ids:
        one = by_id[id]
        beside = [at.get((one.conversation, one.position + step)) for step in BESIDE]
        before, behind = beside[1:3]
        wanted["session"].append(sessions[one.conversation])
        wanted["around"].append([_cosine(other, vector) for other in beside])
        wanted["before"].append(lexical[before.id] if before else 0.0)
        wanted["person"].append(one.role is Role.USER)
        wanted["among"].append(_are_two(one, before) or _are_two(one, behind))
        wanted["answers"].append(before is not None and _are_two(one, before) and asks(before.text))
        wanted["says_when"].append(says_when(terms(one.text)))
    np.testing.assert_allclose(got.session, wanted["session"], rtol=1e-4)
    np.testing.assert_allclose(got.around, np.array(wanted["around"]).reshape(-1, 4), atol=5e-4)
    np.testing.assert_allclose(got.before, wanted["before"], rtol=1e-4)
    for name in ("person", *FLAGS):
        assert getattr(got, name).tolist() == wanted[name], name


def bm25(docs: Mapping[Key, Sequence[str]], words: Sequence[str], constants: BM25) -> dict[Key, float]:
    """BM25 with the idf that never turns negative, over all of the texts and the background."""
    k1, b, beside = constants.k1, constants.b, constants.background
    mean = sum(map(len, docs.values())) / len(docs) if docs else 0.0
    scores = dict.fromkeys(docs, 0.0)
    for word in set(words):
        df = sum(word in doc for doc in docs.values())
        idf = math.log(1 + (len(docs) + beside - df + 0.5) / (df + 0.5))
        for key, doc in docs.items():
            tf = Counter(doc)[word]
            if tf:
                scores[key] += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(doc) / mean))
    return scores


def _conversations(said: Sequence[Said]) -> dict[str, list[str]]:
    whole: dict[str, list[str]] = {}
    for one in said:
        whole.setdefault(one.conversation, []).extend(terms(one.text))
    return whole


def _are_two(one: Said, other: Said | None) -> bool:
    """Whether two messages are those of two named persons."""
    if other is None or one.role is not Role.USER or other.role is not Role.USER:
        return False
    return one.speaker is not None and other.speaker is not None and one.speaker != other.speaker


def _cosine(one: Said | None, vector: NDArray[np.float32] | None) -> float:
    if one is None or vector is None:
        return math.nan
    return float(np.dot(one.vector.astype(float), vector.astype(float)))
