"""The numbers under which the server keeps our advisory locks."""

from __future__ import annotations

from hashlib import blake2b

from reverie.store.executor import Corpus


def writer_lock(agent_id: str) -> int:
    """Whoever holds it is the agent's only writer."""
    return _number(agent_id, b"reverie.writer")


def indexer_lock(agent_id: str, corpus: Corpus) -> int:
    """Whoever holds it is the only one to change how far the corpus's approximate index reaches."""
    return _number(f"{corpus}\0{agent_id}", b"reverie.indexer")


def _number(text: str, person: bytes) -> int:
    digest = blake2b(text.encode(errors="replace"), digest_size=8, person=person)
    return int.from_bytes(digest.digest(), "big", signed=True)
