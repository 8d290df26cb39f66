"""Lay out the self-portrait, diary pages and relationships."""

from __future__ import annotations

from reverie.memory.society.acquaintance import all_met, known_as, met
from reverie.memory.society.diary import composed, forgettable, told_by, with_notes, words_of
from reverie.memory.society.portrait import (
    SOUL,
    TITLES,
    harmless,
    in_turn,
    line_of,
    lines_of,
    merged_document,
    portrait_section,
    portrait_weight,
)
from reverie.memory.society.rooms import conversations_due

__all__ = [
    "SOUL",
    "TITLES",
    "all_met",
    "composed",
    "conversations_due",
    "forgettable",
    "harmless",
    "in_turn",
    "known_as",
    "line_of",
    "lines_of",
    "merged_document",
    "met",
    "portrait_section",
    "portrait_weight",
    "told_by",
    "with_notes",
    "words_of",
]
