"""The usage table: what models cost, by minute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.change import Spent
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor

_MINUTE = 60_000_000


@dataclass(frozen=True, slots=True)
class UsageRows:
    """``ports.rest.Usage`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, minute: datetime, spent: Spent) -> None:
        """See the port."""
        self.executor.run(
            "INSERT INTO usage (agent_id, minute, calls, input_tokens, output_tokens, micro_dollars)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (agent_id, minute) DO UPDATE SET"
            " calls = usage.calls + excluded.calls, input_tokens = usage.input_tokens + excluded.input_tokens,"
            " output_tokens = usage.output_tokens + excluded.output_tokens,"
            " micro_dollars = usage.micro_dollars + excluded.micro_dollars",
            (
                self.agent_id, _start(minute), spent.calls, spent.input_tokens, spent.output_tokens,
                spent.micro_dollars,
            ),
        )  # fmt: skip

    def since(self, moment: datetime) -> Mapping[datetime, Spent]:
        """See the port."""
        rows = self.executor.run(
            "SELECT minute, calls, input_tokens, output_tokens, micro_dollars FROM usage"
            " WHERE agent_id = ? AND minute >= ? ORDER BY minute",
            (self.agent_id, _start(moment)),
        )
        return {
            from_micros(minute): Spent(
                calls=calls, input_tokens=given, output_tokens=made, micro_dollars=dollars
            )
            for minute, calls, given, made, dollars in rows
        }

    def drop_before(self, moment: datetime, *, keep: int) -> None:
        """See the port."""
        self.executor.run(
            "DELETE FROM usage WHERE agent_id = ? AND minute < ? AND minute <"
            " (SELECT minute FROM usage WHERE agent_id = ? ORDER BY minute DESC LIMIT 1 OFFSET ?)",
            (self.agent_id, _start(moment), self.agent_id, keep - 1),
        )


def _start(moment: datetime) -> int:
    """Return the beginning of its minute."""
    at = micros(moment)
    return at - at % _MINUTE
