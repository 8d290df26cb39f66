"""What a forget must know of evidence: which memory stands without it, and what sleeps told of it."""

from __future__ import annotations

from collections.abc import Collection

from reverie.domain.audit import Action
from reverie.domain.memory import Memory, Origin
from reverie.ports.store import Unit


def stands_alone(unit: Unit, memory: Memory) -> bool:
    """Whether it was kept on its own word and says so still: what it rests on now only confirmed it later."""
    if memory.origin is not Origin.COMMIT or memory.version > 1:
        return False
    born = unit.audit.list(target=memory.id, actions=[Action.REMEMBER], limit=1)
    return bool(born) and born[0].after is not None and born[0].after.get("source_episodes") == []


def leave_sleeps(unit: Unit, gone: Collection[str]) -> None:
    """What the reports of sleeps may say of it goes: texts that were rejected, and reasons given by a mind that read
    one of these episodes.
    """
    unit.sleeps.scrub()
    read, before = list[str](), None
    while gone and (page := unit.sleeps.list(before=before)):
        read += [sleep.id for sleep in page if not set(gone).isdisjoint(sleep.episodes)]
        before = page[-1].id
    unit.audit.hush(read)
