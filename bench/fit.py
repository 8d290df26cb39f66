"""The weights and the relevance of the ranking, fitted across domains and judged on what they weren't fitted on.

Each question's candidates are looked up once, as recall looks them up; all that follows is arithmetic on their signals.
The weights of episodes and those of memories are the most likely ones (``bench.softmax``), each corpus counting alike,
scaled so that semantic carries its share. A corpus is judged *left out*: with what was fitted on the questions of the
other corpora about other banks. The shipped tables are these weights, rounded; they are judged beside them, and on
corpora that must not be fitted on. The relevance is ``bench.fit_relevance``'s.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from bench import fit_corpora, fit_relevance, softmax
from bench.candidates import Asked
from bench.fit_corpora import DEVELOPMENT, MEASURED
from bench.metrics import mean
from bench.report import rounded, show
from bench.vectors import kept_vectors
from reverie import Settings
from reverie.memory.scoring import score

Corpora = Mapping[str, Sequence[Asked]]
DESIGNED = frozenset({"importance", "validity", "confidence", "reinforcement"})
"""Signals of which no data that we know tells anything: their weights are small, and stay as they are."""
JUDGED = ("recall@10", "mrr")
NOTES = {
    "episodes_curve_hybrid_bias": "log odds of the relevance = bias + slope · score about the question + lead · lead",
    "episodes_curve_hybrid_all_ece": "expected calibration error over all that may be fitted on, left out",
    "episodes_curve_hybrid_floor_98": "the best right hit of 98 % of questions is as relevant",
    "episodes_curve_hybrid_floor_98_refused": "of questions that nothing answers: the first hit is less so",
}
_IN_TABLES = re.compile("_(recall@[0-9]+|first|mrr|auc|first_ece|(left_out|shipped)_ece|n)$")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--personas", type=Path, help="the folder of Synthetic-Persona-Chat's CSV files")
    parser.add_argument("--realmem", type=Path, help="a folder of RealMem's dialogues")
    parser.add_argument("--locomo", type=Path, help="a file in LoCoMo's format; it is only measured on")
    parser.add_argument("--beam", type=Path, help="a folder of BEAM's chats; it is only measured on")
    parser.add_argument("--prefeval", type=Path, help="a folder of PrefEval's files; it is only measured on")
    parser.add_argument(
        "--only", action="append", default=[], choices=[*DEVELOPMENT, *MEASURED],
        help="only this corpus; may be repeated",
    )  # fmt: skip
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")


def run(
    json_output: bool = False, *, personas: Path | None = None, realmem: Path | None = None,
    locomo: Path | None = None, beam: Path | None = None, prefeval: Path | None = None, only: Sequence[str] = (),
    keep: Path | None = None,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics: those of episodes, then those of memories."""
    given = {"personas": personas, "realmem": realmem, "locomo": locomo, "beam": beam, "prefeval": prefeval}
    folders = {name: path for name, path in given.items() if path is not None}
    with kept_vectors(Settings(), keep) as embedder:
        corpora = fit_corpora.read(folders, embedder, only)
    metrics: dict[str, float] = {}
    for kind, table, curves, every in (
        ("episodes", score.EPISODE_WEIGHTS, score.EPISODE_RELEVANCE, {n: c.episodes for n, c in corpora.items()}),
        ("memories", score.MEMORY_WEIGHTS, score.MEMORY_RELEVANCE, {n: c.memories for n, c in corpora.items()}),
    ):  # fmt: skip
        asked = {name: some for name, some in every.items() if some}
        if not asked:
            continue
        found = fit(kind, asked, table) | fit_relevance.fit(kind, asked, table, curves)
        metrics |= {f"{kind}_{name}": value for name, value in found.items()}
    metrics = rounded(metrics)
    rest = {name: value for name, value in metrics.items() if not _IN_TABLES.search(name)}
    show("Weights and relevance", rest, json_output=False, notes=NOTES)
    if json_output:
        print(json.dumps(metrics), flush=True)
    return metrics


def fit(title: str, corpora: Corpora, shipped: Mapping[str, float]) -> dict[str, float]:
    """The figures of one table of weights, printed as well."""
    taught = {name: some for name, some in corpora.items() if name in DEVELOPMENT and _teaches(some)}
    names = [name for name in shipped if name not in DESIGNED]
    best = (fitted(taught, names, shipped) | _designed(shipped)) if taught else dict(shipped)
    metrics = {f"weight_{name}": best[name] for name in names} if taught else {}
    whole = left_out(taught, names, shipped)
    judgements = {
        name: {"recalled": recalled(some), "shipped": judged(some, shipped), "fitted": judged(some, best)}
        | ({"left_out": judged(some, whole[name])} if name in whole else {})
        for name, some in corpora.items()
    }
    for name, by_table in judgements.items():
        metrics[f"{name}_n"] = sum(one.wanted > 0 for one in corpora[name])
        for table, figures in by_table.items():
            metrics |= {f"{name}_{table}_{figure}": value for figure, value in figures.items()}
    _print_judgements(title, corpora, judgements)
    costs = {signal: _costs(taught, signal, names, shipped, whole) for signal in shipped} if whole else {}
    for signal, by_corpus in costs.items():
        for name, figures in by_corpus.items():
            metrics |= {f"without_{signal}_{name}_{figure}": cost for figure, cost in figures.items()}
    _print_weights(title, shipped, best, costs)
    return metrics


def fitted(corpora: Corpora, names: Sequence[str], shipped: Mapping[str, float]) -> dict[str, float]:
    """The most likely weights of these signals, each corpus counting alike; the first carries its share."""
    lists: list[tuple[NDArray[np.float64], NDArray[np.bool_]]] = []
    shares: list[float] = []
    for some in corpora.values():
        told = [(one.matrix(names), one.right) for one in some if one.right.any()]
        lists += told
        shares += [1 / len(told)] * len(told)
    weights = softmax.fitted(lists, shares)
    scale = shipped[names[0]] / weights[0] if weights[0] > 0 else 1.0
    return {name: float(weight * scale) for name, weight in zip(names, weights, strict=True)}


def left_out(
    corpora: Corpora, names: Sequence[str], shipped: Mapping[str, float]
) -> dict[str, Mapping[str, float]]:
    """By corpus, weights fitted on all but it; those of signals that aren't fitted as shipped."""
    return {
        name: fitted(others, names, shipped) | _designed(shipped)
        for name in corpora
        if (others := without(corpora, name))
    }


def without(corpora: Corpora, left: str) -> Corpora:
    """The other corpora's questions about other banks than this one's."""
    banks = {one.bank for one in corpora[left]}
    others = {
        name: [one for one in some if one.bank not in banks] for name, some in corpora.items() if name != left
    }
    return {name: some for name, some in others.items() if _teaches(some)}


def judged(asked: Sequence[Asked], weights: Mapping[str, float]) -> dict[str, float]:
    """The figures of the candidates in the order of these weights, over the questions that have an answer."""
    return _figures([(one, one.right[one.order(weights)]) for one in asked if one.wanted])


def recalled(asked: Sequence[Asked]) -> dict[str, float]:
    """The figures of what recall gives."""
    return _figures([(one, np.array(one.recalled, np.bool_)) for one in asked if one.wanted])


def _teaches(asked: Sequence[Asked]) -> bool:
    return any(one.right.any() for one in asked)


def _figures(ranked: Sequence[tuple[Asked, NDArray[np.bool_]]]) -> dict[str, float]:
    """How many of the right ones that are wanted are first, among the 5 and the 10 best; the mean reciprocal rank."""
    figures = {
        f"recall@{depth}": mean([min(float(right[:depth].sum()) / one.wanted, 1.0) for one, right in ranked])
        for depth in (5, 10)
    }
    figures["first"] = mean([float(right[:1].sum()) for _, right in ranked])
    ranks = [1.0 / (float(np.argmax(right)) + 1) if right.any() else 0.0 for _, right in ranked]
    return figures | {"mrr": mean(ranks)}


def _designed(shipped: Mapping[str, float]) -> dict[str, float]:
    return {name: weight for name, weight in shipped.items() if name in DESIGNED}


def _costs(
    corpora: Corpora, signal: str, names: Sequence[str], shipped: Mapping[str, float],
    whole: Mapping[str, Mapping[str, float]],
) -> dict[str, dict[str, float]]:  # fmt: skip
    """By left-out corpus, what is lost where the others are fitted without this signal."""
    fewer = MappingProxyType({name: weight for name, weight in shipped.items() if name != signal})
    weights = left_out(corpora, [name for name in names if name != signal], fewer)
    lost = {}
    for name, all_weights in whole.items():
        before, after = judged(corpora[name], all_weights), judged(corpora[name], weights[name])
        lost[name] = {figure: before[figure] - after[figure] for figure in JUDGED}
    return lost


def _print_judgements(
    title: str, corpora: Corpora, judgements: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> None:
    tables = ("recalled", "shipped", "fitted", "left_out")
    print(f"\n{title}: recall@10 and mrr; fitted on all that may be fitted on, and left out")
    print(f"  {'':12} {'n':>5}" + "".join(f" {table:>14}" for table in tables))
    for name, by_table in judgements.items():
        cells = [
            f"{by_table[table]['recall@10']:7.3f} {by_table[table]['mrr']:6.3f}" if table in by_table else ""
            for table in tables
        ]
        answered = sum(one.wanted > 0 for one in corpora[name])
        print(f"  {name:12} {answered:5}" + "".join(f" {cell:>14}" for cell in cells))


def _print_weights(
    title: str,
    shipped: Mapping[str, float],
    best: Mapping[str, float],
    costs: Mapping[str, Mapping[str, Mapping[str, float]]],
) -> None:
    for figure in JUDGED:
        print(f"\n{title}: weights, shipped and fitted; {figure} (left out) that is lost without the signal")
        corpora = next(iter(costs.values()), {})
        print(f"  {'':14} {'ships':>6} {'fitted':>6}" + "".join(f" {name:>9}" for name in corpora))
        for signal, weight in shipped.items():
            lost = "".join(f" {figures[figure]:+9.4f}" for figures in costs.get(signal, {}).values())
            print(f"  {signal:14} {weight:6.2f} {best[signal]:6.2f}{lost}")
