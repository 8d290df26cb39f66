"""What the tests of preparing a PostgreSQL database share: names of roles and a way to ask."""

from __future__ import annotations

import secrets
from typing import Any

import psycopg
from psycopg import sql

from reverie.domain.database import Prepared
from reverie.store.postgres import roles
from tests.postgres_databases import Databases


class Ground:
    """An empty database, and names of roles that only this test has; they go at the end of the run."""

    def __init__(self, url: str, databases: Databases) -> None:
        self.url = url
        self._prefix = f"{databases.prefix}_{secrets.token_hex(3)}"
        self.app, self.owner = self.role("app"), self.role("owner")

    def role(self, name: str) -> str:
        """A name for a role of this test's own."""
        return f"{self._prefix}_{name}"

    def prepare(self, url: str | None = None, **given: Any) -> Prepared:
        """The call that is tested, with this test's roles and small numbers."""
        usual: dict[str, Any] = {
            "app_role": self.app, "owner_role": self.owner, "partitions": 2, "dimensions": (8,),
        }  # fmt: skip
        return roles.prepare(url or self.url, **usual | given)

    def ask(self, query: str, *params: object, url: str | None = None) -> list[tuple[Any, ...]]:
        """All rows, over a connection of its own."""
        with psycopg.connect(url or self.url, autocommit=True) as connection:
            cursor = connection.execute(query.encode(), params or None)
            return cursor.fetchall() if cursor.description else []

    def login(self, name: str, attributes: str = "") -> str:
        """The URL of a new role that may log in; its password holds what URLs and SQL find special."""
        from reverie.store.postgres.place import as_user

        role, password = self.role(name), "p:a/s@s'w%rd"
        text = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {} " + attributes)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(text.format(sql.Identifier(role), sql.Literal(password)))
        return as_user(self.url, role).replace("@", ":p%3Aa%2Fs%40s'w%25rd@", 1)
