"""The arithmetic of a turn's window: how its budgets are shared out, and where a conversation is cut (s3)."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

from reverie.memory.prompt.budget import BYTES_PER_TOKEN

BLOCKS_OF_RECENT = 5
"""Older messages are summarized in blocks of about this part of what is kept in full: the smaller a block, the more
calls of the mind; the larger, the fewer messages stay in full right after one.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shares:
    """What each part of a window may take at most, in tokens. ``rest``: goals, jobs and episodes together."""

    system: int
    memories: int
    summary: int
    recent: int
    rest: int

    @property
    def total(self) -> int:
        """All together."""
        return sum(getattr(self, each.name) for each in fields(self))

    def within(self, room: int) -> Shares:
        """Return the shares as they are where ``room`` tokens hold them all, else each scaled down alike."""
        total = self.total
        if room >= total:
            return self
        scaled = {each.name: getattr(self, each.name) * room // total for each in fields(self)}
        return Shares(**scaled)


@dataclass(frozen=True, kw_only=True, slots=True)
class Allotment:
    """What is left for each part of one turn, once what must enter has entered; together never more than the room."""

    soul: int
    summary: int
    memories: int
    rest: int
    recent: int


def allotted(shares: Shares, room: int, *, system: int, pinned: int) -> Allotment:
    """Share out ``room`` tokens, of which the system prompt takes ``system`` and the messages that must enter
    ``pinned``, each more than its share where it is longer.

    ``shares`` are those within the room. What was taken too much is missing first from the other recent messages,
    then from goals and episodes, memories, summary and soul.
    """
    spare = max(0, room - system - pinned)
    given = []
    wanted = (max(0, shares.system - system), shares.summary, shares.memories, shares.rest)
    for most in (*wanted, max(0, shares.recent - pinned)):
        given.append(min(most, spare))
        spare -= given[-1]
    soul, summary, memories, rest, recent = given
    return Allotment(soul=soul, summary=summary, memories=memories, rest=rest, recent=recent + pinned)


def block_size(shares: Shares) -> int:
    """Return how large a block of older messages is at least, in tokens (see ``size_of``)."""
    return max(1, shares.recent // BLOCKS_OF_RECENT)


def size_of(text: str) -> int:
    """Return what a message counts for a block: a third of its UTF-8 bytes. No counter is asked, so that blocks are the
    same whatever counts, and a long history costs no counting.
    """
    return 1 + len(text.encode()) // BYTES_PER_TOKEN


def group_starts(follows: Sequence[bool]) -> list[int]:
    """Return where groups of messages begin that are never torn apart: a message with the tool output that ``follows``
    it.
    """
    return [place for place, after in enumerate(follows) if place == 0 or not after]


def block_cuts(sizes: Sequence[int], starts: Sequence[int], size: int) -> list[int]:
    """Return where blocks begin: 0, and every start of a group with at least ``size`` since the block before.

    Messages that come later never move a cut, so what was summarized up to one stays so.
    """
    found = [0]
    spent, read = 0, 0
    for start in starts:
        spent += sum(sizes[read:start])
        read = start
        if spent >= size:
            found.append(start)
            spent = 0
    return found


def first_in_full(
    cost: Callable[[int], int],
    count: int,
    *,
    cuts: Sequence[int],
    starts: Sequence[int],
    pinned: int | None,
    budget: int,
) -> int:
    """Return the first of the last messages that enter in full within ``budget``, ``pinned`` among them or before them.

    It is the earliest cut that fits, else the earliest start of a group, else ``count``: none but the pinned one.
    """
    spent = 0 if pinned is None else cost(pinned)
    lowest = count
    while lowest > 0:
        spent += 0 if lowest - 1 == pinned else cost(lowest - 1)
        if spent > budget:
            break
        lowest -= 1
    for places in (cuts, starts):
        at = bisect_left(places, lowest)
        if at < len(places):
            return places[at]
    return count


def blocks_before(first: int, cuts: Sequence[int]) -> list[tuple[int, int]]:
    """Return the blocks, as (begin, end), of the messages before ``first``; the last is part of one where no cut is
    there.
    """
    ends = [*cuts[1 : bisect_right(cuts, first)]]
    if first > (ends[-1] if ends else 0):
        ends.append(first)
    return list(zip([0, *ends], ends, strict=False))


def chained(before: bytes, parts: Iterable[str]) -> bytes:
    """Return the key (SHA-256) of a history: of the history before, and of what was said since."""
    digest = hashlib.sha256(before)
    for part in parts:
        raw = part.encode()
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.digest()
