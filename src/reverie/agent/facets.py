"""What an agent has beside its memories, each with verbs of its own: ``agent.soul`` and ``agent.goals``."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.domain.goal import Goal
from reverie.domain.soul import SoulEntry
from reverie.services import goals, portrait, soul
from reverie.services.desk import Desk


class Facet:
    """One agent's desk, id and signature in the audit log."""

    def __init__(self, desk: Desk, agent_id: str, *, actor: str) -> None:
        self._desk = desk
        self._agent_id = agent_id
        self._actor = actor


class Soul(Facet):
    """Who the agent is: core beliefs, values, fears, convictions. They stand in each context block, and only these
    calls change them.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     entry = mama.soul.add("I would rather ask than guess")
    ...     [entry.text for entry in mama.soul.list()]
    ['I would rather ask than guess']
    """

    def add(self, text: str, *, override: bool = False) -> SoulEntry:
        """Adds an entry. ``override`` lets in a text that was forgotten. Raises InvalidInput (also for one that is
        there), Forgotten.
        """
        return soul.add(self._desk, self._agent_id, text, override=override, actor=self._actor)

    def remove(self, id: str) -> SoulEntry:
        """Takes an entry away and gives it back. Raises NotFound."""
        return soul.remove(self._desk, self._agent_id, id, actor=self._actor)

    def list(self) -> Sequence[SoulEntry]:
        """All entries, oldest first."""
        return soul.entries(self._desk, self._agent_id)

    def portrait(self) -> str:
        """The self-portrait (soul.md) as it stands: the entries word for word, then what is known for sure, a section a
        kind, at most ``Settings.soul_tokens`` tokens. Markdown.
        """
        return portrait.portrait(self._desk, self._agent_id)

    def refresh(self) -> tuple[str, ...]:
        """Has the mind write the self-portrait anew, as each sleep does, and the file where ``Settings.soul_path`` is
        set; what its reader should know: a section that was changed by hand stands below it now, say.
        """
        return portrait.refresh(self._desk, self._agent_id)


class Goals(Facet):
    """What the agent or its people want to reach: memories of kind goal, open until they are completed."""

    def add(self, text: str, *, override: bool = False, **fields: object) -> Goal:
        """Keeps a goal; ``fields`` are those of ``Draft``. Raises InvalidInput, Forgotten."""
        return goals.add(self._desk, self._agent_id, text, override=override, actor=self._actor, **fields)

    def complete(self, id: str, *, note: str | None = None) -> Goal:
        """The goal is achieved; a second call changes nothing. Raises NotFound, InvalidInput (no goal)."""
        return goals.complete(self._desk, self._agent_id, id, note=note, actor=self._actor)

    def reopen(self, id: str) -> Goal:
        """The goal is open again. Raises NotFound, InvalidInput (no goal)."""
        return goals.reopen(self._desk, self._agent_id, id, actor=self._actor)

    def list(self, *, achieved: bool = False) -> Sequence[Goal]:
        """Open goals, or with ``achieved`` those that were reached."""
        return goals.goals(self._desk, self._agent_id, achieved=achieved)
