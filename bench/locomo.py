"""LoCoMo through the public client: observe each dialogue, ask each question, look for the evidence turns.

Evidence recall@k is the share of a question's evidence turns among the k best, averaged over the questions of
categories 1 to 4. A dialogue is one agent, a session a conversation, a turn's id the message's ref.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import locomo_data, servers
from bench.filling import KEY
from bench.locomo_data import ANSWERABLE, Dialogue, Question
from bench.metrics import mean, ndcg_at, recall_at, reciprocal_rank
from bench.report import rounded, show
from reverie import Agent, Reverie, Settings, Strategy

DEPTHS = (5, 10, 20, 50)
DEEPEST = max(DEPTHS)

NOTES = {
    "n": "questions of categories 1–4 that have evidence",
    "cat5_recall@10": "adversarial questions, apart",
    "floor_empty_share": "of all questions: nothing found above the default floor",
    "floor_survival": "of questions with evidence among the 50 best: some of it is above the default floor",
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
    parser.add_argument("--url", help="on this PostgreSQL instead, in a database that is dropped at the end")


def run(
    json_output: bool = False,
    *,
    data: Path,
    sample: Sequence[str] = (),
    strategy: str = "hybrid",
    compute: str = "int8",
    url: str | None = None,
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    dialogues = locomo_data.read(data, sample)
    with _opened(url, Settings(embed_compute=compute)) as reverie:
        start = time.perf_counter()
        agents = [observed(reverie, dialogue) for dialogue in dialogues]
        observing = time.perf_counter() - start
        answers: list[Answer] = []
        asking = 0.0
        for agent, dialogue in zip(agents, dialogues, strict=True):
            given, seconds = _ask(agent, dialogue.questions, strategy)
            answers += given
            asking += seconds
    turns = sum(dialogue.turns for dialogue in dialogues)
    metrics = rounded(
        {
            **quality(answers),
            "questions": len(answers),
            "dialogues": len(dialogues),
            "turns": turns,
            "observe_per_s": turns / observing,
            "questions_per_s": len(answers) / asking,
        }
    )
    where = "SQLite" if url is None else "PostgreSQL"
    title = f"LoCoMo evidence recall, {strategy}, {compute}, {where} ({data.name})"
    show(title, metrics, json_output=json_output, notes=NOTES)
    return metrics


@contextmanager
def _opened(url: str | None, settings: Settings) -> Iterator[Reverie]:
    """An empty store in a file or on a server, gone at the end."""
    with ExitStack() as stack:
        if url is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-"))
            opened = Reverie.open(Path(folder) / "locomo.bank", key=KEY, settings=settings)
        else:
            opened = Reverie.open(stack.enter_context(servers.database(url)).url, settings=settings)
        yield stack.enter_context(opened)


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
