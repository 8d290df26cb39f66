"""Known backups: each agent's audit log tells when its bank was copied where, and the receipt of a forget names the
copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.domain.audit import Action
from reverie.ports.store import Unit
from reverie.services.aggregates import audit_log
from reverie.services.runtime import Desk, entry, read_again

_SHOWN = 5


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
    with desk.store.read(agent_id) as unit:
        for one in reversed([*audit_log(unit, actions=[Action.BACKUP])]):
            latest.setdefault(one.target, one.at)
    told = [f"the backup {where} of {at:%Y-%m-%d %H:%M} UTC" for where, at in [*latest.items()][:_SHOWN]]
    more = len(latest) - _SHOWN
    return [*told, f"{more:,} older backups (`reverie audit --action backup`)"] if more > 0 else told
