"""Quote what somebody said, and fence what Reverie puts into a prompt."""

from __future__ import annotations

from reverie.memory.quoting.fence import blocks, defused, fenced, fenced_off, without
from reverie.memory.quoting.quotations import (
    MARKS,
    called,
    dated,
    day_of,
    excerpt,
    heading_of,
    question_in,
    quotation,
    said_before,
    sentence_of,
    shortened,
    who_said,
    worded,
)
from reverie.memory.quoting.requoted import UNSURE, quoted_in
from reverie.memory.quoting.speakers import WHOEVER, bare
from reverie.memory.quoting.story_head import StandsFor, body, head, may_be_summary, stands_for, tally

__all__ = [
    "MARKS",
    "UNSURE",
    "WHOEVER",
    "StandsFor",
    "bare",
    "blocks",
    "body",
    "called",
    "dated",
    "day_of",
    "defused",
    "excerpt",
    "fenced",
    "fenced_off",
    "head",
    "heading_of",
    "may_be_summary",
    "question_in",
    "quotation",
    "quoted_in",
    "said_before",
    "sentence_of",
    "shortened",
    "stands_for",
    "tally",
    "who_said",
    "without",
    "worded",
]
