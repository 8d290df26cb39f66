"""What a search reads over another connection while the server is still walking for it over its own."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.errors import Unreachable
from reverie.store.executor import Row
from reverie.store.postgres.session import PendingResult, Session

_REV = "SELECT rev FROM agents WHERE id = ?"


class SecondReader:
    """Rows that are asked for in another transaction. It sees a state of its own: they hold if that is the same one."""

    def __init__(self, session: Session, agent_id: str) -> None:
        self._session, self._agent_id = session, agent_id
        self._asked: Sequence[PendingResult] = ()

    def __call__(self, sql: str, params: Sequence[object]) -> SecondReader:
        """Send the statement."""
        try:
            self._asked = [self._session.ask(_REV, (self._agent_id,)), self._session.ask(sql, params)]
        except Unreachable:
            self._asked = ()
        return self

    def rows(self, rev: int) -> list[Row] | None:
        """Return its rows; None where the bank's revision is another one there, or the connection broke."""
        if not self._asked:
            return None
        try:
            seen, found = (asked.fetchall() for asked in self._asked)
        except Unreachable:
            return None
        return found if seen == [(rev,)] else None
