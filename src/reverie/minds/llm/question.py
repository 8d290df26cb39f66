"""A question to a model, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from reverie.domain.change import Spent
from reverie.domain.model_check import Step, Way

RETRIES = 2
"""So often an answer that isn't what was asked for is asked for again, with what is wrong with it."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, kw_only=True, slots=True)
class Question(Generic[Answer]):
    """``prompt`` are our instructions, ``data`` what they are about. ``schema`` is a pydantic model, or dict for an
    answer of which ``shape`` is the JSON Schema. ``check`` raises ValueError, which says to the model what is wrong
    with an answer that fits the schema. ``output``: tokens of the answer at most.
    """

    prompt: str
    data: str
    schema: type[Answer]
    output: int
    shape: Mapping[str, object] | None = None
    check: Callable[[Answer], None] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered(Generic[Answer]):
    """The answer and what it cost."""

    answer: Answer
    spent: Spent


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried(Generic[Answer]):
    """The answer, or at which step it failed and ``why``; ``way`` is how it was asked for, where it was."""

    spent: Spent
    answer: Answer | None = None
    failed: Step | None = None
    why: str | None = None
    way: Way | None = None


def shaped(
    prompt: str, data: str, shape: Mapping[str, object], output: int, fault: Callable[[object], str | None]
) -> Question[dict[str, object]]:
    """Return a question for JSON of a schema; ``fault`` says why a JSON value is no answer at all, None where it is
    one.
    """

    def check(answer: dict[str, object]) -> None:
        why = fault(answer)
        if why is not None:
            raise ValueError(why)

    return Question(prompt=prompt, data=data, schema=dict, shape=shape, output=output, check=check)
