"""Write memories: the one write path, revisions, goals, procedures."""

from __future__ import annotations

from reverie.services.remember import adopt, goals, labels, procedures, revise, writing
from reverie.services.remember.judging import (
    Reworded,
    as_duplicate,
    judged,
    judgements,
    reworded_all,
    unforgotten,
    with_judgement,
)
from reverie.services.remember.quoted import is_quoted_in_parts, outdated
from reverie.services.remember.writing import remember

__all__ = [
    "Reworded",
    "adopt",
    "as_duplicate",
    "goals",
    "is_quoted_in_parts",
    "judged",
    "judgements",
    "labels",
    "outdated",
    "procedures",
    "remember",
    "revise",
    "reworded_all",
    "unforgotten",
    "with_judgement",
    "writing",
]
