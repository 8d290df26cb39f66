"""The counters table: numbers that only grow."""

from __future__ import annotations

from collections.abc import Mapping

from reverie.ports.transfer import Part
from reverie.store.table import TableRows, table

COUNTERS = table("counters", "name, count", key="name", part=Part.UNREVISED)


class CounterRows(TableRows):
    """``ports.upkeep.Counters`` over an executor."""

    table = COUNTERS

    def add(self, counts: Mapping[str, int]) -> None:
        self.add_up([(name, count) for name, count in sorted(counts.items()) if count])

    def all(self) -> Mapping[str, int]:
        return dict(self.select(" ORDER BY name"))
