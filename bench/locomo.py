"""LoCoMo through the public client: observe each dialogue, ask each question, look for the evidence turns.

Evidence recall@k is the share of a question's evidence turns among the k best, averaged over the questions of
categories 1 to 4. A dialogue is one agent, a session a conversation, a turn's id the message's ref.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench import locomo_data, places
from bench.locomo_budgets import within_budgets
from bench.locomo_data import ANSWERABLE, Dialogue, Question
from bench.locomo_floors import floor_curve, judged
from bench.metrics import mean, ndcg_at, recall_at, reciprocal_rank
from bench.report import rounded, show
from bench.vectors import kept_vectors
from reverie import Agent, EmbedSettings, Reverie, Settings, Strategy
from reverie.domain.settings import Compute

DEPTHS = (5, 10, 20, 50)
DEEPEST = max(DEPTHS)

NOTES = {
    "n": "questions of categories 1–4 that have evidence",
    "cat5_recall@10": "adversarial questions, apart",
    "floor_empty_share": "of all questions: nothing found above the default floor",
    "floor_survival": "of questions with evidence among the 50 best: some of it is above the default floor",
    "floor_kept": "of questions with evidence among the candidates: the best hit is above the default floor",
    "floor_refused": "of questions: nothing is above it once their evidence is forgotten",
    "floor_kept_at_0.006": "the same at this floor, and at those below",
    "floor_keeping_0.99": "the highest floor that keeps this share, and what it refuses; so below",
    "floor_refused_elsewhere": "of questions: nothing is above it in the next dialogue's bank",
    "recall_500_tokens": "evidence within so many tokens of recalled text, without a floor",
    "turns_500_tokens": "so many turns on average",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came back for one question: refs, best first, and those above the default floor."""

    question: Question
    refs: tuple[str | None, ...]
    above_floor: tuple[str | None, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a file in LoCoMo's format")
    parser.add_argument(
        "--sample", action="append", default=[], help="only this one (id, or number from 0); may be repeated"
    )
    parser.add_argument("--strategy", default="hybrid", choices=[str(strategy) for strategy in Strategy])
    parser.add_argument(
        "--compute", default="int8", choices=["int8", "f32"], help="the embedder's arithmetic"
    )
    parser.add_argument(
        "--budgets",
        action="store_true",
        help="also within 500, 1,000 and 2,000 tokens, beside plain BM25 and dense",
    )
    parser.add_argument(
        "--floors",
        action="store_true",
        help="also what floors keep, and refuse where the evidence was forgotten",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        help="a folder that keeps the texts' vectors for the next run; no speed is told then",
    )
    parser.add_argument("--url", help="on this PostgreSQL instead, in a database that is dropped at the end")


def run(
    json_output: bool = False,
    *,
    data: Path,
    sample: Sequence[str] = (),
    strategy: str = "hybrid",
    compute: Compute = "int8",
    budgets: bool = False,
    floors: bool = False,
    keep: Path | None = None,
    url: str | None = None,
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    if floors and url is not None:
        raise SystemExit("--floors copies bank files: leave --url out")
    dialogues = locomo_data.read(data, sample)
    turns = sum(dialogue.turns for dialogue in dialogues)
    settings = Settings(embed=EmbedSettings(compute=compute))
    more: dict[str, float] = {}
    with ExitStack() as stack:
        vectors = stack.enter_context(kept_vectors(settings, keep)) if keep or budgets or floors else None
        reverie = stack.enter_context(places.empty(url, settings=settings, embedder=vectors))
        start = time.perf_counter()
        agents = [observed(reverie, dialogue) for dialogue in dialogues]
        observing = time.perf_counter() - start
        answers: list[Answer] = []
        asking = 0.0
        for agent, dialogue in zip(agents, dialogues, strict=True):
            given, seconds = _ask(agent, dialogue.questions, strategy)
            answers += given
            asking += seconds
        if budgets:
            more |= within_budgets(agents, dialogues, strategy)
        if floors:
            assert vectors is not None
            found = judged(dialogues, settings=settings, embedder=vectors, strategy=strategy)
            more |= floor_curve(found, settings.recall.episode_floor)
    if keep is None:
        more |= {"observe_per_s": turns / observing, "questions_per_s": len(answers) / asking}
    metrics = rounded(
        {
            **quality(answers),
            "questions": len(answers),
            "dialogues": len(dialogues),
            "turns": turns,
            **more,
        }
    )
    where = "SQLite" if url is None else "PostgreSQL"
    title = f"LoCoMo evidence recall, {strategy}, {compute}, {where} ({data.name})"
    show(title, metrics, json_output=json_output, notes=NOTES)
    return metrics


def observed(reverie: Reverie, dialogue: Dialogue) -> Agent:
    """The dialogue's agent, its sessions observed in their order."""
    agent = reverie.agent(dialogue.id)
    for session in dialogue.sessions:
        agent.observe(session.messages, conversation=session.conversation)
    return agent


def quality(answers: Sequence[Answer]) -> dict[str, float]:
    """The metrics of the answers; questions without evidence count only for the floor."""
    with_evidence = [answer for answer in answers if answer.question.evidence]
    main = [answer for answer in with_evidence if answer.question.category in ANSWERABLE]
    found: dict[str, float] = {f"recall@{k}": _recall(k, main) for k in DEPTHS}
    found["mrr"] = mean([reciprocal_rank(answer.refs, answer.question.evidence) for answer in main])
    found["ndcg@10"] = mean([ndcg_at(10, answer.refs, answer.question.evidence) for answer in main])
    by_category: dict[int, list[Answer]] = defaultdict(list)
    for answer in with_evidence:
        by_category[answer.question.category].append(answer)
    for category, group in sorted(by_category.items()):
        found[f"cat{category}_recall@10"] = _recall(10, group)
        found[f"cat{category}_n"] = len(group)
    reached = [answer for answer in main if set(answer.refs) & set(answer.question.evidence)]
    kept = [answer for answer in reached if set(answer.above_floor) & set(answer.question.evidence)]
    found["floor_empty"] = sum(not answer.above_floor for answer in answers)
    found["floor_empty_share"] = mean([not answer.above_floor for answer in answers])
    found["floor_survival"] = len(kept) / len(reached) if reached else 0.0
    found["n"] = len(main)
    return found


def _recall(k: int, answers: Sequence[Answer]) -> float:
    return mean([recall_at(k, answer.refs, answer.question.evidence) for answer in answers])


def _ask(agent: Agent, questions: Sequence[Question], strategy: str) -> tuple[list[Answer], float]:
    """The answers, and the seconds that asking without a floor took."""
    answers, seconds = [], 0.0
    for question in questions:
        start = time.perf_counter()
        found = agent.recall_episodes(question.text, limit=DEEPEST, min_score=0, strategy=strategy)
        seconds += time.perf_counter() - start
        kept = agent.recall_episodes(question.text, limit=DEEPEST, strategy=strategy)
        answers.append(
            Answer(
                question=question,
                refs=tuple(hit.ref for hit in found.hits),
                above_floor=tuple(hit.ref for hit in kept.hits),
            )
        )
    return answers, seconds
