"""Three agents over three days on each engine, with small batches, many links and much that is forgotten: all laws
hold, and the same seed lives the same life.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from bench import society
from bench.__main__ import main
from bench.realmem import Calendar
from bench.society_world import World
from tests.bench.test_society import world_in
from tests.contract.store_engines import ENGINES

pytestmark = pytest.mark.slow


@pytest.fixture
def place(request: pytest.FixtureRequest) -> str:
    return ENGINES[request.param].place(request)


@pytest.fixture
def worlds(place: str) -> Iterator[list[World]]:
    """Worlds that a test makes; closed in the end."""
    made: list[World] = []
    yield made
    for world in made:
        world.reverie.close()


@pytest.mark.parametrize("place", ENGINES, indirect=True)
def test_a_small_world_breaks_no_law(place: str, worlds: list[World]) -> None:
    world = world_in(place, Calendar(), agents=3, link=5, revoke=1, forget=2, diary=8, relate=8)
    worlds.append(world)
    for day in range(1, 4):
        society.spend(world, day, 20)
    assert world.violations == []
    for what in (
        "accepted",
        "expired",
        "forgot_heard",
        "forgot_noted",
        "closed",
        "summarized",
        "deep_recalls",
    ):
        assert world.counts[what] > 0, what


@pytest.mark.parametrize(("place", "seed"), [("sqlite", 2), ("postgres", 3)], indirect=["place"])
def test_other_worlds_break_no_law_either(place: str, worlds: list[World], seed: int) -> None:
    world = world_in(place, Calendar(), agents=4, seed=seed, link=6, revoke=1, forget=2)
    worlds.append(world)
    for day in range(1, 3):
        society.spend(world, day, 15)
    assert world.violations == []


def test_the_bench_tells_its_figures_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    lives = []
    for _ in range(2):
        assert main(["society", "--agents", "2", "--days", "2", "--turns", "10", "--json"]) == 0
        metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
        lives.append({name: value for name, value in metrics.items() if name not in society.timings(metrics)})
    assert lives[0] == lives[1]
    assert (lives[0]["violations"], lives[0]["turns"]) == (0, 20)


def test_a_broken_law_fails_the_bench(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(society, "check", lambda world: world.wrong("a law is broken", "nova"))
    with pytest.raises(SystemExit) as ended:
        main(["society", "--agents", "2", "--days", "1", "--turns", "2"])
    assert ended.value.code == 1
    assert "VIOLATION day 1, nova: a law is broken" in capsys.readouterr().out
