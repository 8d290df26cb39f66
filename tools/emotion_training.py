"""How the emotion classifier learns: Adam on small batches, in numpy alone.

Two parts are added up to the log odds of each label: a table of n-gram rows (logistic regression over hashed
features), and one hidden layer over the vector and how the text is typed. Both learn together, from binary
cross-entropy. Several runs that differ in their chance alone are averaged at no cost: tables by their mean, hidden
layers side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.minds.emotions.features import ROW_BITS, rows_of, typed
from reverie.minds.emotions.model import TYPED_SCALE, VECTOR_SCALE

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What was found to learn best; see docs/why/emotions.md."""

    hidden: int = 128
    runs: int = 2
    rounds: int = 8
    batch: int = 512
    table_rate: float = 0.05
    layer_rate: float = 0.002
    decay: float = 1e-5
    hidden_dropout: float = 0.5
    input_dropout: float = 0.1
    row_dropout: float = 0.2
    seed: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """Texts as the classifier sees them: table rows one text after the other, and the hidden layer's input."""

    rows: NDArray[np.uint16]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    given: Floats

    def take(self, texts: NDArray[np.intp]) -> Seen:
        """Some of the texts, in this order."""
        counts = self.counts[texts]
        starts = np.cumsum(counts) - counts
        places = np.repeat(self.starts[texts] - starts, counts) + np.arange(counts.sum())
        return Seen(rows=self.rows[places], starts=starts, counts=counts, given=self.given[texts])


@dataclass(frozen=True, kw_only=True, slots=True)
class Learned:
    """A trained classifier in float32; see ``reverie.minds.emotions.weights.Weights`` for the shapes."""

    table: Floats
    hidden: Floats
    hidden_bias: Floats
    out: Floats
    bias: Floats

    def logits(self, seen: Seen) -> Floats:
        """Log odds, shape (n, labels)."""
        layer = np.maximum(seen.given @ self.hidden + self.hidden_bias, 0) @ self.out
        parts: list[Floats] = []
        for some in np.array_split(np.arange(len(seen.counts)), max(len(seen.counts) // 2_000, 1)):
            part = seen.take(some)
            parts.append(np.add.reduceat(self.table[part.rows], part.starts, axis=0))
        found: Floats = np.concatenate(parts)
        found /= _lengths(seen.counts)[:, None]
        found += layer
        found += self.bias
        return found


def see(texts: Sequence[str], vectors: Floats) -> Seen:
    """The features of texts, as the shipped classifier sees them."""
    parts = list(rows_of(texts))
    counts = np.concatenate([part.counts for part in parts])
    how = np.array([typed(text) for text in texts], np.float32)
    return Seen(
        rows=np.concatenate([part.rows for part in parts]).astype(np.uint16),
        starts=np.cumsum(counts) - counts,
        counts=counts,
        given=np.concatenate([vectors * np.float32(VECTOR_SCALE), how * np.float32(TYPED_SCALE)], axis=1),
    )


def learn(seen: Seen, gold: NDArray[np.bool_] | Floats, plan: Plan) -> Learned:
    """The average of ``plan.runs`` runs. Labels that are NaN are unknown, and nothing is learned from them."""
    runs = [_Run(seen, gold, plan, plan.seed + number).learned() for number in range(plan.runs)]
    share = np.float32(1 / len(runs))
    return Learned(
        table=np.sum([run.table for run in runs], axis=0) * share,
        hidden=np.concatenate([run.hidden for run in runs], axis=1),
        hidden_bias=np.concatenate([run.hidden_bias for run in runs]),
        out=np.concatenate([run.out for run in runs]) * share,
        bias=np.sum([run.bias for run in runs], axis=0) * share,
    )


class _Adam:
    """Kingma and Ba 2015, dense; the rate of each parameter is its own."""

    def __init__(self, parameters: Sequence[Floats], rates: Sequence[float]) -> None:
        self._parameters, self._rates = parameters, rates
        self._mean = [np.zeros_like(one) for one in parameters]
        self._square = [np.zeros_like(one) for one in parameters]
        self._steps = 0

    def step(self, gradients: Sequence[Floats], pace: float) -> None:
        self._steps += 1
        first, second = 1 - 0.9**self._steps, 1 - 0.99**self._steps
        for parameter, gradient, mean, square, rate in zip(
            self._parameters, gradients, self._mean, self._square, self._rates, strict=True
        ):
            mean *= np.float32(0.9)
            mean += np.float32(0.1) * gradient
            square *= np.float32(0.99)
            square += np.float32(0.01) * gradient * gradient
            parameter -= (
                np.float32(rate * pace / first)
                * mean
                / (np.sqrt(square / np.float32(second)) + np.float32(1e-8))
            )


class _Run:
    def __init__(self, seen: Seen, gold: NDArray[np.bool_] | Floats, plan: Plan, seed: int) -> None:
        self._seen, self._gold, self._plan = seen, gold.astype(np.float32), plan
        self._chance = np.random.default_rng(seed)
        inputs, labels = seen.given.shape[1], gold.shape[1]
        # A label that no text has, or every one, would begin at infinity.
        usual = np.clip(np.nanmean(self._gold, axis=0), np.float32(1e-4), np.float32(1 - 1e-4))
        self._bias = np.log(usual / (1 - usual))
        self._table = np.zeros((1 << ROW_BITS, labels), np.float32)
        self._hidden = self._normal((inputs, plan.hidden), (2 / inputs) ** 0.5)
        self._hidden_bias = np.zeros(plan.hidden, np.float32)
        self._out = self._normal((plan.hidden, labels), 0.5 / plan.hidden**0.5)

    def learned(self) -> Learned:
        parameters = (self._bias, self._table, self._hidden, self._hidden_bias, self._out)
        rate = self._plan.layer_rate
        adam = _Adam(parameters, (rate, self._plan.table_rate, rate, rate, rate))
        every = self._plan.rounds * -(-len(self._gold) // self._plan.batch)
        for step, texts in enumerate(self._batches()):
            # Warming up over a twentieth of the way, then down to nothing.
            adam.step(self._gradients(texts), min(1.0, step / (every / 20 + 1)) * (1 - step / every))
        return Learned(
            table=self._table,
            hidden=self._hidden,
            hidden_bias=self._hidden_bias,
            out=self._out,
            bias=self._bias,
        )

    def _batches(self) -> Iterator[NDArray[np.intp]]:
        for _ in range(self._plan.rounds):
            order = self._chance.permutation(len(self._gold))
            for first in range(0, len(order), self._plan.batch):
                yield order[first : first + self._plan.batch]

    def _gradients(self, texts: NDArray[np.intp]) -> list[Floats]:
        """Of bias, table, hidden weights, hidden bias and output weights."""
        part = self._seen.take(texts)
        shares = np.repeat(np.float32(1) / _lengths(part.counts), part.counts)
        shares *= self._kept(shares.shape, self._plan.row_dropout)
        logits = np.add.reduceat(self._table[part.rows] * shares[:, None], part.starts, axis=0) + self._bias
        given = part.given * self._kept(part.given.shape, self._plan.input_dropout)
        before = given @ self._hidden + self._hidden_bias
        kept = (before > 0) * self._kept(before.shape, self._plan.hidden_dropout)
        layer = before * kept
        logits += layer @ self._out
        wrong = np.nan_to_num(1 / (1 + np.exp(-logits)) - self._gold[texts]) / np.float32(len(texts))
        back = (wrong @ self._out.T) * kept
        decay = np.float32(self._plan.decay)
        return [
            wrong.sum(axis=0),
            _scattered(part, shares, wrong) + decay * self._table,
            given.T @ back + decay * self._hidden,
            back.sum(axis=0),
            layer.T @ wrong + decay * self._out,
        ]

    def _kept(self, shape: tuple[int, ...], dropout: float) -> Floats:
        """Nothing where it is dropped, and elsewhere what makes up for that."""
        kept = self._chance.random(shape, dtype=np.float32) >= np.float32(dropout)
        return kept * np.float32(1 / (1 - dropout))

    def _normal(self, shape: tuple[int, int], width: float) -> Floats:
        return self._chance.standard_normal(shape, dtype=np.float32) * np.float32(width)


def _lengths(counts: NDArray[np.int64]) -> Floats:
    """How long a text's vector of n-grams is before it is brought to length 1."""
    lengths: Floats = np.sqrt(counts.astype(np.float32))
    return lengths


def _scattered(part: Seen, shares: Floats, wrong: Floats) -> Floats:
    """The table's gradient: each row's sum over the texts that have it."""
    order = np.argsort(part.rows, kind="stable")
    owner = np.repeat(np.arange(len(part.counts)), part.counts)[order]
    rows, first = np.unique(part.rows[order], return_index=True)
    table = np.zeros((1 << ROW_BITS, wrong.shape[1]), np.float32)
    table[rows] = np.add.reduceat(wrong[owner] * shares[order, None], first, axis=0)
    return table
