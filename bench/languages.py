"""Questions in German, Spanish and French over messages in the same and in another language, by embedder.

`--data` is a folder with `messages.jsonl` (ref, lang, speaker, time, conversation, content) and `questions.jsonl` (ask,
lang, refs; `same` tells whether the answer stands in the question's language, and is null where nothing answers). All
messages are one agent's episodes; each question is asked by meaning and words, by meaning alone and by words alone.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from bench import places
from bench.metrics import mean, recall_at, reciprocal_rank
from bench.realmem import Calendar
from bench.report import rounded, show
from reverie import Agent, EmbedSettings, Settings, Strategy
from reverie.domain.settings import EmbedProvider

EMBEDDERS = ("minilm", "multilingual")
DEEPEST = 10

NOTES = {
    "questions": "with an answer among the messages",
    "unanswerable": "questions without one",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What is asked in ``lang``, and the refs that answer. ``same``: they are in that language."""

    text: str
    lang: str
    refs: frozenset[str]
    same: bool | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder: bench/languages, say")
    parser.add_argument(
        "--embedder", action="append", default=[], choices=EMBEDDERS, help="only this one; may be repeated"
    )
    parser.add_argument("--url", help="on this PostgreSQL instead, in a database that is dropped at the end")


def run(
    json_output: bool = False, *, data: Path, embedder: Sequence[str] = (), url: str | None = None
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    if not (data / "messages.jsonl").exists():
        raise SystemExit(f"no messages.jsonl in {data}: give bench/languages, or a folder like it")
    messages = _lines(data / "messages.jsonl")
    questions = [
        Question(text=one["ask"], lang=one["lang"], refs=frozenset(one["refs"]), same=one["same"])
        for one in _lines(data / "questions.jsonl")
    ]
    answerable = [one for one in questions if one.refs]
    metrics: dict[str, float] = {
        "messages": len(messages),
        "questions": len(answerable),
        "unanswerable": len(questions) - len(answerable),
    }
    clock = Calendar()
    clock.now = max(datetime.fromisoformat(one["time"]) for one in messages) + timedelta(hours=1)
    for name in embedder or EMBEDDERS:
        with places.empty(
            url, settings=Settings(embed=EmbedSettings(provider=cast(EmbedProvider, name))), clock=clock
        ) as reverie:
            agent = reverie.agent("languages")
            start = time.perf_counter()
            observe(agent, messages)
            metrics[f"{name}_observe_per_s"] = len(messages) / (time.perf_counter() - start)
            metrics |= {f"{name}_{metric}": value for metric, value in asked(agent, questions)}
    metrics = rounded(metrics)
    show(f"Languages ({data})", metrics, json_output=json_output, notes=NOTES)
    return metrics


def observe(agent: Agent, messages: Sequence[dict[str, Any]]) -> None:
    """Stores the messages, conversation by conversation."""
    in_order = sorted(messages, key=lambda one: (one["conversation"], one["time"]))
    for conversation, group in groupby(in_order, key=lambda one: one["conversation"]):
        fields = ("ref", "speaker", "time", "content")
        agent.observe([{name: one[name] for name in fields} for one in group], conversation=conversation)


def asked(agent: Agent, questions: Sequence[Question]) -> Iterator[tuple[str, float]]:
    """What each strategy finds, and how often nothing passes the default floor."""
    for strategy in (Strategy.HYBRID, Strategy.SEMANTIC, Strategy.LEXICAL):
        found = [(one, refs_of(agent, one.text, strategy, min_score=0.0)) for one in questions if one.refs]
        for label, group in _groups(found):
            for k in (1, 5):
                yield (
                    f"{strategy}_{label}_recall@{k}",
                    mean([recall_at(k, refs, one.refs) for one, refs in group]),
                )
            yield (
                f"{strategy}_{label}_mrr",
                mean([reciprocal_rank(refs, one.refs) for one, refs in group]),
            )
    for label, wanted in (("unanswerable", False), ("answerable", True)):
        texts = [one.text for one in questions if bool(one.refs) is wanted]
        empty = [not refs_of(agent, text, Strategy.HYBRID, min_score=None) for text in texts]
        yield f"hybrid_{label}_empty", mean(empty)


def refs_of(agent: Agent, text: str, strategy: Strategy, *, min_score: float | None) -> list[str | None]:
    """The refs of what is found, best first."""
    found = agent.recall_episodes(text, limit=DEEPEST, strategy=strategy, min_score=min_score)
    return [hit.ref for hit in found.hits]


Found = tuple[Question, list[str | None]]


def _groups(found: Sequence[Found]) -> Iterator[tuple[str, list[Found]]]:
    for label, same in (("same", True), ("cross", False)):
        chosen = [one for one in found if one[0].same is same]
        yield label, chosen
        for lang in sorted({question.lang for question, _ in chosen}):
            yield f"{label}_{lang}", [one for one in chosen if one[0].lang == lang]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
