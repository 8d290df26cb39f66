"""The usage table: what models cost, by minute."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from reverie.domain.change import Spent
from reverie.domain.time import from_micros, micros
from reverie.ports.transfer import Part
from reverie.store.table import TableRows, table

USAGE = table(
    "usage", "minute, calls, input_tokens, output_tokens, micro_dollars", key="minute", part=Part.CACHE
)
_MINUTE = 60_000_000


class UsageRows(TableRows):
    """``ports.rest.Usage`` over an executor."""

    table = USAGE

    def add(self, minute: datetime, spent: Spent) -> None:
        counts = spent.calls, spent.input_tokens, spent.output_tokens, spent.micro_dollars
        self.add_up([(_start(minute), *counts)])

    def since(self, moment: datetime) -> Mapping[datetime, Spent]:
        return {
            from_micros(minute): Spent(
                calls=calls, input_tokens=given, output_tokens=made, micro_dollars=dollars
            )
            for minute, calls, given, made, dollars in self.select(
                " AND minute >= ? ORDER BY minute", _start(moment)
            )
        }

    def drop_before(self, moment: datetime, *, keep: int) -> None:
        for minute, *_ in self.select(" ORDER BY minute DESC LIMIT 1 OFFSET ?", keep - 1):
            self.drop(" AND minute < ?", min(minute, _start(moment)))


def _start(moment: datetime) -> int:
    """Return the beginning of its minute."""
    at = micros(moment)
    return at - at % _MINUTE
