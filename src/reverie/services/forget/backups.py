"""Known backups: each agent's audit log tells when its bank was copied where, and the receipt of a forget names the
copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.domain.audit import Action
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, entry, read_again

_SHOWN = 5
_PAGE = 1_000


def note(desk: Desk, where: str, at: datetime, *, actor: str) -> None:
    """Write into every agent's log that a backup of that moment lies there. Raise StoreError."""

    def write(unit: Unit) -> None:
        unit.audit.add([entry(desk, Action.BACKUP, where, actor=actor, at=at)])

    for agent_id in desk.store.agent_ids():
        desk.store.transact(agent_id, write)


@read_again
def known(desk: Desk, agent_id: str) -> Sequence[str]:
    """Return what to tell of backups that may still hold what was forgotten: the latest five by name, the rest as a
    count.
    """
    latest: dict[str, datetime] = {}
    after: str | None = None
    with desk.store.read(agent_id) as unit:
        while page := unit.audit.list(actions=[Action.BACKUP], limit=_PAGE, after=after, newest_first=True):
            after = page[-1].id
            for one in page:
                latest.setdefault(one.target, one.at)
    told = [f"the backup {where} of {at:%Y-%m-%d %H:%M} UTC" for where, at in [*latest.items()][:_SHOWN]]
    more = len(latest) - _SHOWN
    return [*told, f"{more:,} older backups (`reverie audit --action backup`)"] if more > 0 else told
