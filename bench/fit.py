"""The tables of weights: fitted, judged on what they weren't fitted on, and what each signal gives.

Episodes are fitted on LoCoMo's questions, memories on RealMem's queries (``--memories``). Every question's candidates
are looked up once, as recall looks them up; all that follows is arithmetic on their signals. The weights are the most
likely ones (``bench.softmax``), scaled so that semantic carries its share. Leave-one-out: each dialogue (persona) is
judged with weights fitted on the others, so that no figure is taken on what chose it. The shipped tables are these
weights, rounded; they are judged beside them.

The relevance curve is the logistic regression of "is evidence" on the part of the shipped score that is about the
question, among the 20 best of each.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench import locomo_data, places, realmem_data, softmax
from bench.candidates import spied
from bench.locomo import observed
from bench.locomo_data import ANSWERABLE, Dialogue
from bench.metrics import mean
from bench.realmem import lived
from bench.realmem_data import Persona, Query
from bench.report import rounded, show
from bench.vectors import kept_vectors
from reverie import Agent, Episode, Settings
from reverie.ports.embedder import Embedder
from reverie.rules import score

Floats = NDArray[np.float64]
CURVE_DEPTH = 20
SURVIVAL = 0.97

NOTES = {
    "recall@10": "the shipped weights",
    "left_out_recall@10": "weights fitted without the dialogue or persona that they are judged on",
    "left_out_cat5_recall@10": "adversarial questions, judged so too; no weights are fitted on them",
    "fitted_recall@10": "weights fitted on these very questions",
    "floor_97": "the relevance that the best evidence of 97 % of questions reaches",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One question's candidates: signals by name, best first as shipped; ``evidence`` counts what there is to find."""

    group: int
    main: bool
    signals: Mapping[str, Floats]
    is_evidence: NDArray[np.bool_]
    evidence: int

    def matrix(self, names: Sequence[str]) -> Floats:
        """The signals of these names as columns."""
        return np.column_stack([self.signals[name] for name in names])

    def ranked(self, weights: Mapping[str, float]) -> NDArray[np.bool_]:
        """Whether it is evidence, of each candidate, best first by these weights; equals as they were."""
        return self.is_evidence[np.argsort(-np.round(self.total(weights), 9), kind="stable")]

    def total(self, weights: Mapping[str, float]) -> Floats:
        """The score of each candidate by these weights."""
        found: Floats = np.sum([weight * self.signals[name] for name, weight in weights.items()], axis=0)
        return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a file in LoCoMo's format, for episodes")
    parser.add_argument("--memories", type=Path, help="a folder of RealMem's dialogues, for memories")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")


def run(
    json_output: bool = False, *, data: Path, memories: Path | None = None, keep: Path | None = None
) -> dict[str, float]:
    """Measure, print, and give the metrics; those of memories begin with ``memories_``."""
    with kept_vectors(Settings(), keep) as embedder:
        asked = of_episodes(locomo_data.read(data), embedder)
        metrics = fit("Episodes", asked, score.EPISODE_WEIGHTS, more=["statement"])
        if memories is not None:
            learned = of_memories(realmem_data.read(memories, ()), embedder)
            found = fit("Memories", learned, score.MEMORY_WEIGHTS, more=["recency"])
            metrics |= {f"memories_{name}": value for name, value in found.items()}
    metrics = rounded(metrics)
    show(f"Weights and relevance ({data.name})", metrics, json_output=json_output, notes=NOTES)
    return metrics


def fit(
    title: str, asked: Sequence[Asked], shipped: Mapping[str, float], more: Sequence[str] = ()
) -> dict[str, float]:
    """The figures of one table of weights. Fitted are the signals about the question, and ``more``."""
    names = [name for name in shipped if name in score.ABOUT_THE_QUESTION | set(more)]
    rest = {name: weight for name, weight in shipped.items() if name not in names}
    main = [one for one in asked if one.main]
    best = fitted(main, names, shipped["semantic"])
    print(f"\n{title}: weights, shipped and fitted; recall@10 (left out) that is lost without the signal")
    whole = judged(left_out(asked, names, rest, shipped["semantic"]), main=True)["recall@10"]
    for name in names:
        fewer = [other for other in names if other != name]
        without = judged(left_out(asked, fewer, rest, shipped["semantic"]), main=True)["recall@10"]
        print(f"  {name:14} {shipped[name]:6.3f} {best[name]:7.3f}   {whole - without:+.4f}")
    metrics: dict[str, float] = {"n": len(main), **judged([(one, shipped) for one in asked], main=True)}
    metrics |= _named("left_out_", judged(left_out(asked, names, rest, shipped["semantic"]), main=True))
    metrics |= _named("fitted_", judged([(one, best | rest) for one in main], main=True))
    if len(main) < len(asked):
        others = judged(left_out(asked, names, rest, shipped["semantic"]), main=False)
        metrics["left_out_cat5_recall@10"] = others["recall@10"]
    metrics |= _named("fitted_weight_", best)
    return metrics | relevance(main, {name: shipped[name] for name in names if name not in more})


def fitted(asked: Sequence[Asked], names: Sequence[str], semantic: float) -> dict[str, float]:
    """The most likely weights of these signals, scaled so that semantic carries its share."""
    weights = softmax.fitted([(one.matrix(names), one.is_evidence) for one in asked])
    carried = float(weights[names.index("semantic")]) if "semantic" in names else 0.0
    scale = semantic / carried if carried > 0 else 1.0  # left out, or worth nothing: nothing to scale by
    return {name: float(weight * scale) for name, weight in zip(names, weights, strict=True)}


def left_out(
    asked: Sequence[Asked], names: Sequence[str], rest: Mapping[str, float], semantic: float
) -> list[tuple[Asked, Mapping[str, float]]]:
    """Each question with weights that were fitted on the other groups' main questions."""
    by_group = {
        group: fitted([one for one in asked if one.main and one.group != group], names, semantic) | dict(rest)
        for group in {one.group for one in asked}
    }
    return [(one, by_group[one.group]) for one in asked]


def judged(pairs: Sequence[tuple[Asked, Mapping[str, float]]], *, main: bool) -> dict[str, float]:
    """Evidence recall@5 and @10 and the mean reciprocal rank, over the main questions or over the others."""
    five, ten, ranks = [], [], []
    for one, weights in pairs:
        if one.main is main:
            hits = one.ranked(weights)
            five.append(float(hits[:5].sum()) / one.evidence)
            ten.append(float(hits[:10].sum()) / one.evidence)
            ranks.append(1.0 / (float(np.argmax(hits)) + 1) if hits.any() else 0.0)
    return {"recall@5": mean(five), "recall@10": mean(ten), "mrr": mean(ranks)}


def relevance(asked: Sequence[Asked], weights: Mapping[str, float]) -> dict[str, float]:
    """The curves by strategy, and where the floor would have to be."""
    found: dict[str, float] = {}
    for strategy, names in (("hybrid", list(weights)), ("semantic", ["semantic"]), ("lexical", ["lexical"])):
        share = dict(weights) if strategy == "hybrid" else dict.fromkeys(names, 1.0)
        totals = [one.total(share) for one in asked]
        order = [np.argsort(-total, kind="stable")[:CURVE_DEPTH] for total in totals]
        points = np.concatenate([total[best] for total, best in zip(totals, order, strict=True)])
        truths = np.concatenate([one.is_evidence[best] for one, best in zip(asked, order, strict=True)])
        bias, slope = softmax.curve(points, truths)
        found |= {f"curve_{strategy}_bias": bias, f"curve_{strategy}_slope": slope}
        if strategy == "hybrid":
            best = [
                total[one.is_evidence].max()
                for one, total in zip(asked, totals, strict=True)
                if one.is_evidence.any()
            ]
            least = float(np.quantile(best, 1 - SURVIVAL))
            found["floor_97"] = 1 / (1 + float(np.exp(-(bias + slope * least))))
    return found


def of_episodes(dialogues: Sequence[Dialogue], embedder: Embedder) -> list[Asked]:
    """The candidates of every question that has evidence; category 5 is not among the main ones."""
    asked = []
    with places.empty(None, embedder=embedder) as reverie:
        for number, dialogue in enumerate(dialogues):
            agent = observed(reverie, dialogue)
            refs = {episode.id: episode.ref for episode in _all(agent)}
            for question in dialogue.questions:
                if not question.evidence:
                    continue
                with spied("score_episodes") as seen:
                    agent.recall_episodes(question.text)
                found, asking = seen[0]
                signals = score.episode_signals(found, asking)
                told = [refs[key] in question.evidence for key in found.ids]
                main = question.category in ANSWERABLE
                scored = score.score_episodes(found, asking)
                asked.append(
                    _asked(number, scored, found.ids, signals, told, len(question.evidence), main=main)
                )
    return asked


def of_memories(personas: Sequence[Persona], embedder: Embedder) -> list[Asked]:
    """The candidates of every query among the facts that were remembered before it."""
    asked: list[Asked] = []
    for number, persona in enumerate(personas):

        def ask(agent: Agent, query: Query, became: Mapping[str, str], number: int = number) -> None:
            evidence = {became[key] for key in query.evidence}
            with spied("score_memories") as seen:
                agent.recall(query.text)
            found, asking = seen[0]
            signals = score.memory_signals(found, asking)
            told = [key in evidence for key in found.ids]
            scored = score.score_memories(found, asking)
            asked.append(_asked(number, scored, found.ids, signals, told, len(evidence), main=True))

        lived(persona, episodes=False, embedder=embedder, ask=ask)
    return asked


def _all(agent: Agent) -> Iterator[Episode]:
    after = None
    while page := agent.episodes(limit=1000, after=after):
        yield from page
        after = page[-1].id


def _asked(
    group: int,
    scored: score.Scored,
    ids: Sequence[str],
    signals: Mapping[str, Floats],
    told: Sequence[bool],
    evidence: int,
    *,
    main: bool,
) -> Asked:
    order = score.best_first(scored, ids)
    return Asked(
        group=group,
        main=main,
        signals={name: signal[order] for name, signal in signals.items()},
        is_evidence=np.array(told, np.bool_)[order],
        evidence=evidence,
    )


def _named(prefix: str, figures: Mapping[str, float]) -> dict[str, float]:
    return {f"{prefix}{name}": value for name, value in figures.items()}
