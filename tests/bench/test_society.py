"""Agents that live together for some days lose nothing and leak nothing, and a breach would be noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from bench import society
from bench.realmem import Calendar
from bench.society_check import check
from bench.society_ledger import Ledger, Wrote
from bench.society_world import ACTS, START, World
from reverie import SelfCareSettings, Settings
from tests.contract.store_engines import ENGINES
from tests.services.bench import opened

pytestmark = pytest.mark.slow

SETTINGS = Settings(self_care=SelfCareSettings(batch=6, min_observations=3, summary=200, live_entries=5))
DONE = (
    "say", "remember", "recall", "diary", "relate", "link", "accepted", "expired", "sleeps", "self_cares", "closed",
    "summarized", "deep_recalls", "forget", "revoke",
)  # fmt: skip
"""What agents of a small world do at least once."""
WEIGHTS = {**ACTS, "link": 8, "revoke": 1, "forget": 2, "diary": 8, "relate": 8}


def _lived(place: str | Path, *, agents: int, days: int, turns: int, seed: int = 1) -> World:
    clock = Calendar()
    clock.now = START
    reverie = opened(place, clock=clock, settings=SETTINGS)
    world = World(reverie, clock, agents=agents, seed=seed, settings=SETTINGS, weights=WEIGHTS)
    for day in range(1, days + 1):
        society.spend(world, day, turns)
    return world


@pytest.mark.parametrize(("engine", "seed"), [("sqlite", 1), ("postgres", 3)])
def test_a_small_world_breaks_no_law(engine: str, seed: int, request: pytest.FixtureRequest) -> None:
    world = _lived(ENGINES[engine].place(request), agents=3, days=2, turns=20, seed=seed)
    world.reverie.close()
    assert world.violations == []
    assert world.counts["turns"] == 3 * 2 * 20
    assert [act for act in DONE if not world.counts.get(act)] == []


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A day of two agents."""
    world = _lived(tmp_path_factory.mktemp("society") / "tiny.bank", agents=2, days=1, turns=30)
    yield world
    world.reverie.close()


def _change_a_message(ledger: Ledger) -> None:
    first = next(iter(ledger.heard.values()))
    ledger.heard[first.id] = replace(first, content="something else")


def _change_a_memory(ledger: Ledger) -> None:
    first = next(iter(ledger.noted.values()))
    ledger.noted[first.id] = replace(first, texts=["something else"])


def _change_what_a_summary_stands_for(ledger: Ledger) -> None:
    id, items = next(iter(ledger.stands_for.items()))
    ledger.stands_for[id] = items - {next(iter(items))}


def _know_nothing(ledger: Ledger) -> None:
    ledger.known.clear()
    ledger.came.clear()


def _share_more(ledger: Ledger) -> None:
    id, came = next(iter(ledger.came.items()))
    ledger.came[id] = replace(came, sure=came.sure | {999_999})


TAMPERINGS: dict[str, Callable[[Ledger], object]] = {
    "messages are lost": lambda of: of.heard.update(
        nowhere=replace(next(iter(of.heard.values())), id="nowhere")
    ),
    "messages changed": _change_a_message,
    "memories are lost": lambda of: of.noted.update(
        nowhere=replace(next(iter(of.noted.values())), id="nowhere")
    ),
    "memories changed": _change_a_memory,
    "the history of relationships": lambda of: of.saw.pop(),
    "the diary's page": lambda of: of.wrote.append(Wrote("2026-03-02", {"text": "never"}, None, None)),
    "stands for something else": _change_what_a_summary_stands_for,
    "texts of others": _know_nothing,
    "forgotten texts": lambda of: of.forgotten.add(next(iter(of.heard.values())).mark),
    "shared is missing": _share_more,
    "the soul changed": lambda of: of.soul.reverse(),
}


@pytest.mark.parametrize("told", TAMPERINGS)
def test_a_bank_that_contradicts_the_ledger_is_noticed(
    tiny: World, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    changed = deepcopy(tiny.ledgers)
    ledger = next(one for one in changed.values() if one.stands_for and one.came)
    TAMPERINGS[told](ledger)
    monkeypatch.setattr(tiny, "ledgers", changed)
    monkeypatch.setattr(tiny, "violations", [])
    check(tiny)
    assert any(told in violation and ledger.agent in violation for violation in tiny.violations)
