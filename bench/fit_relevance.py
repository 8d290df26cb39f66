"""The relevance of a hit: how likely it answers, by the score about the question and its lead, and how true that is.

A logistic curve for each table and strategy on the 10 best candidates of each question, each corpus counting alike; of
a question that nothing answers all are wrong. Judged left out, as the weights are: the expected calibration error (the
mean distance between what is said and what is so, in ten bins of what is said), and how well the relevance of a first
hit tells right ones from wrong ones (the area under the ROC curve).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench import softmax
from bench.candidates import DEPTH, Asked
from bench.fit_corpora import DEVELOPMENT
from reverie.domain.query import Strategy
from reverie.memory.scoring import score

Floats = NDArray[np.float64]
BINS = 10
SURVIVAL = 0.98


@dataclass(frozen=True, kw_only=True, slots=True)
class Hits:
    """The best candidates of a corpus's questions: about and lead as columns, and whether it is right, first, and of a
    question that nothing answers. ``bank`` and ``question`` are by number.
    """

    rows: Floats
    right: NDArray[np.bool_]
    first: NDArray[np.bool_]
    unanswerable: NDArray[np.bool_]
    bank: NDArray[np.str_]
    question: NDArray[np.intp]


def fit(
    title: str,
    corpora: Mapping[str, Sequence[Asked]],
    shipped: Mapping[str, float],
    curves: Mapping[Strategy, score.Curve],
) -> dict[str, float]:
    """The figures of the curves of one table, printed as well."""
    metrics: dict[str, float] = {}
    for strategy in (Strategy.HYBRID, Strategy.SEMANTIC, Strategy.LEXICAL):
        hits = {name: best(some, shipped, strategy) for name, some in corpora.items()}
        found = _of_strategy(f"{title}, {strategy}", hits, np.array(curves[strategy]))
        metrics |= {f"curve_{strategy}_{name}": value for name, value in found.items()}
    return metrics


def best(asked: Sequence[Asked], shipped: Mapping[str, float], strategy: Strategy) -> Hits:
    """The 10 best candidates of each question by one strategy, as the shipped table scores them."""
    weights = dict(shipped) if strategy is Strategy.HYBRID else {str(strategy): 1.0}
    about = {name: weight for name, weight in weights.items() if name in score.ABOUT_THE_QUESTION}
    rows, right, first, unanswerable, bank, question = [], [], [], [], [], []
    for number, one in enumerate(asked):
        order = one.order(weights)[:DEPTH]
        if strategy is Strategy.LEXICAL:  # what shares no word is no hit then
            order = order[one.signals["lexical"][order] > 0]
        total = one.total(about)
        rows.append(np.column_stack([total, score.leads(total)])[order])
        right.append(one.right[order])
        first.append(np.arange(len(order)) == 0)
        unanswerable.append(np.full(len(order), not one.wanted))
        bank.append(np.full(len(order), one.bank))
        question.append(np.full(len(order), number))
    return Hits(
        rows=np.concatenate(rows), right=np.concatenate(right), first=np.concatenate(first),
        unanswerable=np.concatenate(unanswerable), bank=np.concatenate(bank), question=np.concatenate(question),
    )  # fmt: skip


def fitted(hits: Mapping[str, Hits], left: str = "") -> Floats | None:
    """The curve by all corpora, or by the others' questions about other banks than that one's; None without any."""
    banks = [*set(hits[left].bank)] if left else []
    rows, right, shares = [], [], []
    for name, some in hits.items():
        kept = ~np.isin(some.bank, banks)
        if name != left and kept.any():
            rows.append(some.rows[kept])
            right.append(some.right[kept])
            shares.append(np.full(kept.sum(), 1 / kept.sum()))
    return (
        softmax.curve(np.concatenate(rows), np.concatenate(right), np.concatenate(shares)) if rows else None
    )


def calibration_error(likely: Floats, right: NDArray[np.bool_], shares: Floats | None = None) -> float:
    """The mean distance between what is said and what is so, over the bins."""
    return sum(share * abs(said - so) for said, so, share in reliability(likely, right, shares))


def reliability(
    likely: Floats, right: NDArray[np.bool_], shares: Floats | None = None
) -> Iterator[tuple[float, float, float]]:
    """What is said on average, what is so, and the share of hits, in each bin that has any."""
    counts = np.ones(len(likely)) if shares is None else shares
    places = np.minimum((likely * BINS).astype(np.intp), BINS - 1)
    for place in range(BINS):
        here = places == place
        if here.any():
            weight = counts[here]
            said, so = np.average(likely[here], weights=weight), np.average(right[here], weights=weight)
            yield float(said), float(so), float(weight.sum() / counts.sum())


def area(likely: Floats, right: NDArray[np.bool_]) -> float:
    """How often a right one is said to be more likely than a wrong one (ties count half); not a number without both."""
    more = likely[right][:, None] - likely[~right][None, :]
    return float(((more > 0) + 0.5 * (more == 0)).mean()) if more.size else float("nan")


def _of_strategy(title: str, hits: Mapping[str, Hits], shipped: Floats) -> dict[str, float]:
    taught = {name: some for name, some in hits.items() if name in DEVELOPMENT}
    curve = fitted(taught)
    metrics: dict[str, float] = {}
    print(f"\n{title}: the relevance")
    if curve is not None:
        metrics |= dict(zip(("bias", "slope", "lead"), map(float, curve), strict=True)) | _floor(
            taught, curve
        )
        print("  log odds = {:.2f} + {:.2f} about + {:.2f} lead".format(*curve))
    print(f"  {'':12}   left out: ece, of first hits, auc    shipped: ece, of first hits, auc")
    pooled = []
    for name, some in hits.items():
        own = fitted(taught, name) if name in taught else curve
        judged = {"shipped": _judged(shipped, some)}
        if own is not None:
            judged = {"left_out": _judged(own, some)} | judged
        metrics |= {
            f"{name}_{table}_{figure}": value
            for table, figures in judged.items()
            for figure, value in figures.items()
        }
        cells = ["".join(f"{value:8.3f}" for value in figures.values()) for figures in judged.values()]
        print(f"  {name:12}" + "".join(f" {cell:>35}" for cell in ([""] * (own is None) + cells)))
        if own is not None and name in taught:
            shares = np.full(len(some.right), 1 / len(some.right))
            pooled.append((softmax.probability(own, some.rows), some.right, shares))
    if pooled:
        likely, right, shares = (np.concatenate(parts) for parts in zip(*pooled, strict=True))
        metrics["all_ece"] = calibration_error(likely, right, shares)
        print("  left out, all that may be fitted on alike: said, so, share of the hits")
        for said, so, share in reliability(likely, right, shares):
            print(f"    {said:6.3f} {so:6.3f} {share:6.3f}")
    return metrics


def _judged(curve: Floats, hits: Hits) -> dict[str, float]:
    likely = softmax.probability(curve, hits.rows)
    first, right = likely[hits.first], hits.right[hits.first]
    return {
        "ece": calibration_error(likely, hits.right),
        "first_ece": calibration_error(first, right),
        "auc": area(first, right),
    }


def _floor(hits: Mapping[str, Hits], curve: Floats) -> dict[str, float]:
    """The relevance that the best right hit of 98 % of questions reaches, the corpora counting alike; and of questions
    that nothing answers, how many have no hit above it.
    """
    reached, shares, most = [], [], []
    for some in (one for one in hits.values() if one.right.any()):
        likely = softmax.probability(curve, some.rows)
        best = [
            likely[(some.question == number) & some.right].max()
            for number in np.unique(some.question[some.right])
        ]
        reached += best
        shares += [1 / len(best)] * len(best)
        most += [*likely[some.first & some.unanswerable]]
    if not reached:
        return {}
    order = np.argsort(reached)
    place = np.searchsorted(np.cumsum(np.array(shares)[order]) / sum(shares), 1 - SURVIVAL)
    floor = float(np.array(reached)[order][place])
    metrics = {"floor_98": floor}
    if most:
        metrics["floor_98_refused"] = float(np.mean(np.array(most) < floor))
    return metrics
