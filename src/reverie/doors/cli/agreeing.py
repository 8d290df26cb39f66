"""Asking before what can't be brought back."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from reverie.errors import InvalidInput

Yes = Annotated[bool, typer.Option("--yes", help="Don't ask.")]


def agreed(question: str, verb: str) -> bool:
    """Whether the person at the terminal says yes. Raises InvalidInput where there is nobody to ask."""
    if not sys.stdin.isatty():
        raise InvalidInput(verb, "there is no terminal to ask on", "add --yes if you mean it")
    sys.stderr.write(f"{question} It can't be brought back. [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
