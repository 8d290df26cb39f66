"""Small banks whose days have just ended, to be looked at: of a society (society_world.py), and of a life (lives/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from bench import sleep_life
from bench.realmem import Calendar
from bench.society_world import START, World
from reverie import Agent, Reverie, Settings

LIVES = Path(__file__).with_name("lives")
ACTS: Mapping[str, float] = {
    "say": 50, "remember": 24, "recall": 6, "diary": 10, "relate": 14, "look": 2, "link": 4,
}  # fmt: skip
"""How often each is done: all that a page shows comes up within a few days."""


def society(
    reverie: Reverie, calendar: Calendar, *, ending: datetime, agents: int = 3, days: int = 3, turns: int = 16
) -> Sequence[str]:
    """Let a society live in the bank. Returns its agents."""
    start = START + timedelta(days=(ending - START).days - days)
    calendar.now = start
    world = World(reverie, calendar, agents=agents, seed=1, settings=Settings(), weights=ACTS, start=start)
    for day in range(1, days + 1):
        world.live(day, turns)
    if world.violations:
        raise RuntimeError(world.violations[0])
    calendar.now = ending
    return [*world.ledgers]


def life(
    reverie: Reverie,
    calendar: Calendar,
    name: str,
    *,
    ending: datetime,
    days: int,
    agent: str = "life",
    every: int = 1,
) -> Agent:
    """Let an agent live the first days of a life of bench/lives, asleep in every so many nights."""
    told = sleep_life.read(LIVES / f"{name}.jsonl")
    told = replace(told, days=days, start=ending.date() - timedelta(days=days))
    calendar.now = sleep_life.begun(told).now
    lived = reverie.agent(agent, time_zone=told.zone.key)
    sleep_life.lived(told, lived, calendar, asks=False, loop=False, every=every)
    calendar.now = ending
    return lived
