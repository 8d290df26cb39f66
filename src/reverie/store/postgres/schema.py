"""The schema of a database: numbered steps, each in one transaction with the number that it leads to, and the marks
that tell it from other schemas. ``roles.prepare`` takes the steps, as the schema's owner; an application only reads
the marks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection, sql

from reverie.domain.job import NEVER
from reverie.domain.time import micros
from reverie.errors import AccessRefused, NewerSchema, NotABank, NotPrepared, OlderSchema
from reverie.store.migration import DOUBTED, DUE, Migration, steps_of
from reverie.store.postgres.label_step import LABELS_POSTED
from reverie.store.postgres.place import SCHEMA

META = "meta"
"""The table of marks: what this is, its number, how many partitions, the application's role."""
SHARDED = "shards"
"""The mark of tables that a cluster's nodes share: in how many parts."""
NEIGHBOURS = 16
"""HNSW's ``m``: so many edges a vector has in its graph."""
BUILD_WIDTH = 64
"""HNSW's ``ef_construction``: so many candidates are weighed for the edges of a new vector."""
MOST_DIMENSIONS = 4000
"""The most that an HNSW index of halfvec takes."""

# When something of an agent is due, in microseconds since 1970 (NULL: nothing that is known of). What is there is now.
_DUE_AT = """\
ALTER TABLE agents ADD COLUMN due_at bigint;
UPDATE agents SET due_at = (extract(epoch FROM now()) * 1000000)::bigint;
"""
# These cross agents, as known_agents does, and tell ids, times, names of jobs and counts alone (store/due.py).
_DUE_FUNCTIONS = f"""\
CREATE FUNCTION due_agents(above bigint, upto bigint, moment bigint, beyond bigint, most bigint)
RETURNS TABLE (id text, due_at bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT a.id::text, a.due_at FROM agents AS a
    LEFT JOIN jobs AS j ON j.agent_id = a.id AND j.job = 'worker' AND j.until > moment AND j.until <= beyond
    WHERE a.due_at > above AND a.due_at <= upto AND j.agent_id IS NULL
    ORDER BY a.due_at, a.id LIMIT most;
END;
CREATE FUNCTION due_counts(moment bigint) RETURNS TABLE (due bigint, oldest bigint, dead bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT (SELECT count(*) FROM agents AS a WHERE a.due_at <= moment),
        (SELECT min(a.due_at) FROM agents AS a WHERE a.due_at <= moment),
        (SELECT count(*) FROM jobs AS j WHERE j.parked_until = {micros(NEVER)})
        + (SELECT count(*) FROM watermarks AS w WHERE w.parked_until = {micros(NEVER)});
END;
CREATE FUNCTION dead_jobs(most bigint) RETURNS TABLE (agent_id text, job text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT d.agent_id, d.job FROM (
        SELECT j.agent_id::text AS agent_id, j.job::text AS job FROM jobs AS j WHERE j.parked_until = {micros(NEVER)}
        UNION
        SELECT w.agent_id::text, w.job::text FROM watermarks AS w WHERE w.parked_until = {micros(NEVER)}
    ) AS d ORDER BY d.agent_id, d.job LIMIT most;
END;
"""
LATER: Sequence[Migration] = (
    Migration(number=2, sql=DOUBTED),
    Migration(number=3, sql=_DUE_AT + DUE + _DUE_FUNCTIONS),
    Migration(number=4, sql=LABELS_POSTED),
)
"""The steps to schema 2 and on. ``schema.sql`` is the first step: once released it stays as it is.

They run on a cluster, too, where the tables are spread already, and Citus takes no SET STATISTICS or SET STORAGE of a
column then: what holds texts or vectors gets a table of its own, which is spread after that.
"""

_PARTITIONED = " PARTITION BY HASH (agent_id)"
_INDEX = re.compile(r"^CREATE (?:UNIQUE )?INDEX (?P<name>\w+) [^;]+;", re.MULTILINE)
_DROPPED = re.compile(r"^DROP INDEX (?P<name>\w+);", re.MULTILINE)
_MARK = ("application", "reverie")


@dataclass(frozen=True, kw_only=True, slots=True)
class Marks:
    """What a prepared schema says of itself."""

    number: int
    partitions: int
    app_role: str
    owner: str
    shards: int | None = None
    """Parts that the nodes of a cluster share (cluster.py); None on one server."""

    @property
    def sharded(self) -> bool:
        """Whether the tables are spread over a cluster."""
        return self.shards is not None


def migrations() -> Sequence[Migration]:
    """Return all steps that this Reverie knows, in order."""
    return steps_of(__package__, LATER)


def present(connection: Connection[Any], where: str) -> Marks:
    """Return the marks of a schema that this Reverie can work with; changes nothing.

    Raise NotPrepared, NotABank, NewerSchema, OlderSchema, AccessRefused.
    """
    marks = recognize(connection, where)
    known = migrations()[-1].number
    if marks is None:
        raise NotPrepared(where)
    if marks.number < known:
        raise OlderSchema(where, marks.number, known)
    return marks


def recognize(connection: Connection[Any], where: str) -> Marks | None:
    """Return the marks of the schema; None where there is none, or an empty one. Changes nothing.

    Raise NotABank, NewerSchema, AccessRefused.
    """
    row = connection.execute(_LOOK, (META, SCHEMA)).fetchone()
    if row is None:
        return None
    owner, columns, relations, usable, user = row
    if columns != ["key", "value"]:
        if relations:
            raise NotABank(f"{where} (schema {SCHEMA})")
        return None
    if not usable:
        raise AccessRefused(where, f"role {user!r} may not look into schema {SCHEMA}")
    query = sql.SQL("SELECT key, value FROM {}").format(sql.Identifier(SCHEMA, META))
    told = dict(connection.execute(query).fetchall())
    if told.get(_MARK[0]) != _MARK[1]:
        raise NotABank(f"{where} (schema {SCHEMA})")
    number, known = int(told["schema"]), migrations()[-1].number
    if number > known:
        raise NewerSchema(where, number, known)
    return Marks(
        number=number, partitions=int(told["partitions"]), app_role=told["app_role"], owner=str(owner),
        shards=int(told[SHARDED]) if SHARDED in told else None,
    )  # fmt: skip


# Answered for everybody, whatever their rights: the catalogs are open to all.
_LOOK = """
    SELECT pg_get_userbyid(n.nspowner)::text,
        ARRAY(SELECT a.attname::text FROM pg_attribute AS a
            WHERE a.attrelid = m.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attname),
        (SELECT count(*) FROM pg_class AS c WHERE c.relnamespace = n.oid),
        has_schema_privilege(n.oid, 'USAGE') AND coalesce(has_table_privilege(m.oid, 'SELECT'), false),
        current_user::text
    FROM pg_namespace AS n LEFT JOIN pg_class AS m ON m.relnamespace = n.oid AND m.relname = %s
    WHERE n.nspname = %s
"""


def steps(number: int, partitions: int, app_role: str, shards: int | None = None) -> list[str]:
    """Return the SQL of each step behind schema ``number``, with its marks: to be run by the owner, with search_path
    set. Where a cluster's nodes share the tables in ``shards``, none has partitions.
    """
    found = []
    marked = {} if shards is None else {SHARDED: str(shards)}
    for step in migrations()[number:]:
        marks = {"schema": str(step.number)}
        if step.number == 1:
            marks |= {_MARK[0]: _MARK[1], "partitions": str(partitions), "app_role": app_role} | marked
        rows = sql.SQL(", ").join(
            sql.SQL("({}, {})").format(sql.Literal(key), sql.Literal(value)) for key, value in marks.items()
        )
        mark = sql.SQL(
            "INSERT INTO {} (key, value) VALUES {} ON CONFLICT (key) DO UPDATE SET value = excluded.value;"
        ).format(sql.Identifier(SCHEMA, META), rows)
        told = sql.SQL("SELECT set_config('reverie.partitions', {}, true);").format(
            sql.Literal(str(partitions))
        )
        text = step.sql.rstrip()
        if shards is not None:
            text = text.replace(_PARTITIONED, "")
        found.append(f"{told.as_string(None)}\n{text}\n{mark.as_string(None)}")
    return found


def indexes() -> Mapping[str, str]:
    """Return the indexes that the schema makes beside its keys, by name, each with its statement."""
    found: dict[str, str] = {}
    for step in migrations():
        for gone in _DROPPED.finditer(step.sql):
            found.pop(gone["name"])
        found |= {made["name"]: made[0] for made in _INDEX.finditer(step.sql)}
    return found


def near_index(table: str, dimensions: int) -> str:
    """Return the name of the HNSW index over a table's vectors of so many dimensions."""
    return f"{table}_by_near_{dimensions}"  # a partition may be called memories_near_384


def near_index_sql(table: str, dimensions: int) -> str:
    """Make that index over ``{table}_near``, in each partition: to be run by the owner, with search_path set."""
    name = near_index(table, dimensions)
    return f"""CREATE INDEX IF NOT EXISTS {name} ON {table}_near
USING hnsw ((near::halfvec({dimensions})) halfvec_ip_ops)
WITH (m = {NEIGHBOURS}, ef_construction = {BUILD_WIDTH}) WHERE vector_dims(near) = {dimensions};
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT inhrelid::regclass AS place FROM pg_inherits WHERE inhparent = '{name}'::regclass
        UNION ALL SELECT oid::regclass FROM pg_class WHERE oid = '{name}'::regclass AND relkind = 'i'
    LOOP
        EXECUTE format('ALTER INDEX %s ALTER COLUMN 1 SET STATISTICS 0', one.place);
    END LOOP;
END $$;"""
