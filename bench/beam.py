"""BEAM through the public client: observe each chat, ask its probing questions, look for the messages that answer them.

Evidence recall@k is the share of a question's evidence among the k best, averaged over questions: over the user's
messages alone, and (``all_``) over all messages. Beside Reverie's order stand its semantic and its lexical strategy and
the plain sum of two z-scores, of the cosine and of BM25, over the candidates that a recall has.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import beam_data
from bench.candidates import spied
from bench.every import every
from bench.metrics import mean, recall_at
from bench.report import rounded, show
from bench.talk_data import NOTHING, Question, Talk, observed
from bench.vectors import kept_vectors
from reverie import Agent, Settings
from reverie.ports.embedder import Embedder

DEPTHS = (5, 10)
DEEPEST = max(DEPTHS)
HYBRID = "hybrid"
PLAIN = ("semantic", "lexical")
ZSUM = "zsum"
_ALL_CANDIDATES = 200
NOTES = {
    "recall@5": "over the user's messages alone",
    "zsum_recall@5": "z-score of the cosine + z-score of BM25",
    "all_recall@5": "over the assistant's messages as well",
    "updates_new_first": "of changes of fact: of the messages that tell it, the first has the new value",
    "unanswerable_empty": "of questions that nothing answers: nothing is above the default floor",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came back for one question: refs, best first, by how they were ranked.

    ``new_first``: whether of what was so and what is so now the latter came first; None where not both are stored.
    """

    question: Question
    refs: Mapping[str, Sequence[str | None]]
    new_first: bool | None
    is_empty: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder of BEAM's chats: 1, 2, …")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")


def run(json_output: bool = False, *, data: Path, keep: Path | None = None) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    metrics: dict[str, float] = {}
    with kept_vectors(Settings(), keep) as embedder:
        for prefix, everything in (("", False), ("all_", True)):
            talks = beam_data.read(data, everything=everything)
            answers = [answer for talk in talks for answer in asked(talk, embedder)]
            metrics |= {f"{prefix}{name}": value for name, value in quality(answers).items()}
            metrics[f"{prefix}messages"] = sum(len(one.messages) for talk in talks for one in talk.sittings)
    metrics = rounded(metrics)
    show(f"BEAM evidence recall ({data.name})", metrics, json_output=json_output, notes=NOTES)
    return metrics


def asked(talk: Talk, embedder: Embedder) -> list[Answer]:
    """What comes back for each of a talk's questions."""
    with observed(talk, embedder) as (agent, _):
        refs = {episode.id: episode.ref for episode in every(agent.episodes)}
        return [_asked(agent, question, refs) for question in talk.questions]


def quality(answers: Sequence[Answer]) -> dict[str, float]:
    """The metrics of one way to store the chats."""
    main = [one for one in answers if one.question.evidence]
    found: dict[str, float] = {}
    for name in (HYBRID, *PLAIN, ZSUM):
        prefix = "" if name == HYBRID else f"{name}_"
        found |= {f"{prefix}recall@{depth}": _recall(depth, main, name) for depth in DEPTHS}
    for kind in sorted({one.question.kind for one in main}):
        found[f"{kind}_recall@10"] = _recall(10, [one for one in main if one.question.kind == kind], HYBRID)
    changes = [one.new_first for one in answers if one.new_first is not None]
    nothing = [one.is_empty for one in answers if one.question.kind == NOTHING]
    return found | {
        "updates_new_first": mean(changes), "updates_n": len(changes),
        "unanswerable_empty": mean(nothing), "unanswerable_n": len(nothing), "n": len(main),
    }  # fmt: skip


def _recall(depth: int, answers: Sequence[Answer], name: str) -> float:
    return mean([recall_at(depth, one.refs[name], one.question.evidence) for one in answers])


def _asked(agent: Agent, question: Question, refs: Mapping[str, str | None]) -> Answer:
    with spied("score_episodes") as seen:
        best = {
            name: [
                hit.ref
                for hit in agent.recall_episodes(
                    question.text, limit=DEEPEST, min_score=0, strategy=name
                ).hits
            ]
            for name in (HYBRID, *PLAIN)
        }
    found, _ = seen[0]  # hybrid's
    best[ZSUM] = [refs[found.ids[place]] for place in by_zsum(found)[:DEEPEST]]
    return Answer(
        question=question,
        refs=best,
        new_first=_is_new_first(agent, question) if question.old and question.new else None,
        is_empty=not agent.recall_episodes(question.text).hits,
    )


def by_zsum(found: Any) -> NDArray[np.intp]:
    """Places of the candidates, by the sum of their two z-scores."""
    return np.argsort(-(_z(found.semantic) + _z(found.lexical)), kind="stable")


def _z(values: NDArray[np.float32]) -> NDArray[np.float64]:
    wide = values.astype(np.float64)
    spread = wide.std()
    centred: NDArray[np.float64] = (wide - wide.mean()) / (spread if spread > 1e-9 else 1.0)
    return centred


def _is_new_first(agent: Agent, question: Question) -> bool:
    hits = agent.recall_episodes(question.text, limit=_ALL_CANDIDATES, min_score=0).hits
    told: Collection[str] = question.old | question.new
    return next((hit.ref in question.new for hit in hits if hit.ref in told), False)
