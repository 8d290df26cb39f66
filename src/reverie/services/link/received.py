"""Show what came to an agent by one neural link, before it is adopted or revoked."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.domain.ask import MAX_LIMIT, checked_whole
from reverie.domain.ids import checked_name
from reverie.domain.link import LinkState, Side
from reverie.domain.memory import Memory
from reverie.errors import LinkRefused, NotFound
from reverie.memory.prompt import BASELINE_KINDS, BASELINE_PRIORITIES
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, read_again


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
        came = _came_by(unit, id)
        page = sorted(one for one in came if after is None or one > after)[:limit]
        found = unit.memories.get(page)
    return [found[one] for one in page if one in found]


@read_again
def standing(desk: Desk, agent_id: str, id: str) -> Sequence[Memory]:
    """See the client. What waits for approval waits on."""
    checked_name(id, "id")
    with desk.reading(agent_id) as unit:
        came = _came_by(unit, id, LinkState.ACCEPTED)
        gists = unit.memories.standing(BASELINE_KINDS, BASELINE_PRIORITIES)
        ids = [gist.id for gist in gists if gist.id in came]
        found = unit.memories.get(ids)
    return [found[id] for id in sorted(ids) if not found[id].needs_review]


def _came_by(unit: Unit, id: str, state: LinkState | None = None) -> frozenset[str]:
    """Return the ids of the memories that a link brought. Raise NotFound, LinkRefused."""
    link = unit.links.get(id)
    if link is None:
        raise NotFound("neural link", id)
    if link.side is not Side.ASKED:
        raise LinkRefused(id, f"it is {link.other} that received something by it", "look at what came to you")
    if state is not None and link.state is not state:
        raise LinkRefused(id, "nothing came to this agent by it", "look which links were accepted")
    return frozenset(one.id for one in unit.links.items(id) if not one.own and one.table == "memories")
