"""SoulFile: where the self-portrait lies as a file for people, if anywhere."""

from __future__ import annotations

from typing import Protocol


class SoulFile(Protocol):
    """The agents' soul.md files: readable by their owner alone, written whole or not at all."""

    def where(self, agent_id: str) -> str:
        """Return the file's path."""
        ...

    def read(self, agent_id: str) -> str | None:
        """Return what it says; None where there is none. Raise InvalidInput (it holds no text), StoreError."""
        ...

    def write(self, agent_id: str, text: str, *, instead_of: str | None) -> bool:
        """Replaces it; False, and nothing is changed, where it no longer says ``instead_of``. Raise StoreError."""
        ...
