"""Decide what of a memory or a summary stands when an episode goes."""

from __future__ import annotations

from reverie.services.evidence.standing import Left, go_back, leave_sleeps, left_of, plain_relations, words_of
from reverie.services.evidence.summaries import Fallen, fallen, topple

__all__ = [
    "Fallen",
    "Left",
    "fallen",
    "go_back",
    "leave_sleeps",
    "left_of",
    "plain_relations",
    "topple",
    "words_of",
]
