"""Activation: how much of what a task needs is inside the block for the prompt, over RealMem's queries.

Each query is asked at its moment of a life, of the facts of the sessions before it (see ``bench realmem``). What the
answer used is needed; covered is the share of it that the block holds, averaged over queries. Beside ours the same
budget is filled with the memories that are most similar to the query (cosine), and with the latest; these pay for
their texts alone, without headings and markers, and for none that isn't true or may not instruct.

A dozen tasks that have nothing to do with the lives (small talk, sums, code) are asked of each life's end: what enters
for them is noise.

Left out: squashing and thresholds are chosen on three personas and judged on the fourth (``bench.activation_fit``).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import activation_fit, realmem_data
from bench.activation_fit import Weighed
from bench.metrics import mean
from bench.realmem import lived
from bench.realmem_data import Persona, Query
from bench.report import rounded, show
from bench.vectors import kept_vectors
from reverie import Agent, Memory, Settings
from reverie.domain.block import ContextBlock
from reverie.memory.prompt.budget import fit
from reverie.ports.embedder import Embedder

BUDGET = 800
SMALL_TALK = (
    "hi",
    "Hello there, how are you?",
    "thanks!",
    "ok",
    "Good morning!",
    "That's great, thank you so much for your help.",
    "What's 17 times 23?",
    "Write a Python function that reverses a linked list",
    "Translate 'good evening' into Hungarian",
    "Fix the failing test in src/parser.py",
    "Summarize this PDF for me",
    "What is the capital of Australia?",
)

NOTES = {
    "covered_ours": "of the needed memories, the share inside the block",
    "covered_similarity": "the nearest by cosine, until the budget is full",
    "covered_recent": "the latest, until the budget is full",
    "covered_left_out": "ours with squashing and thresholds chosen on the other personas",
    "covered_unsquashed": "the count of reinforcements as it is, no thresholds",
    "covered_by_relevance_alone": "without activation and thresholds",
    "n": "queries with needed memories among the facts of earlier sessions",
    "entered": "memories in the block, on average",
    "precision": "of them needed ones",
    "tokens": "of the block, on average",
    "small_talk_entered": "memories in the block of a task that has nothing to do with the life",
    "small_talk_tokens": "what they cost",
    "small_talk_empty": "share of such tasks for which nothing enters",
    "exponent": "of the count, as chosen on all personas",
    "least_relevance": "chosen on all personas",
    "threshold": "chosen on all personas",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One query: the block, the baselines' choice by id, and what was needed."""

    persona: int
    needed: tuple[str, ...]
    block: ContextBlock
    similar: frozenset[str]
    recent: frozenset[str]
    weighed: Weighed

    def covered(self, ids: frozenset[str]) -> float:
        """The share of what was needed among these."""
        return mean([id in ids for id in self.needed])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder of RealMem's dialogues")
    parser.add_argument(
        "--persona",
        action="append",
        default=[],
        help="only this one (name, or number from 0); may be repeated",
    )
    parser.add_argument("--max-tokens", type=int, default=BUDGET, help=f"tokens (default {BUDGET})")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")


def run(
    json_output: bool = False,
    *,
    data: Path,
    persona: Sequence[str] = (),
    max_tokens: int = BUDGET,
    keep: Path | None = None,
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    answers: list[Answer] = []
    talk: list[ContextBlock] = []
    with kept_vectors(Settings(), keep) as embedder:
        for number, one in enumerate(realmem_data.read(data, persona)):
            answers += asked(one, number, embedder, max_tokens, talk)
            print(f"  {one.id}: lived", flush=True)
    metrics = rounded(
        {**quality(answers), **noise(talk), **activation_fit.report(_folds(answers), max_tokens)}
    )
    show(
        f"Activation within {max_tokens} tokens ({data.name})", metrics, json_output=json_output, notes=NOTES
    )
    return metrics


def asked(
    persona: Persona, number: int, embedder: Embedder, budget: int, talk: list[ContextBlock]
) -> list[Answer]:
    """One life's queries; at the end of it the small talk, whose blocks are added to ``talk``."""
    answers: list[Answer] = []
    left = sum(1 for _ in persona.queries())

    def ask(agent: Agent, query: Query, became: Mapping[str, str]) -> None:
        nonlocal left
        left -= 1
        answers.append(_answer(agent, query, became, number, budget))
        if not left:
            talk.extend(agent.context(task, max_tokens=budget) for task in SMALL_TALK)

    lived(persona, episodes=False, embedder=embedder, ask=ask)
    return answers


def quality(answers: Sequence[Answer]) -> dict[str, float]:
    """What the blocks hold of what was needed, beside the baselines."""
    entered = [frozenset(one.id for one in answer.block.entered) for answer in answers]
    held = [len(ids & set(answer.needed)) for ids, answer in zip(entered, answers, strict=True)]
    return {
        "covered_ours": mean([answer.covered(ids) for answer, ids in zip(answers, entered, strict=True)]),
        "covered_similarity": mean([answer.covered(answer.similar) for answer in answers]),
        "covered_recent": mean([answer.covered(answer.recent) for answer in answers]),
        "n": len(answers),
        "entered": mean([len(ids) for ids in entered]),
        "precision": sum(held) / max(sum(map(len, entered)), 1),
        "tokens": mean([answer.block.tokens for answer in answers]),
    }


def noise(talk: Sequence[ContextBlock]) -> dict[str, float]:
    """What enters where nothing is needed."""
    return {
        "small_talk_entered": mean([len(block.entered) for block in talk]),
        "small_talk_tokens": mean([block.tokens for block in talk]),
        "small_talk_empty": mean([not block.entered for block in talk]),
    }


def _answer(agent: Agent, query: Query, became: Mapping[str, str], persona: int, budget: int) -> Answer:
    desk = agent._desk  # noqa: SLF001  # the door tells no cosines of all memories
    memories = _all(agent)
    with desk.store.read(agent.id) as unit:
        vectors = unit.memories.vectors([memory.id for memory in memories])
    asked_for = desk.embedder.embed_query(query.text)
    cosines = {id: float(vector @ asked_for) for id, vector in vectors.items()}
    needed = tuple(became[key] for key in query.evidence)
    return Answer(
        persona=persona,
        needed=needed,
        block=agent.context(query.text, max_tokens=budget),
        similar=_until_full(memories, lambda memory: -cosines[memory.id], budget, desk.tokens),
        recent=_until_full(memories, lambda memory: -memory.created_at.timestamp(), budget, desk.tokens),
        weighed=activation_fit.weighed(desk, agent.id, query.text, needed),
    )


def _until_full(
    memories: Sequence[Memory],
    order: Callable[[Memory], float],
    budget: int,
    cost: Callable[[str, int], int],
) -> frozenset[str]:
    best = sorted(memories, key=order)
    places, _ = fit([memory.essence for memory in best], budget, cost)
    return frozenset(best[place].id for place in places)


def _all(agent: Agent) -> list[Memory]:
    found: list[Memory] = []
    while page := agent.memories(limit=1000, after=found[-1].id if found else None):
        found += page
    return found


def _folds(answers: Sequence[Answer]) -> list[tuple[int, Weighed]]:
    return [(answer.persona, answer.weighed) for answer in answers]
