"""Relationships: how the agent sees others, as a graph and a table, now and at each time that it changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from reverie.domain.relationship import Relationship
from reverie.doors.page.frame import View

WIDTH, HEIGHT = 720, 440
_MOST_DRAWN = 36
_STEPS = 3
"""Shades of trust, and as many of distrust."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """Another one in the graph. ``tone``: from -3 (distrust) to 3 (trust); None where the two have only met."""

    seen: Relationship
    x: int
    y: int
    tone: int | None


def index(view: View) -> Response:
    """Show them as they are, or were at the step of the history that was chosen."""
    history = view.agent.relationships.history()
    moments = sorted({one.at for one in history})
    step = view.asked("step")
    place = int(step) if step.isascii() and step.isdigit() and len(step) < 9 else len(moments)
    chosen = moments[place] if place < len(moments) else None
    seen = view.agent.relationships.list(as_of=chosen)
    by_weight = sorted(seen, key=lambda one: (one.assigned_at is None, -one.interaction_count, one.other))
    return view.page(
        "relationships.html", nodes=_nodes(by_weight[:_MOST_DRAWN]), seen=by_weight, chosen=chosen, steps=len(moments),
        step=min(place, len(moments)), width=WIDTH, height=HEIGHT, more=max(0, len(seen) - _MOST_DRAWN),
    )  # fmt: skip


def show(view: View) -> Response:
    """Show one other, with each view of them."""
    other = view.value("other")
    return view.page(
        "relationship.html", seen=view.agent.relationships.get(other),
        history=[*view.agent.relationships.history(other)][::-1],
    )  # fmt: skip


def _nodes(seen: Sequence[Relationship]) -> Sequence[Node]:
    """Return them around the middle, on two rings where they are many."""
    found = []
    for place, one in enumerate(seen):
        far = 1.0 if len(seen) <= 12 or place % 2 else 0.62
        turn = 2 * math.pi * place / len(seen)
        found.append(
            Node(
                seen=one, x=round(WIDTH / 2 + far * (WIDTH / 2 - 90) * math.cos(turn)),
                y=round(HEIGHT / 2 - 8 + far * (HEIGHT / 2 - 50) * math.sin(turn)),
                tone=None if one.assigned_at is None else _tone(one.trust),
            )
        )  # fmt: skip
    return found


def _tone(trust: float) -> int:
    size = math.ceil(abs(trust) * _STEPS - 1e-9)
    return size if trust > 0 else -size
