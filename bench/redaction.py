"""Redaction: what it costs, and how often it takes something out of ordinary talk, where next to nothing should go."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench import locomo_data, realmem_data
from bench.capture_data import turns
from bench.report import rounded, show
from reverie.domain.settings import Settings
from reverie.embedders.minilm import MiniLM
from reverie.services.redact import clean

EMBEDDED = 200
NOTES = {
    "n": "texts: LoCoMo's turns, RealMem's (the assistant's too), GoEmotions' comments",
    "changed": "of them those that redaction changed; they hold no secret that we know of",
    "us_per_text": "processor time",
    "embed_us_per_text": "of embedding, over some of the texts",
    "cost_ratio": "redaction / embedding, on the same texts",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder that holds locomo, realmem, goemotions"
    )


def run(json_output: bool = False, *, data: Path) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    settings = Settings(redact=True)
    texts = list(talk(data))
    clean(settings, "my api key is 12345678901234567890")  # reads the rules
    found: Counter[str] = Counter()
    changed = 0
    start = time.process_time()
    for text in texts:
        cleaned = clean(settings, text)
        changed += cleaned.text != text
        found.update(cleaned.found)
    spent = time.process_time() - start
    some = texts[:: max(1, len(texts) // EMBEDDED)][:EMBEDDED]
    metrics = rounded(
        {"n": len(texts), "changed": changed, "us_per_text": spent / len(texts) * 1e6}
        | against(some, settings)
    )
    show("Redaction", metrics, json_output=json_output, notes=NOTES)
    if not json_output:
        print(f"  taken out, by type: {dict(found) or 'nothing'}")
    return metrics


def talk(data: Path) -> Iterator[str]:
    """Ordinary texts."""
    for path in sorted((data / "locomo").glob("*.json")):
        for dialogue in locomo_data.read(path):
            yield from (message.content for session in dialogue.sessions for message in session.messages)
    for persona in realmem_data.read(data / "realmem"):
        for session in persona.sessions:
            yield from (turn.message.content for turn in session.turns if turn.message is not None)
    yield from (turn.text for turn in turns(data, "goemotions"))


def against(texts: list[str], settings: Settings) -> dict[str, float]:
    """The cost beside that of embedding the same texts."""
    model = MiniLM(threads=1)
    model.embed(texts[:2])
    start = time.process_time()
    for text in texts:
        model.embed([text])
    embedded = time.process_time()
    for text in texts:
        clean(settings, text)
    cleaned = time.process_time()
    return {
        "embed_us_per_text": (embedded - start) / len(texts) * 1e6,
        "cost_ratio": (cleaned - embedded) / (embedded - start),
    }
