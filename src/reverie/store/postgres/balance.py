"""How a database's banks lie, and on a cluster where: sizes, the largest and busiest agents, what is out of balance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg import Connection, sql
from psycopg import errors as pg

from reverie.domain.database import AgentShare, DatabaseStatus, MovedAgent, NodeShare
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.store.postgres.cluster import check_cluster, look_at_cluster
from reverie.store.postgres.near import EXACT_ROWS
from reverie.store.postgres.place import SCHEMA
from reverie.store.postgres.roles import owned
from reverie.store.postgres.schema import Marks

_LISTED = 10  # agents
_UNEVEN = 1.5  # times the mean of all nodes
_WORTH_MOVING = 100 * 2**20  # bytes
_HUGE = 0.5  # of what a node holds on the mean

_AGENTS = "SELECT count(*) FROM {schema}.agents"
_TEXTS = "SELECT coalesce(sum(texts), 0)::bigint FROM {schema}.corpora"
_LARGEST = """SELECT agent_id::text, sum(texts)::bigint FROM {schema}.corpora
GROUP BY agent_id ORDER BY 2 DESC, 1 LIMIT %s"""
_TABLES = """SELECT coalesce(p.relname, c.relname)::text, sum(pg_total_relation_size(c.oid))::bigint
FROM pg_class AS c LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid LEFT JOIN pg_class AS p ON p.oid = i.inhparent
WHERE c.relnamespace = %s::regnamespace AND c.relkind = 'r' GROUP BY 1 ORDER BY 2 DESC, 1"""
_SHARDS = """SELECT coalesce(p.relname, c.relname)::text, n.nodename, n.nodeport, s.size, d.shardminvalue
FROM citus_shard_sizes() AS s JOIN pg_dist_shard AS d ON d.shardid = s.shard_id
JOIN pg_dist_placement AS x ON x.shardid = d.shardid JOIN pg_dist_node AS n ON n.groupid = x.groupid
JOIN pg_class AS c ON c.oid = d.logicalrelid
LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid LEFT JOIN pg_class AS p ON p.oid = i.inhparent
WHERE c.relnamespace = %s::regnamespace AND n.noderole = 'primary' AND d.shardminvalue IS NOT NULL"""
_BUSIEST = """SELECT tenant_attribute::text, sum(query_count_in_this_period + query_count_in_last_period)::bigint
FROM citus_stat_tenants WHERE tenant_attribute IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %s"""
_PLACE = """SELECT d.shardid, n.nodename, n.nodeport, d.shardminvalue = d.shardmaxvalue
FROM pg_dist_shard AS d JOIN pg_dist_placement AS x ON x.shardid = d.shardid
JOIN pg_dist_node AS n ON n.groupid = x.groupid AND n.noderole = 'primary'
WHERE d.shardid = get_shard_id_for_distribution_column(%s::regclass, %s::text)"""
_TABLE = f"{SCHEMA}.conversations"


def status(url: str, *, connect_seconds: float = 10.0) -> DatabaseStatus:
    """Return how the banks of a database lie. Looks only.

    ``url`` is of the role that prepared the database, or of another that may act as its owner. Each agent's counts are
    read: with millions of agents that takes seconds. Raise NotPrepared, AccessRefused, Unreachable.
    """
    with _as_owner(url, connect_seconds) as (connection, where, marks):
        agents, texts = _number(connection, _AGENTS), _number(connection, _TEXTS)
        largest = [
            AgentShare(agent_id=id, number=number) for id, number in _rows(connection, _LARGEST, _LISTED)
        ]
        nodes, tables = _sizes(connection, marks)
        return DatabaseStatus(
            where=where, number=marks.number, agents=agents, texts=texts, bytes=sum(tables.values()), tables=tables,
            shards=marks.shards, nodes=nodes, largest=tuple(largest), busiest=_busiest(connection, marks),
            uneven=(*_uneven_nodes(nodes), *_huge_agents(connection, nodes, largest, texts)),
        )  # fmt: skip


def move(url: str, agent_id: str, *, to: str | None = None, connect_seconds: float = 10.0) -> MovedAgent:
    """Give an agent of a cluster a shard of its own, and have that moved to the node ``to`` ("host:port"), or to the
    one that holds least. By Citus's own functions: where the servers keep a logical log (wal_level), readers and
    writers go on meanwhile, else its writers wait. Safe to repeat, also after an interruption.

    Raise InvalidInput (no such agent or node, no cluster), NotPrepared, AccessRefused, Unreachable.
    """
    with _as_owner(url, connect_seconds) as (connection, where, marks):
        if not marks.sharded:
            raise InvalidInput(
                "where", "the database is on one server", "there is nowhere to move an agent to"
            )
        check_cluster(where, look_at_cluster(connection))
        known = sql.SQL("SELECT 1 FROM {}.agents WHERE id = %s").format(sql.Identifier(SCHEMA))
        if not connection.execute(known, (agent_id,)).fetchall():
            raise InvalidInput(
                "agent", f"there is no agent {shown(agent_id)}", "give one that has written something"
            )
        nodes, _ = _sizes(connection, marks)
        target = _target(nodes, to)
        logical = connection.execute("SHOW wal_level").fetchone() == ("logical",)
        mode = "auto" if logical else "block_writes"
        ((shard, host, port, alone),) = connection.execute(_PLACE, (_TABLE, agent_id)).fetchall()
        if not alone:
            connection.execute(
                "SELECT isolate_tenant_to_new_shard(%s::regclass, %s::text, 'CASCADE', shard_transfer_mode => %s)",
                (_TABLE, agent_id, mode),
            )
            ((shard, host, port, _),) = connection.execute(_PLACE, (_TABLE, agent_id)).fetchall()
        source = f"{host}:{port}"
        if source != target:
            there, _, door = target.rpartition(":")
            connection.execute(
                "SELECT citus_move_shard_placement(%s, %s, %s, %s, %s, shard_transfer_mode => %s)",
                (shard, host, port, there, int(door), mode),
            )
        return MovedAgent(where=where, agent_id=agent_id, shard=shard, source=source, target=target)


@contextmanager
def _as_owner(url: str, seconds: float) -> Iterator[tuple[Connection[Any], str, Marks]]:
    """Give a connection that reads every agent's rows, as the owner does."""
    with owned(url, seconds) as (connection, where, marks, superuser):
        if not superuser:  # who may replicate, which a move needs
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(marks.owner)))
        yield connection, where, marks


def _number(connection: Connection[Any], query: str) -> int:
    return int(_rows(connection, query)[0][0])


def _rows(connection: Connection[Any], query: str, *params: object) -> Sequence[tuple[Any, ...]]:
    text = sql.SQL(query).format(schema=sql.Identifier(SCHEMA))
    return connection.execute(text, params).fetchall()


def _sizes(connection: Connection[Any], marks: Marks) -> tuple[tuple[NodeShare, ...], dict[str, int]]:
    """Return what each node holds, fullest first, and how many bytes each table has, largest first."""
    if not marks.sharded:
        return (), dict(connection.execute(_TABLES, (SCHEMA,)).fetchall())
    tables: dict[str, int] = {}
    held: dict[str, list[int]] = {}
    shards: dict[str, set[str]] = {}
    for table, host, port, size, least in connection.execute(_SHARDS, (SCHEMA,)).fetchall():
        tables[table] = tables.get(table, 0) + size
        held.setdefault(f"{host}:{port}", []).append(size)
        shards.setdefault(f"{host}:{port}", set()).add(least)
    nodes = [NodeShare(node=node, bytes=sum(sizes), shards=len(shards[node])) for node, sizes in held.items()]
    empty = [NodeShare(node=node, bytes=0, shards=0) for node in _nodes(connection) if node not in held]
    ordered = sorted([*nodes, *empty], key=lambda one: (-one.bytes, one.node))
    return tuple(ordered), dict(sorted(tables.items(), key=lambda one: (-one[1], one[0])))


def _nodes(connection: Connection[Any]) -> list[str]:
    rows = connection.execute(
        "SELECT nodename, nodeport FROM pg_dist_node"
        " WHERE noderole = 'primary' AND isactive AND shouldhaveshards ORDER BY 1, 2"
    ).fetchall()
    return [f"{host}:{port}" for host, port in rows]


def _target(nodes: Sequence[NodeShare], to: str | None) -> str:
    names = [one.node for one in nodes]
    if to is None:
        return names[-1]
    if to not in names:
        raise InvalidInput("to", f"{shown(to)} is no node of the cluster", f"give one of {', '.join(names)}")
    return to


def _busiest(connection: Connection[Any], marks: Marks) -> tuple[AgentShare, ...] | None:
    """Return the agents that were asked most in the last two periods of a minute; None where nobody counts them."""
    if not marks.sharded:
        return None
    try:
        with connection.transaction():
            if connection.execute("SHOW citus.stat_tenants_track").fetchone() == ("none",):
                return None
            rows = connection.execute(_BUSIEST, (_LISTED,)).fetchall()
    except (pg.InsufficientPrivilege, pg.UndefinedTable, pg.UndefinedObject):  # Citus 11 has none
        return None
    return tuple(AgentShare(agent_id=id, number=number) for id, number in rows)


def _uneven_nodes(nodes: Sequence[NodeShare]) -> Iterator[str]:
    """Yield which nodes hold much more than others, and what to do."""
    mean = sum(one.bytes for one in nodes) / max(len(nodes), 1)
    for one in nodes:
        if one.bytes > _UNEVEN * mean and one.bytes - mean > _WORTH_MOVING:
            yield (
                f"node {one.node} holds {one.bytes / mean:.1f} times what a node holds on the mean:"
                " SELECT citus_rebalance_start() moves shards"
            )


def _huge_agents(
    connection: Connection[Any], nodes: Sequence[NodeShare], largest: Sequence[AgentShare], texts: int
) -> Iterator[str]:
    """Yield which agents have too much to lie beside others, and what to do."""
    for agent in largest:
        if len(nodes) < 2 or agent.number <= max(_HUGE * texts / len(nodes), EXACT_ROWS):
            return
        ((_, _, _, alone),) = connection.execute(_PLACE, (_TABLE, agent.agent_id)).fetchall()
        if not alone:
            share = round(100 * agent.number / texts)
            yield (
                f"agent {agent.agent_id!r} has {share} % of all texts: `reverie postgres move` gives it a shard of"
                " its own"
            )
