"""Secrets: how many of those that are planted redaction finds, what it takes out of ordinary texts, and what it costs.

Kinds and carriers come in two halves; the held-out one is for telling, not for tuning (``secrets_kinds``).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.report import rounded, show
from bench.secrets_kinds import HALVES, KINDS, Planted, planted
from bench.secrets_ordinary import own, read
from reverie.domain.settings import PrivacySettings, Settings
from reverie.embedders.minilm import MiniLM
from reverie.services.runtime.secrets import clean

SEEDS = {HALVES[0]: 1, HALVES[1]: 2}
EACH = 4
"""Secrets of each kind, in each half."""
EMBEDDED = 200
SHOWN = 40
NOTES = {
    "kinds": "kinds of secrets",
    "n_held_out": "secrets planted in carriers that nothing was tuned on",
    "found_held_out": "of them those of which nothing is left; wanted ≥ 0.95",
    "own_changed_held_out": "of our own technical talk that holds no secret, the share that is changed",
    "n": "ordinary texts of the data",
    "changed": "of them the share that is changed; wanted ≤ 0.001",
    "us_per_text": "processor time of redaction, over the ordinary texts of the data",
    "cost_ratio": "redaction / embedding, on the same texts",
}
_SETTINGS = Settings(privacy=PrivacySettings(redact=True))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help="the folder that holds locomo, realmem, beam, goemotions …")
    parser.add_argument("--show", action="store_true", help="print what goes wrong in the development half")


def run(
    json_output: bool = False, *, data: Path | None = None, show_wrong: bool = False, **given: bool
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    wrong = show_wrong or given.get("show", False)
    metrics: dict[str, float] = {"kinds": len(KINDS)}
    for place, half in enumerate(HALVES):
        texts = list(planted(half, SEEDS[half], EACH))
        missed = [one for one in texts if not is_found(one, clean(_SETTINGS, one.text).text)]
        changed = _changed(own(place, SEEDS[half]))
        metrics[f"n_{half}"] = len(texts)
        metrics[f"found_{half}"] = 1 - len(missed) / len(texts)
        metrics[f"own_changed_{half}"] = len(changed) / len(list(own(place, SEEDS[half])))
        if wrong and half == HALVES[0]:
            _tell(missed, changed)
    if data is not None:
        metrics |= _ordinary(data, tell=wrong)
    metrics = rounded(metrics)
    show("Secrets", metrics, json_output=json_output, notes=NOTES)
    return metrics


def is_found(one: Planted, cleaned: str) -> bool:
    """Whether no telling piece of the secret is left: none of a third of its length, or of 5 signs."""
    length = max(5, len(one.secret) // 3)
    pieces = range(max(1, len(one.secret) - length + 1))
    return not any(one.secret[place : place + length] in cleaned for place in pieces)


def _changed(texts: Iterable[str]) -> list[tuple[str, str]]:
    pairs = ((text, clean(_SETTINGS, text).text) for text in texts)
    return [(text, cleaned) for text, cleaned in pairs if text != cleaned]


def _ordinary(data: Path, *, tell: bool) -> dict[str, float]:
    by_source = read(data)
    texts = [text for several in by_source.values() for text in several]
    start = time.process_time()
    for text in texts:
        clean(_SETTINGS, text)
    spent = time.process_time() - start
    changed = {source: _changed(several) for source, several in by_source.items()}
    if tell:
        for source, pairs in changed.items():
            print(f"  {source}: {len(pairs)} of {len(by_source[source])} changed")
            for text, cleaned in pairs[:SHOWN]:
                print(f"    {_difference(text, cleaned)}")
    return {
        "n": len(texts),
        "changed": sum(map(len, changed.values())) / len(texts),
        **{f"changed_{source}": len(pairs) for source, pairs in changed.items()},
        "us_per_text": spent / len(texts) * 1e6,
    } | _against(texts[:: max(1, len(texts) // EMBEDDED)][:EMBEDDED])


def _difference(text: str, cleaned: str) -> str:
    """Where the two part, with what stands around it."""
    place = next((at for at, (one, other) in enumerate(zip(text, cleaned, strict=False)) if one != other), 0)
    return repr(text[max(0, place - 60) : place + 60]) + " -> " + repr(cleaned[place : place + 40])


def _tell(missed: Sequence[Planted], changed: Sequence[tuple[str, str]]) -> None:
    print(f"  missed: {dict(Counter(one.kind for one in missed))}")
    for one in missed[:SHOWN]:
        print(f"    {one.kind}: {one.text!r} -> {clean(_SETTINGS, one.text).text!r}")
    seen: set[str] = set()
    for text, cleaned in changed:
        if text[:12] not in seen:
            seen.add(text[:12])
            print(f"    changed: {_difference(text, cleaned)}")


def _against(texts: Sequence[str]) -> dict[str, float]:
    """The cost beside that of embedding the same texts."""
    model = MiniLM(threads=1)
    model.embed(texts[:2])
    start = time.process_time()
    for text in texts:
        model.embed([text])
    embedded = time.process_time()
    for text in texts:
        clean(_SETTINGS, text)
    cleaned = time.process_time()
    return {
        "embed_us_per_text": (embedded - start) / len(texts) * 1e6,
        "cost_ratio": (cleaned - embedded) / (embedded - start),
    }
