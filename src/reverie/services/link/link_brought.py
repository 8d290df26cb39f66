"""What came to an agent by one neural link: to be looked at before it is adopted, or revoked."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.domain.ask import MAX_LIMIT, checked_whole
from reverie.domain.ids import checked_name
from reverie.domain.link import Include, Side
from reverie.domain.memory import Memory
from reverie.errors import LinkRefused, NotFound
from reverie.services.runtime import Desk, read_again

_MEMORIES = ("memories", str(Include.SOUL), str(Include.RELATIONSHIPS))


@read_again
def brought(
    desk: Desk, agent_id: str, id: str, *, limit: int = 100, after: str | None = None
) -> Sequence[Memory]:
    """See the client."""
    checked_name(id, "id")
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    if after is not None:
        checked_name(after, "after")
    with desk.reading(agent_id) as unit:
        link = unit.links.get(id)
        if link is None:
            raise NotFound("neural link", id)
        if link.side is not Side.ASKED:
            raise LinkRefused(
                id, f"it is {link.other} that received something by it", "look at what came to you"
            )
        came = {one.id for one in unit.links.items(id) if not one.own and one.corpus in _MEMORIES}
        page = sorted(one for one in came if after is None or one > after)[:limit]
        found = unit.memories.get(page)
    return [found[one] for one in page if one in found]
