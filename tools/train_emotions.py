"""Trains the emotion classifier that ships inside the package.

    python -m tools.train_emotions --data train.tsv [--dev dev.tsv] [--out FILE] [--vectors FOLDER]

``--data`` is GoEmotions' training split (Demszky et al. 2020); nothing but it teaches the classifier anything. Each
label's threshold is the one of the best F1 on texts that the classifier didn't learn from (five-fold
cross-validation); ``--dev`` is only evaluated. ``--vectors`` keeps the embeddings there for the next run.

The same data and seed give the same bytes on one machine with one numpy. Elsewhere the embedder's vectors and the
sums of matrix products differ by rounding, and the weights with them: measure such a file before shipping it.
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reverie.embedders.minilm import MiniLM
from reverie.minds.emotions.model import EmotionClassifier
from reverie.minds.emotions.weights import WEIGHTS, Weights, read_weights
from tools.emotion_data import Examples, f1_by_label, read_examples, top_hit
from tools.emotion_training import Floats, Learned, Plan, Seen, learn, see
from tools.make_minilm import write_safetensors

FOLDS = 5
MOST_BYTES = 2_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="GoEmotions' training split")
    parser.add_argument("--dev", type=Path, help="a split to evaluate on")
    parser.add_argument(
        "--out", type=Path, default=WEIGHTS, help="where the weights go (default: the package)"
    )
    parser.add_argument("--vectors", type=Path, help="a folder where embeddings are kept")
    parser.add_argument("--seed", type=int, default=Plan().seed)
    arguments = parser.parse_args()
    plan = replace(Plan(), seed=arguments.seed)
    train = read_examples(arguments.data)
    seen = see(train.texts, embedded(train, arguments.vectors))
    unseen = cross_validated(seen, train.gold, plan)
    thresholds = best_thresholds(unseen, train.gold)
    told("cross-validation", unseen, train.gold, thresholds)
    data = written(learn(seen, train.gold, plan), thresholds)
    if len(data) > MOST_BYTES:
        raise SystemExit(f"{len(data):,} bytes would ship; at most {MOST_BYTES:,} may")
    arguments.out.write_bytes(data)
    print(f"{arguments.out.name}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")
    if arguments.dev is not None:
        dev = read_examples(arguments.dev)
        classifier = EmotionClassifier(MiniLM().embed, weights=lambda: read_weights(arguments.out))
        likely = classifier.probabilities(dev.texts, embedded(dev, arguments.vectors))
        told(arguments.dev.name, likely, dev.gold, classifier.thresholds)


def told(name: str, likely: Floats, gold: NDArray[np.bool_], thresholds: Floats) -> None:
    macro = f1_by_label(likely, gold, thresholds).mean()
    print(
        f"{name}: macro F1 {macro:.4f}, top-3 hit {top_hit(likely, gold):.4f}, {len(gold):,} texts",
        flush=True,
    )


def embedded(examples: Examples, folder: Path | None) -> Floats:
    """The built-in embedder's vectors, out of the folder where they lie there."""
    digest = hashlib.sha256("\n".join(examples.texts).encode()).hexdigest()[:16]
    kept = None if folder is None else folder / f"{MiniLM().id.replace('/', '-')}-{digest}.npy"
    if kept is not None and kept.is_file():
        return np.asarray(np.load(kept), np.float32)
    vectors = MiniLM().embed(examples.texts)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, vectors)
    return vectors


def cross_validated(seen: Seen, gold: NDArray[np.bool_], plan: Plan) -> Floats:
    """Each text's probabilities by a classifier that learned from the other folds; text i is in fold i mod FOLDS."""
    likely = np.empty(gold.shape, np.float32)
    fold = np.arange(len(gold)) % FOLDS
    for number in range(FOLDS):
        rest, held = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        learned = learn(seen.take(rest), gold[rest], plan)
        likely[held] = 1 / (1 + np.exp(-learned.logits(seen.take(held))))
        print(f"fold {number + 1} of {FOLDS}: top-3 hit {top_hit(likely[held], gold[held]):.4f}", flush=True)
    return likely


def best_thresholds(likely: Floats, gold: NDArray[np.bool_]) -> Floats:
    """For each label the threshold of the best F1. F1 is smoothed over neighbouring thresholds first, so that a rare
    label doesn't get one that is best by luck.
    """
    found = np.empty(gold.shape[1], np.float32)
    for label, (scores, truth) in enumerate(zip(likely.T, gold.T, strict=True)):
        order = np.argsort(-scores, kind="stable")
        positives = int(truth.sum())
        said = np.arange(1, len(order) + 1)
        f1 = 2 * np.cumsum(truth[order]) / (said + positives)
        width = max(3, positives * 3 // 20) | 1
        smooth = np.convolve(f1, np.ones(width) / width, "valid")
        place = int(smooth.argmax()) + width // 2
        found[label] = (scores[order[place]] + scores[order[min(place + 1, len(order) - 1)]]) / 2
    return found


def written(learned: Learned, thresholds: Floats) -> bytes:
    """The file: matrices as int8 with a scale a column."""
    table, table_scale = _rounded(learned.table)
    hidden, hidden_scale = _rounded(learned.hidden)
    out, out_scale = _rounded(learned.out)
    weights = Weights(
        table=table, table_scale=table_scale, hidden=hidden, hidden_scale=hidden_scale,
        hidden_bias=learned.hidden_bias, out=out, out_scale=out_scale, bias=learned.bias, thresholds=thresholds,
    )  # fmt: skip
    return write_safetensors({field.name: getattr(weights, field.name) for field in fields(Weights)})


def _rounded(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """int8 columns and their scales: column ≈ int8 column × scale."""
    scale = (np.abs(matrix).max(axis=0) / 127).astype(np.float32)
    whole = np.rint(matrix / np.maximum(scale, np.float32(1e-12)))
    return np.clip(whole, -127, 127).astype(np.int8), scale


if __name__ == "__main__":
    main()
