"""A postgresql:// URL, taken apart by libpq itself, that can be shown without its password."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self
from urllib.parse import parse_qsl, quote, urlencode

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from reverie.errors import InvalidInput

SCHEMES = ("postgresql://", "postgres://")
SCHEMA = "reverie"
"""The schema (in PostgreSQL's sense) that holds our tables, so that a database may hold others' beside them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where the database is. ``conninfo`` may hold a password and has no place in a repr, a log or an error."""

    conninfo: str = field(repr=False)
    shown: str

    @classmethod
    def of(cls, url: str) -> Self:
        """From a URL. What it leaves out libpq takes from PGHOST and its kin, ~/.pgpass and ~/.pg_service.conf, and
        what it says of TLS (sslmode, sslrootcert …) is libpq's to follow. Raise InvalidInput.
        """
        if not url.startswith(SCHEMES):
            raise InvalidInput(
                "where", "it is no postgresql:// URL", "give postgresql://user@host:port/database"
            )
        try:
            parts = conninfo_to_dict(url)
        except ProgrammingError:  # its text may quote the URL, password and all
            raise InvalidInput(
                "where",
                "libpq can't read this postgresql:// URL",
                "give postgresql://user@host:port/database, with % escapes for special characters",
            ) from None
        user, host, port = (str(parts.get(name) or "") for name in ("user", "host", "port"))
        # A password that isn't escaped spills over into the host and the port, which errors name.
        if "@" in host or (port and not port.replace(",", "").isdigit()):
            raise InvalidInput(
                "where",
                "its host or port is none: the password seems to hold an @ or a / as it is",
                "write special characters of the password as % escapes (@ is %40, / is %2F)",
            )
        at = f"{user}@" if user else ""
        address = host + (f":{port}" if port else "")
        named = parts.get("dbname") or ""
        # A folder of sockets is no host of a URL: it is written as a parameter.
        shown = f"postgresql://{at}{address}/{named}"
        if host.startswith("/"):
            shown = f"postgresql://{at}/{named}?host={host}" + (f"&port={port}" if port else "")
        return cls(conninfo=make_conninfo("", **parts), shown=shown)


def as_user(url: str, user: str) -> str:
    """Return the same database for another user, without any password.

    >>> as_user("postgresql://postgres:hunter2@db.example/reverie?sslmode=require", "reverie_app")
    'postgresql://reverie_app@db.example/reverie?sslmode=require'
    """
    scheme, _, rest = url.partition("://")
    # As libpq reads it: what stands before the first @ is user and password, unless a / comes earlier. A # or ? in a
    # password needs no escape, so a parser of web addresses would leave parts of it where they are.
    front, at, behind = rest.partition("@")
    place, _, query = (behind if at and "/" not in front else rest).partition("?")
    left_out = ("user", "password", "sslpassword")
    kept = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name not in left_out]
    ending = f"?{urlencode(kept, safe='/:')}" if kept else ""
    return f"{scheme}://{quote(user, safe='')}@{place}{ending}"
