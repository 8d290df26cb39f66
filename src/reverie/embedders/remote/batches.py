"""Texts cut to what a provider takes, so many and so long at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.memory.prompt import BYTES_PER_TOKEN

_WORDLESS = "."


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a provider takes at once: so many texts, so many UTF-8 bytes, and of each text so many tokens."""

    texts: int
    bytes: int
    tokens: int


def cut(text: str, limits: Limits, *, surely: bool = False) -> str:
    """Return the beginning of a text that the model reads: about as long as it does, or (``surely``) not longer even
    if every byte were a token. A text without a letter or sign is a full stop: providers refuse empty ones.
    """
    most = limits.tokens * (1 if surely else BYTES_PER_TOKEN)
    whole = text.encode("utf-8", "replace")
    kept = whole[:most].decode("utf-8", "ignore")
    return kept if kept.strip() else _WORDLESS


def batches(texts: Sequence[str], limits: Limits) -> Iterator[slice]:
    """Cuts a list into parts within the limits; a text that is too long alone is a part of its own."""
    start = size = 0
    for place, text in enumerate(texts):
        length = len(text.encode("utf-8", "replace"))
        if place > start and (place - start >= limits.texts or size + length > limits.bytes):
            yield slice(start, place)
            start, size = place, 0
        size += length
    if start < len(texts):
        yield slice(start, len(texts))
