"""The neural_links, link_items and link_blocks tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, cast

from reverie.domain.link import (
    CORPORA,
    EVERYTHING_SHARED,
    Include,
    LinkItem,
    LinkState,
    LinkTerms,
    NeuralLink,
    Side,
)
from reverie.domain.memory import State
from reverie.domain.time import from_micros, micros
from reverie.domain.trust import SourceTrust
from reverie.store.executor import Corpus, Executor, Row, chunks, padded
from reverie.store.rows import instant, json_text, moment
from reverie.store.table import BankRows, TableRows, table
from reverie.store.where import between

LINKS = table(
    "neural_links",
    "id, side, other, state, message, asked_at, expires_at, decided_at, revoked_at, terms, counts",
    key="id",
)
ITEMS = table("link_items", "link_id, corpus, source_id, id, own", key="link_id, corpus, source_id")
BLOCKS = table("link_blocks", "other, at", key="other")


class _ItemRows(TableRows):
    table = ITEMS


class _BlockRows(TableRows):
    table = BLOCKS


class LinkRows(TableRows):
    """``ports.society.Links`` over an executor."""

    table = LINKS

    def put(self, link: NeuralLink) -> None:
        self.bump()
        counts = json_text(dict(link.counts)) if link.counts else None
        self.upsert(
            (
                link.id, str(link.side), link.other, str(link.state), link.message, micros(link.asked_at),
                micros(link.expires_at), instant(link.decided_at), instant(link.revoked_at), _terms_text(link.terms),
                counts,
            )
        )  # fmt: skip

    def get(self, id: str) -> NeuralLink | None:
        rows = self.select(" AND id = ?", id)
        return _link(rows[0]) if rows else None

    def list(self, *, limit: int = 100, before: str | None = None) -> Sequence[NeuralLink]:
        condition, params = ("", ()) if before is None else (" AND id < ?", (before,))
        return [*map(_link, self.select(f"{condition} ORDER BY id DESC LIMIT ?", *params, limit))]

    def add_items(self, items: Sequence[LinkItem]) -> None:
        if items:
            self.bump()
            self._items.insert(
                [(one.link_id, one.corpus, one.source_id, one.id, int(one.own)) for one in items]
            )

    def items(self, link_id: str, *, corpus: str | None = None) -> Sequence[LinkItem]:
        condition, params = ("", ()) if corpus is None else (" AND corpus = ?", (corpus,))
        order = " ORDER BY corpus, source_id"
        return [*map(_item, self._items.select(f" AND link_id = ?{condition}{order}", link_id, *params))]

    def items_of(self, corpus: str, ids: Collection[str]) -> Sequence[LinkItem]:
        return _in_order(self._items.among("id", ids, " AND corpus = ?", corpus))

    def copies_of(self, link_id: str, corpus: str, source_ids: Collection[str]) -> Sequence[LinkItem]:
        given = (" AND link_id = ? AND corpus = ?", link_id, corpus)
        return _in_order(self._items.among("source_id", source_ids, *given))

    def drop_messages(self, since: datetime | None, until: datetime | None) -> None:
        condition, params = between("asked_at", since, until)
        if self.change("message = NULL", (), f" AND message IS NOT NULL{condition}", *params):
            self.bump()

    def drop_items(self, link_id: str) -> None:
        if self._items.dropped(" AND link_id = ?", link_id):
            self.bump()

    def block(self, other: str, at: datetime) -> None:
        self.bump()
        self._blocks.insert([(other, micros(at))], " ON CONFLICT DO NOTHING")

    def unblock(self, other: str) -> bool:
        gone = self._blocks.dropped(" AND other = ?", other)
        if gone:
            self.bump()
        return bool(gone)

    def blocked(self) -> Sequence[str]:
        return [row[0] for row in self._blocks.select(" ORDER BY other")]

    def own_memories(self) -> Sequence[str]:
        rows = self.run(
            "SELECT id FROM memories WHERE agent_id = ? AND learned_from IS NULL AND superseded_by IS NULL"
            " AND state IN (?, ?) ORDER BY id",
            str(State.ACTIVE),
            str(State.ARCHIVED),
        )
        return [row[0] for row in rows]

    def entrust(self, ids: Collection[str], trust: SourceTrust, at: datetime) -> None:
        if not ids:
            return
        stamp = self.bump()
        for some in chunks(ids):
            marks, params = padded(some)
            self.executor.run(
                "UPDATE memories SET source_trust = ?, updated_at = ?, rev = ?"
                f" WHERE agent_id = ? AND id IN ({marks})",
                (str(trust), micros(at), stamp.rev, self.agent_id, *params),
            )

    @property
    def _items(self) -> _ItemRows:
        return _ItemRows(self.executor, self.agent_id)

    @property
    def _blocks(self) -> _BlockRows:
        return _BlockRows(self.executor, self.agent_id)


def leave_links(executor: Executor, agent_id: str, corpus: Corpus, ids: Collection[str]) -> None:
    """Note that what goes came by no link any more, whatever it was where it came from."""
    for came_as in CORPORA[corpus]:
        sql = "DELETE FROM link_items WHERE agent_id = ? AND corpus = ? AND id IN ({})"
        BankRows(executor, agent_id).run_among(sql, ids, came_as)


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


def _in_order(rows: Sequence[Row]) -> Sequence[LinkItem]:
    return sorted(map(_item, rows), key=lambda one: (one.link_id, one.corpus, one.source_id))


def _item(row: Row) -> LinkItem:
    link_id, corpus, source_id, id, own = row
    return LinkItem(link_id=link_id, corpus=corpus, source_id=source_id, id=id, own=bool(own))
