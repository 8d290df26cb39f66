"""Find what is left of a forgotten text in other texts."""

from __future__ import annotations

from reverie.memory.forgetting.remnants import Gone, gone_of, still_telling
from reverie.memory.forgetting.traces import (
    alike,
    explained_without,
    is_rest,
    message_tombstone,
    parted,
    retold_without,
    sentences,
    source_without,
    surviving,
    tombstone,
)

__all__ = [
    "Gone",
    "alike",
    "explained_without",
    "gone_of",
    "is_rest",
    "message_tombstone",
    "parted",
    "retold_without",
    "sentences",
    "source_without",
    "still_telling",
    "surviving",
    "tombstone",
]
