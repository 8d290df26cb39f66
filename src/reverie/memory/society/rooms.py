"""Which conversations are to be closed first (s4: past 1,000 entries)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime


def conversations_due(live: Iterable[tuple[datetime, str, int]], most: int) -> frozenset[str]:
    """Return ids of the conversations whose closing brings the messages that are live to ``most`` or fewer: those that
    ended first. ``live``: of each when it was last spoken in, its id, and how many of its messages are live.
    """
    order = sorted(one for one in live if one[2] > 0)
    left = sum(count for _, _, count in order)
    found = []
    for _, id, count in order:
        if left <= most:
            break
        found.append(id)
        left -= count
    return frozenset(found)
