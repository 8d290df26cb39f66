"""Fit the pair judge: whether one statement takes another's place (``reverie.minds.local.superseding``).

    python -m tools.judges.pairs [--keep FOLDER]

It learns from the labelled talks (``~id`` replaces ``#id``), and prints, for people left out, how many links each
threshold makes and how many of them are right; then the weights, which are copied into the module by hand.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from reverie.minds.local.superseding import Told, shortlisted
from tools.judges.__main__ import embedded
from tools.judges.talks import TALKS, read

_FEWEST = 3
_PRIOR = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--keep", type=Path, help="a folder where embeddings are kept for the next run")
    arguments = parser.parse_args()
    seen, right, talk = list[tuple[float, ...]](), list[bool](), list[str]()
    changes = listed = 0
    for path in sorted(TALKS.glob("*.txt")):
        lines = [line for one in read(path) for line in one.lines if line.lasting]
        vectors = embedded([line.text for line in lines], arguments.keep)
        told = [Told(text=line.text, vector=row) for line, row in zip(lines, vectors, strict=True)]
        place_of = {line.id: place for place, line in enumerate(lines) if line.id}
        for place, line in enumerate(lines):
            if place < _FEWEST:
                continue
            old = place_of.get(line.replaces) if line.replaces else None
            pairs = shortlisted(told[place], told[:place])
            changes += old is not None
            listed += old in [number for number, _ in pairs]
            seen += [features for _, features in pairs]
            right += [number == old for number, _ in pairs]
            talk += [path.stem] * len(pairs)
    x, y, who = np.array(seen), np.array(right), np.array(talk)
    print(f"{changes} changes, the old statement on the shortlist in {listed}")
    mean, width = x.mean(axis=0), x.std(axis=0) + 1e-9
    scaled = (x - mean) / width
    likely = np.zeros(len(y))
    for one in sorted(set(talk)):
        out = who == one
        likely[out] = _odds(scaled[out], _fitted(scaled[~out], y[~out]))
    for threshold in np.arange(0.3, 0.96, 0.05):
        made = likely >= threshold
        print(
            f"{threshold:.2f}: {made.sum()} links, {y[made].sum()} right ({y[made].mean() if made.any() else 0:.2f})"
        )
    weights = _fitted(scaled, y)
    plain = weights[:-1] / width
    print(
        "WEIGHTS =", tuple(np.round(plain, 3).tolist()), "BIAS =", round(float(weights[-1] - plain @ mean), 3)
    )


def _odds(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    found: np.ndarray = 1 / (1 + np.exp(-(x @ weights[:-1] + weights[-1])))
    return found


def _fitted(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the weights and the bias of a logistic regression, by Newton's method."""
    given = np.c_[x, np.ones(len(x))]
    weights = np.zeros(given.shape[1])
    shrink = np.r_[np.full(x.shape[1], _PRIOR), 0.0]
    for _ in range(50):
        likely = 1 / (1 + np.exp(-given @ weights))
        slope = (given * (likely * (1 - likely))[:, None]).T @ given + np.diag(shrink + 1e-9)
        weights = weights - np.linalg.solve(slope, given.T @ (likely - y) + shrink * weights)
    return weights


if __name__ == "__main__":
    main()
