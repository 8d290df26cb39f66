"""Plan how the room of a turn is shared out, and where the conversation is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reverie.domain.message import Role
from reverie.domain.settings import Settings
from reverie.errors import InvalidInput
from reverie.memory.prompt import (
    Allotment,
    Count,
    Group,
    Page,
    Shares,
    allotted,
    block_cuts,
    block_size,
    blocks_before,
    first_in_full,
    group_starts,
    size_of,
    turn_text,
)
from reverie.memory.quoting import fenced
from reverie.services.prompt.history import History, TurnMessage
from reverie.services.runtime import Desk


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowPlan:
    """How the room is shared out, and which messages enter in full: those from place ``first`` on, and the latest of
    the user's. ``frame`` is what the prompt and our markers take, ``recent`` what these messages take; ``blocks`` are
    those of the messages before.
    """

    history: History
    prompt: str
    room: int
    shares: Shares
    allotment: Allotment
    frame: int
    recent: int
    first: int
    starts: Sequence[int]
    blocks: Sequence[tuple[int, int]]

    def groups(self) -> tuple[Group, ...]:
        """Return the messages that enter in full."""
        said, asking = self.history.said, self.history.asking
        spans = [span for span in pairwise([*self.starts, len(said)]) if span[0] >= self.first]
        if asking is not None and asking < self.first:
            spans.insert(0, (asking, asking + 1))
        groups = []
        for start, end in spans:
            if start == asking:  # tool output may go without the question before it
                groups.append(_group(said, start, start + 1, pinned=True))
                start += 1
            if start < end:
                groups.append(_group(said, start, end))
        return tuple(groups)


def _group(said: Sequence[TurnMessage], start: int, end: int, *, pinned: bool = False) -> Group:
    return Group(
        item=span_of(said, start, end),
        places=tuple(range(start, end)),
        turns=tuple(one.turn for one in said[start:end]),
        pinned=pinned,
    )


def span_of(said: Sequence[TurnMessage], start: int, end: int) -> str:
    """Return how reports name messages: by their places in what the caller gave."""
    return f"messages[{said[start].place}:{said[end - 1].place + 1}]"


def shares_of(settings: Settings, room: int) -> Shares:
    """Return what each part may take of a room of so many tokens."""
    return Shares(
        system=settings.window.system,
        memories=settings.window.memories,
        summary=settings.window.summary,
        recent=settings.window.recent,
        rest=settings.window.rest,
    ).within(room)


def planned(desk: Desk, history: History, prompt: str, room: int, count: Count) -> WindowPlan:
    """Raise InvalidInput where what must enter doesn't fit."""
    said, asking, settings = history.said, history.asking, desk.settings

    def cost(place: int) -> int:
        return count(f"{turn_text(said[place].turn)}\n\n")

    _check_fits(history, prompt, room, count)
    shares = shares_of(settings, room)
    starts = group_starts([one.message.role is Role.TOOL for one in said])
    frame = (count(f"{prompt}\n\n") if prompt else 0) + count(f"{fenced('')}\n\n")
    pinned = 0 if asking is None else cost(asking)
    # What was said last is what the model goes on from: it may take more than its share too, if there is room.
    last = sum(cost(place) for place in range(starts[-1], len(said)) if place != asking) if said else 0
    pinned += last if frame + pinned + last <= room else 0
    allotment = allotted(shares, room, system=frame, pinned=pinned)
    places = block_cuts([size_of(one.message.content) for one in said], starts, block_size(shares))
    first = first_in_full(cost, len(said), cuts=places, starts=starts, pinned=asking, budget=allotment.recent)
    before = () if asking is None or asking >= first else (asking,)
    return WindowPlan(
        history=history, prompt=prompt, room=room, shares=shares, allotment=allotment, frame=frame,
        recent=sum(map(cost, (*before, *range(first, len(said))))), first=first, starts=starts,
        blocks=blocks_before(first, places),
    )  # fmt: skip


def _check_fits(history: History, prompt: str, room: int, count: Count) -> None:
    asking = history.asking
    groups = () if asking is None else (_group(history.said, asking, asking + 1, pinned=True),)
    needed = Page(prompt=prompt, parts=(), turns=groups).cost(count)
    if needed > room:
        what = "the latest user message alone takes"
        if prompt:
            what = (
                "the system prompt and the latest user message take" if groups else "the system prompt takes"
            )
        raise InvalidInput(
            "max_tokens",
            f"{what} {needed:,} tokens, and there is room for {room:,}",
            "give a larger max_tokens, a smaller reserve, or less text",
        )
