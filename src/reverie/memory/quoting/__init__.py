"""Quote what somebody said, and fence what Reverie puts into a prompt."""

from __future__ import annotations

from reverie.memory.quoting.fence import defused, fenced, forged_blocks, own_blocks, without_spans
from reverie.memory.quoting.quotations import (
    HEARSAY_MARKS,
    day_of,
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
from reverie.memory.quoting.requoted import UNSURE, quoted_in
from reverie.memory.quoting.speakers import WHOEVER, bare
from reverie.memory.quoting.story_head import StandsFor, body, head, may_be_summary, stands_for, tally

__all__ = [
    "HEARSAY_MARKS",
    "UNSURE",
    "WHOEVER",
    "StandsFor",
    "bare",
    "body",
    "day_of",
    "defused",
    "excerpt",
    "fenced",
    "forged_blocks",
    "head",
    "heading_of",
    "may_be_summary",
    "memory_wording",
    "own_blocks",
    "question_in",
    "quotation",
    "quoted_in",
    "said_before",
    "sentence_of",
    "shortened",
    "shown_name",
    "stands_for",
    "tally",
    "who_said",
    "with_dates",
    "without_spans",
]
