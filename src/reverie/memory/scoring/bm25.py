"""BM25: how much the words that a text shares with a query speak for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True, slots=True)
class BM25:
    """The constants of BM25.

    `k1` (≥ 0, finite) says how soon repeating a word stops helping; `b` in [0, 1] how much a long text is
    discounted against the average. `background` (≥ 0): a word is as telling as if so many other texts without it
    stood beside, so that in a bank of five texts a word that one of them holds counts about as in a bank of fifty.
    Raise InvalidInput for numbers out of range.
    """

    k1: float = 1.2
    b: float = 0.3
    background: int = 50

    def __post_init__(self) -> None:
        if not (math.isfinite(self.k1) and self.k1 >= 0):
            raise InvalidInput("k1", f"{self.k1} is not a finite number ≥ 0", "use about 1.2")
        if not 0 <= self.b <= 1:
            raise InvalidInput("b", f"{self.b} is not in [0, 1]", "use about 0.3")
        if self.background < 0:
            raise InvalidInput("background", f"{self.background} is less than 0", "use about 50")


DEFAULT = BM25()
SESSION = BM25(k1=1.2, b=0.75, background=3)
"""For whole conversations, whose lengths differ more than their messages'. Chosen on LoCoMo's development dialogues."""


def idf(n_docs: int, df: int, parameters: BM25 = DEFAULT) -> float:
    """Return how telling a word is that `df` of `n_docs` texts hold: log(1 + (N - df + ½) / (df + ½)), always > 0.

    N is `n_docs` and the background of `parameters`.

    The form that Lucene's BM25Similarity uses: unlike Robertson's original it never turns negative
    for a word that most texts hold. 0 ≤ df ≤ n_docs.
    """
    return math.log1p((n_docs + parameters.background - df + 0.5) / (df + 0.5))


def weights(
    tf: NDArray[np.float32],
    doc_len: NDArray[np.float32],
    idf: NDArray[np.float32] | float,
    avg_len: float,
    parameters: BM25 = DEFAULT,
) -> NDArray[np.float32]:
    """Return what each posting adds to its text's score: idf · tf·(k1+1) / (tf + k1·(1 - b + b·len/avg)).

    `tf` (> 0, how often the word stands in the text), `doc_len` (the text's length in terms) and `idf`
    (a number for all postings, or one each) are of one shape (n,); the result is float32 of that shape.
    `avg_len` is the mean length over the texts that count; where none do it is 0, and length plays no part.
    Element by element and in float32 throughout, so a posting's weight is bit for bit the same whatever
    stands beside it. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), eq. 3.15.
    """
    k1, b = parameters.k1, parameters.b
    if avg_len > 0:
        saturation = doc_len * np.float32(k1 * b / avg_len)
        saturation += np.float32(k1 * (1 - b))
    else:
        saturation = np.full(doc_len.shape, k1, np.float32)
    saturation += tf
    scaled: NDArray[np.float32] = tf * np.float32(k1 + 1)
    scaled /= saturation
    scaled *= np.asarray(idf, np.float32)
    return scaled
