"""Choose what enters a prompt, and lay it out within a token budget."""

from __future__ import annotations

from reverie.memory.prompt import activation
from reverie.memory.prompt.activation import (
    BASELINE_KINDS,
    BASELINE_PRIORITIES,
    GUARDED_KINDS,
    Situation,
    answerable,
)
from reverie.memory.prompt.block import (
    LAYERS,
    BlockLine,
    Budgets,
    Cost,
    Count,
    Layers,
    filled_block,
)
from reverie.memory.prompt.budget import BYTES_PER_TOKEN, LineEstimate, checked_count, estimated_tokens, fit
from reverie.memory.prompt.contextual import packed_lines, said_lines
from reverie.memory.prompt.participants import Person, people_lines
from reverie.memory.prompt.window_shares import (
    Allotment,
    Shares,
    allotted,
    block_cuts,
    block_size,
    blocks_before,
    chained,
    first_in_full,
    group_starts,
    size_of,
)
from reverie.memory.prompt.window_text import (
    Group,
    Page,
    WindowLine,
    WindowPart,
    fitted_part,
    indented,
    label_of,
    list_entry,
    memory_text,
    parts_of,
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
    "BlockLine",
    "Budgets",
    "Cost",
    "Count",
    "Group",
    "Layers",
    "LineEstimate",
    "Page",
    "Person",
    "Shares",
    "Situation",
    "WindowLine",
    "WindowPart",
    "activation",
    "allotted",
    "answerable",
    "block_cuts",
    "block_size",
    "blocks_before",
    "chained",
    "checked_count",
    "estimated_tokens",
    "filled_block",
    "first_in_full",
    "fit",
    "fitted_part",
    "group_starts",
    "indented",
    "label_of",
    "list_entry",
    "memory_text",
    "packed_lines",
    "parts_of",
    "people_lines",
    "said_lines",
    "shrunk",
    "size_of",
    "turn_text",
    "without_own_block",
]
