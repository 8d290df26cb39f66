"""All that a listing verb has, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

_PAGE = 1_000


def every(listed: Callable[..., Sequence[Any]]) -> Iterator[Any]:
    """Each one, in the verb's order."""
    after = None
    while page := listed(limit=_PAGE, after=after):
        yield from page
        after = page[-1].id
