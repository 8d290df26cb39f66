"""Find what is left of a forgotten text in other texts."""

from __future__ import annotations

from reverie.memory.forgetting.remnants import Gone, gone_of, still_telling
from reverie.memory.forgetting.traces import (
    explained_without,
    is_remainder,
    message_tombstone,
    parted,
    retold_without,
    same_text,
    sentences,
    source_without,
    surviving_labels,
    tombstone,
)

__all__ = [
    "Gone",
    "explained_without",
    "gone_of",
    "is_remainder",
    "message_tombstone",
    "parted",
    "retold_without",
    "same_text",
    "sentences",
    "source_without",
    "still_telling",
    "surviving_labels",
    "tombstone",
]
