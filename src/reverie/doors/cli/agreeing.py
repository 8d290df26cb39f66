"""Asking before what takes something away."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from reverie.errors import InvalidInput

_MOST_ANSWER = 100

Yes = Annotated[bool, typer.Option("--yes", help="Don't ask.")]


def agreed(question: str, verb: str, *, warning: bool = True) -> bool:
    """Whether the person at the terminal says yes; ``warning`` that there is no way back. Raises InvalidInput where
    there is nobody to ask.
    """
    if not sys.stdin.isatty():
        raise InvalidInput(verb, "there is no terminal to ask on", "add --yes if you mean it")
    last = " It can't be brought back." if warning else ""
    sys.stderr.write(f"{question}{last} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline(_MOST_ANSWER).strip().lower() in ("y", "yes")
