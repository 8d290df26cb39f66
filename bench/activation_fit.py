"""What layer B is made with: how far the count is squashed and where the thresholds lie, chosen by one rule.

First the exponent of the count, with which most of what is needed fits; then the thresholds: of those that lose at
most half a point of it the highest least relevance of the best hit, and with it the highest product. Each persona is
judged with what was chosen on the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bench.metrics import mean
from reverie.domain.memory import State
from reverie.domain.query import Filter, Strategy
from reverie.domain.time import micros
from reverie.language.lexical_terms import query_terms
from reverie.memory.decay import COUNT_CAP, activation_of
from reverie.memory.prompt.activation import Situation, most_promising, reckoned_at
from reverie.memory.prompt.block import BlockSection, one_line
from reverie.memory.quoting.fence import fenced
from reverie.memory.scoring.score import Question, score_memories
from reverie.ports.search import Probe
from reverie.services.runtime.desk import Desk

Floats = NDArray[np.float64]
EXPONENTS = (0.0, 0.125, 0.25, 0.5, 1.0)
LEAST_RELEVANCE = (0.0, 0.08, 0.1, 0.12, 0.14, 0.16)
THRESHOLDS = (0.0, 0.001, 0.002, 0.004, 0.006, 0.008)
MOST_LOST = 0.005
MOST_WEIGHED = 96


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """One query's memories of layer B: columns of one length. ``activation`` is without the count;
    ``needed`` how often each is needed, of ``of`` in all.
    """

    relevance: Floats
    activation: Floats
    count: Floats
    tokens: NDArray[np.int64]
    needed: Floats
    of: int
    frame: int

    def covered(self, choice: Choice, budget: int) -> float:
        """The share of what is needed that enters."""
        scores = self.relevance * self.activation * self.count**choice.exponent
        if self.relevance.max(initial=0.0) < choice.least_relevance:
            return 0.0
        scores[scores < choice.threshold] = -1.0
        left, held = budget - self.frame, 0.0
        for place in np.argsort(-scores, kind="stable").tolist():
            if scores[place] < 0:
                break
            if self.tokens[place] <= left:
                left -= int(self.tokens[place])
                held += float(self.needed[place])
        return held / self.of


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """An exponent of the count, and the thresholds."""

    exponent: float
    least_relevance: float = 0.0
    threshold: float = 0.0


def weighed(desk: Desk, agent_id: str, task: str, needed: Sequence[str]) -> Weighed:
    """What layer B weighs for a task, each with its line's cost."""
    now = desk.clock()
    terms = tuple(query_terms(task))
    probe = Probe(
        filter=Filter(states=frozenset({State.ACTIVE})), now=now, vector=desk.embedder.embed_query(task),
        terms=terms, limit=desk.settings.recall.candidates, labels=False, context=False,
    )  # fmt: skip
    found = desk.search.view(agent_id).memories(probe)
    question = Question(strategy=Strategy.HYBRID, now=micros(now), terms=len(terms))
    relevances = score_memories(found, question).relevance
    around = Situation(now=now, path=None, least_relevance=0.0, threshold=0.0)
    relevance = dict(zip(found.ids, relevances.tolist(), strict=True))
    ids = [found.ids[place] for place in most_promising(found, relevances, around)[:MOST_WEIGHED]]
    with desk.store.read(agent_id) as unit:
        memories = unit.memories.get(ids)
    at = reckoned_at(memories.values(), now)
    counts = np.array([memories[id].reinforcement_count + memories[id].touches for id in ids], np.float64)
    counts = counts.clip(1, COUNT_CAP)
    return Weighed(
        relevance=np.array([relevance[id] for id in ids]),
        activation=np.array([activation_of(memories[id], at) for id in ids]) / counts,
        count=counts,
        tokens=np.array([desk.tokens(f"- {one_line(memories[id].essence)}\n") for id in ids]),
        needed=np.array([needed.count(id) for id in ids], np.float64),
        of=len(needed),
        frame=desk.tokens(fenced("")) + desk.tokens(f"{BlockSection.KNOWN.heading}\n"),
    )


def report(answers: Sequence[tuple[int, Weighed]], budget: int) -> dict[str, float]:
    """What the rule chooses, and how well it does on personas that it didn't see; each query with its persona."""
    by_persona = {persona: [one for number, one in answers if number == persona] for persona, _ in answers}
    chosen = choose([one for _, one in answers], budget)
    metrics = {
        "exponent": chosen.exponent,
        "least_relevance": chosen.least_relevance,
        "threshold": chosen.threshold,
        "covered_unsquashed": covered([one for _, one in answers], Choice(exponent=1.0), budget),
        "covered_by_relevance_alone": covered(
            _uniform(one for _, one in answers), Choice(exponent=0.0), budget
        ),
    }
    if len(by_persona) > 1:
        left_out: list[float] = []
        for persona, own in by_persona.items():
            others = [one for number, one in answers if number != persona]
            choice = choose(others, budget)
            left_out += [one.covered(choice, budget) for one in own]
        metrics["covered_left_out"] = mean(left_out)
    return metrics


def choose(answers: Collection[Weighed], budget: int) -> Choice:
    """By the rule above."""
    best = max(
        (Choice(exponent=exponent) for exponent in EXPONENTS), key=lambda c: covered(answers, c, budget)
    )
    most = covered(answers, best, budget)
    for least, threshold in sorted(product(LEAST_RELEVANCE, THRESHOLDS), reverse=True):
        choice = Choice(exponent=best.exponent, least_relevance=least, threshold=threshold)
        if covered(answers, choice, budget) >= most - MOST_LOST:
            return choice
    return best


def covered(answers: Iterable[Weighed], choice: Choice, budget: int) -> float:
    """The mean share of what is needed that enters."""
    return mean([one.covered(choice, budget) for one in answers])


def _uniform(answers: Iterable[Weighed]) -> list[Weighed]:
    """As if all memories were equally active."""
    return [
        Weighed(
            relevance=one.relevance, activation=np.ones(len(one.relevance)), count=one.count, tokens=one.tokens,
            needed=one.needed, of=one.of, frame=one.frame,
        )
        for one in answers
    ]  # fmt: skip
