"""The emotion classifier on a file of GoEmotions: how often it is right, and what it costs beside the embedding."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.report import rounded, show
from reverie.domain.emotion import Emotions
from reverie.embedders.minilm import MiniLM
from reverie.minds.emotions import EmotionClassifier
from tools.emotion_data import LABELS, f1_by_label, read_examples, top_hit

NOTES = {
    "macro_f1": "mean F1 of the 28 labels, each predicted above its threshold",
    "top3_hit": "share of texts where one of the three most probable labels is right",
    "precision": "share of the labels that we give that are right",
    "labels": "given a text, up to three",
    "texts_per_s": "judged, with the vectors at hand",
    "embed_per_s": "embedded, by one thread",
    "cost_ratio": "judging 256 texts at once, to embedding them",
    "query_ratio": "judging one text, to embedding it (medians)",
}
BATCH = 256
TIMED = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="a split of GoEmotions: text, label numbers, id"
    )


def run(json_output: bool = False, *, data: Path) -> dict[str, float]:
    """Measure, print, and give the metrics; with ``json_output`` the last line is them as one JSON object."""
    examples = read_examples(data)
    if not examples.texts:
        raise SystemExit(f"{data} holds no texts")
    model = MiniLM(threads=1)
    classifier = EmotionClassifier(model.embed)
    start = time.perf_counter()
    vectors = model.embed(examples.texts)
    embedding = time.perf_counter() - start
    classifier.emotions(examples.texts[:1], vectors[:1])  # reads the weights
    start = time.perf_counter()
    given: list[Emotions] = []
    for first in range(0, len(vectors), BATCH):
        given += classifier.emotions(examples.texts[first : first + BATCH], vectors[first : first + BATCH])
    judging = time.perf_counter() - start
    likely = classifier.probabilities(examples.texts, vectors)
    by_label = f1_by_label(likely, examples.gold, classifier.thresholds)
    metrics = {
        "n": len(examples.texts),
        "macro_f1": float(by_label.mean()),
        "top3_hit": top_hit(likely, examples.gold),
        "precision": float(
            np.mean(
                [
                    row[LABELS.index(one)]
                    for some, row in zip(given, examples.gold, strict=True)
                    for one in some
                ]
            )
        ),
        "labels": float(np.mean([len(some) for some in given])),
        "texts_per_s": len(vectors) / judging,
        "embed_per_s": len(vectors) / embedding,
        "cost_ratio": judging / embedding,
        "query_ratio": _query_ratio(model, classifier, examples.texts[:TIMED]),
    }
    if not json_output:
        _show_labels(by_label, examples.gold.sum(axis=0))
    metrics = rounded(metrics)
    show(f"emotions · {data.name}", metrics, json_output=json_output, notes=NOTES)
    return metrics


def _query_ratio(model: MiniLM, classifier: EmotionClassifier, texts: list[str]) -> float:
    embedded, judged = [], []
    for text in texts:
        start = time.perf_counter()
        vector = model.embed_query(text)
        between = time.perf_counter()
        classifier.emotions([text], vector[None])
        judged.append(time.perf_counter() - between)
        embedded.append(between - start)
    return float(np.median(judged) / np.median(embedded))


def _show_labels(by_label: NDArray[np.float64], texts: NDArray[np.int_]) -> None:
    print("\n  label              F1  texts that have it")
    for name, value, count in sorted(zip(LABELS, by_label, texts, strict=True), key=lambda row: -row[1]):
        print(f"  {name:15}  {value:5.3f}  {count:,}")
