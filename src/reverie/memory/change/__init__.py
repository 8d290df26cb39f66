"""Decide what new evidence makes of a memory, and whether a text stands on its evidence."""

from __future__ import annotations

from reverie.memory.change.echoes import Echo, as_information, repeats, steers, trust_of
from reverie.memory.change.evidence import CLOSE, FLOOR, Facts, Said, is_english, names_in
from reverie.memory.change.merge import Standing, apart, merged, precedence, superseded
from reverie.memory.change.narratives import carried, said_in
from reverie.memory.change.recurrence import event_of, is_event, kind_of, may_recur, recurring, says_the_same
from reverie.memory.change.reinforce import confirmed, reinforced
from reverie.memory.change.resolve import (
    INFERRED,
    LATER,
    LEAST,
    NEWER,
    Side,
    Wording,
    faded,
    is_less_trusted,
    is_retold,
    keeps_words,
    lost,
    not_revised,
    retired,
    revised,
    side_of,
    spared,
    verdict,
)
from reverie.memory.change.staleness import is_stale, kept_for, last_seen

__all__ = [
    "CLOSE",
    "FLOOR",
    "INFERRED",
    "LATER",
    "LEAST",
    "NEWER",
    "Echo",
    "Facts",
    "Said",
    "Side",
    "Standing",
    "Wording",
    "apart",
    "as_information",
    "carried",
    "confirmed",
    "event_of",
    "faded",
    "is_english",
    "is_event",
    "is_less_trusted",
    "is_retold",
    "is_stale",
    "keeps_words",
    "kept_for",
    "kind_of",
    "last_seen",
    "lost",
    "may_recur",
    "merged",
    "names_in",
    "not_revised",
    "precedence",
    "recurring",
    "reinforced",
    "repeats",
    "retired",
    "revised",
    "said_in",
    "says_the_same",
    "side_of",
    "spared",
    "steers",
    "superseded",
    "trust_of",
    "verdict",
]
