"""Bill: what minds spend while something is done, whoever asks them and whether or not they answer.

A mind that pays for its calls charges what each has cost to the innermost bill that is open in its caller's context.
Where none is open it stands in the meter alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from reverie.domain.change import NOTHING_SPENT, Spent


class Bill:
    """What was spent so far."""

    def __init__(self) -> None:
        self.spent = NOTHING_SPENT


_open: ContextVar[Bill | None] = ContextVar("_open", default=None)


@contextmanager
def billed() -> Iterator[Bill]:
    """Give the bill of what is done within, in this thread and in what it starts with its context; inner bills are
    their own.
    """
    bill = Bill()
    token = _open.set(bill)
    try:
        yield bill
    finally:
        _open.reset(token)


def charge(spent: Spent) -> None:
    """Adds to the innermost open bill, if there is one."""
    bill = _open.get()
    if bill is not None:
        bill.spent += spent
