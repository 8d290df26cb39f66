"""Unread: which texts a mind of this machine had to leave out, since its rules failed on them.

A mind names them by id to the innermost list that is open in its caller's context, so that the job can report them.
Where no list is open, the mind's log alone tells of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_open: ContextVar[dict[str, None] | None] = ContextVar("_open", default=None)


@contextmanager
def unread_within() -> Iterator[dict[str, None]]:
    """Collect the ids that are left out within, in this thread: the keys of the result, each once, in their order.
    Inner lists are their own.
    """
    found: dict[str, None] = {}
    token = _open.set(found)
    try:
        yield found
    finally:
        _open.reset(token)


def leave_unread(ids: Iterable[str]) -> None:
    """Add to the innermost open list, if there is one."""
    found = _open.get()
    if found is not None:
        found.update(dict.fromkeys(ids))
