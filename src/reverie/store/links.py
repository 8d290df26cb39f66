"""The neural_links, link_items and link_blocks tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from reverie.domain.link import EVERYTHING_SHARED, Include, LinkItem, LinkState, LinkTerms, NeuralLink, Side
from reverie.domain.memory import State
from reverie.domain.time import from_micros, micros
from reverie.domain.trust import SourceTrust
from reverie.store.executor import Corpus, Executor, Row, chunks, padded
from reverie.store.revisions import next_stamp
from reverie.store.rows import instant, json_text, moment
from reverie.store.where import between

_COLUMNS = "id, side, other, state, message, asked_at, expires_at, decided_at, revoked_at, terms, counts"
_SELECT = f"SELECT {_COLUMNS} FROM neural_links WHERE agent_id = ?"
_SET = ", ".join(f"{column} = excluded.{column}" for column in _COLUMNS.split(", ")[1:])
_CAME_AS: Mapping[Corpus, Sequence[str]] = {
    "memories": ("memories", "soul", "relationships"),
    "episodes": ("episodes", "diary"),
}
_ITEMS = "SELECT link_id, corpus, source_id, id, own FROM link_items WHERE agent_id = ?"


@dataclass(frozen=True, slots=True)
class LinkRows:
    """``ports.society.Links`` over an executor."""

    executor: Executor
    agent_id: str

    def put(self, link: NeuralLink) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            f"INSERT INTO neural_links (agent_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            f" ON CONFLICT (agent_id, id) DO UPDATE SET {_SET}",
            (
                self.agent_id, link.id, str(link.side), link.other, str(link.state), link.message,
                micros(link.asked_at), micros(link.expires_at), instant(link.decided_at), instant(link.revoked_at),
                _terms_text(link.terms), json_text(dict(link.counts)) if link.counts else None,
            ),
        )  # fmt: skip

    def get(self, id: str) -> NeuralLink | None:
        """See the port."""
        rows = self.executor.run(f"{_SELECT} AND id = ?", (self.agent_id, id))
        return _link(rows[0]) if rows else None

    def list(self, *, limit: int = 100, before: str | None = None) -> Sequence[NeuralLink]:
        """See the port."""
        condition, params = ("", ()) if before is None else (" AND id < ?", (before,))
        rows = self.executor.run(
            f"{_SELECT}{condition} ORDER BY id DESC LIMIT ?", (self.agent_id, *params, limit)
        )
        return [*map(_link, rows)]

    def add_items(self, items: Sequence[LinkItem]) -> None:
        """See the port."""
        if not items:
            return
        next_stamp(self.executor, self.agent_id)
        self.executor.many(
            "INSERT INTO link_items (agent_id, link_id, corpus, source_id, id, own) VALUES (?, ?, ?, ?, ?, ?)",
            [(self.agent_id, one.link_id, one.corpus, one.source_id, one.id, int(one.own)) for one in items],
        )

    def items(self, link_id: str, *, corpus: str | None = None) -> Sequence[LinkItem]:
        """See the port."""
        condition, params = ("", ()) if corpus is None else (" AND corpus = ?", (corpus,))
        rows = self.executor.run(
            f"{_ITEMS} AND link_id = ?{condition} ORDER BY corpus, source_id",
            (self.agent_id, link_id, *params),
        )
        return [*map(_item, rows)]

    def items_of(self, corpus: str, ids: Collection[str]) -> Sequence[LinkItem]:
        """See the port."""
        return self._among("corpus = ? AND id", (corpus,), ids)

    def copies_of(self, link_id: str, corpus: str, source_ids: Collection[str]) -> Sequence[LinkItem]:
        """See the port."""
        return self._among("link_id = ? AND corpus = ? AND source_id", (link_id, corpus), source_ids)

    def drop_messages(self, since: datetime | None, until: datetime | None) -> None:
        """See the port."""
        condition, params = between("asked_at", since, until)
        gone = self.executor.run(
            f"UPDATE neural_links SET message = NULL WHERE agent_id = ? AND message IS NOT NULL{condition}"
            " RETURNING id",
            (self.agent_id, *params),
        )
        if gone:
            next_stamp(self.executor, self.agent_id)

    def drop_items(self, link_id: str) -> None:
        """See the port."""
        own = (self.agent_id, link_id)
        if self.executor.run("SELECT 1 FROM link_items WHERE agent_id = ? AND link_id = ? LIMIT 1", own):
            next_stamp(self.executor, self.agent_id)
            self.executor.run("DELETE FROM link_items WHERE agent_id = ? AND link_id = ?", own)

    def block(self, other: str, at: datetime) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            "INSERT INTO link_blocks (agent_id, other, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (self.agent_id, other, micros(at)),
        )

    def unblock(self, other: str) -> bool:
        """See the port."""
        gone = self.executor.run(
            "DELETE FROM link_blocks WHERE agent_id = ? AND other = ? RETURNING other", (self.agent_id, other)
        )
        if gone:
            next_stamp(self.executor, self.agent_id)
        return bool(gone)

    def blocked(self) -> Sequence[str]:
        """See the port."""
        rows = self.executor.run(
            "SELECT other FROM link_blocks WHERE agent_id = ? ORDER BY other", (self.agent_id,)
        )
        return [row[0] for row in rows]

    def own_memories(self) -> Sequence[str]:
        """See the port."""
        rows = self.executor.run(
            "SELECT id FROM memories WHERE agent_id = ? AND learned_from IS NULL AND superseded_by IS NULL"
            " AND state IN (?, ?) ORDER BY id",
            (self.agent_id, str(State.ACTIVE), str(State.ARCHIVED)),
        )
        return [row[0] for row in rows]

    def entrust(self, ids: Collection[str], trust: SourceTrust, at: datetime) -> None:
        """See the port."""
        if not ids:
            return
        stamp = next_stamp(self.executor, self.agent_id)
        for some in chunks(ids):
            marks, params = padded(some)
            self.executor.run(
                "UPDATE memories SET source_trust = ?, updated_at = ?, rev = ?"
                f" WHERE agent_id = ? AND id IN ({marks})",
                (str(trust), micros(at), stamp.rev, self.agent_id, *params),
            )

    def _among(self, condition: str, params: tuple[object, ...], ids: Collection[str]) -> Sequence[LinkItem]:
        found: list[LinkItem] = []
        for some in chunks(sorted(set(ids))):
            marks, values = padded(some)
            rows = self.executor.run(
                f"{_ITEMS} AND {condition} IN ({marks})", (self.agent_id, *params, *values)
            )
            found += map(_item, rows)
        return sorted(found, key=lambda one: (one.link_id, one.corpus, one.source_id))


def leave_links(executor: Executor, agent_id: str, table: Corpus, ids: Collection[str]) -> None:
    """What goes came by no link any more, whatever it was where it came from."""
    for some in chunks(ids):
        marks, params = padded(some)
        for corpus in _CAME_AS[table]:
            executor.run(
                f"DELETE FROM link_items WHERE agent_id = ? AND corpus = ? AND id IN ({marks})",
                (agent_id, corpus, *params),
            )


def _terms_text(terms: LinkTerms) -> str | None:
    if terms == EVERYTHING_SHARED:
        return None
    return json_text(
        {
            "include": [str(one) for one in terms.include], "kinds": list(terms.kinds), "scope": terms.scope,
            "tags": list(terms.tags),
        }
    )  # fmt: skip


def _terms(text: str | None) -> LinkTerms:
    if text is None:
        return EVERYTHING_SHARED
    told = cast("dict[str, Any]", json.loads(text))
    return LinkTerms(
        include=tuple(map(Include, told["include"])), kinds=tuple(told["kinds"]), scope=told["scope"],
        tags=tuple(told["tags"]),
    )  # fmt: skip


def _link(row: Row) -> NeuralLink:
    id, side, other, state, message, asked_at, expires_at, decided_at, revoked_at, terms, counts = row
    return NeuralLink(
        id=id, side=Side(side), other=other, state=LinkState(state), message=message, asked_at=from_micros(asked_at),
        expires_at=from_micros(expires_at), decided_at=moment(decided_at), revoked_at=moment(revoked_at),
        terms=_terms(terms), counts={} if counts is None else cast("dict[str, int]", json.loads(counts)),
    )  # fmt: skip


def _item(row: Row) -> LinkItem:
    link_id, corpus, source_id, id, own = row
    return LinkItem(link_id=link_id, corpus=corpus, source_id=source_id, id=id, own=bool(own))
