"""A society proves itself: agents live for days by a virtual clock, and every day their banks are compared with ledgers
that the bench keeps by itself (bench/society_check.py).

A turn is one agent's act: its context for the room that it is in, and talking, remembering, recalling, writing its
diary, judging others, sharing its memory or forgetting. At night all sleep and take care of themselves; once a week the
house is kept. The same seed gives the same life and the same counts. A violation says what and where, and the command
fails.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import places, servers
from bench.realmem import Calendar
from bench.report import rounded, show
from bench.society_check import check
from bench.society_world import ACTS, START, World
from bench.timing import percentile
from reverie import Settings

MOST_RATIO = 1.5
_SHOWN = 20
NOTES = {
    "violations": "wanted 0",
    "turn_ratio": "p50 of the last day / day 1; wanted ≤ 1.5",
    "turn_cpu_ratio": "the same in processor time of this process",
    "recalled_share": "of recalls of something it knew: found, itself or the summary above it",
    "db_mb": "the whole store, 10⁶ bytes",
    "rss_mb": "most that this process ever held, 10⁶ bytes",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agents", type=int, default=10)
    parser.add_argument("--days", type=int, default=15)
    parser.add_argument(
        "--turns", type=int, default=1_000, help="of each agent in all, at least (default 1000)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--postgres", action="store_true", help="on a PostgreSQL server of its own, gone at the end"
    )
    parser.add_argument("--url", help="on this PostgreSQL, in a database that is dropped at the end")
    parser.add_argument(
        "--without", action="append", default=[], metavar="ACT", choices=[*ACTS, "self_care"],
        help="leave an act out, to see what it costs; may be repeated",
    )  # fmt: skip
    parser.add_argument("--daily", type=Path, help="write each day's figures there, as JSON")


def run(
    json_output: bool = False, *, agents: int = 10, days: int = 15, turns: int = 1_000, seed: int = 1,
    postgres: bool = False, url: str | None = None, without: Sequence[str] = (), daily: Path | None = None,
) -> dict[str, float]:  # fmt: skip
    """Live, check, print, and give the metrics. Raises SystemExit where a law was broken."""
    with ExitStack() as stack:
        if postgres and url is None:
            url = stack.enter_context(servers.server(None))
        world, metrics = lived(
            agents=agents, days=days, turns=-(-turns // days), seed=seed, url=url, without=without, tell=True
        )
    if daily is not None:
        daily.write_text(json.dumps(by_day(world), indent=1) + "\n", "utf-8")
    where = "SQLite" if url is None else "PostgreSQL"
    for violation in world.violations[:_SHOWN]:
        print(f"  VIOLATION {violation}")
    show(f"A society of {agents} over {days} days, {where}", metrics, json_output=json_output, notes=NOTES)
    if world.violations:
        sys.stdout.flush()
        raise SystemExit(1)
    return metrics


def lived(
    *, agents: int, days: int, turns: int, seed: int, url: str | None = None, without: Sequence[str] = (),
    settings: Settings | None = None, weights: Mapping[str, float] = ACTS, tell: bool = False,
) -> tuple[World, dict[str, float]]:  # fmt: skip
    """A world's life of so many turns an agent and day in a store of its own, and its metrics."""
    calendar, chosen = Calendar(), settings or Settings()
    calendar.now = START
    begun = time.perf_counter()
    with places.empty(url, clock=calendar, settings=chosen) as reverie:
        reverie.warm()
        world = World(
            reverie, calendar, agents=agents, seed=seed, settings=chosen, weights=weights, without=without
        )
        for day in range(1, days + 1):
            spend(world, day, turns)
            if tell:
                _tell(world, day, time.perf_counter() - begun)
        size = reverie.info().bytes
    metrics = {
        **figures(world),
        "db_mb": size / 1e6,
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
        "seconds": time.perf_counter() - begun,
    }
    return world, rounded(metrics)


def spend(world: World, day: int, turns: int) -> None:
    """One day and its night, and then the laws."""
    world.live(day, turns)
    start = time.perf_counter()
    check(world)
    world.times.add("check", day, time.perf_counter() - start)


def timings(metrics: dict[str, float]) -> set[str]:
    """Names of those metrics that aren't the same at every run of a seed."""
    return {
        name
        for name in metrics
        if name.endswith(("_ms_day1", "_ms_last", "_ratio", "_mb", "_s", "seconds", "_ms"))
    }


def figures(world: World) -> dict[str, float]:
    """What a world's days came to."""
    turns, computed = world.times.turns, world.times.computed
    counts, days = world.counts, world.day
    asked = counts.get("recalled", 0) + counts.get("missed", 0)
    found: dict[str, float] = {
        "violations": len(world.violations),
        "turns": counts.get("turns", 0),
        "agents": len(world.ledgers),
        "days": days,
        "turn_p50_ms_day1": percentile(turns[1], 50),
        "turn_p50_ms_last": percentile(turns[days], 50),
        "turn_p95_ms_day1": percentile(turns[1], 95),
        "turn_p95_ms_last": percentile(turns[days], 95),
        "turn_ratio": percentile(turns[days], 50) / percentile(turns[1], 50),
        "turn_p95_ratio": percentile(turns[days], 95) / percentile(turns[1], 95),
        "turn_cpu_ratio": percentile(computed[days], 50) / percentile(computed[1], 50),
        "recalled_share": counts.get("recalled", 0) / asked if asked else 0.0,
    }
    for (act, day), times in sorted(world.times.acts.items()):
        if day == days or (day == 1 and (act, days) in world.times.acts):
            found[f"{act}_p50_ms_{'last' if day == days else 'day1'}"] = percentile(times, 50)
    for act in ("sleep", "check"):
        found[f"{act}_s"] = sum(sum(times) for (one, _), times in world.times.acts.items() if one == act)
    return found | {f"n_{what}": count for what, count in sorted(counts.items()) if what != "turns"}


def by_day(world: World) -> dict[str, dict[str, dict[str, float]]]:
    """p50 and p95 in milliseconds of every act, by act and day."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    parts = {**world.times.acts, **{("turn", day): times for day, times in world.times.turns.items()}}
    for (act, day), times in sorted(parts.items()):
        found.setdefault(act, {})[str(day)] = {
            "n": len(times), "p50_ms": percentile(times, 50), "p95_ms": percentile(times, 95),
            "sum_s": sum(times),
        }  # fmt: skip
    return found


def _tell(world: World, day: int, seconds: float) -> None:
    p50, p95 = (percentile(world.times.turns[day], rank) for rank in (50, 95))
    print(
        f"  day {day}: {world.counts['turns']} turns, p50 {p50:.1f} ms, p95 {p95:.1f} ms,"
        f" {len(world.violations)} violations, {seconds:.0f} s",
        flush=True,
    )
