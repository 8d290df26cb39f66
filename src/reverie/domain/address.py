"""Addresses of database servers: told from paths, and shown without the password that they may hold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_SCHEMES = ("postgresql://", "postgres://")
# Greedy up to the last @: a password that should have been percent-encoded and wasn't is hidden all the same.
_IN_FRONT = re.compile(r"(\bpostgres(?:ql)?://[^\s:/?#@]{0,200}:)[^\s\"'<>]{0,500}@", re.IGNORECASE)
_BEHIND = re.compile(r"\b((?:ssl)?password=)[^\s&\"'<>]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServerUrl:
    """The address of a database on a server. Its text shows no password; ``url`` may hold one."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        return masked(self.url)


def is_server(where: str) -> bool:
    """Return whether a place is a database on a server, by its scheme.

    >>> is_server("postgresql://localhost/reverie"), is_server("agents.bank")
    (True, False)
    """
    return where.strip().lower().startswith(_SCHEMES)


def masked(text: str) -> str:
    """Return a text with the passwords of the addresses in it hidden.

    >>> masked("no answer from postgresql://anna:hunter2@db.example/reverie?sslpassword=x")
    'no answer from postgresql://anna:***@db.example/reverie?sslpassword=***'
    """
    return _BEHIND.sub(r"\1***", _IN_FRONT.sub(r"\1***@", text))
