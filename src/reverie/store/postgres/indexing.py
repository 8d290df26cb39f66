"""Rows enter the approximate index some time after they were stored, in the background.

Adding a vector to an HNSW graph of 100,000 costs a millisecond, more than all else about storing it, and a bank of
EXACT_ROWS needs no graph at all. So a search looks into the graph for the rows up to ``indexed.seq``, and scans those
behind it exactly: nothing is ever missed, and whoever stores a memory doesn't wait. An agent's writers take turns, so
no row of it can still come with a lower number than one that is there.

Whichever process has the bank open takes rows in, whoever stored them, one process at a time for a corpus.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager

from reverie.errors import Busy, Closed, ReverieError
from reverie.store.executor import Corpus
from reverie.store.postgres.locks import indexer_lock
from reverie.store.postgres.near import EXACT_ROWS
from reverie.store.postgres.schema import near_index
from reverie.store.postgres.session import Session

_log = logging.getLogger("reverie.postgres")

BATCH = 64
"""Rows taken in by one transaction."""
AGAIN_SECONDS = 2.0
"""How long a corpus is left alone after it was seen to be whole."""

Key = tuple[str, Corpus]

_SIZE = """SELECT c.texts, a.dimensions FROM corpora AS c JOIN agents AS a ON a.id = c.agent_id
WHERE c.agent_id = ? AND c.corpus = ?"""
_HAS_INDEX = "SELECT to_regclass(?) IS NOT NULL"
_REACHED = "SELECT seq FROM indexed WHERE agent_id = ? AND corpus = ?"
# Rows are locked so that none is deleted, and no vector changed, between being read here and being seen in the index
# by whoever deletes or changes it (``Session.follow_near``). Who holds one of them now isn't waited for: another time.
_TAKE = """WITH fresh AS MATERIALIZED (
    SELECT agent_id, id, near, seq FROM {corpus} WHERE agent_id = ? AND seq > ? ORDER BY seq LIMIT ? FOR SHARE NOWAIT
), stored AS (
    INSERT INTO {corpus}_near (agent_id, id, near) SELECT agent_id, id, near FROM fresh
    ON CONFLICT (agent_id, id) DO UPDATE SET near = excluded.near
) SELECT count(*), max(seq) FROM fresh"""
_REACH = """INSERT INTO indexed (agent_id, corpus, seq) VALUES (?, ?, ?)
ON CONFLICT (agent_id, corpus) DO UPDATE SET seq = excluded.seq"""


def take_in(session: Session, agent_id: str, corpus: Corpus) -> int | None:
    """Take the next BATCH rows of a large corpus into the index. Return how many there were, or None if another
    process is at it. Uses a transaction of its own, which needn't be the agent's writer.
    """
    ((ours,),) = session.lock("pg_try_advisory_xact_lock", indexer_lock(agent_id, corpus))
    if not ours:
        return None
    reached = session.run(_REACHED, (agent_id, corpus))
    if not reached and not _belongs(session, agent_id, corpus):
        return 0
    upto = reached[0][0] if reached else 0
    ((taken, last),) = session.run(_TAKE.format(corpus=corpus), (agent_id, upto, BATCH))
    if taken:
        session.run(_REACH, (agent_id, corpus, last))
    return int(taken)


def _belongs(session: Session, agent_id: str, corpus: Corpus) -> bool:
    """Return whether the corpus is large, and ``reverie postgres init`` made a graph for its number of dimensions."""
    for texts, dimensions in session.run(_SIZE, (agent_id, corpus)):
        if texts > EXACT_ROWS:
            ((there,),) = session.run(_HAS_INDEX, (near_index(corpus, dimensions),))
            return bool(there)
    return False


class Indexer:
    """Takes rows in on a thread that lives while there is work. ``begin`` opens a transaction that may write."""

    def __init__(self, begin: Callable[[str], AbstractContextManager[Session]]) -> None:
        self._begin = begin
        self._lock = threading.Lock()
        self._waiting: OrderedDict[Key, None] = OrderedDict()
        self._seen_whole: dict[Key, float] = {}
        self._thread: threading.Thread | None = None
        self._stopped = False

    def look_after(self, agent_id: str, corpus: Corpus) -> None:
        """Have the corpus looked at soon. Return at once."""
        key = (agent_id, corpus)
        with self._lock:
            if self._stopped or key in self._waiting:
                return
            if time.monotonic() - self._seen_whole.get(key, -AGAIN_SECONDS) < AGAIN_SECONDS:
                return
            self._waiting[key] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="reverie-indexer", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Begin no other batch; what is left is taken in by whoever opens the bank next."""
        with self._lock:
            self._stopped = True
            self._waiting.clear()

    def join(self) -> None:
        """Wait for the batch that is being taken in."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _work(self) -> None:
        try:
            while key := self._next():
                done = self._take(key)
                with self._lock:
                    self._waiting.pop(key, None)
                    if done:
                        self._seen_whole[key] = time.monotonic()
                    elif not self._stopped:
                        self._waiting[key] = None  # behind the others, which wait too
        finally:
            with self._lock:
                if self._thread is threading.current_thread():  # not another that was begun since
                    self._thread = None

    def _next(self) -> Key | None:
        """Return what to look at now; None ends the thread, under the same lock as its being asked for again."""
        with self._lock:
            if self._stopped or not self._waiting:
                self._thread = None
                return None
            return next(iter(self._waiting))

    def _take(self, key: Key) -> bool:
        """Take a batch in. Return whether nothing is left to do now."""
        agent_id, corpus = key
        try:
            with self._begin(agent_id) as session:
                taken = take_in(session, agent_id, corpus)
                session.commit()
        except (Busy, Closed):
            return True
        except ReverieError as error:
            # Nothing is lost: the rows are scanned until another try.
            _log.warning("rows could not be taken into the index now: %s", type(error).__name__)
            return True
        return taken is None or taken < BATCH
