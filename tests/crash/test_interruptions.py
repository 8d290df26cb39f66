"""SIGINT and SIGTERM, at any moment of a command that writes: of each that has a path of its own."""

from __future__ import annotations

import random
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from reverie.doors.cli.program import program
from tests.crash.interrupted import ALIKE, BOTH, ELSEWHERE, ENDLESS, INTERRUPTED, READING, Bank, Ended, aged

_LONGEST_SECONDS = 1.5


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    return aged(tmp_path_factory.mktemp("aged"))


@pytest.fixture
def bank(original: Bank, tmp_path: Path) -> Bank:
    """A copy for each test."""
    shutil.copytree(original.folder, tmp_path / "bank")
    return replace(original, folder=tmp_path / "bank")


def _commands(command: typer.core.TyperGroup, above: str = "") -> Iterator[str]:
    for name, one in command.commands.items():
        yield above + name
        if isinstance(one, typer.core.TyperGroup):
            yield from _commands(one, f"{above}{name}/")


def test_each_command_is_known_to_write_or_not_to() -> None:
    known = INTERRUPTED.keys() | ALIKE | READING | ELSEWHERE
    command = program()
    assert isinstance(command, typer.core.TyperGroup)
    assert set(_commands(command)) == known


def _check(ended: Ended, *codes: int) -> None:
    assert ended.code in codes, ended.err
    assert "Traceback" not in ended.err


def _is_sound(bank: Bank) -> None:
    with bank.opened() as reverie:
        assert list(reverie.check()) == []
        assert reverie.agent("mama").get(bank.names["memory"]).id == bank.names["memory"]


@pytest.fixture(scope="module")
def codes() -> Iterator[list[int]]:
    """Gathers the exit codes of commands that got a signal: among many, one came before the end."""
    found: list[int] = []
    yield found
    assert len(found) < len(INTERRUPTED) or 130 in found


@pytest.mark.parametrize("command", INTERRUPTED)
def test_an_interrupted_command_ends_with_130_and_may_be_repeated(
    bank: Bank, command: str, codes: list[int]
) -> None:
    chance, fine = random.Random(command), {0, 1}  # 1: there is nothing to do
    signals = [chance.choice(BOTH)] * chance.choice((1, 1, 2))
    ended = bank.run(INTERRUPTED[command], 0, after=chance.uniform(0, _LONGEST_SECONDS), signals=signals)
    codes.append(ended.code)
    _check(ended, 130, *fine)
    if ended.code != 1:
        fine.add(2)  # it may be done, also where it was interrupted at its end, and can't be done twice
    _check(bank.run_here(INTERRUPTED[command], 1), *fine)
    _is_sound(bank)


@pytest.mark.parametrize("number", BOTH, ids=lambda number: number.name)
@pytest.mark.parametrize("command", ENDLESS)
def test_what_runs_until_it_is_ended_ends(bank: Bank, command: str, number: signal.Signals) -> None:
    after = random.Random(command).uniform(0, 2 * _LONGEST_SECONDS)
    _check(bank.run(ENDLESS[command], 0, after=after, signals=[number]), 0, 130)
    _is_sound(bank)
