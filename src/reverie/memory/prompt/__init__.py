"""Choose what enters a prompt, and lay it out within a token budget."""

from __future__ import annotations

from reverie.memory.prompt import activation
from reverie.memory.prompt.activation import (
    BASELINE_KINDS,
    BASELINE_PRIORITIES,
    GUARDED_KINDS,
    Around,
    answerable,
)
from reverie.memory.prompt.block import LAYERS, Budgets, Cost, Count, Layers, Line, filled, one_line
from reverie.memory.prompt.budget import BYTES_PER_TOKEN, LineEstimate, checked_count, estimated_tokens, fit
from reverie.memory.prompt.people import Person, told_of
from reverie.memory.prompt.relevant import packed, said, words_of
from reverie.memory.prompt.window import (
    Allotment,
    Shares,
    allotted,
    block_size,
    blocks_before,
    chained,
    cuts,
    first_in_full,
    group_starts,
    size_of,
)
from reverie.memory.prompt.window_text import (
    Group,
    Page,
    Part,
    WindowLine,
    fitted,
    label_of,
    listed,
    memory_text,
    parts_of,
    set_in,
    shrunk,
    turn_text,
    without_own_block,
)

__all__ = [
    "BASELINE_KINDS",
    "BASELINE_PRIORITIES",
    "BYTES_PER_TOKEN",
    "GUARDED_KINDS",
    "LAYERS",
    "Allotment",
    "Around",
    "Budgets",
    "Cost",
    "Count",
    "Group",
    "Layers",
    "Line",
    "LineEstimate",
    "Page",
    "Part",
    "Person",
    "Shares",
    "WindowLine",
    "activation",
    "allotted",
    "answerable",
    "block_size",
    "blocks_before",
    "chained",
    "checked_count",
    "cuts",
    "estimated_tokens",
    "filled",
    "first_in_full",
    "fit",
    "fitted",
    "group_starts",
    "label_of",
    "listed",
    "memory_text",
    "one_line",
    "packed",
    "parts_of",
    "said",
    "set_in",
    "shrunk",
    "size_of",
    "told_of",
    "turn_text",
    "without_own_block",
    "words_of",
]
