"""What fits: token counts and whole texts within a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

BYTES_PER_TOKEN = 3


def estimated_tokens(text: str, model_tokens: Callable[[str], int], *, enough: int | None = None) -> int:
    """An upper-side estimate of what a text costs a language model: max(model tokens without truncation,
    ⌈UTF-8 bytes / 3⌉).

    An estimate: other models split text otherwise. The second part guards against scripts and strings that
    the model's tokenizer folds into one unknown token. Where the bytes alone come to more than ``enough``,
    the tokenizer isn't asked.
    """
    by_bytes = -(-len(text.encode()) // BYTES_PER_TOKEN)
    if enough is not None and by_bytes > enough:
        return by_bytes
    return max(model_tokens(text), by_bytes)


def fit(texts: Sequence[str], budget: int, cost: Callable[[str, int], int]) -> tuple[tuple[int, ...], int]:
    """Which texts enter, best first, each whole or not at all, and what they cost together (never above
    ``budget``).

    What doesn't fit is passed over and a later, smaller text may still enter. ``cost`` is given a text and
    what is left of the budget: of a price above that, any number above it will do.
    """
    chosen: list[int] = []
    spent = 0
    for place, text in enumerate(texts):
        price = cost(text, budget - spent)
        if price < 0:
            raise ValueError("a text can't cost less than nothing")
        if spent + price <= budget:
            chosen.append(place)
            spent += price
    return tuple(chosen), spent
