"""LoCoMo's talk among people through LocalMind's extraction, against the observations that its authors noted.

A dialogue is one agent, read in snippets as ``bench extract`` reads RealMem; what is kept and an observation match if
their cosine is 0.70 or more and they come from the same session.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.extract import Tally, auc
from bench.extract_fit import Sitting, dialogues
from bench.extract_life import Bank, Gold, snippets
from bench.realmem_data import Fact, Session
from bench.report import rounded, show
from bench.vectors import kept_vectors
from reverie import Settings
from reverie.minds.emotions import EmotionClassifier
from reverie.minds.local import LocalMind

NOTES = {
    "recall": "of observations: some essence of their session says them (cosine ≥ 0.70)",
    "precision": "of memories kept: they say some observation of their session",
    "per_100": "memories kept for 100 messages",
    "auc_kept": "importance of what is kept, against whether it matches",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="LoCoMo's file")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")


def run(json_output: bool = False, *, data: Path, keep: Path | None = None) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    tally, messages = Tally(), 0
    with kept_vectors(Settings(), keep) as embedder:
        feel = EmotionClassifier(embedder.embed).emotions
        for _, dialogue in dialogues(data):
            bank, sittings = Bank(embedder=embedder), list(dialogue)
            mind = LocalMind(embedder, feel, floor=Settings().loop_floor)
            for place, sitting in enumerate(sittings):
                messages += len(sitting.messages)
                for snippet in snippets(sitting.messages):
                    for one in mind.extract(snippet, bank.familiar):
                        bank.add(place, one.essence, one.kind, one.importance)
            tally.add(bank, Gold.of([_session(sitting) for sitting in sittings], embedder))
    metrics = rounded(
        {
            "recall": tally.recall,
            "precision": tally.precision,
            "f1": tally.f1,
            "per_100": 100 * tally.kept / messages,
            "auc_kept": auc(tally.importance, tally.matched),
            "memories": tally.kept,
            "observations": tally.gold,
            "messages": messages,
        }
    )
    show(f"LoCoMo extraction by LocalMind ({data.name})", metrics, json_output=json_output, notes=NOTES)
    return metrics


def _session(sitting: Sitting) -> Session:
    facts = tuple(Fact(key=text, text=text, sources=()) for text in sitting.gold)
    return Session(conversation="", turns=(), facts=facts)
