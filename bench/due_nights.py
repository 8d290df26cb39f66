"""Due nights: agents that are due to sleep, workers in processes of their own, and how often each agent slept.

>>> from bench.due_nights import make_due, run_workers
>>> make_due("postgresql://reverie_app@db.example/memory", 1_000)  # doctest: +SKIP
>>> run_workers("postgresql://reverie_app@db.example/memory", 2)  # doctest: +SKIP
Nights(agents=1000, nights=1000, twice=0, seconds=71.2)
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from reverie import CaptureSettings, Embedder, Reverie, Settings

ROOT = Path(__file__).resolve().parents[1]
MESSAGES = 12
SLEEPY: Mapping[str, str] = {"REVERIE_SLEEP_IDLE": "0", "REVERIE_CAPTURE_ENABLED": "false"}
"""What the workers' environment needs so that what was just said is slept on."""


@dataclass(frozen=True, kw_only=True)
class Nights:
    """``nights`` of ``agents`` in so many seconds; ``twice``: agents that slept more than once."""

    agents: int
    nights: int
    twice: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Return how many nights a second."""
        return self.nights / self.seconds


def make_due(where: str, agents: int, *, key: str | None = None, embedder: Embedder | None = None) -> None:
    """Make agents ``due-0000000`` and on, each with so much said that its night is due."""
    settings = Settings(capture=CaptureSettings(enabled=False))
    with Reverie.open(where, key=key, settings=settings, embedder=embedder) as reverie:
        for number in range(agents):
            said = [f"Visitor {place} came to house {number} on foot" for place in range(MESSAGES)]
            reverie.agent(f"due-{number:07}").observe(said, conversation="door")


def command(where: str) -> list[str]:
    """Return the command of a worker that does all that is due."""
    return [sys.executable, "-m", "reverie", "worker", "--once", "--database", where]


def environment(key: str | None = None, **more: str) -> dict[str, str]:
    """Return its environment."""
    own = {} if key is None else {"REVERIE_KEY": key}
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", **SLEEPY, **own, **more}


def run_workers(
    where: str, processes: int, *, key: str | None = None, kill_after: float | None = None
) -> Nights:
    """Run that many workers until nothing is due, and count. With ``kill_after`` the first of them is killed (SIGKILL)
    after so many seconds, and whoever is left goes on once the dead one's leases have run out.
    """
    begun = monotonic()
    running = [
        subprocess.Popen(
            command(where), env=environment(key), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(processes)
    ]
    if kill_after is not None:
        sleep(kill_after)
        running[0].kill()
    for one in running:
        one.wait()
    while kill_after is not None and not _all_slept(where, key):
        sleep(1.0)
        subprocess.run(command(where), env=environment(key), check=True, stdout=subprocess.DEVNULL)
    return counted(where, monotonic() - begun, key=key)


def counted(where: str, seconds: float, *, key: str | None = None) -> Nights:
    """Count the nights of the agents that ``make_due`` made."""
    slept = _slept(where, key)
    return Nights(
        agents=len(slept), nights=sum(slept.values()), twice=sum(count > 1 for count in slept.values()),
        seconds=seconds,
    )  # fmt: skip


def _all_slept(where: str, key: str | None) -> bool:
    return all(_slept(where, key).values())


def _slept(where: str, key: str | None) -> Mapping[str, int]:
    with Reverie.open(where, key=key) as reverie:
        due = [one for one in reverie.agents() if one.startswith("due-")]
        return {one: len(reverie.agent(one).jobs.sleeps(limit=1_000)) for one in due}
