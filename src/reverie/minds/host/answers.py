"""Answers: the one JSON object in what a model wrote, or why there is none; nothing else is raised."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from reverie.errors import InvalidInput
from reverie.errors.showing import typed

MOST = 500_000
"""Characters of an answer: a night's hundred messages are worth a tenth of that."""
_MOST_FENCES = 20
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n", re.MULTILINE)
_REMEDY = "give one JSON object of the question's schema; nothing was changed, and the question stays open"


def unusable(problem: str) -> InvalidInput:
    """That an answer can't be used."""
    return InvalidInput("answer", problem, _REMEDY)


def read(answer: object) -> Mapping[str, object]:
    """Return the answer as plain JSON values. Raise InvalidInput."""
    text = answer if isinstance(answer, str) else _written(answer)
    if len(text) > MOST:
        raise unusable(f"it has more than {MOST:,} characters")
    found: list[Mapping[str, object]] = []
    for one in map(_object, _parts(text)):
        if one is not None and one not in found:
            found.append(one)
    if not found:
        raise unusable("it holds no JSON object, or one that is cut off")
    if len(found) > 1 and len(_FENCE.findall(f"{text}\n")) > len("``"):
        raise unusable("it holds several JSON objects")
    return found[0]


def _written(answer: object) -> str:
    """Return a mapping as JSON text, so that whatever a caller built is looked at as what it says."""
    if not isinstance(answer, Mapping):
        raise unusable(f"{typed(answer)} is neither a mapping nor text")
    try:
        return json.dumps(dict(answer))
    except (TypeError, ValueError, RecursionError):
        raise unusable("it can't be written as JSON") from None


def _parts(text: str) -> Iterator[str]:
    """Yield where the object may stand: all of it, within a fence, or between the outermost braces."""
    yield text
    fences = [found.span() for found in _FENCE.finditer(f"{text}\n")][:_MOST_FENCES]
    for (_, begin), (end, _) in pairwise(fences):
        yield text[begin:end]
    if fences:
        yield text[fences[0][1] :].rstrip().rstrip("`~")
    begin, end = text.find("{"), text.rfind("}")
    if 0 <= begin < end:
        yield text[begin : end + 1]


def _object(text: str) -> Mapping[str, object] | None:
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return None
    try:
        value = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
