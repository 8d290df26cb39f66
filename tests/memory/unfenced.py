"""A text without blocks that we made."""

from __future__ import annotations

from reverie.memory.quoting.fence import own_blocks, without_spans


def stripped(text: str) -> str:
    """Return the text with a line break in the place of each whole block that we made."""
    return without_spans(text, own_blocks(text))
