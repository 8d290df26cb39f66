"""From PostgreSQL's exceptions to ours. Their texts are never passed on: some quote the statement or its values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg import errors as pg

from reverie.errors import (
    AccessRefused,
    Busy,
    DiskFull,
    InvalidInput,
    NotPrepared,
    ReadOnly,
    ReverieError,
    StoreError,
    TimedOut,
    Unreachable,
)

ENGINE_ERRORS = (psycopg.Error, UnicodeEncodeError, OverflowError)
_ENDED = (
    pg.AdminShutdown,
    pg.CrashShutdown,
    pg.CannotConnectNow,
    pg.TooManyConnections,
    pg.IdleInTransactionSessionTimeout,
    pg.IdleSessionTimeout,
    pg.TransactionTimeout,
)
_REFUSED = ("password", "authentication", "role ", "permission", "pg_hba.conf", "certificate")


@dataclass(frozen=True, kw_only=True, slots=True)
class Faults:
    """Names an engine's exceptions for one database. ``where`` is the URL without its password."""

    where: str
    busy_seconds: float
    statement_seconds: float

    @contextmanager
    def named(self) -> Iterator[None]:
        """Whatever the engine raises inside comes out as one of ours."""
        try:
            yield
        except ENGINE_ERRORS as error:
            raise self.of(error) from error

    def of(self, error: Exception) -> ReverieError:
        """Return the exception of ours for one of the engine's."""
        where = self.where
        match error:
            case UnicodeEncodeError():
                return InvalidInput("text", "it holds a lone surrogate", "pass it through normalized(…)")
            case OverflowError() | pg.NumericValueOutOfRange():
                return InvalidInput("number", "it does not fit 64 bits", "give a smaller one")
            case pg.IntegrityError():
                return InvalidInput("row", "its id, ref, position or version is taken", "give each its own")
            case pg.LockNotAvailable() | pg.SerializationFailure() | pg.DeadlockDetected():
                return Busy(where, self.busy_seconds)
            case pg.QueryCanceled():
                return TimedOut(where, self.statement_seconds)
            case pg.DiskFull():
                return DiskFull(where)
            case pg.InsufficientPrivilege() | pg.InvalidAuthorizationSpecification() | pg.InvalidPassword():
                return AccessRefused(where, "the server refuses this role what it asked for")
            case pg.InvalidSchemaName() | pg.UndefinedTable() | pg.UndefinedFunction():
                return NotPrepared(where)
            case pg.ReadOnlySqlTransaction():
                return ReadOnly(
                    where,
                    "connect to a server that takes writes (no standby, no default_transaction_read_only)",
                )
            case pg.ProgramLimitExceeded() | pg.DataException() if "dimensions" in str(error):
                return InvalidInput(
                    "vectors", "they have too many dimensions for pgvector", "use 16,000 at most"
                )
            case psycopg.DataError() if error.sqlstate is None:
                return InvalidInput("text", "it holds a NUL character", "pass it through normalized(…)")
            case _ if is_lost(error):
                return Unreachable(where, "the server can't be reached, or went away")
            case _:
                code = getattr(error, "sqlstate", None)
                name = type(error).__name__
                return StoreError(f"{where}: PostgreSQL refused ({name}, {code}); please report this")

    def unconfirmed(self) -> Unreachable:
        """Return what a commit says that no standby has confirmed in time."""
        return Unreachable(self.where, "its standby didn't confirm the write in time", in_doubt=True)

    def of_connecting(self, error: psycopg.Error) -> ReverieError:
        """Return the exception of ours for a connection that wasn't made: libpq says why, in words alone."""
        said = " ".join(str(error).split())
        # Neither the address nor the role is a secret, and libpq never quotes a password.
        if "too many" not in said and any(word in said for word in _REFUSED):
            return AccessRefused(self.where, said)
        return Unreachable(self.where, said or "the server can't be reached")


def is_lost(error: BaseException) -> bool:
    """Return whether the connection broke, or the server is going down or coming up: the transaction had no effect,
    unless it was the acknowledgement of its commit that was lost.
    """
    if isinstance(error, _ENDED):
        return True
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and not error.sqlstate


def may_be_repeated(error: BaseException) -> bool:
    """Return whether the transaction had no effect and another try may succeed."""
    cause = error.__cause__
    return isinstance(error, Unreachable) or isinstance(cause, pg.SerializationFailure | pg.DeadlockDetected)
