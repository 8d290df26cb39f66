"""The facet for values that a program keeps in the agent's bank, by namespace and key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from reverie.agent.base import Base, waited_for
from reverie.domain.item import Item, ItemChange, ItemHit, TextsOf
from reverie.services.items import items


class Items(Base):
    """Values by namespace and key: what a program keeps beside memories, such as a framework's store, files or
    sessions. A value comes back as it was put, with secrets redacted. Nothing reads items but these verbs: they enter
    no context, no sleep and no neural link.

    >>> from reverie import Reverie
    >>> with Reverie.open("example.bank") as reverie:
    ...     mama = reverie.agent("mama")
    ...     item = mama.items.put(("users", "anna"), "tea", {"likes": "green tea"}, texts="Anna likes green tea")
    ...     item = mama.items.put(("users", "anna"), "city", {"name": "Porto"}, texts="Anna lives in Porto")
    ...     mama.items.get(("users", "anna"), "tea").value
    ...     [hit.item.key for hit in mama.items.search("users", query="what does she drink?", limit=1)]
    {'likes': 'green tea'}
    ['tea']
    """

    @waited_for
    def put(
        self, namespace: str | Sequence[str], key: str, value: Mapping[str, object], *,
        texts: str | Sequence[str] | TextsOf = (), ttl: timedelta | None = None,
    ) -> Item:  # fmt: skip
        """Put a JSON object under a key, in place of what stood there.

        ``texts``: by which a search finds it, or a function that takes them from the value as it is stored. ``ttl``:
        how long it stays (None: for good). Raises InvalidInput, which names the place of what is no JSON.
        """
        change = ItemChange(namespace=namespace, key=key, value=value, texts=texts, ttl=ttl)
        return items.put(self._desk, self.id, change, actor=self._actor)

    def get(self, namespace: str | Sequence[str], key: str, *, refresh: bool = False) -> Item | None:
        """Return the item of a key, or None. ``refresh``: an item with a ``ttl`` lives on for it from now. Raises
        InvalidInput.
        """
        return items.get(self._desk, self.id, namespace, key, refresh=refresh)

    def delete(self, namespace: str | Sequence[str], key: str) -> bool:
        """Delete what stands under a key, and return whether something did. Raises InvalidInput."""
        [item] = self.write([ItemChange(namespace=namespace, key=key)])
        return item is not None

    @waited_for
    def write(self, changes: Sequence[ItemChange]) -> Sequence[Item | None]:
        """Make several changes, all or none, in their order. Return for each the item as it is stored; for a deletion
        the item as it was, or None. Raises InvalidInput.
        """
        return items.write(self._desk, self.id, changes, actor=self._actor)

    @waited_for
    def search(
        self, prefix: str | Sequence[str] = (), query: str | None = None,
        filter: Mapping[str, object] | None = None,
        *, limit: int = 100, offset: int = 0, newest_first: bool = False, refresh: bool = False,
    ) -> Sequence[ItemHit]:  # fmt: skip
        """Return items whose namespace begins with ``prefix``, in the order in which their keys were first put.

        ``query``: the nearest in meaning first, then those without texts. ``filter``: fields of the value and what they
        hold, or one of ``$eq``, ``$ne``, ``$gt``, ``$gte``, ``$lt``, ``$lte``: ``{"rank": {"$gte": 2}}``. The first
        search with a query embeds what was put since the last. Raises InvalidInput.
        """
        return items.search(
            self._desk, self.id, prefix, query, filter, limit=limit, offset=offset, newest_first=newest_first,
            refresh=refresh,
        )  # fmt: skip

    def namespaces(
        self, *, prefix: str | Sequence[str] = (), suffix: str | Sequence[str] = (), max_depth: int | None = None,
        limit: int = 100, offset: int = 0,
    ) -> Sequence[tuple[str, ...]]:  # fmt: skip
        """Return the namespaces that hold something, sorted. In ``prefix`` and ``suffix`` "*" is any label;
        ``max_depth`` cuts longer ones. Raises InvalidInput.
        """
        return items.namespaces(
            self._desk, self.id, prefix=prefix, suffix=suffix, max_depth=max_depth, limit=limit, offset=offset
        )
