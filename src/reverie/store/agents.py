"""The agents table: the profile, the tombstone secret, the revision, the embedder."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from reverie.domain.agent import Agent
from reverie.domain.time import from_micros, micros
from reverie.errors import InvalidInput
from reverie.ports.transfer import half_copied
from reverie.store.executor import Row
from reverie.store.revisions import SOONEST
from reverie.store.rows import instant, listed, moment, names
from reverie.store.table import BankRows


class AgentRows(BankRows):
    """``ports.store.Agents`` over an executor."""

    def get(self) -> Agent | None:
        row = self._row("id, time_zone, principals, home, location, created_at, paused_at")
        if row is None:
            return None
        id, time_zone, principals, home, location, created_at, paused_at = row
        return Agent(
            id=id, time_zone=time_zone, principals=names(principals), home=home, location=location,
            created_at=from_micros(created_at), paused_at=moment(paused_at),
        )  # fmt: skip

    def put(self, agent: Agent, secret: bytes) -> None:
        """See the port. Raise InvalidInput for another agent than this unit's, StoreError for a half copied one."""
        if agent.id != self.agent_id:
            raise InvalidInput("agent", "it is not the agent of this unit", "write it in a unit of its own")
        if self.run("SELECT 1 FROM copies WHERE agent_id = ?"):
            raise half_copied(self.agent_id)
        self.executor.run(
            "INSERT INTO agents (id, time_zone, principals, home, location, created_at, paused_at, secret)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET time_zone = excluded.time_zone,"
            " principals = excluded.principals, home = excluded.home, location = excluded.location,"
            " created_at = excluded.created_at, paused_at = excluded.paused_at",
            (
                agent.id, agent.time_zone, listed(agent.principals), agent.home, agent.location,
                micros(agent.created_at), instant(agent.paused_at), secret,
            ),
        )  # fmt: skip

    def secret(self) -> bytes:
        row = self._row("secret")
        return b"" if row is None else bytes(row[0])

    def rev(self) -> int:
        row = self._row("rev")
        return 0 if row is None else cast(int, row[0])

    def embedder(self) -> tuple[str, int] | None:
        row = self._row("embedder, dimensions")
        return None if row is None or row[0] is None else (row[0], row[1])

    def set_embedder(self, embedder_id: str, dimensions: int) -> None:
        self.executor.run(
            "UPDATE agents SET embedder = ?, dimensions = ? WHERE id = ?",
            (embedder_id, dimensions, self.agent_id),
        )

    def due_at(self) -> datetime | None:
        row = self._row("due_at")
        return None if row is None else moment(row[0])

    def note_due(self, at: datetime) -> None:
        due = micros(at)
        self.executor.run(f"UPDATE agents SET {SOONEST} WHERE id = ?", (due, due, self.agent_id))

    def settle_due(self, at: datetime | None) -> None:
        self.executor.run("UPDATE agents SET due_at = ? WHERE id = ?", (instant(at), self.agent_id))

    def _row(self, columns: str) -> Row | None:
        rows = self.run(f"SELECT {columns} FROM agents WHERE id = ?")
        return rows[0] if rows else None
