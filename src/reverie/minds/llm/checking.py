"""Checking: one tiny question, to see what works between us and a model."""

from __future__ import annotations

from reverie.domain.model_check import ModelCheck, Sends
from reverie.minds.llm.asking import Asker
from reverie.minds.llm.question import shaped

_PROMPT = 'You are asked whether you are there. Answer with one JSON object and nothing else: {"there": true}'
_SHAPE = {
    "type": "object",
    "properties": {"there": {"type": "boolean"}},
    "required": ["there"],
    "additionalProperties": False,
}
_OUTPUT = 1_000
"""Tokens of the answer at most: some models think first."""


def checked(asker: Asker, sends: Sends) -> ModelCheck:
    """Return what works. Raise CapReached."""
    place = asker.access.place
    tried = asker.trying(shaped(_PROMPT, "Are you there?", _SHAPE, _OUTPUT, _fault))
    return ModelCheck(
        model=place.id, server=place.url, sends=sends, failed=tried.failed, problem=tried.why, way=tried.way,
        spent=tried.spent,
    )  # fmt: skip


def _fault(answer: object) -> str | None:
    fits = isinstance(answer, dict) and answer.get("there") is True
    return None if fits else 'the answer is not {"there": true}'
