"""Forms: what a secret stands in, and the literals without which it can't stand there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reverie.memory.privacy.redaction import Found

_CLOSERS = ".,;:!?)]}>\"'*_\\"
_QUERY_END = re.compile(r"[&#]")
_END = re.compile(r";(?:$|[A-Za-z][\w ]{0,40}=)|,[\"'{]|\\[nr]|</")


@dataclass(frozen=True, slots=True)
class Form:
    """One of ``hints`` is in every text in which ``find`` finds something."""

    hints: tuple[str, ...]
    find: Callable[[str], Iterator[Found]]


def trimmed(value: str, *, in_query: bool = False) -> str:
    """Give a value without what follows it in a sentence, in an address or in a list of settings."""
    for end in (_QUERY_END, _END) if in_query else (_END,):
        found = end.search(value)
        value = value[: found.start()] if found else value
    return value.rstrip(_CLOSERS)
