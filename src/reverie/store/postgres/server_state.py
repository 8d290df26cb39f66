"""What a server and a database hold before they are prepared. Looks only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection, sql

from reverie.store.postgres.cluster import ClusterState, look_at_cluster
from reverie.store.postgres.place import SCHEMA
from reverie.store.postgres.schema import Marks, recognize


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerRole:
    """A role of the server: whether it may log in, whether row-level security doesn't bind it, and whether the one who
    looks may act as it (``takeable``), has its rights without that (``inherited``) and may give it to others.
    """

    login: bool
    unbound: bool
    takeable: bool
    inherited: bool
    grantable: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerState:
    """``version`` is PostgreSQL's (180004); ``extension`` pgvector's, ``shipped`` the one that could be installed and
    ``extension_schema`` where it lies or would be made; ``schema_owner`` is None where there is no schema; ``cluster``
    where the database has no Citus.
    """

    user: str
    superuser: bool
    may_make_roles: bool
    may_make_schemas: bool
    may_make_extension: bool
    version: int
    extension: str | None
    shipped: str | None
    extension_schema: str | None
    extension_schema_open: bool
    schema_owner: str | None
    marks: Marks | None
    relations: frozenset[str]
    cluster: ClusterState | None

    @property
    def is_recent(self) -> bool:
        """Whether pgvector has what search needs: iterative scans came with 0.8."""
        found = re.match(r"(\d+)\.(\d+)", self.extension or self.shipped or "")
        return found is not None and (int(found[1]), int(found[2])) >= (0, 8)


def look(connection: Connection[Any], where: str) -> ServerState:
    """Return what is there, but for the roles. Raise NotABank, NewerSchema, AccessRefused."""
    row = connection.execute(_LOOK, {"schema": SCHEMA}).fetchone()
    assert row is not None
    user, superuser, roles, schemas, version, extension, shipped, trusted, lies_in, is_open, owner = row
    relations = connection.execute(_RELATIONS, (SCHEMA,)).fetchall()
    return ServerState(
        user=user,
        superuser=superuser,
        may_make_roles=superuser or roles,
        may_make_schemas=schemas,
        may_make_extension=superuser or (bool(trusted) and schemas),
        version=version,
        extension=extension,
        shipped=shipped,
        extension_schema=lies_in,
        extension_schema_open=bool(is_open),
        schema_owner=owner,
        marks=_marks(connection, where, owner),
        relations=frozenset(name for (name,) in relations),
        cluster=look_at_cluster(connection),
    )


def look_at_roles(connection: Connection[Any], names: Sequence[str]) -> dict[str, ServerRole]:
    """Return those of these roles that are there, by name."""
    return {
        name: ServerRole(
            login=login, unbound=unbound, takeable=takeable, inherited=inherited, grantable=grantable
        )
        for name, login, unbound, takeable, inherited, grantable in connection.execute(
            _ROLES, (list(names),)
        ).fetchall()
    }


def may_act_as(connection: Connection[Any], role: str, other: str) -> bool:
    """Return whether one role may act as another; both must be there."""
    row = connection.execute("SELECT pg_has_role(%s::name, %s::name, 'MEMBER')", (role, other)).fetchone()
    return row is not None and bool(row[0])


def _marks(connection: Connection[Any], where: str, owner: str | None) -> Marks | None:
    """Return the marks, looked at as the owner where that is possible: an administrator need have no rights of his
    own.
    """
    taken = owner is not None and look_at_roles(connection, [owner])[owner].takeable
    if taken:
        connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(str(owner))))
    try:
        return recognize(connection, where)
    finally:
        if taken:
            connection.execute("RESET ROLE")


# An extension lies in one schema for the whole database. A new one goes to `public`, where everybody looks for it; or,
# in a database that has none, beside our tables.
_LOOK = """
    SELECT current_user::text, r.rolsuper, r.rolcreaterole,
        has_database_privilege(current_database(), 'CREATE'),
        current_setting('server_version_num')::integer,
        e.extversion, a.default_version, v.trusted,
        lies_in.nspname::text, has_schema_privilege('public', lies_in.oid, 'USAGE'),
        (SELECT pg_get_userbyid(nspowner)::text FROM pg_namespace WHERE nspname = %(schema)s)
    FROM pg_roles AS r
    LEFT JOIN pg_extension AS e ON e.extname = 'vector'
    LEFT JOIN pg_available_extensions AS a ON a.name = 'vector'
    LEFT JOIN pg_available_extension_versions AS v ON v.name = 'vector' AND v.version = a.default_version
    LEFT JOIN pg_namespace AS lies_in
        ON lies_in.oid = coalesce(e.extnamespace, (SELECT oid FROM pg_namespace WHERE nspname = 'public'))
    WHERE r.rolname = current_user
"""

_RELATIONS = """
    SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = %s
"""

# Before PostgreSQL 16 every member might act as the role; since then that is a right of its own.
_ROLES = """
    SELECT rolname::text, rolcanlogin, rolsuper OR rolbypassrls,
        pg_has_role(rolname, CASE WHEN current_setting('server_version_num')::integer < 160000
            THEN 'MEMBER' ELSE 'SET' END),
        pg_has_role(rolname, 'USAGE'), pg_has_role(rolname, 'MEMBER WITH ADMIN OPTION')
    FROM pg_roles WHERE rolname = ANY (%s)
"""
