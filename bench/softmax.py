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


def fitted(lists: Sequence[tuple[Floats, NDArray[np.bool_]]], ridge: float = RIDGE) -> Floats:
    """The weights of signals: ``lists`` holds for each question its candidates' signals, shape (n, k), and which of
    them are evidence, shape (n,). Lists without evidence teach nothing. ``ridge`` pulls the weights towards 0.
    """
    taught = [(signals, evidence) for signals, evidence in lists if evidence.any()]
    signals = np.concatenate([one for one, _ in taught])
    starts = np.cumsum([0, *(len(one) for one, _ in taught[:-1])])
    owner = np.repeat(np.arange(len(taught)), [len(one) for one, _ in taught])
    wanted = np.concatenate([evidence / evidence.sum() for _, evidence in taught])
    weights = np.zeros(signals.shape[1])
    loss, likely = _loss(signals, starts, owner, wanted, weights, ridge)
    for _ in range(_MOST_STEPS):
        slope = signals.T @ (likely - wanted) / len(taught) + ridge * weights
        weighted = signals * likely[:, None]
        means = np.add.reduceat(weighted, starts, axis=0)
        bend = (signals.T @ weighted - means.T @ means) / len(taught) + ridge * np.eye(len(weights))
        step, size = np.linalg.solve(bend, slope), 1.0
        before = loss
        while True:
            loss, likely = _loss(signals, starts, owner, wanted, weights - size * step, ridge)
            if loss <= before or size < 1e-6:
                break
            size /= 2
        weights = weights - size * step
        if before - loss < _ENOUGH:
            break
    return weights


def curve(score: Floats, truth: NDArray[np.bool_]) -> tuple[float, float]:
    """Bias and slope of the logistic curve that tells how likely a candidate with that score is evidence.

    RIDGE keeps them finite where a score parts the true from the false without fault.
    """
    rows = np.column_stack([np.ones(len(score)), score])
    found, wanted = np.zeros(2), truth.astype(np.float64)
    for _ in range(_MOST_STEPS):
        likely = np.exp(-np.logaddexp(0.0, -(rows @ found)))
        bend = (rows * (likely * (1 - likely))[:, None]).T @ rows + RIDGE * np.eye(2)
        step = np.linalg.solve(bend, rows.T @ (wanted - likely) - RIDGE * found)
        found = found + step
        if np.abs(step).max() < _ENOUGH:
            break
    return float(found[0]), float(found[1])


def _loss(
    signals: Floats,
    starts: NDArray[np.intp],
    owner: NDArray[np.intp],
    wanted: Floats,
    weights: Floats,
    ridge: float,
) -> tuple[float, Floats]:
    """The mean negative log-likelihood with its ridge, and each candidate's probability."""
    score = signals @ weights
    score -= np.maximum.reduceat(score, starts)[owner]
    raised = np.exp(score)
    sums = np.add.reduceat(raised, starts)
    loss = (np.log(sums).sum() - wanted @ score) / len(starts) + ridge / 2 * float(weights @ weights)
    return float(loss), raised / sums[owner]
