"""What a sleep of LocalMind makes of talk: on RealMem, on a scripted life, and what it costs.

``--data``: RealMem's personas live their days, and sleep at the end of each session. A gold memory is recalled where
some memory of its session has a cosine of 0.70 or more to it, as in ``bench extract``; before is the same life without
sleep.
``--life``: a scripted life (bench/lives/README.md): after each night, does recall give the current value first, and the
old one under ``as_of``? ``--speed``: a sleep over a hundred episodes against the embedding of a hundred texts.

``--sample FILE`` writes what a judge is to see (sample and sources, not for the repository); the verdicts are kept by
digest in ``sleep_verdicts.json``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench import sleep_life, sleep_realmem, sleep_speed
from bench.report import rounded, show, show_targets

VERDICTS = Path(__file__).with_name("sleep_verdicts.json")
NOTES = {
    "current_first": "of changes of fact: the first memory has the current value after the night; wanted ≥ 0.9",
    "as_of_right": "the same of the old value under as_of; wanted ≥ 0.9",
    "controls_first": "of questions about what never changed: the first memory has the answer",
    "in_context": "of changes: the current value stands in context(question) of 800 tokens; wanted ≥ 0.9",
    "in_context_controls": "the same of what never changed; wanted ≥ 0.95",
    "stale_only": "of changes: the old value stands there, and the current one doesn't; wanted ≤ 0.04",
    "rewritten": "memories whose essence isn't in their source, word for word; wanted 0",
    "n": "changes of fact",
    "gold_recall_before": "of gold memories: some memory of their session says them (cosine ≥ 0.70), without sleep",
    "gold_recall_after": "the same, having slept after each session",
    "precision_before": "of memories: they say some gold memory of their session, without sleep",
    "precision_after": "the same, having slept",
    "duplicates_per_100": "pairs of memories with cosine ≥ 0.92 that the guard doesn't tell apart, after sleep",
    "duplicates_per_100_before": "the same without sleep",
    "unsupported_share": "of the judged memories that sleep made or reworded: their episodes don't carry them",
    "judged": "memories of the sample that have a verdict",
    "sleep_over_embedding": "a sleep over 100 episodes at 10,000 memories / embedding 100 texts; wanted ≤ 3",
    "cost_100k_over_1k": "a sleep's cost per episode at 100,000 memories over that at 1,000; wanted ≤ 2",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help="a folder of RealMem's dialogues")
    parser.add_argument(
        "--life", type=Path, action="append", default=[], help="a scripted life; may be repeated"
    )
    parser.add_argument("--speed", action="store_true", help="what a sleep costs")
    parser.add_argument(
        "--persona", action="append", default=[],
        help="only this one (name, or number from 0); may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--sample", type=Path, help="write so that a judge can read them 100 memories to this file"
    )
    parser.add_argument("--verdicts", type=Path, default=VERDICTS)
    parser.add_argument(
        "--without-loop", action="store_false", dest="loop", help="sleep alone makes memories, no memory loop"
    )
    parser.add_argument(
        "--without-sleep", action="store_false", dest="asleep", help="a life without any sleep"
    )
    parser.add_argument(
        "--sizes", type=int, nargs=3, default=[10_000, 1_000, 100_000], help="memories, for --speed"
    )
    parser.add_argument("--rounds", type=int, default=4, help="sleeps that are timed at each size")
    parser.add_argument("--keep", type=Path, help="a folder that keeps vectors and banks for the next run")
    parser.add_argument("--url", help="on this PostgreSQL instead, in databases that are dropped at the end")


def run(
    json_output: bool = False, *, data: Path | None = None, life: Sequence[Path] = (), speed: bool = False,
    persona: Sequence[str] = (), sample: Path | None = None, verdicts: Path = VERDICTS, loop: bool = True,
    asleep: bool = True, sizes: Sequence[int] = (10_000, 1_000, 100_000), rounds: int = 4, keep: Path | None = None,
    url: str | None = None,
) -> dict[str, float]:  # fmt: skip
    """Measure what was asked for, print, and give the metrics."""
    if data is None and not life and not speed:
        raise SystemExit("give --data, --life or --speed")
    metrics: dict[str, float] = {}
    for path in life:
        found = sleep_life.measured(path, loop=loop, asleep=asleep, keep=keep, url=url)
        prefix = "" if len(life) == 1 else f"{path.stem}_"
        metrics |= {f"{prefix}{name}": value for name, value in found.items()}
    if data is not None:
        metrics |= sleep_realmem.measured(data, persona, verdicts, sample=sample, keep=keep, url=url)
    if speed:
        metrics |= sleep_speed.measured(sizes, rounds, keep=keep)
    metrics = rounded(metrics)
    names = [*(path.name for path in life), *([data.name] if data else []), *(["speed"] if speed else [])]
    show(
        f"Sleep of LocalMind ({', '.join(names)})",
        metrics,
        json_output=json_output and not speed,
        notes=NOTES,
    )
    if speed:
        show_targets(sleep_speed.targets(metrics))
        if json_output:
            sleep_speed.print_json(metrics)
    return metrics
