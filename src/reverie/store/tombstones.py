"""The tombstones table: digests of what was forgotten."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from reverie.domain.time import micros
from reverie.store.table import TableRows, table

TOMBSTONES = table("tombstones", "digest, at", key="digest")


class TombstoneRows(TableRows):
    """``ports.store.Tombstones`` over an executor."""

    table = TOMBSTONES

    def add(self, digests: Collection[bytes], at: datetime) -> None:
        self.insert([(digest, micros(at)) for digest in digests], " ON CONFLICT DO NOTHING")

    def known(self, digests: Collection[bytes]) -> frozenset[bytes]:
        return frozenset(bytes(digest) for digest, _ in self.among("digest", digests))

    def remove(self, digests: Collection[bytes]) -> None:
        self.drop_among("digest", digests)
