"""hearing: what was said in episodes, for a mind that must not repeat it. It is told ids alone, and no agent's name."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from reverie.ports.store import Store


class Hearing:
    """What was said in episodes, by their ids, whosever they are; without those that are gone. Thread-safe.

    Ids belong to one agent each, so the agents are asked one after the other, the one that had the last ones first.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last: str | None = None

    def __call__(self, ids: Collection[str]) -> Mapping[str, str]:
        """What was said in them. Raises StoreError."""
        found: dict[str, str] = {}
        last = self._last
        for agent_id in sorted(self._store.agent_ids(), key=lambda id: id != last) if ids else ():
            left = set(ids) - found.keys()
            if not left:
                break
            with self._store.read(agent_id) as unit:
                there = unit.episodes.get(left)
            if there:
                self._last = agent_id
                found.update((id, one.content) for id, one in there.items())
        return found
