"""Commands of one topic under a name of their own, such as ``reverie soul add``."""

from __future__ import annotations

import sys

import typer

from reverie.doors.cli.codes import Code
from reverie.doors.cli.verb import reflowed


def grouped(app: typer.Typer, name: str, about: str) -> typer.Typer:
    """A group of commands; its name alone shows them."""
    group = typer.Typer(name=name, help=reflowed(about), rich_markup_mode="rich")
    group.callback(invoke_without_command=True)(_tell)
    app.add_typer(group)
    return group


def _tell(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help().rstrip() + "\n")
        raise typer.Exit(Code.DONE)
