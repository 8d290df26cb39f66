"""What was done to a database on a server: outcomes of preparing it and of cleaning it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Prepared:
    """A database that banks may lie in. No field holds a password.

    ``where``: the address that was used; ``url``: the application's; ``number``: of the schema; ``did``: what was done,
    in order (in a dry run: what would be); ``sql``: how, each a transaction of its own; ``shards``: over how many parts
    a cluster's nodes share the agents, None on one server.
    """

    where: str
    url: str
    schema: str
    number: int
    app_role: str
    owner_role: str
    partitions: int
    dimensions: tuple[int, ...]
    did: tuple[str, ...]
    sql: tuple[str, ...]
    dry_run: bool
    shards: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Scoured:
    """A database without deleted rows in its files.

    ``before`` and ``after``: bytes of our tables and indexes. ``held``: transactions that were open all the while; what
    they can still see is still there. ``checkpointed``: whether the old files were removed at once, or go with the
    server's next checkpoint (minutes).
    """

    where: str
    tables: int
    before: int
    after: int
    held: int
    checkpointed: bool
