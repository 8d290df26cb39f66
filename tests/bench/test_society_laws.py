"""The society's laws: whatever is not as the ledger says is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace

import pytest

from bench.society_check import check
from bench.society_ledger import Ledger, Wrote
from bench.society_world import World
from tests.bench.test_society import tiny_world

pytestmark = pytest.mark.slow
Tampering = Callable[[World, Ledger], object]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A day of two agents."""
    world = tiny_world(tmp_path_factory.mktemp("society"), 30)
    yield world
    world.reverie.close()


def _drop_a_message(_: World, ledger: Ledger) -> None:
    ledger.heard["nowhere"] = replace(next(iter(ledger.heard.values())), id="nowhere")


def _change_a_message(_: World, ledger: Ledger) -> None:
    first = next(iter(ledger.heard.values()))
    ledger.heard[first.id] = replace(first, content="something else")


def _drop_a_memory(_: World, ledger: Ledger) -> None:
    ledger.noted["nowhere"] = replace(next(iter(ledger.noted.values())), id="nowhere")


def _change_a_memory(_: World, ledger: Ledger) -> None:
    first = next(iter(ledger.noted.values()))
    ledger.noted[first.id] = replace(first, texts=["something else"])


def _drop_a_view(_: World, ledger: Ledger) -> None:
    ledger.saw.pop()


def _drop_a_note(_: World, ledger: Ledger) -> None:
    ledger.wrote.append(Wrote("2026-03-02", {"text": "never"}, None, None))


def _change_what_a_summary_stands_for(_: World, ledger: Ledger) -> None:
    id, items = next(iter(ledger.stands_for.items()))
    ledger.stands_for[id] = items - {next(iter(items))}


def _know_nothing(_: World, ledger: Ledger) -> None:
    ledger.known.clear()
    ledger.came.clear()


def _forget_in_the_ledger_alone(_: World, ledger: Ledger) -> None:
    ledger.forgotten.add(next(iter(ledger.heard.values())).mark)


def _share_more(_: World, ledger: Ledger) -> None:
    ((id, came),) = [*ledger.came.items()][:1]
    ledger.came[id] = replace(came, sure=came.sure | {999_999})


def _lose_faith(_: World, ledger: Ledger) -> None:
    ledger.soul.reverse()


@pytest.mark.parametrize(
    ("tampering", "told"),
    [
        (_drop_a_message, "messages are lost"),
        (_change_a_message, "messages changed"),
        (_drop_a_memory, "memories are lost"),
        (_change_a_memory, "memories changed"),
        (_drop_a_view, "the history of relationships"),
        (_drop_a_note, "the diary's page"),
        (_change_what_a_summary_stands_for, "stands for something else"),
        (_know_nothing, "texts of others"),
        (_forget_in_the_ledger_alone, "forgotten texts"),
        (_share_more, "shared is missing"),
        (_lose_faith, "the soul changed"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_what_is_not_as_the_ledger_says_is_told(
    tiny: World, monkeypatch: pytest.MonkeyPatch, tampering: Tampering, told: str
) -> None:
    changed = deepcopy(tiny.ledgers)
    ledger = next(one for one in changed.values() if one.stands_for and one.came)
    tampering(tiny, ledger)
    monkeypatch.setattr(tiny, "ledgers", changed)
    monkeypatch.setattr(tiny, "violations", [])
    check(tiny)
    assert any(told in violation and ledger.agent in violation for violation in tiny.violations), (
        tiny.violations
    )
