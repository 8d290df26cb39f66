"""Rooms: conversations that several agents share, each with its own view of what is said."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response

from reverie.domain.names import name_key
from reverie.domain.room import ROOM_CHANNEL, RoomView
from reverie.doors.page.conversations import id_of
from reverie.doors.page.frame import PAGE_SIZE, View, agents_of


def index(view: View) -> Response:
    """Show the rooms, those in which something was said last first, with the other agents that speak there."""
    found = view.agent.society.rooms(
        channels=ROOM_CHANNEL, limit=PAGE_SIZE + 1, after=view.after, newest_first=True
    )
    paged = view.pager(found, "rooms", last=id_of)
    agents = agents_of(view.session, view.reveries[view.bank], view.bank)
    rooms = [(one, _others(view, one, agents)) for one in paged["shown"]]
    return view.page("rooms.html", **{**paged, "shown": rooms})


def _others(view: View, room: RoomView, agents: Sequence[str]) -> Sequence[str]:
    """Return the other agents of this bank that spoke there."""
    spoke = {name_key(one) for one in room.conversation.participants}
    return [one for one in agents if one != view.agent.id and name_key(one) in spoke]
