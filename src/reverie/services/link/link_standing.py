"""What of a neural link's would be a standing instruction once it is adopted: to be looked at before it is.
What waits for approval waits on.
"""

from __future__ import annotations

from collections.abc import Sequence

from reverie.domain.ids import checked_name
from reverie.domain.link import LinkState, Side
from reverie.domain.memory import Memory
from reverie.errors import LinkRefused, NotFound
from reverie.memory.prompt import BASELINE_KINDS, BASELINE_PRIORITIES
from reverie.services.runtime import Desk, read_again


@read_again
def standing(desk: Desk, agent_id: str, id: str) -> Sequence[Memory]:
    """See the client."""
    checked_name(id, "id")
    with desk.reading(agent_id) as unit:
        link = unit.links.get(id)
        if link is None:
            raise NotFound("neural link", id)
        if link.side is not Side.ASKED or link.state is not LinkState.ACCEPTED:
            raise LinkRefused(id, "nothing came to this agent by it", "look which links were accepted")
        came = {one.id for one in unit.links.items(id) if not one.own}
        gists = unit.memories.standing(BASELINE_KINDS, BASELINE_PRIORITIES)
        ids = [gist.id for gist in gists if gist.id in came]
        found = unit.memories.get(ids)
    return [found[id] for id in sorted(ids) if not found[id].needs_review]
