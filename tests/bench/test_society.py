"""The society's bench: a day among two holds the laws, and its figures are told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import society
from bench.realmem import Calendar
from bench.society_talk import Talk, marks, names
from bench.society_world import ACTS, START, World
from reverie import SelfCareSettings, Settings
from tests.services.bench import opened

SETTINGS = Settings(self_care=SelfCareSettings(batch=6, min_observations=3, summary=200, live_entries=5))


def world_in(place: str | Path, clock: Calendar, *, agents: int, seed: int = 1, **weights: float) -> World:
    """A world in a bank of the tests; whoever makes it closes it."""
    clock.now = START
    reverie = opened(place, clock=clock, settings=SETTINGS)
    return World(reverie, clock, agents=agents, seed=seed, settings=SETTINGS, weights={**ACTS, **weights})


def tiny_world(place: Path, turns: int) -> World:
    """A day of two agents with so many turns each."""
    world = world_in(place / "tiny.bank", Calendar(), agents=2, link=12, diary=10, relate=10)
    society.spend(world, 1, turns)
    return world


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A day of two agents."""
    world = tiny_world(tmp_path_factory.mktemp("society"), 20)
    yield world
    world.reverie.close()


def test_a_day_among_two_breaks_no_law(tiny: World) -> None:
    assert tiny.violations == []
    assert tiny.counts["turns"] == 40
    for act in (
        "say",
        "remember",
        "recall",
        "diary",
        "relate",
        "link",
        "accepted",
        "self_cares",
        "sleeps",
        "closed",
    ):
        assert tiny.counts[act] > 0, act


def test_a_days_figures_are_told(tiny: World) -> None:
    metrics = society.figures(tiny)
    assert (metrics["violations"], metrics["turns"], metrics["days"]) == (0, 40, 1)
    assert {"turn_p50_ms_day1", "turn_p95_ms_last", "turn_ratio"} <= society.timings(metrics)
    assert "turns" not in society.timings(metrics)
    assert society.by_day(tiny)["turn"]["1"]["n"] == 40


def test_a_text_is_known_by_its_mark() -> None:
    talk = Talk(random.Random(1))
    said, mark = talk.said("kade")
    noticed, other = talk.noticed("kade")
    assert marks(said) == {mark}
    assert marks(f"{said} {noticed}") == {mark, other}
    assert marks(talk.again(said)) == {mark}


def test_every_agent_has_a_name_of_its_own() -> None:
    assert len(set(names(25))) == 25
    assert names(2) == ["nova", "kade"]
