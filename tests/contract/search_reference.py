"""What search must find, told as plainly as possible: every row looked at, in pure Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.language.lexical_terms import terms
from reverie.memory.scoring.bm25 import DEFAULT


@dataclass(frozen=True, kw_only=True)
class Text:
    """A row: its words, its vector, whether it passes the filter and whether it counts in BM25."""

    id: str
    text: str
    vector: NDArray[np.float32]
    passes: bool = True
    counts: bool = True


@dataclass(frozen=True, kw_only=True)
class Found:
    id: str
    semantic: float
    lexical: float


def found(
    rows: Sequence[Text], *, vector: NDArray[np.float32] | None, words: Sequence[str], limit: int
) -> list[Found]:
    """The union of both lists in order of storing."""
    lexical = bm25({place: terms(row.text) for place, row in enumerate(rows)}, rows, words)
    semantic = {
        place: 0.0 if vector is None else float(np.dot(row.vector.astype(float), vector.astype(float)))
        for place, row in enumerate(rows)
    }
    passing = [place for place, row in enumerate(rows) if row.passes]
    chosen: set[int] = set()
    if vector is not None:
        chosen |= set(sorted(passing, key=lambda place: (-round(semantic[place], 4), place))[:limit])
    if words:
        hits = [place for place in passing if lexical[place] > 0]
        chosen |= set(sorted(hits, key=lambda place: (-round(lexical[place], 5), place))[:limit])
    return [
        Found(id=rows[place].id, semantic=semantic[place], lexical=lexical[place]) for place in sorted(chosen)
    ]


def bm25(docs: Mapping[int, Sequence[str]], rows: Sequence[Text], words: Sequence[str]) -> dict[int, float]:
    """BM25 (k1 1.2, b 0.3, the idf that never turns negative), its statistics from the rows that count."""
    counted = [place for place, row in enumerate(rows) if row.counts]
    mean = sum(len(docs[place]) for place in counted) / len(counted) if counted else 0.0
    scores = dict.fromkeys(docs, 0.0)
    for word in set(words):
        df = sum(word in docs[place] for place in counted)
        idf = math.log(1 + (len(counted) + DEFAULT.background - df + 0.5) / (df + 0.5))
        for place, doc in docs.items():
            tf = Counter(doc)[word]
            if tf:
                norm = 1.2 * (0.7 + 0.3 * len(doc) / mean)
                scores[place] += idf * tf * 2.2 / (tf + norm)
    return scores
