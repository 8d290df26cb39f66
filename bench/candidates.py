"""What recall hands to its scoring rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from reverie.rules import score
from reverie.services import recall


@contextmanager
def spied(name: str) -> Iterator[list[tuple[Any, score.Question]]]:
    """The candidates and the question of each call of one of the rules meanwhile: ``score_episodes`` or
    ``score_memories``.
    """
    seen: list[tuple[Any, score.Question]] = []
    rule: Callable[..., score.Scored] = getattr(score, name)

    def spy(found: Any, question: score.Question) -> score.Scored:
        seen.append((found, question))
        return rule(found, question)

    with mock.patch.object(recall, name, spy):
        yield seen
