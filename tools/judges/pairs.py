"""Fit and measure the pair judge: whether one statement takes another's place (``reverie.minds.local.superseding``).

    python -m tools.judges.pairs [--keep FOLDER]

It reads the quotations in the labelled talks (``~id`` replaces ``#id``), and prints how many links each threshold makes
and how many of them are right: with the weights that ship, and, for people left out, fitted on the others. Then what a
fit on all gives.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reverie.domain.kinds import Kind
from reverie.language.segments import Sentence
from reverie.minds.local.selecting import runs
from reverie.minds.local.superseding import Told, likely_of, shortlisted
from reverie.ports.judges import Judged
from tools.judges.__main__ import embedded
from tools.judges.talks import TALKS, Line, Said, read

_FEWEST = 3
_PRIOR = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--keep", type=Path, help="a folder where embeddings are kept for the next run")
    arguments = parser.parse_args()
    seen, right, talk = list[tuple[float, ...]](), list[bool](), list[str]()
    changes = listed = 0
    for path in sorted(TALKS.glob("*.txt")):
        said = [quotation for one in read(path) for quotation in quotations(one)]
        vectors = embedded([text for text, _ in said], arguments.keep)
        told = [Told(text=text, vector=row) for (text, _), row in zip(said, vectors, strict=True)]
        place_of = {line.id: place for place, (_, lines) in enumerate(said) for line in lines if line.id}
        for place, (_, lines) in enumerate(said):
            if place < _FEWEST:
                continue
            old = {place_of[line.replaces] for line in lines if line.replaces in place_of} - {place}
            pairs = shortlisted(told[place], told[:place])
            changes += len(old)
            listed += len(old.intersection(number for number, _ in pairs))
            seen += [features for _, features in pairs]
            right += [number in old for number, _ in pairs]
            talk += [path.stem] * len(pairs)
    x, y, who = np.array(seen), np.array(right), np.array(talk)
    print(f"{changes} changes, the old statement on the shortlist in {listed}")
    mean, width = x.mean(axis=0), x.std(axis=0) + 1e-9
    scaled = (x - mean) / width
    likely = np.zeros(len(y))
    for one in sorted(set(talk)):
        out = who == one
        likely[out] = _odds(scaled[out], _fitted(scaled[~out], y[~out]))
    shipped = np.array([likely_of(features) for features in seen])
    for name, odds in (("shipped", shipped), ("fitted on others", likely)):
        for threshold in (0.5, 0.8, 0.9, 0.95):
            made = odds >= threshold
            print(f"{name}, {threshold:.2f}: {made.sum()} links, {y[made].sum()} right")
    weights = _fitted(scaled, y)
    plain = weights[:-1] / width
    print(
        "WEIGHTS =", tuple(np.round(plain, 3).tolist()), "BIAS =", round(float(weights[-1] - plain @ mean), 3)
    )


def quotations(said: Said) -> list[tuple[str, Sequence[Line]]]:
    """Return what sleep would keep of a message by its labels, with the labelled sentences in it: the pairs that it
    judges are of such quotations, and of no single sentences.
    """
    judged = [
        Judged(
            sentence=Sentence(text=one.text, start=one.start, end=one.end, line=said.text.count("\n", 0, one.start)),
            own=float(one.whose == "o"), lasting=float(one.lasting), standing=0.0, health=0.0, kind=Kind.FACT,
            importance=0.0,
        )
        for one in said.lines
    ]  # fmt: skip
    return [
        (said.text[said.lines[first].start : said.lines[last].end], said.lines[first : last + 1])
        for first, last in runs(judged)
    ]


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
