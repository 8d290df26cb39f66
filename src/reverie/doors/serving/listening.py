"""Listening: an open port, who may call it what, and an application served there until it is told to stop."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.types import ASGIApp

from reverie.doors.serving.patience import USUAL, Patience, patient
from reverie.errors import InvalidInput

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_SEEN_HERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # what listens everywhere is asked for here
_LAST_PORT = 65_535
_LAST_WORDS_SECONDS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """An open port, and under which names clients may ask for it."""

    socket: socket.socket = field(repr=False)
    host: str
    names: tuple[str, ...]
    path: str = ""

    @property
    def port(self) -> int:
        """The port's number."""
        number: int = self.socket.getsockname()[1]
        return number

    @property
    def url(self) -> str:
        """Where clients find it, seen from this machine."""
        return f"http://{self._here}:{self.port}{self.path}"

    @property
    def origins(self) -> list[str]:
        """What clients may call it, as "name:port" in lower case. A page whose own name was turned to this machine (DNS
        rebinding) calls it otherwise.
        """
        local = [f"{name}:{self.port}" for name in (*_LOOPBACK, self._here)]
        return [*local, *(name.lower() for one in self.names for name in (one, f"{one}:{self.port}"))]

    @property
    def _here(self) -> str:
        return _bracketed(_SEEN_HERE.get(self.host, self.host)).lower()


def opened(
    host: str, port: int, *, names: Sequence[str] = (), own_token: bool = True, path: str = ""
) -> Place:
    """Open the port. Raises InvalidInput if it is taken, or if ``host`` can be reached from elsewhere and the caller
    didn't ask for that by ``names`` and a token of their own.
    """
    if not is_loopback(host):
        if not names:
            raise InvalidInput(
                "--host",
                f"{host!r:.60} can be reached from other machines",
                "leave it out; or, behind a proxy that speaks TLS, name what clients will call it: --allow-host NAME",
            )
        if not own_token:
            raise InvalidInput(
                "--host",
                "a server that others can reach needs a token of your own",
                "set REVERIE_MCP_TOKEN, or name a file: --token-file FILE",
            )
    if not 0 <= port <= _LAST_PORT:  # else it would be taken modulo that
        raise InvalidInput("--port", f"{port} is no port", f"choose one from 0 to {_LAST_PORT}")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        address = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)[0][4]
        listener = socket.create_server(address[:2], family=family)
        # For its connections: asyncio sets it on sockets of its own making alone, and without it an answer of two
        # parts waits 40 ms for the client's leave.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise InvalidInput(
            "--port",
            f"{host}:{port} can't be listened on ({error})",
            "choose another, or 0 for any that is free",
        ) from None
    return Place(socket=listener, host=host, names=tuple(names), path=path)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def serve(app: ASGIApp, place: Place, stop: asyncio.Event, *, patience: Patience = USUAL) -> None:
    """Serve until ``stop``, and then answer what was asked. Cut off clients that are slower than ``patience``."""
    # Its logs name hosts and paths, never contents; but nothing of them is for whoever started it.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        app, http=patient(patience), log_config=None, access_log=False, ws="none",
        timeout_graceful_shutdown=_LAST_WORDS_SECONDS, server_header=False,
    )  # fmt: skip
    running = _Quiet(config)
    watch = asyncio.create_task(_end(running, stop))
    try:
        await running.serve(sockets=[place.socket])
    finally:
        watch.cancel()


class _Quiet(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to us: uvicorn's way would end the process before the bank is closed."""
        yield


async def _end(running: uvicorn.Server, stop: asyncio.Event) -> None:
    await stop.wait()
    running.should_exit = True


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
