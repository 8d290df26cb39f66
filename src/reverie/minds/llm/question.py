"""A question to a model, and its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from reverie.domain.change import Spent

if TYPE_CHECKING:
    from pydantic import BaseModel

RETRIES = 2
"""So often an answer that isn't what was asked for is asked for again, with what is wrong with it."""

Answer = TypeVar("Answer", bound="BaseModel")


@dataclass(frozen=True, kw_only=True, slots=True)
class Question(Generic[Answer]):
    """``prompt`` are our instructions, ``data`` what they are about. ``check`` raises ValueError, which says to the
    model what is wrong with an answer that fits the schema. ``output``: tokens of the answer at most.
    """

    prompt: str
    data: str
    schema: type[Answer]
    output: int
    check: Callable[[Answer], None] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered(Generic[Answer]):
    """The answer and what it cost."""

    answer: Answer
    spent: Spent
