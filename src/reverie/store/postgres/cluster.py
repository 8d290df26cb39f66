"""Tables spread over the nodes of a Citus cluster: what is there, how they are spread, and how they lie.

Each agent's rows of all tables lie on one node, side by side: every table is distributed by the agent, and colocated.
``meta`` is a reference table, which each node holds. Nothing here is needed where PostgreSQL is one server.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from psycopg import Connection, sql

from reverie.errors import AccessRefused, InvalidInput, StoreError
from reverie.store.postgres.place import SCHEMA
from reverie.store.postgres.schema import META

SHARDS = 32
"""Parts that the agents are spread over where nobody says otherwise: Citus's own number."""
MOST_SHARDS = 10_000
_LEAST_VERSION = 11  # from which on policies reach the shards, and every node may be asked
_FIRST = "conversations"  # the table that all others lie beside


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterState:
    """What a database with the extension holds: Citus's version ("13.0-1"), whether this node is the coordinator, how
    many nodes may hold shards, and which of our tables are spread over them.
    """

    version: str
    coordinator: bool
    nodes: int
    spread: frozenset[str]

    @property
    def is_recent(self) -> bool:
        """Whether it has what we need."""
        found = re.match(r"\d+", self.version)
        return found is not None and int(found[0]) >= _LEAST_VERSION


def look_at_cluster(connection: Connection[Any]) -> ClusterState | None:
    """Return what is there; None where the database has no such extension."""
    row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'citus'").fetchone()
    if row is None:
        return None
    nodes = connection.execute(_NODES).fetchone()
    assert nodes is not None
    tables = connection.execute(_SPREAD, (SCHEMA,)).fetchall()
    return ClusterState(
        version=row[0], coordinator=bool(nodes[0]), nodes=int(nodes[1]), spread=frozenset(name for (name,) in tables)
    )  # fmt: skip


def check_cluster(where: str, found: ClusterState | None) -> None:
    """Raise InvalidInput, StoreError where tables can't be spread from here."""
    if found is None:
        raise InvalidInput(
            "citus",
            "the extension citus isn't in this database",
            "run CREATE EXTENSION citus on every node first",
        )
    if not found.is_recent:
        raise StoreError(f"{where}: Citus {found.version} is older than {_LEAST_VERSION}; use a later one")
    if not found.coordinator:
        raise InvalidInput("where", "it is a worker node of the cluster", "give the coordinator's URL")
    if not found.nodes:
        raise StoreError(
            f"{where}: the cluster has no nodes; add them with SELECT citus_add_node(host, port)"
        )


def spreading(shards: int) -> str:
    """Return the SQL that spreads what isn't yet over the nodes, rows and all: to be run by the owner."""
    return f"""SET LOCAL citus.multi_shard_modify_mode = 'sequential';
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT c.oid::regclass AS place, c.relname AS name FROM pg_class AS c
        WHERE c.relnamespace = {sql.Literal(SCHEMA).as_string(None)}::regnamespace AND c.relkind IN ('r', 'p')
            AND NOT c.relispartition
            AND NOT EXISTS (SELECT FROM pg_dist_partition AS d WHERE d.logicalrelid = c.oid)
        ORDER BY c.relname <> '{_FIRST}', c.relname
    LOOP
        IF one.name = '{META}' THEN
            PERFORM create_reference_table(one.place);
        ELSIF one.name = '{_FIRST}' THEN
            PERFORM create_distributed_table(one.place, 'agent_id', shard_count => {shards});
        ELSE
            PERFORM create_distributed_table(one.place,
                CASE one.name WHEN 'agents' THEN 'id' ELSE 'agent_id' END, colocate_with => '{_FIRST}');
        END IF;
        PERFORM truncate_local_data_after_distributing_table(one.place);
    END LOOP;
    -- Made anew, now that the nodes know what they read.
    FOR one IN
        SELECT pg_get_functiondef(p.oid) AS text FROM pg_proc AS p
        WHERE p.pronamespace = {sql.Literal(SCHEMA).as_string(None)}::regnamespace AND p.prokind = 'f'
    LOOP
        EXECUTE one.text;
    END LOOP;
END $$;"""


def check_nodes(connection: Connection[Any], where: str, role: str) -> None:
    """Raise AccessRefused where a node doesn't let another one in as the role, which every statement needs."""
    with connection.transaction():
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(role)))
        for host, port, success in connection.execute(_REACHED).fetchall():
            if not success:
                raise AccessRefused(
                    where,
                    f"node {host}:{port} doesn't let {role} in from the coordinator",
                    "let the nodes in among themselves (pg_hba.conf with certificates, pg_dist_authinfo, or"
                    " ~/.pgpass of the server's user on every node), then try again",
                )


SIZE_ON_NODES = """SELECT coalesce(sum(s.size), 0)::bigint FROM citus_shard_sizes() AS s
JOIN pg_dist_shard AS d ON d.shardid = s.shard_id JOIN pg_class AS c ON c.oid = d.logicalrelid
WHERE c.relnamespace = ?::regnamespace"""
"""How many bytes our tables take on all nodes."""

_NODES = """SELECT (SELECT groupid FROM pg_dist_local_group LIMIT 1) = 0,
    count(*) FILTER (WHERE noderole = 'primary' AND isactive AND shouldhaveshards) FROM pg_dist_node"""
_SPREAD = """SELECT c.relname::text FROM pg_dist_partition AS d JOIN pg_class AS c ON c.oid = d.logicalrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = %s"""
_REACHED = "SELECT nodename, nodeport, success FROM run_command_on_workers('SELECT 1') ORDER BY 1, 2"
