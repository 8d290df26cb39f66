"""What fits: token counts and whole texts within a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reverie.errors import InvalidInput
from reverie.errors.showing import shown

BYTES_PER_TOKEN = 3


def estimated_tokens(text: str, model_tokens: Callable[[str], int], *, enough: int | None = None) -> int:
    """Return an upper-side estimate of what a text costs a language model: max(model tokens without truncation,
    ⌈UTF-8 bytes / 3⌉).

    An estimate: other models split text otherwise. The second part guards against scripts and strings that
    the model's tokenizer folds into one unknown token. Where the bytes alone come to more than ``enough``,
    the tokenizer isn't asked.
    """
    by_bytes = -(-len(text.encode()) // BYTES_PER_TOKEN)
    if enough is not None and by_bytes > enough:
        return by_bytes
    return max(model_tokens(text), by_bytes)


class LineEstimate:
    """``estimated_tokens`` for texts that have lines in common: each line is given to the model once, since no token
    reaches across the end of a line.
    """

    def __init__(self, model_tokens: Callable[[str], int]) -> None:
        self._model_tokens = model_tokens
        self._known: dict[str, int] = {"": 0}

    def __call__(self, text: str, enough: int | None = None) -> int:
        """Return what the text costs; for the second argument see ``estimated_tokens``."""
        return estimated_tokens(text, self._by_lines, enough=enough)

    def _by_lines(self, text: str) -> int:
        found = 0
        for line in text.split("\n"):
            tokens = self._known.get(line)
            if tokens is None:
                tokens = self._known[line] = self._model_tokens(line)
            found += tokens
        return found


def checked_count(tokens: Callable[[str], int], text: str) -> int:
    """Return what a caller's counter says of a text. Raise InvalidInput where that is no whole number from 0."""
    price: object = tokens(text)
    if isinstance(price, bool) or not isinstance(price, int) or price < 0:
        raise InvalidInput(
            "tokens", f"it counted {shown(price)} for a text", "give a function that counts from 0"
        )
    return price


def fit(texts: Sequence[str], budget: int, cost: Callable[[str, int], int]) -> tuple[tuple[int, ...], int]:
    """Return which texts enter, best first, each whole or not at all, and what they cost together (never above
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
