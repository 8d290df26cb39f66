"""GoEmotions' files, read and checked, and the two figures that an emotion classifier is judged by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reverie.domain.emotion import Emotion

LABELS = tuple(Emotion)


@dataclass(frozen=True, kw_only=True, slots=True)
class Examples:
    """Texts, and which labels each has: ``gold`` is (n, 28), True where it has one."""

    texts: list[str]
    gold: NDArray[np.bool_]


def read_examples(path: Path) -> Examples:
    """A file of GoEmotions: a line for each text, with the numbers of its labels (``3,17``) and its id behind tabs.

    Where a labels.txt lies beside it, its order must be the taxonomy's. Ends the program for a file of another form.
    """
    order = path.with_name("labels.txt")
    if order.is_file() and order.read_text("utf-8").split() != list(LABELS):
        raise SystemExit(f"{order} has other labels, or the same in another order")
    lines = [line.split("\t") for line in path.read_text("utf-8").split("\n") if line]
    gold = np.zeros((len(lines), len(LABELS)), np.bool_)
    for number, (row, line) in enumerate(zip(gold, lines, strict=True), 1):
        try:
            row[[int(label) for label in line[1].split(",")]] = True
        except (IndexError, ValueError):
            raise SystemExit(f"{path}:{number} is not a text, label numbers and an id behind tabs") from None
    return Examples(texts=[line[0] for line in lines], gold=gold)


def f1_by_label(
    probabilities: NDArray[np.float32], gold: NDArray[np.bool_], thresholds: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Each label's F1, a text having the label where its probability exceeds the threshold; 0 for a label that is
    neither there nor predicted.
    """
    said = probabilities > thresholds
    both = (said & gold).sum(axis=0)
    share: NDArray[np.float64] = 2 * both / np.maximum(said.sum(axis=0) + gold.sum(axis=0), 1)
    return share


def top_hit(probabilities: NDArray[np.float32], gold: NDArray[np.bool_], count: int = 3) -> float:
    """The share of texts where a label that the text has is among the ``count`` most probable."""
    best = np.argsort(-probabilities, axis=1, kind="stable")[:, :count]
    return float(np.take_along_axis(gold, best, axis=1).any(axis=1).mean())
