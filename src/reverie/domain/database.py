"""What was done to a database on a server: outcomes of preparing it and of cleaning it."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentShare:
    """An agent with how many texts it has, or how often it was asked."""

    agent_id: str
    number: int


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeShare:
    """What a node of a cluster ("host:port") holds of our tables: bytes, and shards (the parts of all agents)."""

    node: str
    bytes: int
    shards: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DatabaseStatus:
    """How the banks of a database lie.

    ``number``: of the schema; ``texts``: memories and messages of all agents; ``bytes`` with their indexes, ``tables``
    by name, largest first. On a cluster ``shards`` is how many there were at the beginning and ``nodes`` what each node
    holds, fullest first; on one server None and empty. ``largest``: the agents with most texts. ``busiest``: those that
    were asked most in the last minutes, None where the server doesn't count that (citus.stat_tenants_track).
    ``uneven``: what is out of balance, each with what to do.
    """

    where: str
    number: int
    agents: int
    texts: int
    bytes: int
    tables: Mapping[str, int]
    shards: int | None
    nodes: tuple[NodeShare, ...]
    largest: tuple[AgentShare, ...]
    busiest: tuple[AgentShare, ...] | None
    uneven: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MovedAgent:
    """An agent with a shard of its own (``shard``: its number for ``conversations``), and where that lay and lies."""

    where: str
    agent_id: str
    shard: int
    source: str
    target: str
