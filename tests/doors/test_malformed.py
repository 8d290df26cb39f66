"""Whatever stands at any place of any command is taken, or refused with a message and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from reverie.doors.cli.program import program
from tests.doors.commands import Cli
from tests.verbs import Tried

pytestmark = pytest.mark.slow

EVERYWHERE = ("a\x00b", "\udcff\ud800")
IN_TURN = ("", "nan", "-1", "9" * 5_000, "9999-12-31T23:59:59-23:59", '{"a": [[', "é " * 100_000)
_VALUE = "<value>"
_ELSEWHERE = frozenset(
    {
        "daemon",
        "mcp",
        "open",
        "serve",
        "watch",
        "worker",
        "postgres init",
        "postgres scour",
        "postgres status",
        "postgres move",
        "demo",
    }
)
"""They run until they are ended, ask a server, or load the models."""
_USUAL = {"where": "postgresql://127.0.0.1:1/none", "file": "-"}


def _commands(
    command: typer.core.TyperGroup, above: str = ""
) -> Iterator[tuple[str, typer.core.TyperCommand]]:
    for name, one in command.commands.items():
        if isinstance(one, typer.core.TyperGroup):
            yield from _commands(one, f"{above}{name} ")
        elif isinstance(one, typer.core.TyperCommand) and above + name not in _ELSEWHERE:
            yield above + name, one


def _lines(name: str, command: typer.core.TyperCommand) -> Iterator[list[str]]:
    """The command with _VALUE at each place in turn, and something usual at the others that it needs."""
    arguments = [one for one in command.params if isinstance(one, typer.core.TyperArgument)]
    usual = [_USUAL.get(one.name or "", "x") for one in arguments]
    for place in range(len(arguments)):
        yield [*name.split(), "--", *usual[:place], _VALUE, *usual[place + 1 :]]
    for option in command.params:
        if isinstance(option, typer.core.TyperOption) and not option.is_flag:
            yield [*name.split(), *usual, f"{option.opts[0]}={_VALUE}"]


def test_every_command_takes_a_value_or_refuses_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # some of these become the names of files
    cli.remember("Anna sings")
    command = program()
    assert isinstance(command, typer.core.TyperGroup)
    places = [line for name, one in _commands(command) for line in _lines(name, one)]
    wrong = []
    for number, place in enumerate(places):
        for value in (*EVERYWHERE, *IN_TURN[number % 3 :: 3]):
            line = [part.replace(_VALUE, value) for part in place]
            with Tried() as tried:
                ran = cli(*line)
            if tried.error is not None or ran.code not in (0, 1, 2, 3) or "Traceback" in ran.err:
                wrong.append((" ".join(line)[:60], repr(tried.error)[:200]))
    assert len(places) > 300
    assert not wrong, "\n".join(map(str, wrong))
