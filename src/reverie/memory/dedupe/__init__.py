"""Decide whether two texts or memories say the same, so that a cosine threshold is safe."""

from __future__ import annotations

from reverie.memory.dedupe.guard import (
    is_reworded,
    kinds_compatible,
    memories_differ,
    texts_differ,
    with_window_of,
)
from reverie.memory.dedupe.reading import NEGATIONS, WordRole, read_text, word_key

__all__ = [
    "NEGATIONS",
    "WordRole",
    "is_reworded",
    "kinds_compatible",
    "memories_differ",
    "read_text",
    "texts_differ",
    "with_window_of",
    "word_key",
]
