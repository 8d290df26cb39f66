"""A cache of the postings of recent terms, so that words which many questions share are sent here once.

Nothing goes stale: every write that touches a term's postings writes its row of ``terms``, too. That row's version
stands beside what is kept, and a search gets the postings of every term whose row it finds with another one, within its
own transaction (``words.statistics``). So it doesn't matter which process wrote.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from reverie.store.executor import Corpus
from reverie.store.postgres.postings import Postings

MOST_BYTES = 32 * 2**20
"""What all of them may occupy together: every term of some hundred thousand short texts."""
OVERHEAD = 600
"""Bytes that each occupies beside its postings."""
_LARGEST = 8
"""Postings of more than this part of all would drive too much else out."""

VERSION = "(t.xmin::text::bigint # (extract(epoch FROM pg_postmaster_start_time())::bigint << 32)) AS version"
"""The version of a row ``t``: the transaction that wrote it, and since when the server runs: one that was set back to
an earlier state gives the numbers of transactions a second time. Within the transaction that writes it says nothing."""


class CachedPostings(NamedTuple):
    """A term's postings, and the version of the row that stood beside them."""

    version: int
    postings: Postings

    @property
    def size(self) -> int:
        """What it occupies, in bytes."""
        return self.postings.nbytes + OVERHEAD


class PostingsCache:
    """Postings by agent, corpus and term; those that were asked for last stay. Thread-safe."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._bytes = most_bytes, 0
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, Corpus, int], CachedPostings] = OrderedDict()

    def of(self, agent_id: str, corpus: Corpus, terms: Iterable[int]) -> dict[int, CachedPostings]:
        """Return those of the terms that are kept."""
        found = {}
        with self._lock:
            for term in terms:
                one = self._known.get((agent_id, corpus, term))
                if one is not None:
                    self._known.move_to_end((agent_id, corpus, term))
                    found[term] = one
        return found

    def keep(self, agent_id: str, corpus: Corpus, found: Mapping[int, CachedPostings]) -> None:
        """Keep these, and drop the least recently used while the limit is exceeded."""
        with self._lock:
            for term, one in found.items():
                if one.size * _LARGEST > self._most:
                    continue
                before = self._known.pop((agent_id, corpus, term), None)
                self._known[agent_id, corpus, term] = one
                self._bytes += one.size - (before.size if before else 0)
            while self._bytes > self._most:
                _, gone = self._known.popitem(last=False)
                self._bytes -= gone.size

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._known.clear()
            self._bytes = 0
