"""From an empty database to one that an application may use: roles, extension, schema, indexes, rights.

Two roles: the owner, which nobody logs in as and which migrates; and the application's, which row-level security binds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg import Connection, sql
from psycopg import errors as pg

from reverie.domain.database import Prepared
from reverie.errors import AccessRefused, InvalidInput, NotPrepared, StoreError
from reverie.errors.showing import shown
from reverie.store.postgres.cluster import MOST_SHARDS, SHARDS, check_cluster, check_nodes
from reverie.store.postgres.connection import is_pooled
from reverie.store.postgres.faults import Faults
from reverie.store.postgres.place import SCHEMA, Place, as_user
from reverie.store.postgres.schema import MOST_DIMENSIONS, Marks, migrations
from reverie.store.postgres.server_state import ServerRole, ServerState, look, look_at_roles, may_act_as
from reverie.store.postgres.setup_steps import SetupNames, SetupStep, setup_steps

APP_ROLE = "reverie_app"
OWNER_ROLE = "reverie_owner"
PARTITIONS = 8
Value = TypeVar("Value")
_MOST_PARTITIONS = 1024
_LEAST_VERSION = 140000
LOCK_SECONDS = 30.0
_TRIES = 5
_RACES = (pg.DuplicateObject, pg.UniqueViolation, pg.InternalError_)


def prepare(
    url: str, *, app_role: str | None = None, owner_role: str | None = None, password: str | None = None,
    partitions: int | None = None, dimensions: Sequence[int] = (384,), dry_run: bool = False,
    citus: bool | None = None, shards: int | None = None, connect_seconds: float = 10.0,
) -> Prepared:  # fmt: skip
    """Make what is missing, take the migrations that are new, and give the rights anew. Safe to repeat.

    ``url`` is of a role that may make roles, schemas in this database and the extension vector (or finds them made): no
    superuser. ``app_role``, ``owner_role`` and ``partitions`` None: what the database has, else reverie_app,
    reverie_owner and 8. ``password`` becomes the application role's; the server gets its SCRAM hash alone.
    ``dimensions``: vectors of so many dimensions are indexed. With ``dry_run`` nothing is changed.

    ``citus``: whether the agents are spread over the nodes of a Citus cluster, in so many ``shards`` (None: what the
    database has, else 32); None: as the database is. A new database that has the extension must be told.

    Raise InvalidInput, Unreachable, AccessRefused, NotABank, NewerSchema, Busy, StoreError (no pgvector there).
    """
    wanted = _Options(
        app_role, owner_role, password, partitions, tuple(dict.fromkeys(dimensions)), citus, shards
    )
    _check(wanted)
    place = Place.of(url)
    faults = Faults(where=place.shown, busy_seconds=LOCK_SECONDS, statement_seconds=0)
    with connected(place, faults, connect_seconds) as connection, faults.named():
        names, todo = _repeated(connection, place.shown, wanted, dry_run=dry_run)
    did = [
        *(act.what for act in todo),
        *([f"set the password of {names.app}"] if password is not None else []),
    ]
    return Prepared(
        where=place.shown, url=as_user(url, names.app), schema=SCHEMA, number=migrations()[-1].number,
        app_role=names.app, owner_role=names.owner, partitions=names.partitions, dimensions=names.dimensions,
        shards=names.shards,
        did=tuple(did), sql=tuple(act.sql for act in todo), dry_run=dry_run,
    )  # fmt: skip


class _Options(NamedTuple):
    app_role: str | None
    owner_role: str | None
    password: str | None
    partitions: int | None
    dimensions: tuple[int, ...]
    citus: bool | None
    shards: int | None


def _repeated(
    connection: Connection[Any], where: str, wanted: _Options, *, dry_run: bool
) -> tuple[SetupNames, list[SetupStep]]:
    """Roles belong to the whole server: who prepares another of its databases at this moment may be first."""
    for _ in range(_TRIES - 1):
        with suppress(*_RACES):
            return _try(connection, where, wanted, dry_run=dry_run)
        connection.rollback()
    return _try(connection, where, wanted, dry_run=dry_run)


def _try(
    connection: Connection[Any], where: str, wanted: _Options, *, dry_run: bool
) -> tuple[SetupNames, list[SetupStep]]:
    with nullcontext() if dry_run else _alone(connection):
        found = look(connection, where)
        names = _names(found, wanted)
        roles = look_at_roles(connection, [names.app, names.owner])
        _check_server(where, found)
        _check_roles(connection, where, names, found, roles)
        if names.shards is not None:
            check_cluster(where, found.cluster)
        todo = [*setup_steps(names, found, roles)]
        if not dry_run:
            for act in todo:
                _do(connection, where, act)
            if wanted.password is not None:
                _set_password(connection, where, names.app, wanted.password)
            if names.shards is not None:
                for role in (names.owner, names.app):
                    check_nodes(connection, where, role)
    return names, todo


@contextmanager
def connected(place: Place, faults: Faults, seconds: float) -> Iterator[Connection[Any]]:
    """Give a connection for work on the database itself. Raise AccessRefused, Unreachable, InvalidInput (a pooler)."""
    try:
        connection = psycopg.connect(
            place.conninfo,
            autocommit=True,
            application_name="reverie init",
            connect_timeout=max(int(seconds), 2),
        )
    except psycopg.Error as error:
        raise faults.of_connecting(error) from error
    with connection:
        if is_pooled(connection):
            problem = "a pooler (PgBouncer) stands before the server: what is set there doesn't stay on one connection"
            raise InvalidInput(
                "where", problem, "give the server's own address for this; banks may use the pooler"
            )
        # An index over many vectors takes its time; a lock that an application holds is not waited for without end.
        connection.execute("SET statement_timeout = 0")
        connection.execute("SELECT set_config('lock_timeout', %s, false)", (f"{int(LOCK_SECONDS)}s",))
        yield connection


class Owned(NamedTuple):
    """A connection of whoever may act as the owner of a prepared database."""

    connection: Connection[Any]
    where: str
    marks: Marks
    superuser: bool


@contextmanager
def owned(url: str, seconds: float) -> Iterator[Owned]:
    """Give such a connection. Raise NotPrepared, AccessRefused, Unreachable, InvalidInput (a pooler)."""
    place = Place.of(url)
    faults = Faults(where=place.shown, busy_seconds=LOCK_SECONDS, statement_seconds=0)
    with connected(place, faults, seconds) as connection, faults.named():
        found = look(connection, place.shown)
        if found.marks is None:
            raise NotPrepared(place.shown)
        owner = found.marks.owner
        if not look_at_roles(connection, [owner])[owner].takeable:
            raise AccessRefused(
                place.shown,
                f"role {found.user!r} may not act as {owner}, which owns the tables",
                "use the URL that the database was prepared with",
            )
        yield Owned(connection, place.shown, found.marks, found.superuser)


@contextmanager
def _alone(connection: Connection[Any]) -> Iterator[None]:
    """One at a time prepares a database; who comes second finds the work done. Whoever dies lets go of the lock."""
    lock = (f"reverie: prepare {SCHEMA}",)
    connection.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", lock)
    try:
        yield
    finally:
        if not connection.closed:
            connection.rollback()
            connection.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", lock)


def _names(found: ServerState, wanted: _Options) -> SetupNames:
    """Return what is wanted; where nothing is asked for, what is there. What is there can't be made into another."""
    marks = found.marks
    app = _settled("app_role", wanted.app_role, marks.app_role if marks else None, APP_ROLE)
    owner = _settled("owner_role", wanted.owner_role, marks.owner if marks else None, OWNER_ROLE)
    shards = _shards(found, wanted)
    if shards is not None and wanted.partitions:
        raise InvalidInput("partitions", "the tables of a cluster have none", "give --shards instead")
    usual = PARTITIONS if shards is None else 0
    partitions = _settled("partitions", wanted.partitions, marks.partitions if marks else None, usual)
    if app == owner:
        raise InvalidInput(
            "app_role", "it is the owner's too", "give two roles: row-level security binds no owner"
        )
    return SetupNames(
        app=app, owner=owner, partitions=partitions, dimensions=wanted.dimensions, shards=shards
    )


def _shards(found: ServerState, wanted: _Options) -> int | None:
    """Return over how many parts the agents are to be spread; None on one server."""
    marks = found.marks
    if marks is not None and wanted.citus is not None and wanted.citus != marks.sharded:
        was = "spread over a cluster" if marks.sharded else "made for one server"
        remedy = "leave it out; to change that, prepare a new database and move with `reverie copy`"
        raise InvalidInput("citus", f"the tables were {was}, which can't be changed", remedy)
    if marks is not None and marks.sharded:
        return _settled("shards", wanted.shards, marks.shards, SHARDS)
    if wanted.citus is None and marks is None and found.cluster is not None:
        raise InvalidInput(
            "citus",
            "the database has the extension citus, so the agents may be spread over the cluster's nodes",
            "give --citus for that, or --no-citus to keep all of them on this node",
        )
    if wanted.shards is not None and not wanted.citus:
        raise InvalidInput("shards", "only a cluster has them", "give --citus too, or leave it out")
    return (wanted.shards or SHARDS) if wanted.citus else None


def _settled(field: str, wanted: Value | None, there: Value | None, usual: Value) -> Value:
    if there is None:
        return usual if wanted is None else wanted
    if wanted is not None and wanted != there:
        raise InvalidInput(
            field,
            f"the schema was made with {there} and can't be changed to {wanted}",
            "leave it out; to have another, prepare a new database and move with `reverie copy`",
        )
    return there


def _check_server(where: str, found: ServerState) -> None:
    if found.version < _LEAST_VERSION:
        raise StoreError(f"{where}: this PostgreSQL is older than 14; use 14 or later (tested: 18)")
    if found.extension is None and found.shipped is None:
        raise StoreError(
            f"{where}: the server has no extension vector; install pgvector 0.8 or later on it"
            " (Debian's package is postgresql-18-pgvector; hosted servers offer it as an extension)"
        )
    if not found.is_recent:
        remedy = (
            "run ALTER EXTENSION vector UPDATE" if found.extension else "install a later one on the server"
        )
        raise StoreError(f"{where}: pgvector {found.extension or found.shipped} is older than 0.8; {remedy}")
    if found.extension is None and not found.may_make_extension:
        raise AccessRefused(
            where,
            f"role {found.user!r} may not make the extension vector",
            "have an administrator run CREATE EXTENSION vector in this database, then try again",
        )
    if found.schema_owner is None and not found.may_make_schemas:
        raise AccessRefused(
            where,
            f"role {found.user!r} may not make a schema in this database",
            f"have an administrator run GRANT CREATE ON DATABASE … TO {found.user}, then try again",
        )


def _check_roles(
    connection: Connection[Any],
    where: str,
    names: SetupNames,
    found: ServerState,
    roles: dict[str, ServerRole],
) -> None:
    missing = [role for role in (names.owner, names.app) if role not in roles]
    if missing and not found.may_make_roles:
        raise AccessRefused(
            where,
            f"role {found.user!r} may not make the roles {' and '.join(missing)}",
            "have an administrator make them (--dry-run shows how), or give CREATEROLE, then try again",
        )
    owner = roles.get(names.owner)
    if not found.superuser and found.user == names.app:
        raise AccessRefused(
            where,
            f"role {found.user!r} is the application's, which may not prepare a database",
            "use the URL that the database was prepared with",
        )
    if not found.superuser and owner is not None and not owner.takeable and not owner.grantable:
        raise AccessRefused(
            where,
            f"role {found.user!r} may not act as {names.owner}, which owns the schema",
            f"have an administrator run GRANT {names.owner} TO {found.user}, then try again",
        )
    app = roles.get(names.app)
    if app is not None and app.unbound:
        raise InvalidInput(
            "app_role", f"row-level security doesn't bind {names.app}", "give a role that is no superuser"
        )
    if app is not None and owner is not None and may_act_as(connection, names.app, names.owner):
        raise InvalidInput(
            "app_role",
            f"{names.app} may act as the owner, {names.owner}",
            "revoke that, or give another role",
        )


def _do(connection: Connection[Any], where: str, act: SetupStep) -> None:
    """Run what was shown. Only our own SQL is in it, so what the server says of it may be passed on."""
    try:
        for statement in act.statements:
            connection.execute(statement)
    except pg.InsufficientPrivilege as error:
        connection.rollback()
        raise AccessRefused(
            where,
            f"the server doesn't let this role {act.what} ({error.diag.message_primary})",
            "have an administrator do it (--dry-run shows how), then try again",
        ) from error


def _set_password(connection: Connection[Any], where: str, role: str, password: str) -> None:
    """The hash is made here: a password in a statement would stand in the server's log."""
    hashed = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    text = sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(role), sql.Literal(hashed))
    try:
        connection.execute(text)
    except pg.InsufficientPrivilege as error:
        raise AccessRefused(
            where,
            f"the server doesn't let this role set the password of {role}",
            "have an administrator set it",
        ) from error


def _check(wanted: _Options) -> None:
    for field, name in (("app_role", wanted.app_role), ("owner_role", wanted.owner_role)):
        if name is not None:
            _check_name(field, name)
    if wanted.password is not None and (not wanted.password or "\0" in wanted.password):
        raise InvalidInput("password", "it is empty or holds a NUL", "give a password, or none")
    _check_number("partitions", wanted.partitions, _MOST_PARTITIONS)
    _check_number("shards", wanted.shards, MOST_SHARDS)
    for number in wanted.dimensions:
        _check_number("dimensions", number, MOST_DIMENSIONS)


def _check_name(field: str, name: str) -> None:
    if not 0 < len(name.encode(errors="replace")) <= 63 or "\0" in name:
        raise InvalidInput(field, f"{shown(name)} is no name", "give one of 1 to 63 bytes")
    if name.startswith("pg_") or name in ("public", "none", "information_schema"):
        raise InvalidInput(field, f"{shown(name)} is PostgreSQL's own", "give another name")


def _check_number(field: str, value: object, most: int) -> None:
    if value is not None and (
        not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most
    ):
        raise InvalidInput(field, f"{shown(value)} is out of range", f"give a whole number from 1 to {most}")
