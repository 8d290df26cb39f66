"""EmotionClassifier: from texts and their vectors to labels and probabilities."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numkong
import numpy as np
from numpy.typing import NDArray

from reverie.domain.emotion import MOST_EMOTIONS, Emotion, Emotions
from reverie.errors import InvalidInput
from reverie.minds.emotions.features import TYPED, rows_of, typed
from reverie.minds.emotions.weights import Weights, read_weights

Floats = NDArray[np.float32]

VECTOR_SCALE, TYPED_SCALE = 8.0, 2.0
"""What vectors and ``typed`` are multiplied by before the hidden layer, in training and here."""

# Inputs and hidden units are rounded to these fractions: with int8 weights every product is then a sum of whole
# numbers, exact whatever the order, the batch and the machine.
_INPUT_STEPS = 1024.0
_HIDDEN_STEPS = 256.0

_LABELS = tuple(Emotion)
_OF_ASKING = frozenset({Emotion.NEUTRAL, Emotion.CURIOSITY, Emotion.CONFUSION})
# Log odds from which on a label is worth a look at the words: one in eight, of those of asking none.
_A_SIGN = np.array([np.inf if label in _OF_ASKING else -2.0 for label in _LABELS])


class EmotionClassifier:
    """A small multi-label classifier of the 28 GoEmotions labels: hashed n-grams, added to one hidden layer over
    the built-in embedder's vector.

    ``embed`` makes the built-in embedder's vectors, for texts that come without; ``weights`` are the shipped ones
    unless told otherwise. Thread-safe. Deterministic: a text and its vector have the same labels alone and in any
    batch, bit for bit. Making one costs nothing; the weights are read when first needed. Of a text it reads the
    first 4,096 characters. It learned from English alone: of other languages it says mostly ``neutral``.
    """

    def __init__(
        self, embed: Callable[[Sequence[str]], Floats], weights: Callable[[], Weights] = read_weights
    ) -> None:
        self._embed = embed
        self._read = weights
        self._lock = threading.Lock()
        self._network: _Network | None = None

    def emotions(self, texts: Sequence[str], vectors: Floats | None = None) -> list[Emotions]:
        """Return each text's labels that are more probable than not, three at most, strongest first; equally probable
        ones in the taxonomy's order. Often none.

        ``vectors``: the built-in embedder's of these texts, shape (n, 384); None to have them made. Raise
        InvalidInput for vectors of another shape, DamagedModel.
        """
        if not len(texts):
            return []
        odds = self._logits(texts, vectors)
        best = np.argsort(-odds, axis=1, kind="stable")[:, :MOST_EMOTIONS].tolist()
        return [
            tuple(_LABELS[label] for label in labels if row[label] > 0)
            for labels, row in zip(best, odds, strict=True)
        ]

    def mood(self, texts: Sequence[str], vectors: Floats | None = None) -> list[tuple[Emotion, ...]]:
        """Return what each text plainly shows: its labels that are more probable than not, three at most, strongest
        first.

        Often none. Neutral, curiosity and confusion are never among them: a question shows these by being one. Nor is a
        mood that the vector gives no sign of: then the words aren't looked at, which is most of the work.
        """
        if not len(texts):
            return []
        network, known = self._ready(texts, vectors)
        seen = network.by_vector(texts, known)
        signs = (seen > _A_SIGN).any(axis=1)
        found: list[tuple[Emotion, ...]] = [()] * len(texts)
        for place in np.flatnonzero(signs).tolist():
            row = seen[place] + network.by_words([texts[place]])[0]
            best = np.argsort(-row, kind="stable")[:MOST_EMOTIONS].tolist()
            found[place] = tuple(
                _LABELS[label] for label in best if row[label] > 0 and _LABELS[label] not in _OF_ASKING
            )
        return found

    def probabilities(self, texts: Sequence[str], vectors: Floats | None = None) -> Floats:
        """Return how probable each label is, each by itself: shape (n, 28), in the taxonomy's order, in (0, 1)."""
        likely: Floats = (1.0 / (1.0 + np.exp(-self._logits(texts, vectors)))).astype(np.float32)
        return likely

    @property
    def thresholds(self) -> Floats:
        """The probability above which a text has the label, shape (28,): chosen for the best F1 in cross-validation
        over the training texts.
        """
        return self._loaded().thresholds

    def _logits(self, texts: Sequence[str], vectors: Floats | None) -> NDArray[np.float64]:
        if not len(texts):
            return np.zeros((0, len(_LABELS)))
        network, known = self._ready(texts, vectors)
        return network.by_vector(texts, known) + network.by_words(texts)

    def _ready(self, texts: Sequence[str], vectors: Floats | None) -> tuple[_Network, Floats]:
        network = self._loaded()
        known = self._embed(texts) if vectors is None else vectors
        wanted = (len(texts), network.dimensions)
        if known.shape != wanted:
            raise InvalidInput("vectors", f"their shape is {known.shape}, not {wanted}", "give one a text")
        return network, known

    def _loaded(self) -> _Network:
        if self._network is None:
            with self._lock:
                if self._network is None:
                    self._network = _Network(self._read())
        return self._network


def _bytes(given: Floats) -> NDArray[np.int8]:
    """Numbers rounded to whole ones of 16 bits, high · 256 + low: first the rows of high bytes, then those of low ones,
    from −128 to 127. A unit vector's numbers and ``typed`` are far below the most that this holds.
    """
    whole = np.rint(given).astype("<i2")
    found = np.empty((2, *given.shape), np.int8)
    found[0] = (whole + np.int16(128)).view(np.int8)[:, 1::2]
    found[1] = whole.view(np.int8)[:, 0::2]
    return found.reshape(-1, given.shape[1])


class _Network:
    """The weights made ready. All sums are of whole numbers, and exact: those of the large int8 matrix, whose inputs go
    in as two bytes, by numkong; those of the small one in float64. A question pays for each step more than for each
    number: so there are few, and what is a power of two is multiplied into the scales.
    """

    def __init__(self, weights: Weights) -> None:
        self._table = weights.table
        self._table_scale = weights.table_scale.astype(np.float64)
        self._hidden = np.ascontiguousarray(weights.hidden.T)
        self._hidden_scale = weights.hidden_scale * (_HIDDEN_STEPS / _INPUT_STEPS)
        self._hidden_bias = weights.hidden_bias.astype(np.float64) * _HIDDEN_STEPS
        self._out = weights.out.astype(np.float64)
        self._out_scale = weights.out_scale / _HIDDEN_STEPS
        self._bias = weights.bias.astype(np.float64)
        self.thresholds = weights.thresholds

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._hidden.shape[1]) - TYPED

    def by_vector(self, texts: Sequence[str], vectors: Floats) -> NDArray[np.float64]:
        """Return what vector and typing say of the labels, in log odds, shape (n, labels)."""
        given = np.empty((len(texts), self._hidden.shape[1]), np.float32)
        np.multiply(vectors, VECTOR_SCALE * _INPUT_STEPS, out=given[:, : self.dimensions])
        given[:, self.dimensions :] = [
            [round(number * (TYPED_SCALE * _INPUT_STEPS)) for number in typed(text)] for text in texts
        ]
        sums = np.asarray(numkong.cdist(_bytes(given), self._hidden, "dot"))
        hidden = sums[: len(texts)] * 256.0
        hidden += sums[len(texts) :]
        hidden *= self._hidden_scale
        hidden += self._hidden_bias
        np.maximum(hidden, 0.0, out=hidden)
        np.rint(hidden, out=hidden)
        found: NDArray[np.float64] = hidden @ self._out
        found *= self._out_scale
        found += self._bias
        return found

    def by_words(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return what the n-grams add to it."""
        found = np.zeros((len(texts), len(self._bias)))
        first = 0
        for part in rows_of(texts):
            said = self._table.take(part.rows, axis=0)  # four times as fast as by an index in brackets
            sums = np.add.reduceat(said, part.starts, axis=0, dtype=np.int32)
            found[first : first + len(sums)] = sums * self._table_scale / np.sqrt(part.counts)[:, None]
            first += len(sums)
        return found
