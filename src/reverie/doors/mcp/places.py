"""Places: what a host can read of an agent without a tool: resources, in the protocol's word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reverie.client import fenced
from reverie.domain.time import zone_of
from reverie.doors.mcp.diary import DIARY_TOKENS, page_within

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

CONTEXT = "memory://context"
SOUL = "memory://soul"
DIARY = "memory://diary/{date}"
_VARIABLE = "{date}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A resource, or where ``uri`` holds a variable a template for many. ``read`` takes the variable's value ("" where
    there is none) and raises ReverieError.
    """

    uri: str
    name: str
    description: str
    type: str = "text/plain"
    read: Callable[[str], str]

    @property
    def varies(self) -> bool:
        """Whether it is a template."""
        return _VARIABLE in self.uri

    def value_in(self, uri: str) -> str | None:
        """Return the variable's value in a resource's address; None where the address is another place's."""
        if not self.varies:
            return "" if uri == self.uri else None
        before = self.uri.removesuffix(_VARIABLE)
        value = uri.removeprefix(before)
        return value if uri.startswith(before) and value else None


def context_place(agent: Agent) -> Place:
    """Return the resource that says what to know before any task."""
    return Place(
        uri=CONTEXT, name="context", description="What to know before any task.",
        read=lambda _: agent.context().text,
    )  # fmt: skip


def society_places(agent: Agent, reverie: Reverie) -> Sequence[Place]:
    """Return the resources that say who the agent is, and what is in its diary."""
    return [
        Place(
            uri=SOUL, name="soul", description="Who you are: your soul's entries, and what you are sure of.",
            type="text/markdown", read=lambda _: fenced(agent.soul.portrait().strip()),
        ),
        Place(
            uri=DIARY, name="diary", description="Your diary's page of a date (YYYY-MM-DD).",
            read=lambda date: _page(agent, reverie, date),
        ),
    ]  # fmt: skip


def _page(agent: Agent, reverie: Reverie, date: str) -> str:
    zone = zone_of(agent.profile.time_zone)
    return page_within(agent.diary.page(date), zone, DIARY_TOKENS, reverie.tokens).text
