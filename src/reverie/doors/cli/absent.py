"""Why nothing is there of an agent: nobody of that name has written, and who has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reverie.doors.cli import words

if TYPE_CHECKING:
    from reverie.client import Reverie


def absent(reverie: Reverie, agent_id: str) -> str | None:
    """What to say of an agent that isn't in the bank; None of one that is."""
    known = reverie.agents()
    if not known:
        return "This bank is empty: `reverie observe` and `reverie remember` put something into it."
    if agent_id not in known:
        return f"Agent {agent_id!r} has nothing in this bank; in it are: {words.listed(known)}. Choose with --agent."
    return None
