"""Toolset ``admin`` as hosts are told of it: tending a memory by the model that the host runs. A test bounds what it
costs a host's context.
"""

from __future__ import annotations

from reverie.doors.mcp.definitions import NUMBERS_BY_NAME, Definition, object_of
from reverie.doors.mcp.parameters import ANSWER, TEXT, WHOLE, Schema

_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_QUESTION: dict[str, Schema] = {
    "id": _TEXT, "prompt": _TEXT, "text": _TEXT, "schema": {"type": "object"}, "episodes": _WHOLE, "remaining": _WHOLE,
}  # fmt: skip

ADMIN = (
    Definition(
        name="memory_night",
        description=(
            "Get what was said lately, to consolidate it: instructions, data and the answer's schema."
            " Answer with memory_night_apply. Only the latest night can be answered."
        ),
        takes={"max_tokens": WHOLE},
        gives=object_of(**_QUESTION),
    ),
    Definition(
        name="memory_night_apply",
        description=(
            "Apply your answer to a night: one JSON object by its schema. Whatever is refused comes back once as a"
            " question: correct those entries and call again with the same id."
        ),
        takes={"id": TEXT, "answer": ANSWER},
        needs=("id", "answer"),
        gives=object_of(
            applied=_WHOLE, rejected=_WHOLE, remaining=_WHOLE, sleep=_TEXT, question=object_of(**_QUESTION)
        ),
        destroys=True,
    ),
    Definition(
        name="memory_consolidate",
        description="Merge duplicates, archive what is stale, promote what recurs. It also happens weekly by itself.",
        gives=NUMBERS_BY_NAME,
        idempotent=True,
    ),
    Definition(
        name="memory_stats",
        description="Counts, queue, failures.",
        gives=NUMBERS_BY_NAME,
        reads_only=True,
        idempotent=True,
    ),
)
"""Toolset ``admin``."""
