"""Read memories and episodes: the one read path, and listing."""

from __future__ import annotations

from reverie.services.recall import look, recall
from reverie.services.recall.question import question_of

__all__ = ["look", "question_of", "recall"]
