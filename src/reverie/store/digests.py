"""The digests table: summaries of messages, so that the same history isn't summarized twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from reverie.domain.time import micros
from reverie.ports.transfer import Part
from reverie.store.table import TableRows, table

KEPT = 1_000
DIGESTS = table("digests", "key, text, at", key="key", part=Part.CACHE)


class DigestRows(TableRows):
    """``ports.upkeep.Digests`` over an executor."""

    table = DIGESTS

    def get(self, keys: Collection[bytes]) -> Mapping[bytes, str]:
        return {bytes(key): text for key, text, _ in self.among("key", keys)}

    def put(self, key: bytes, text: str, at: datetime) -> None:
        self.upsert((key, text, micros(at)))
        for key_, _, at_ in self.select(" ORDER BY at DESC, key DESC LIMIT 1 OFFSET ?", KEPT):
            self.drop(" AND (at, key) <= (?, ?)", at_, key_)

    def clear(self) -> None:
        self.drop()
