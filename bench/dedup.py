"""What the duplicates' guard gives and costs: pairs of sentences that judges called alike or not.

A pair is merged if its cosine reaches the threshold and the guard lets it pass. Precision is the share of merged
pairs that are alike, recall the share of alike pairs that are merged; "unguarded" merges by the cosine alone.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from bench import dedup_data
from bench.dedup_data import Pair
from bench.report import rounded, show
from reverie import Settings
from reverie.embedders.minilm import MiniLM
from reverie.memory.dedupe.guard import texts_differ

_BATCH = 64

NOTES = {
    "contradictions_merged": "of SICK's contradictions",
    "guard_us": "of processor time for one near pair",
    "mrpc_n": "pairs",
    "sick_n": "pairs; alike from a relatedness of 4.5 on",
    "paws_n": "pairs",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder with files of MRPC, SICK or PAWS, at any depth"
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=Settings().remember.duplicate_cosine,
        help="the cosine from which on a pair may be merged (default: that of Settings)",
    )


def run(json_output: bool = False, *, data: Path, threshold: float) -> dict[str, float]:
    """Measures each set that is there; with ``json_output`` the last line is the metrics as one JSON object."""
    sets = dedup_data.load(data)
    cosines = _cosines(sets)
    metrics: dict[str, float] = {"threshold": threshold}
    reasons: dict[str, Counter[tuple[str, bool]]] = {}
    spent, guarded = 0.0, 0
    for name, pairs in sets.items():
        near = [pair for pair, cosine in zip(pairs, cosines[name], strict=True) if cosine >= threshold]
        verdicts = [texts_differ(pair.one, pair.other) for pair in near]
        started = time.process_time()  # the second time: in a process that lives, its words are known
        for pair in near:
            texts_differ(pair.one, pair.other)
        spent, guarded = spent + time.process_time() - started, guarded + len(near)
        merged = [pair for pair, verdict in zip(near, verdicts, strict=True) if verdict is None]
        metrics |= {f"{name}_n": len(pairs)}
        metrics |= {f"{name}_{what}": share for what, share in _shares(pairs, merged).items()}
        metrics |= {f"{name}_{what}_unguarded": share for what, share in _shares(pairs, near).items()}
        reasons[name] = Counter(
            (verdict or "merged", pair.alike) for pair, verdict in zip(near, verdicts, strict=True)
        )
    metrics |= {
        what.removeprefix("sick_"): metrics.pop(what) for what in list(metrics) if "contradictions" in what
    }
    metrics["guard_us"] = 1e6 * spent / max(guarded, 1)
    _show_reasons(reasons)
    shown = rounded(metrics)
    show("Duplicates", shown, json_output=json_output, notes=NOTES)
    return shown


def _cosines(sets: Mapping[str, Sequence[Pair]]) -> dict[str, Sequence[float]]:
    embedder = MiniLM()
    texts = sorted({text for pairs in sets.values() for pair in pairs for text in (pair.one, pair.other)})
    parts = [embedder.embed(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
    row = {text: place for place, text in enumerate(texts)}
    vectors = np.concatenate(parts)
    return {
        name: np.einsum(
            "ij,ij->i",
            vectors[[row[pair.one] for pair in pairs]],
            vectors[[row[pair.other] for pair in pairs]],
        ).tolist()
        for name, pairs in sets.items()
    }


def _shares(pairs: Sequence[Pair], merged: Sequence[Pair]) -> dict[str, float]:
    """Of merging just these; a share of nothing is left out."""
    right = sum(pair.alike for pair in merged)
    shares = {
        "precision": (right, len(merged)),
        "recall": (right, sum(pair.alike for pair in pairs)),
        "contradictions_merged": (
            sum(pair.contradicts for pair in merged),
            sum(pair.contradicts for pair in pairs),
        ),
    }
    return {what: part / whole for what, (part, whole) in shares.items() if whole}


def _show_reasons(reasons: Mapping[str, Counter[tuple[str, bool]]]) -> None:
    print("\nNear pairs by the guard's verdict: alike / not alike")
    for name, counts in reasons.items():
        verdicts = sorted(
            {verdict for verdict, _ in counts}, key=lambda verdict: (verdict != "merged", verdict)
        )
        print(f"  {name}: " + ", ".join(f"{v} {counts[v, True]}/{counts[v, False]}" for v in verdicts))
