"""Put, find and delete items. What is put under a key comes back as it was put, but for secrets.

Vectors are made when a search first needs them: a put never waits for an embedder, and after a move to another
embedder, or an import, there is nothing to make up for. ``docs/items.md``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

import numpy as np
from numpy.typing import NDArray

from reverie.domain.agent import Agent
from reverie.domain.ask import checked_whole
from reverie.domain.audit import Action
from reverie.domain.item import (
    Item,
    ItemChange,
    ItemHit,
    Namespace,
    TextsOf,
    checked_key,
    checked_namespace,
    checked_texts,
    checked_ttl,
    checked_value,
)
from reverie.domain.message import MAX_CONTENT_BYTES
from reverie.domain.text import checked_switch, checked_text
from reverie.errors import EmbedderFailed, InvalidInput, StoreError
from reverie.errors.showing import typed
from reverie.ports.store import Unit
from reverie.services.items.matching import begins, checked_filter, passes
from reverie.services.runtime import Desk, clean, cleaned_object, entry, placed, read_again, refuse_secrets

MAX_ITEMS = 1_000_000
MAX_CHANGES = 10_000
_log = logging.getLogger("reverie.items")
Vectors = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Change:
    namespace: Namespace
    key: str
    value: Mapping[str, object] | None
    texts: tuple[str, ...]
    ttl: timedelta | None


def put(desk: Desk, agent_id: str, change: ItemChange, *, actor: str) -> Item:
    """Put one value; return the item as it is stored. Raise InvalidInput."""
    if change.value is None:
        raise InvalidInput("value", "there is none", "give a dict, or delete the key")
    [item] = write(desk, agent_id, [change], actor=actor)
    assert item is not None
    return item


def write(desk: Desk, agent_id: str, changes: object, *, actor: str) -> Sequence[Item | None]:
    """Make all changes or none, in their order. Return for each the item as it is stored now; for a deletion, the item
    as it was, None where there was none. Raise InvalidInput (for names that hold a secret too).
    """
    if not isinstance(changes, tuple | list) or len(changes) > MAX_CHANGES:
        raise InvalidInput("changes", "it is no list of changes", f"give up to {MAX_CHANGES:,} ItemChange")
    checked = [
        _checked(desk, one, placed("changes", place, len(changes))) for place, one in enumerate(changes)
    ]
    return desk.store.transact(agent_id, partial(_write, desk, agent_id, checked, actor)) if checked else ()


def get(desk: Desk, agent_id: str, namespace: object, key: object, *, refresh: bool) -> Item | None:
    """Return the item of a key, or None; with ``refresh`` it lives on for its time. Raise InvalidInput."""
    place, name = checked_namespace(namespace), checked_key(key)
    checked_switch(refresh, "refresh")
    found = _got(desk, agent_id, place, name)
    return _refreshed(desk, agent_id, [found])[0] if refresh and found is not None else found


def search(
    desk: Desk, agent_id: str, prefix: object, query: object, filter: object, *, limit: int, offset: int,
    newest_first: bool, refresh: bool,
) -> Sequence[ItemHit]:  # fmt: skip
    """Return items below a namespace that pass a filter, in the order in which their keys were first put, or for a
    query the nearest first, and then those without texts. Raise InvalidInput.
    """
    labels, wanted = checked_namespace(prefix, "prefix", least=0), checked_filter(filter)
    checked_whole(limit, "limit", 1, MAX_ITEMS)
    checked_whole(offset, "offset", 0, MAX_ITEMS)
    checked_switch(newest_first, "newest_first")
    checked_switch(refresh, "refresh")
    asked = None if query is None else checked_text(query, "query", most_bytes=MAX_CONTENT_BYTES)
    every = asked is not None or bool(wanted)
    some, skipped = (None, 0) if every else (limit, offset)
    found = [
        one
        for one in _below(desk, agent_id, labels, some, skipped, newest_first)
        if passes(one.value, wanted)
    ]
    hits = [ItemHit(item=one) for one in found] if asked is None else _ranked(desk, agent_id, found, asked)
    hits = hits[offset : offset + limit] if every else hits
    if refresh:
        lives = _refreshed(desk, agent_id, [one.item for one in hits])
        hits = [replace(one, item=item) for one, item in zip(hits, lives, strict=True)]
    return hits


@read_again
def namespaces(
    desk: Desk,
    agent_id: str,
    *,
    prefix: object,
    suffix: object,
    max_depth: int | None,
    limit: int,
    offset: int,
) -> Sequence[Namespace]:
    """Return namespaces that hold something, sorted; cut to ``max_depth`` labels, each once. Raise InvalidInput."""
    first = checked_namespace(prefix, "prefix", least=0)
    last = checked_namespace(suffix, "suffix", least=0)[::-1]
    checked_whole(limit, "limit", 1, MAX_ITEMS)
    checked_whole(offset, "offset", 0, MAX_ITEMS)
    if max_depth is not None:
        checked_whole(max_depth, "max_depth", 1, MAX_ITEMS)
    with desk.reading(agent_id) as unit:
        every = unit.items.namespaces(desk.clock())
    found = {one[:max_depth] for one in every if begins(one, first) and begins(one[::-1], last)}
    return sorted(found)[offset : offset + limit]


def _checked(desk: Desk, change: object, of: str) -> _Change:
    if not isinstance(change, ItemChange):
        raise InvalidInput(of.rstrip(".") or "changes", f"{typed(change)} is no change", "give an ItemChange")
    namespace = checked_namespace(change.namespace, f"{of}namespace")
    key = checked_key(change.key, f"{of}key")
    ttl = checked_ttl(change.ttl, f"{of}ttl")
    if change.value is None:
        return _Change(namespace=namespace, key=key, value=None, texts=(), ttl=None)
    refuse_secrets(desk.settings, namespace, f"{of}namespace")
    refuse_secrets(desk.settings, [key], f"{of}key")
    value = cleaned_object(desk.settings, checked_value(change.value, f"{of}value"), f"{of}value")
    return _Change(
        namespace=namespace, key=key, value=value, texts=_texts(desk, change.texts, value, of), ttl=ttl
    )


def _texts(
    desk: Desk, given: str | Sequence[str] | TextsOf, value: Mapping[str, object], of: str
) -> tuple[str, ...]:
    texts = checked_texts(given(value) if callable(given) else given, f"{of}texts")
    return tuple(one for text in texts if (one := clean(desk.settings, text).text).strip())


def _write(
    desk: Desk, agent_id: str, changes: Sequence[_Change], actor: str, unit: Unit
) -> Sequence[Item | None]:
    now = desk.clock()
    if unit.agents.get() is None:
        unit.agents.put(Agent(id=agent_id, created_at=now), desk.secret())
    unit.items.expire(now)
    before: dict[tuple[Namespace, str], Item | None] = {}
    items: dict[tuple[Namespace, str], Item | None] = {}
    results: list[Item | None] = []
    log = []
    for change in changes:
        name = (change.namespace, change.key)
        if name not in items:
            before[name] = items[name] = unit.items.get(*name, now)
        old = items[name]
        items[name] = None if change.value is None else _made(desk, change, old, now)
        one = items[name] or old
        results.append(one)
        if one is not None:
            after = {"deleted": True} if change.value is None else {"new": old is None}
            log.append(entry(desk, Action.ITEM, one.id, actor=actor, at=now, after=after))
    ids = {item.id for item in items.values() if item is not None}
    unit.items.delete([old.id for old in before.values() if old is not None and old.id not in ids])
    unit.items.put([item for item in items.values() if item is not None])
    unit.audit.add(log)
    return results


def _made(desk: Desk, change: _Change, old: Item | None, now: datetime) -> Item:
    assert change.value is not None
    return Item(
        id=desk.ids(now) if old is None else old.id, namespace=change.namespace, key=change.key, value=change.value,
        texts=change.texts, created_at=now if old is None else old.created_at, updated_at=now, ttl=change.ttl,
        expires_at=None if change.ttl is None else now + change.ttl,
    )  # fmt: skip


@read_again
def _got(desk: Desk, agent_id: str, namespace: Namespace, key: str) -> Item | None:
    with desk.reading(agent_id) as unit:
        return unit.items.get(namespace, key, desk.clock())


@read_again
def _below(
    desk: Desk, agent_id: str, prefix: Namespace, limit: int | None, offset: int, newest_first: bool
) -> Sequence[Item]:
    with desk.reading(agent_id) as unit:
        return unit.items.below(prefix, desk.clock(), limit=limit, offset=offset, newest_first=newest_first)


def _refreshed(desk: Desk, agent_id: str, items: Sequence[Item]) -> Sequence[Item]:
    """Let items with a ttl live on for it from now."""
    now = desk.clock()
    until = {one.id: now + one.ttl for one in items if one.ttl is not None}
    if not until:
        return items
    desk.store.transact(agent_id, lambda unit: unit.items.refresh(until))
    return [replace(one, expires_at=until.get(one.id)) for one in items]


def _ranked(desk: Desk, agent_id: str, items: Sequence[Item], query: str) -> list[ItemHit]:
    """Return all, the nearest to the query first. Where the embedder fails, what it can't tell stays in its order."""
    asked = desk.vector_of(query)
    if asked is None:
        return [ItemHit(item=one) for one in items]
    vectors = _vectors(desk, agent_id, [one for one in items if one.texts])
    scored = [
        ItemHit(item=one, score=float((vectors[one.id] @ asked).max())) for one in items if one.id in vectors
    ]
    scored.sort(key=lambda hit: -(hit.score or 0.0))
    return [*scored, *(ItemHit(item=one) for one in items if one.id not in vectors)]


def _vectors(desk: Desk, agent_id: str, items: Sequence[Item]) -> dict[str, Vectors]:
    """Return the vectors of items with texts, by id; embed those that lack them, and keep these."""
    found = dict(_kept(desk, agent_id, [one.id for one in items]))
    lacking = [one for one in items if one.id not in found]
    if not lacking:
        return found
    texts = [*dict.fromkeys(text for one in lacking for text in one.texts)]
    size = desk.settings.store.batch
    try:
        made = [desk.embedder.embed(texts[start : start + size]) for start in range(0, len(texts), size)]
    except EmbedderFailed as error:
        _log.warning("items are found without their texts: %s", type(error).__name__)
        return found
    by_text = dict(zip(texts, np.concatenate(made), strict=True))
    new = [(one, np.stack([by_text[text] for text in one.texts])) for one in lacking]
    try:
        desk.store.transact(agent_id, lambda unit: unit.items.keep_vectors(desk.embedder.id, new))
    except StoreError as error:  # the next search makes them again
        _log.warning("vectors of items could not be kept: %s", type(error).__name__)
    return found | {one.id: vectors for one, vectors in new}


@read_again
def _kept(desk: Desk, agent_id: str, ids: Sequence[str]) -> Mapping[str, Vectors]:
    with desk.reading(agent_id) as unit:
        return unit.items.vectors(ids, desk.embedder.id)
