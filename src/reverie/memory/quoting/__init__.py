"""Quote what somebody said, and fence what Reverie puts into a prompt."""

from __future__ import annotations

from reverie.memory.quoting.fence import blocks, defused, fenced, fenced_off, without
from reverie.memory.quoting.hearsay import MARKS, heading_of, sentence_of
from reverie.memory.quoting.quotations import (
    called,
    dated,
    day_of,
    excerpt,
    question_in,
    quotation,
    said_before,
    shortened,
    who_said,
    worded,
)
from reverie.memory.quoting.speakers import WHOEVER, bare
from reverie.memory.quoting.story_head import StandsFor, body, head, may_be_summary, stands_for, tally

__all__ = [
    "MARKS",
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
    "said_before",
    "sentence_of",
    "shortened",
    "stands_for",
    "tally",
    "who_said",
    "without",
    "worded",
]
