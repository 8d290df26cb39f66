"""OpenAI's Agents SDK: a ``Session`` whose history is in an agent's bank, and from which the agent learns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import cast
from uuid import uuid4

from reverie import Agent, AsyncAgent, InvalidInput, ItemChange, ItemHit
from reverie.domain.ids import checked_name
from reverie.errors.extras import install
from reverie.services.observe import signed

try:
    from agents import SessionSettings, TResponseInputItem
except ImportError as error:
    raise ImportError(f"OpenAI's Agents SDK is not installed: {install('openai-agents')}") from error

_log = logging.getLogger("reverie.adapters")
_ROOT = "openai-agents"
_MOST, _AT_ONCE = 1_000_000, 1_000


class ReverieSession:
    """A session of ``agents.Runner``: its items come back as they were added, with secrets redacted.

    With ``observe``, what is added is also observed in the conversation of the session's id, so that the agent
    remembers it beyond the session: give ``agent.context(…)`` to the instructions. Clearing a session, or popping an
    item, changes its history alone; ``agent.forget`` forgets. ``speaker``: the person's name, for messages that have
    none.
    """

    session_settings: SessionSettings | None = None

    def __init__(
        self, session_id: str, agent: Agent | AsyncAgent, *, observe: bool = True, speaker: str | None = None
    ) -> None:
        self.session_id = session_id
        self._agent = agent.inner if isinstance(agent, AsyncAgent) else agent
        self._place = (_ROOT, session_id)
        self._observe = observe
        self._speaker = None if speaker is None else checked_name(speaker, "speaker")

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the history in order; with a limit, the last items of it."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        if limit is not None and limit < 1:
            return []
        return await asyncio.to_thread(lambda: [_item(hit) for hit in self._last(limit)[::-1]])

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items to the history: all or none."""
        if items:
            await asyncio.to_thread(self._add, [dict(cast("Mapping[str, object]", one)) for one in items])

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the last item and return it; None where there is none."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Remove the whole history."""
        await asyncio.to_thread(self._clear)

    def _last(self, limit: int | None) -> Sequence[ItemHit]:
        return self._agent.items.search(
            self._place, newest_first=True, limit=_MOST if limit is None else limit
        )

    def _add(self, items: Sequence[Mapping[str, object]]) -> None:
        changes = [ItemChange(namespace=self._place, key=uuid4().hex, value={"item": one}) for one in items]
        self._agent.items.write(changes)
        for change, one in zip(changes, items, strict=True):
            if self._observe:
                self._see(one, change.key)

    def _see(self, item: Mapping[str, object], key: str) -> None:
        """Observe an item under its key here: ids of models without a memory of their own are all alike."""
        told = {name: value for name, value in item.items() if name != "id"}
        told |= {"call_id": key} if "call_id" in item else {}
        try:
            self._agent.observe(signed(told, self._speaker), conversation=self.session_id)
        except InvalidInput as error:
            _log.warning("an item of a session was kept, but not observed: %s", error.field)

    def _pop(self) -> TResponseInputItem | None:
        while hits := self._last(1):
            if self._agent.items.delete(self._place, hits[0].item.key):  # else another popped it meanwhile
                return _item(hits[0])
        return None

    def _clear(self) -> None:
        while hits := self._last(_AT_ONCE):
            self._agent.items.write([ItemChange(namespace=self._place, key=hit.item.key) for hit in hits])


def _item(hit: ItemHit) -> TResponseInputItem:
    return cast("TResponseInputItem", hit.item.value["item"])
