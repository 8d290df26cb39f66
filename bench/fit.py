"""The weights table: how the shipped weights do against their neighbours, and the relevance curve, on LoCoMo.

The candidates of every question are looked up once; all that follows is arithmetic on their signals. Neighbours are all
combinations of the steps below around the shipped weights. Leave-one-out: for each dialogue the weights that
are best on the others are judged on it, so that a figure is never taken on what chose it.

The curve is a logistic regression (Newton's method) of "is an evidence turn" on the squashed semantic and lexical
signals of the 20 best of each question.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench import locomo_data
from bench.filling import KEY
from bench.locomo import observed
from bench.locomo_data import ANSWERABLE, Dialogue, Question
from bench.metrics import mean
from bench.report import rounded, show
from reverie import Reverie, Settings, Strategy
from reverie.domain.query import Filter
from reverie.domain.time import micros
from reverie.ports.search import Probe, View
from reverie.rules.naming import name_words, named_speakers, without_names
from reverie.rules.score import (
    EPISODE_WEIGHTS,
    LEXICAL_HALF,
    RELEVANCE,
    best_first,
    relevance,
    score_episodes,
)
from reverie.rules.terms import query_terms
from reverie.services.desk import Desk
from reverie.wiring.assembly import assemble

Floats = NDArray[np.float64]
DEPTH = 10
CURVE_DEPTH = 20
LEXICAL_STEPS = (-0.10, -0.05, 0.0, 0.05, 0.10)
SPEAKER_STEPS = (-0.05, -0.025, 0.0, 0.025, 0.05, 0.10)
HALF_STEPS = (0.5, 0.67, 0.83, 1.0, 1.25, 1.5, 2.0)
FLOORS = (0.01, 0.02, 0.03, 0.05, 0.08, 0.12)

NOTES = {
    "recall@10_shipped": "the weights in rules/score.py",
    "recall@10_best": "the best neighbour, chosen on these very questions",
    "recall@10_left_out": "neighbours chosen without the dialogue that they are judged on",
    "floor_survival": "of questions whose evidence is a candidate: its best turn is above the default floor",
    "floor_empty_without_evidence": "of questions: nothing is left once the evidence is taken away",
    "floor_empty_elsewhere": "of questions asked in the next dialogue's bank: nothing is above the floor",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One question's candidates: signals of all that weights touch, and ``rest``, the score's part that they don't."""

    dialogue: int
    semantic: Floats
    lexical: Floats
    speaker: Floats
    rest: Floats
    order: NDArray[np.intp]
    is_evidence: NDArray[np.bool_]
    evidence: int

    def recall(self, weights: Weights) -> float:
        """Evidence recall@10 with these weights; equal scores in the order of the shipped ranking."""
        score = EPISODE_WEIGHTS["semantic"] * self.semantic + self.rest
        score += (
            weights.lexical * self.lexical / (self.lexical + weights.half) + weights.speaker * self.speaker
        )
        best = self.order[np.argsort(-np.round(score[self.order], 9), kind="stable")[:DEPTH]]
        return float(np.count_nonzero(self.is_evidence[best])) / self.evidence

    def relevance(self) -> Floats:
        """Of every candidate, by the shipped curve."""
        return relevance(self.semantic, self.lexical / (self.lexical + LEXICAL_HALF))


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """What is varied."""

    lexical: float
    speaker: float
    half: float


SHIPPED = Weights(lexical=EPISODE_WEIGHTS["lexical"], speaker=EPISODE_WEIGHTS["speaker"], half=LEXICAL_HALF)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a file in LoCoMo's format")


def run(json_output: bool = False, *, data: Path) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    dialogues = locomo_data.read(data)
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        path = Path(folder) / "fit.bank"
        with Reverie.open(path, key=KEY) as reverie:
            for dialogue in dialogues:
                observed(reverie, dialogue)
        asked, elsewhere = _looked_up(path, dialogues)
    start = time.perf_counter()
    by_weights = {weights: np.array([one.recall(weights) for one in asked]) for weights in neighbours()}
    left_out, chosen = _left_out(by_weights, np.array([one.dialogue for one in asked]))
    best = max(by_weights, key=lambda weights: float(by_weights[weights].mean()))
    _show_chosen(dialogues, chosen)
    _show_steps(by_weights)
    _show_floors(asked, elsewhere)
    curve = fitted_curve(asked)
    metrics = rounded(
        {
            "n": len(asked),
            "dialogues": len(dialogues),
            "neighbours": len(by_weights),
            "recall@10_shipped": float(by_weights[SHIPPED].mean()),
            "recall@10_best": float(by_weights[best].mean()),
            "recall@10_left_out": left_out,
            **{f"{name}_shipped": getattr(SHIPPED, name) for name in Weights.__slots__},
            **{f"{name}_best": getattr(best, name) for name in Weights.__slots__},
            **{
                f"relevance_{name}_{whose}": value
                for whose, values in (("shipped", RELEVANCE), ("fitted", curve))
                for name, value in zip(("bias", "semantic", "lexical"), values, strict=True)
            },
            **floor_figures(asked, elsewhere, Settings().episode_floor),
            "fit_s": time.perf_counter() - start,
        }
    )
    show(f"Weights and relevance ({data.name})", metrics, json_output=json_output, notes=NOTES)
    return metrics


def neighbours() -> list[Weights]:
    """The shipped weights first, then every combination of steps around them."""
    around = [
        Weights(
            lexical=round(SHIPPED.lexical + lexical, 6),
            speaker=round(SHIPPED.speaker + speaker, 6),
            half=round(SHIPPED.half * half, 6),
        )
        for lexical, speaker, half in itertools.product(LEXICAL_STEPS, SPEAKER_STEPS, HALF_STEPS)
        if SHIPPED.lexical + lexical >= 0 and SHIPPED.speaker + speaker >= -1e-9
    ]
    return list(dict.fromkeys([SHIPPED, *around]))


def fitted_curve(asked: Sequence[Asked]) -> tuple[float, float, float]:
    """Bias, semantic and lexical of the logistic curve over the best of each question, ranked as shipped."""
    rows, truths = [], []
    for one in asked:
        best = one.order[:CURVE_DEPTH]
        lexical = one.lexical[best] / (one.lexical[best] + LEXICAL_HALF)
        rows.append(np.column_stack([np.ones(len(best)), one.semantic[best], lexical]))
        truths.append(one.is_evidence[best])
    signals, truth = np.concatenate(rows), np.concatenate(truths).astype(np.float64)
    curve = np.zeros(3)
    for _ in range(50):
        likely = 1 / (1 + np.exp(-signals @ curve))
        slope = signals.T @ (truth - likely)
        bend = (signals * (likely * (1 - likely))[:, None]).T @ signals
        step = np.linalg.solve(bend + 1e-9 * np.eye(3), slope)
        curve += step
        if np.abs(step).max() < 1e-9:
            break
    return float(curve[0]), float(curve[1]), float(curve[2])


def floor_figures(asked: Sequence[Asked], elsewhere: Sequence[Floats], floor: float) -> dict[str, float]:
    """What a floor lets pass, and what it doesn't."""
    found = [one for one in asked if one.is_evidence.any()]
    survived = [bool((one.relevance()[one.is_evidence] >= floor).any()) for one in found]
    emptied = [not (one.relevance()[~one.is_evidence] >= floor).any() for one in asked]
    return {
        "floor": floor,
        "floor_survival": mean(survived),
        "floor_empty_without_evidence": mean(emptied),
        "floor_empty_elsewhere": mean([not (relevances >= floor).any() for relevances in elsewhere]),
    }


def _looked_up(path: Path, dialogues: Sequence[Dialogue]) -> tuple[list[Asked], list[Floats]]:
    """Every answerable question's candidates; and the relevances of those that another dialogue's bank gives it."""
    desk = assemble(
        path, key=KEY, encrypted=True, create=False, settings=None, embedder=None, clock=None, ids=None
    )
    asked, elsewhere = [], []
    try:
        for number, dialogue in enumerate(dialogues):
            other = dialogues[(number + 1) % len(dialogues)]
            for question in dialogue.questions:
                if question.category in ANSWERABLE and question.evidence:
                    asked.append(_candidates(desk, dialogue, number, question))
                    if other is not dialogue:
                        elsewhere.append(_candidates(desk, other, number, question).relevance())
    finally:
        desk.touches.close()
        desk.search.close()
        desk.store.close()
    return asked, elsewhere


def _candidates(desk: Desk, dialogue: Dialogue, number: int, question: Question) -> Asked:
    """As services.recall looks them up and rules.score scores them."""
    view: View = desk.search.view(dialogue.id)
    named = named_speakers(question.text, view.speakers)
    terms = tuple(query_terms(question.text, name_words(named)))
    vector = desk.embedder.embed_query(without_names(question.text, named))
    now = desk.clock()
    found = view.episodes(
        Probe(filter=Filter(), now=now, vector=vector, terms=terms, limit=desk.settings.candidates)
    )
    scored = score_episodes(found, strategy=Strategy.HYBRID, now=micros(now), named=named, terms=len(terms))
    signals = {
        name: summand / EPISODE_WEIGHTS[name]
        for name, summand in scored.terms.items()
        if EPISODE_WEIGHTS[name]
    }
    with desk.store.read(dialogue.id) as unit:
        refs = {key: episode.ref for key, episode in unit.episodes.get(found.ids).items()}
    unvaried = [
        summand for name, summand in scored.terms.items() if name not in ("semantic", "lexical", "speaker")
    ]
    return Asked(
        dialogue=number,
        semantic=signals["semantic"],
        lexical=found.lexical.astype(np.float64),
        speaker=signals.get("speaker", np.zeros(len(found.ids))),
        rest=np.sum(unvaried, axis=0),
        order=best_first(scored, found.ids),
        is_evidence=np.array([refs[key] in question.evidence for key in found.ids], np.bool_),
        evidence=len(question.evidence),
    )


def _left_out(
    by_weights: Mapping[Weights, Floats], dialogue: NDArray[np.int64]
) -> tuple[float, list[Weights]]:
    """Recall@10 where each dialogue has the weights that are best on the others; and those weights."""
    found, chosen = [], []
    for number in np.unique(dialogue):
        others = dialogue != number
        if not others.any():
            others = dialogue == number
        best = max(by_weights, key=lambda weights: float(by_weights[weights][others].mean()))
        chosen.append(best)
        found.append(by_weights[best][dialogue == number])
    return float(np.concatenate(found).mean()), chosen


def _show_chosen(dialogues: Sequence[Dialogue], chosen: Sequence[Weights]) -> None:
    print("\nChosen without the dialogue")
    for dialogue, weights in zip(dialogues, chosen, strict=False):
        print(
            f"  {dialogue.id:16} lexical {weights.lexical:.3f}  speaker {weights.speaker:.3f}  half {weights.half:.1f}"
        )


def _show_steps(by_weights: Mapping[Weights, Floats]) -> None:
    print("\nOne step at a time (recall@10; * shipped)")
    for name in Weights.__slots__:
        others = [other for other in Weights.__slots__ if other != name]
        line = [
            (getattr(weights, name), float(values.mean()))
            for weights, values in by_weights.items()
            if all(getattr(weights, other) == getattr(SHIPPED, other) for other in others)
        ]
        steps = [
            f"{value:g}{'*' if value == getattr(SHIPPED, name) else ''}: {found:.4f}"
            for value, found in sorted(line)
        ]
        print(f"  {name:8} " + "   ".join(steps))


def _show_floors(asked: Sequence[Asked], elsewhere: Sequence[Floats]) -> None:
    default = Settings().episode_floor
    print("\nFloors (* default): best evidence survives, empty without the evidence, empty in another's bank")
    for floor in sorted({default, *FLOORS}):
        figures = floor_figures(asked, elsewhere, floor)
        shares = "   ".join(f"{figures[name]:.3f}" for name in list(figures)[1:])
        print(f"  {floor:<6g}{'*' if floor == default else ' '}  {shares}")
