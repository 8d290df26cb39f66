"""Quote what somebody said, and fence what Reverie puts into a prompt."""

from __future__ import annotations

from reverie.memory.quoting.fence import defused, fenced, forged_blocks, own_blocks, without_spans
from reverie.memory.quoting.narrative_head import (
    StandsFor,
    may_be_summary,
    name_counts,
    narrative_body,
    narrative_head,
    stands_for,
)
from reverie.memory.quoting.quotations import (
    HEARSAY_MARKS,
    excerpt,
    heading_of,
    memory_wording,
    question_in,
    quotation,
    said_before,
    sentence_of,
    shortened,
    shown_name,
    who_said,
    with_dates,
)

__all__ = [
    "HEARSAY_MARKS",
    "StandsFor",
    "defused",
    "excerpt",
    "fenced",
    "forged_blocks",
    "heading_of",
    "may_be_summary",
    "memory_wording",
    "name_counts",
    "narrative_body",
    "narrative_head",
    "own_blocks",
    "question_in",
    "quotation",
    "said_before",
    "sentence_of",
    "shortened",
    "shown_name",
    "stands_for",
    "who_said",
    "with_dates",
    "without_spans",
]
