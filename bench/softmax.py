"""Linear weights by maximum likelihood: which candidate is the evidence, among all candidates of its question.

The listwise softmax (conditional logit, McFadden 1974): a question's candidates share one unit of probability, and the
evidence should have it. Newton's method; some hundred questions and a dozen signals take a second.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RIDGE = 1e-3
_MOST_STEPS, _ENOUGH = 50, 1e-8


def fitted(
    lists: Sequence[tuple[Floats, NDArray[np.bool_]]],
    shares: Sequence[float] | None = None,
    ridge: float = RIDGE,
) -> Floats:
    """The weights of signals: ``lists`` holds for each question its candidates' signals, shape (n, k), and which of
    them are evidence, shape (n,). Lists without evidence teach nothing. ``shares`` says how much each question counts
    (all alike), ``ridge`` pulls the weights towards 0.
    """
    kept = [place for place, (_, evidence) in enumerate(lists) if evidence.any()]
    taught = [lists[place] for place in kept]
    counts = np.ones(len(kept)) if shares is None else np.asarray(shares, np.float64)[kept]
    counts = counts / counts.sum()
    signals = np.concatenate([one for one, _ in taught])
    starts = np.cumsum([0, *(len(one) for one, _ in taught[:-1])])
    owner = np.repeat(np.arange(len(taught)), [len(one) for one, _ in taught])
    wanted = np.concatenate([evidence / evidence.sum() for _, evidence in taught])
    weights = np.zeros(signals.shape[1])
    each = counts[owner]
    loss, likely = _loss(signals, starts, owner, wanted, counts, weights, ridge)
    for _ in range(_MOST_STEPS):
        slope = signals.T @ (each * (likely - wanted)) + ridge * weights
        weighted = signals * likely[:, None]
        means = np.add.reduceat(weighted, starts, axis=0)
        bend = signals.T @ (weighted * each[:, None]) - means.T @ (means * counts[:, None])
        bend += ridge * np.eye(len(weights))
        step, size = np.linalg.solve(bend, slope), 1.0
        before = loss
        while True:
            loss, likely = _loss(signals, starts, owner, wanted, counts, weights - size * step, ridge)
            if loss <= before or size < 1e-6:
                break
            size /= 2
        weights = weights - size * step
        if before - loss < _ENOUGH:
            break
    return weights


def curve(rows: Floats, truth: NDArray[np.bool_], shares: Floats | None = None) -> Floats:
    """Bias and slopes of the logistic curve that tells how likely a candidate with these numbers, shape (n, k), is
    evidence. ``shares`` says how much each counts (all alike).

    RIDGE keeps them finite where a number parts the true from the false without fault.
    """
    rows = np.column_stack([np.ones(len(rows)), rows])
    counts = np.ones(len(rows)) if shares is None else shares / shares.mean()
    found, wanted = np.zeros(rows.shape[1]), truth.astype(np.float64)
    for _ in range(_MOST_STEPS):
        likely = probability(found, rows[:, 1:])
        bend = (rows * (counts * likely * (1 - likely))[:, None]).T @ rows + RIDGE * np.eye(len(found))
        step = np.linalg.solve(bend, rows.T @ (counts * (wanted - likely)) - RIDGE * found)
        found = found + step
        if np.abs(step).max() < _ENOUGH:
            break
    return found


def probability(curve: Floats, rows: Floats) -> Floats:
    """What a curve says of each row."""
    likely: Floats = np.exp(-np.logaddexp(0.0, -(curve[0] + rows @ curve[1:])))
    return likely


def _loss(
    signals: Floats,
    starts: NDArray[np.intp],
    owner: NDArray[np.intp],
    wanted: Floats,
    counts: Floats,
    weights: Floats,
    ridge: float,
) -> tuple[float, Floats]:
    """The mean negative log-likelihood with its ridge, and each candidate's probability."""
    score = signals @ weights
    score -= np.maximum.reduceat(score, starts)[owner]
    raised = np.exp(score)
    sums = np.add.reduceat(raised, starts)
    loss = counts @ np.log(sums) - (counts[owner] * wanted) @ score + ridge / 2 * float(weights @ weights)
    return float(loss), raised / sums[owner]
