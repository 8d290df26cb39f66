"""Listening: MCP over HTTP on this machine, for whoever has the token."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from reverie.doors.mcp.patience import USUAL, Patience, patient
from reverie.errors import InvalidInput

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_LAST_PORT = 65_535
_LAST_WORDS_SECONDS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """An open port, and under which names clients may ask for it."""

    socket: socket.socket = field(repr=False)
    host: str
    names: tuple[str, ...]

    @property
    def port(self) -> int:
        """The port's number."""
        number: int = self.socket.getsockname()[1]
        return number

    @property
    def url(self) -> str:
        """Where clients find it, seen from this machine."""
        return f"http://{_bracketed(self.host)}:{self.port}{PATH}"


def opened(host: str, port: int, *, names: Sequence[str] = (), own_token: bool) -> Place:
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
    except OSError as error:
        raise InvalidInput(
            "--port",
            f"{host}:{port} can't be listened on ({error})",
            "choose another, or 0 for any that is free",
        ) from None
    return Place(socket=listener, host=host, names=tuple(names))


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def serve(
    server: Server[Any], place: Place, token: str, stop: asyncio.Event, *, patience: Patience = USUAL
) -> None:
    """Serve until ``stop``, and then answer what was asked. Cut off clients that are slower than ``patience``."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        transport_security=_security(place),
    )
    # Its logs name hosts and paths, never contents; but nothing of them is for whoever started it.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        _Guarded(app, token), http=patient(patience), log_config=None, access_log=False, ws="none",
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


class _Guarded:
    """Lets in who has the token, before anything else of the request is looked at."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            said = [value for name, value in scope["headers"] if name == b"authorization"]
            if len(said) != 1 or not hmac.compare_digest(said[0], self._expected):
                hint = b"send the header Authorization: Bearer TOKEN, with the token of this server"
                await _refuse(send, 401, (b"www-authenticate", b"Bearer"), hint)
                return
            if scope["method"] != "POST":  # what else the protocol knows is for sessions, and there are none
                await _refuse(send, 405, (b"allow", b"POST"), b"send messages by POST")
                return
        await self._app(scope, receive, send)


async def _refuse(send: Send, status: int, header: tuple[bytes, bytes], hint: bytes) -> None:
    body = b'{"error":"' + hint + b'"}'
    length = (b"content-length", str(len(body)).encode())
    headers = [(b"content-type", b"application/json"), length, header]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _end(running: uvicorn.Server, stop: asyncio.Event) -> None:
    await stop.wait()
    running.should_exit = True


def _security(place: Place) -> TransportSecuritySettings:
    """Return the check of names. A page whose own name was turned to this machine (DNS rebinding) gets nothing."""
    port = place.port
    local = [f"{name}:{port}" for name in _LOOPBACK]
    named = [name for one in place.names for name in (one, f"{one}:{port}")]
    return TransportSecuritySettings(
        allowed_hosts=[*local, *named],
        allowed_origins=[f"{scheme}://{name}" for name in (*local, *named) for scheme in ("http", "https")],
    )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
