"""Which conversation a session is kept in."""

from __future__ import annotations

from collections.abc import Iterable


class Sessions:
    """Knows the conversations of sessions by their names, ``host/project/session``.

    A session stays in the conversation in which it was begun, even if its agent goes to another folder, or the folder
    is gone when its transcript is imported.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        """``names``: of the conversations that the bank has."""
        self._names: dict[tuple[str, str], str] = {}
        for name in names:
            self.room(name)

    def room(self, name: str) -> str:
        """Return the conversation that the session of this name has; a new one gets this name."""
        host, *rest = name.split("/", 2)
        return self._names.setdefault((host, rest[1]), name) if len(rest) == 2 else name
