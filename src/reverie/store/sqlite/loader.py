"""From the tables to a snapshot: all of a bank, or what is newer than an older snapshot."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.store.executor import Executor
from reverie.store.sqlite.batches import EPISODE_FIELDS, MEMORY_FIELDS, episode_batch, memory_batch
from reverie.store.sqlite.corpus import Corpus
from reverie.store.sqlite.snapshot import Identity, Snapshot

_PAGE = 4096  # rows read together: bounds what lies in memory twice while a bank is loaded

# Each statement begins with the key that pages go on from; then comes what the batches ask for.
_HEAD = "SELECT rev, pruned_rev, secret, embedder, dimensions FROM agents WHERE id = ?"
_DELETIONS = "SELECT corpus, id FROM deletions WHERE agent_id = ? AND rev > ?"
_MEMORIES = f"""
SELECT m.rev, m.seq, m.version, {MEMORY_FIELDS}, NULL, m.essence, m.lesson, m.believed_from, NULL,
    m.valid_from, m.valid_to, CASE WHEN m.embedder = ? THEN m.vector END
FROM memories m WHERE m.agent_id = ? AND (m.rev, m.seq) > (?, ?) ORDER BY m.rev, m.seq LIMIT ?"""
_PAST = f"""
SELECT v.rev, v.memory_id, v.version, {MEMORY_FIELDS}, v.version, v.essence, v.lesson, v.believed_from,
    v.believed_to, v.valid_from, v.valid_to, CASE WHEN v.embedder = ? THEN v.vector END
FROM memory_versions v JOIN memories m ON m.agent_id = v.agent_id AND m.id = v.memory_id
WHERE v.agent_id = ?"""
_NEW_PAST = f"""{_PAST} AND (v.rev, v.memory_id, v.version) > (?, ?, ?)
ORDER BY v.rev, v.memory_id, v.version LIMIT ?"""
# The sign keeps SQLite from walking the index over rev, which leads to all older versions.
_PAST_OF_CHANGED = f"{_PAST} AND v.memory_id IN (SELECT value FROM json_each(?)) AND +v.rev <= ?"
_EPISODES = f"""
SELECT rev, {EPISODE_FIELDS.replace("vector", "CASE WHEN embedder = ? THEN vector END")}
FROM episodes WHERE agent_id = ? AND (rev, seq) > (?, ?) ORDER BY rev, seq LIMIT ?"""

Row = tuple[Any, ...]

_KEY = 3  # columns of the key before the batch's in the statements on memories
_VERSION, _ID = 2, _KEY + 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """What says whether a snapshot is still the bank's state."""

    rev: int
    pruned_rev: int
    identity: Identity | None


def read_head(executor: Executor, agent_id: str) -> Head:
    """Return where the bank stands now; revision 0 and no identity for an agent that has never written."""
    rows: list[Row] = executor.run(_HEAD, (agent_id,))
    if not rows:
        return Head(rev=0, pruned_rev=0, identity=None)
    rev, pruned_rev, secret, embedder, dimensions = rows[0]
    made_by = (embedder, dimensions) if embedder is not None and dimensions else None
    return Head(rev=rev, pruned_rev=pruned_rev, identity=Identity(secret=hash(secret), embedder=made_by))


def snapshot_at(head: Head, executor: Executor, agent_id: str, known: Snapshot | None) -> Snapshot:
    """Return the bank at ``head``, which was read in the same transaction; what ``known`` has isn't read again.

    Everything is read where ``known`` is of another life of the bank, lies ahead of the head (the file was
    replaced by an older one), or is too old to be told what was deleted since. An agent that isn't
    there, and may be half copied, has nothing to show.
    """
    if head.identity is None:
        return Snapshot.empty()
    if known is None or known.identity != head.identity or not head.pruned_rev <= known.rev <= head.rev:
        known = Snapshot.empty(head.identity)
    loading = _Loading(executor, agent_id, known)
    gone = loading.deletions() if known.rev else {}
    return replace(
        known,
        rev=head.rev,
        memory_rows=loading.memories(gone).tidied(),
        episode_rows=loading.episodes(gone).tidied(),
    )


class _Loading:
    """One load: the rows newer than a snapshot, page by page, appended to its corpora."""

    def __init__(self, executor: Executor, agent_id: str, known: Snapshot) -> None:
        self._executor, self._agent_id, self._known = executor, agent_id, known
        self._embedder, self._dimensions = known.embedder or ("", 1)

    def deletions(self) -> Mapping[str, Sequence[str]]:
        """Return ids that went since, by corpus."""
        gone: dict[str, list[str]] = {}
        for corpus, id in self._run(_DELETIONS, (self._agent_id, self._known.rev)):
            gone.setdefault(corpus, []).append(id)
        return gone

    def memories(self, gone: Mapping[str, Sequence[str]]) -> Corpus:
        """Return the memories' corpus without what went and with what is new."""
        corpus = self._known.memory_rows
        if "memories" in gone:
            corpus = corpus.without(corpus.ids.among(gone["memories"]))
        for key in gone.get("versions", ()):
            id, _, version = key.rpartition("/")
            corpus = corpus.without(corpus.ids.among([id]) & (corpus.column("version") == int(version)))
        for page in self._pages(_MEMORIES, (-1,)):
            corpus = self._append(corpus, page)
            revised = [row[_ID] for row in page if row[_VERSION] > 1]
            if revised and self._known.rev:  # what past wordings share with their memory may have changed too
                params = (self._embedder, self._agent_id, json.dumps(revised), self._known.rev)
                corpus = self._append(corpus, self._run(_PAST_OF_CHANGED, params))
        for page in self._pages(_NEW_PAST, ("", 0)):
            corpus = self._append(corpus, page)
        return corpus

    def episodes(self, gone: Mapping[str, Sequence[str]]) -> Corpus:
        """Return the episodes' corpus without what went and with what is new."""
        known = self._known
        corpus = known.episode_rows
        if "episodes" in gone:
            corpus = corpus.without(corpus.ids.among(gone["episodes"]))
        for page in self._pages(_EPISODES, (-1,)):
            names = (known.conversations, known.channels, known.speaker_names)
            corpus = corpus.append(episode_batch([row[1:] for row in page], self._dimensions, *names))
        return corpus

    def _run(self, sql: str, params: Row) -> list[Row]:
        return self._executor.run(sql, params)

    def _append(self, corpus: Corpus, page: Sequence[Row]) -> Corpus:
        if not page:
            return corpus
        return corpus.append(memory_batch([row[_KEY:] for row in page], self._dimensions, self._known.scopes))

    def _pages(self, sql: str, before_first: Row) -> Iterator[Sequence[Row]]:
        """Yield rows behind the known revision in the order of their keys, which are their first columns."""
        key = (self._known.rev + 1, *before_first)
        while page := self._run(sql, (self._embedder, self._agent_id, *key, _PAGE)):
            yield page
            if len(page) < _PAGE:
                return
            key = tuple(page[-1][: len(key)])
