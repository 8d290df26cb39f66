"""What recall looks at for a question: its candidates with their signals, and which of them answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from reverie import Agent
from reverie.memory.scoring import score
from reverie.services.recall import recall

Floats = NDArray[np.float64]
Answers = Callable[[Any], Sequence[bool]]
"""Which of the candidates answer."""
DEPTH = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One question's candidates, best first as they are scored: their signals by name, and which of them are right.

    ``wanted``: how many right ones make the answer; 0 where nothing answers. ``recalled``: whether it is right, of each
    of the 10 hits that recall gives. ``bank``: what was asked.
    """

    bank: str
    signals: Mapping[str, Floats]
    right: NDArray[np.bool_]
    wanted: int
    recalled: Sequence[bool] = ()

    def matrix(self, names: Sequence[str]) -> Floats:
        """The signals of these names as columns."""
        return np.column_stack([self.signals[name] for name in names])

    def total(self, weights: Mapping[str, float]) -> Floats:
        """The score of each candidate by these weights."""
        found: Floats = np.zeros(len(self.right))
        for name, weight in weights.items():
            found = found + weight * self.signals[name]
        return found

    def order(self, weights: Mapping[str, float]) -> NDArray[np.intp]:
        """Places of the candidates, best first by these weights; equals as they were."""
        return np.argsort(-np.round(self.total(weights), 9), kind="stable")


def of_episodes(agent: Agent, text: str, answers: Answers, *, bank: str, wanted: int | None = None) -> Asked:
    """What a recall of episodes looks at. Without ``wanted`` any right one will do."""
    with spied("score_episodes") as seen:
        hits = agent.recall_episodes(text, limit=DEPTH, min_score=0).hits
    found, question = seen[0]
    scored, signals = score.score_episodes(found, question), score.episode_signals(found, question)
    return _asked(found, scored, signals, answers(found), [hit.id for hit in hits], bank, wanted)


def of_memories(
    agent: Agent, text: str, answers: Answers, *, bank: str, wanted: int | None = None, **given: Any
) -> Asked:
    """What a recall of memories looks at. Without ``wanted`` any right one will do. ``given``: as_of."""
    with spied("score_memories") as seen:
        hits = agent.recall(text, limit=DEPTH, min_score=0, **given).hits
    found, question = seen[0]
    scored, signals = score.score_memories(found, question), score.memory_signals(found, question)
    return _asked(found, scored, signals, answers(found), [hit.id for hit in hits], bank, wanted)


@contextmanager
def spied(name: str) -> Iterator[list[tuple[Any, score.Question]]]:
    """The candidates and the question of each call of one of the rules meanwhile: ``score_episodes`` or
    ``score_memories``.
    """
    seen: list[tuple[Any, score.Question]] = []
    rule: Callable[..., score.Scored] = getattr(score, name)

    def spy(found: Any, question: score.Question) -> score.Scored:
        seen.append((found, question))
        return rule(found, question)

    with mock.patch.object(recall, name, spy):
        yield seen


def _asked(
    found: Any, scored: score.Scored, signals: Mapping[str, Floats], right: Sequence[bool],
    hits: Sequence[str], bank: str, wanted: int | None,
) -> Asked:  # fmt: skip
    order = score.best_first(scored, found.ids)
    are_right = dict(zip(found.ids, right, strict=True))
    return Asked(
        bank=bank,
        signals={name: signal[order] for name, signal in signals.items()},
        right=np.array(right, np.bool_)[order],
        wanted=1 if wanted is None else wanted,
        recalled=[are_right.get(hit, False) for hit in hits],
    )
