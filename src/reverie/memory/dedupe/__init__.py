"""Decide whether two texts say the same, so that a cosine threshold is safe."""

from __future__ import annotations

from reverie.memory.dedupe import guard
from reverie.memory.dedupe.guard import differs
from reverie.memory.dedupe.reading import Role, read
from reverie.memory.dedupe.windows import in_window_of, is_reworded
from reverie.memory.dedupe.words import NEGATIONS, key_of

__all__ = ["NEGATIONS", "Role", "differs", "guard", "in_window_of", "is_reworded", "key_of", "read"]
