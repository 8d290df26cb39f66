"""The numbers under which the server keeps our advisory locks."""

from __future__ import annotations

from hashlib import blake2b
from typing import LiteralString

from reverie.store.executor import Corpus


def writer_lock(agent_id: str) -> int:
    """Whoever holds it is the agent's only writer."""
    return _number(agent_id, b"reverie.writer")


def indexer_lock(agent_id: str, corpus: Corpus) -> int:
    """Whoever holds it is the only one to change how far the corpus's approximate index reaches."""
    return _number(f"{corpus}\0{agent_id}", b"reverie.indexer")


def lock_call(function: str, lock: int, agent: str, *, sharded: bool) -> LiteralString:
    """Return the statement that calls one of the server's functions on advisory locks. On a cluster it is made on the
    node that has the agent's rows, which is the same whatever node is asked. ``agent`` is SQL for the agent's id.
    """
    call = f"SELECT {function}({lock})"
    # Counted, so that there is one row also where the agent isn't there yet.
    where = f" FROM (SELECT count(*) FROM agents WHERE id = {agent}) AS one" if sharded else ""
    return call + where


def _number(text: str, person: bytes) -> int:
    digest = blake2b(text.encode(errors="replace"), digest_size=8, person=person)
    return int.from_bytes(digest.digest(), "big", signed=True)
