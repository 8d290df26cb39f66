"""Interrupt every writing command at random moments, on one bank in place, and look for what is lost.

    python -m tests.crash.campaign [--engine sqlite|postgres] [--times 1] [--seed 0] [--commands …]

Each command is run once to its end and then, for each of SIGTERM, SIGINT and SIGKILL, interrupted ``times`` times.
After each the bank must be sound, and hold every memory and message that it held before, but for commands that remove.
The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reverie import Agent
from reverie.errors import LinkRefused
from tests.crash.interrupted import WRITING, Bank, aged, asked_again

REMOVING = frozenset(
    {"forget", "revert", "link revoke", "relate remove", "diary remove", "soul remove", "adopt"}
)
"""Commands after which something may be gone, or go by another id."""
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
_PAGE = 500


def held(agent: Agent) -> dict[str, str]:
    """Return what an agent's bank holds: the texts of memories and messages by id."""
    found: dict[str, str] = {}
    after = None
    while page := agent.memories(deep=True, limit=_PAGE, after=after):
        found |= {one.id: one.essence for one in page}
        after = page[-1].id
    after = None
    while said := agent.episodes(limit=_PAGE, after=after):
        found |= {one.id: one.content for one in said}
        after = said[-1].id
    return found


@contextmanager
def place(engine: str, folder: Path) -> Iterator[str | None]:
    """Give the address of an empty bank; None for a file."""
    if engine == "sqlite":
        yield None
        return
    from bench.servers import database, server

    with server(None) as url, database(url) as made:
        yield made.url


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--commands", nargs="*", default=list(WRITING), help="those to interrupt (default: all)"
    )
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    codes, wrong = Counter[str](), 0
    with tempfile.TemporaryDirectory() as name, place(arguments.engine, Path(name)) as where:
        bank = asked_again(aged(Path(name), where))
        for command in arguments.commands:
            line = WRITING[command]
            if "{asked}" in line:
                with suppress(LinkRefused):
                    bank = asked_again(bank)
            start = time.perf_counter()
            print(command, bank.run(line, 0).code, flush=True)
            lasts = time.perf_counter() - start
            for n in range(1, 1 + arguments.times * len(SIGNALS)):  # each has a number of its own
                number = SIGNALS[n % len(SIGNALS)]
                before = _state(bank)
                ended = bank.run(line, n, after=chance.uniform(0, 1.1 * lasts), signals=[number])
                codes[f"{signal.Signals(number).name}: {ended.code}"] += 1
                for one in _wrong(bank, command, before, ended.err):
                    wrong += 1
                    print(f"{command}, {number!r}: {one}", flush=True)
    print(json.dumps({"interruptions": sum(codes.values()), "wrong": wrong, **dict(sorted(codes.items()))}))


def _state(bank: Bank) -> dict[str, dict[str, str]]:
    with bank.opened() as reverie:
        return {id: held(reverie.agent(id)) for id in ("mama", "kade")}


def _wrong(bank: Bank, command: str, before: dict[str, dict[str, str]], err: str) -> Iterator[str]:
    if "Traceback" in err:
        yield err[-300:]
    with bank.opened() as reverie:
        yield from (f"check: {one}" for one in reverie.check())
    if command in REMOVING:
        return
    after = _state(bank)
    for agent, texts in before.items():
        lost = [texts[id] for id in texts if id not in after[agent]]
        if lost:
            yield f"{agent} lost {len(lost)}: {lost[0][:80]}"


if __name__ == "__main__":
    main()
