"""What is still to be done to a database, as SQL, worked out from what was found there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from psycopg import sql

from reverie.store.postgres.cluster import spreading
from reverie.store.postgres.place import SCHEMA
from reverie.store.postgres.schema import META, indexes, migrations, near_index, near_index_sql, steps
from reverie.store.postgres.server_state import ServerRole, ServerState

_FUNCTIONS = (
    "known_agents", "due_agents", "due_counts", "dead_jobs",
)  # fmt: skip
_SINCE_SET = 160000  # PostgreSQL 16: grants of a role say whether it is inherited and may be taken


@dataclass(frozen=True, kw_only=True, slots=True)
class SetupNames:
    """What the database is to have."""

    app: str
    owner: str
    partitions: int
    dimensions: tuple[int, ...]
    shards: int | None = None
    """Parts that a cluster's nodes share; None on one server."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetupStep:
    """One step, in words that follow "may not" and "did", and its SQL: a whole transaction."""

    what: str
    sql: str

    @property
    def statements(self) -> Sequence[str]:
        """Its statements one by one: Citus takes each in a message of its own."""
        return [*_statements(self.sql)]


def setup_steps(names: SetupNames, found: ServerState, roles: dict[str, ServerRole]) -> Iterator[SetupStep]:
    """Yield all that is to be done, in order. Rights are given anew each time: that mends them."""
    if names.shards is None and found.cluster is not None:
        apart = "SET citus.enable_ddl_propagation = off;"
        yield SetupStep(what="leave the cluster's other nodes alone", sql=apart)
    yield from _roles(names, found, roles)
    if found.schema_owner is None:
        made = _text("CREATE SCHEMA {} AUTHORIZATION {};", SCHEMA, names.owner)
        yield SetupStep(what=f"make the schema {SCHEMA}", sql=made)
    elif found.schema_owner != names.owner:
        given = _text("ALTER SCHEMA {} OWNER TO {};", SCHEMA, names.owner)
        yield SetupStep(what=f"give the empty schema {SCHEMA} to {names.owner}", sql=given)
    lies_in = found.extension_schema or SCHEMA
    if found.extension is None:
        yield SetupStep(
            what="make the extension vector", sql=_text("CREATE EXTENSION vector SCHEMA {};", lies_in)
        )
    if lies_in != SCHEMA and not found.extension_schema_open:
        opened = _text("GRANT USAGE ON SCHEMA {} TO {}, {};", lies_in, names.owner, names.app)
        yield SetupStep(what=f"let both roles use schema {lies_in}", sql=opened)
    number = found.marks.number if found.marks else 0
    taken = steps(number, names.partitions, names.app, names.shards)
    for offset, step in enumerate(taken):
        name = f"take the schema to number {number + offset + 1} of {len(migrations())}"
        yield SetupStep(what=name, sql=_as_owner(names, found, step))
    lost = [
        text
        for name, text in indexes().items()
        if number and name not in found.relations and not any(f" {name} ON " in step for step in taken)
    ]
    if lost:
        yield SetupStep(what="make lost indexes again", sql=_as_owner(names, found, "\n".join(lost)))
    if names.shards is not None and (taken or not _is_spread(found)):
        name = "spread the tables over the cluster's nodes"
        yield SetupStep(what=name, sql=_as_owner(names, found, spreading(names.shards)))
    for dimensions in names.dimensions:
        missing = [
            table
            for table in ("memories", "episodes")
            if near_index(table, dimensions) not in found.relations
        ]
        if missing:
            made = "\n".join(near_index_sql(table, dimensions) for table in missing)
            yield SetupStep(
                what=f"index vectors of {dimensions} dimensions", sql=_as_owner(names, found, made)
            )
    yield SetupStep(what=f"give {names.app} its rights", sql=_as_owner(names, found, _rights(names)))


def _is_spread(found: ServerState) -> bool:
    return found.cluster is not None and META in found.cluster.spread


def _roles(names: SetupNames, found: ServerState, roles: dict[str, ServerRole]) -> Iterator[SetupStep]:
    # Nodes of a cluster ask each other as the role that asks them.
    owners = "NOLOGIN" if names.shards is None else "LOGIN"
    for role, login in ((names.owner, owners), (names.app, "LOGIN")):
        if role not in roles:
            yield SetupStep(what=f"make the role {role}", sql=_text(f"CREATE ROLE {{}} {login};", role))
        elif role == names.owner and names.shards is not None and not roles[role].login:
            yield SetupStep(
                what=f"let the nodes ask each other as {role}", sql=_text("ALTER ROLE {} LOGIN;", role)
            )
    if found.superuser:
        return
    how = " WITH INHERIT {}, SET TRUE" if found.version >= _SINCE_SET else ""
    # Who prepares acts as the owner, but doesn't have its rights all the time: they would lift row-level security.
    if names.owner not in roles or not roles[names.owner].takeable:
        sql_ = _text(f"GRANT {{}} TO {{}}{how.format('FALSE')};", names.owner, found.user)
        yield SetupStep(what=f"act as {names.owner}", sql=sql_)
    app = roles.get(names.app)
    if app is None or (app.grantable and not (app.takeable and app.inherited)):
        sql_ = _text(f"GRANT {{}} TO {{}}{how.format('TRUE')};", names.app, found.user)
        yield SetupStep(what=f"act as {names.app}", sql=sql_)


def _rights(names: SetupNames) -> str:
    """Revoke every right and grant what is needed. So a right that somebody added by mistake goes too.

    Granted is only what has row-level security, and never a partition: it could be asked past its parent's policy.
    """
    functions = sql.SQL(", ").join(sql.Identifier(SCHEMA, name) for name in _FUNCTIONS)
    return (
        sql.SQL("""REVOKE ALL ON SCHEMA {schema} FROM PUBLIC, {app};
GRANT USAGE ON SCHEMA {schema} TO {app};
REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM PUBLIC, {app};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA {schema} FROM PUBLIC, {app};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA {schema} FROM PUBLIC, {app};
GRANT SELECT ON {meta} TO {app};
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT oid::regclass AS place FROM pg_class
        WHERE relnamespace = {name}::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relrowsecurity
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', one.place, {role});
    END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION {functions} TO {app};""")
        .format(
            schema=sql.Identifier(SCHEMA),
            app=sql.Identifier(names.app),
            meta=sql.Identifier(SCHEMA, META),
            name=sql.Literal(sql.Identifier(SCHEMA).as_string(None)),
            role=sql.Literal(names.app),
            functions=functions,
        )
        .as_string(None)
    )


def _as_owner(names: SetupNames, found: ServerState, body: str) -> str:
    path = [SCHEMA, *([found.extension_schema] if found.extension_schema else [])]
    head = _text("BEGIN;\nSET LOCAL ROLE {};\nSET LOCAL search_path = ", names.owner)
    return f"{head}{', '.join(_text('{}', name) for name in dict.fromkeys(path))};\n{body}\nCOMMIT;"


def _statements(text: str) -> Iterator[str]:
    """Split SQL of ours: a statement ends with a line that ends with a semicolon, outside of a body."""
    lines: list[str] = []
    for line in text.splitlines():
        if not lines and (not line.strip() or line.startswith("--")):
            continue
        lines.append(line)
        so_far = "\n".join(lines)
        if (
            line.endswith(";")
            and so_far.count("$$") % 2 == 0
            and ("BEGIN ATOMIC" not in so_far or line == "END;")
        ):
            yield so_far
            lines = []
    if lines:
        yield "\n".join(lines)


def _text(template: str, *names: str) -> str:
    return sql.SQL(template).format(*map(sql.Identifier, names)).as_string(None)
