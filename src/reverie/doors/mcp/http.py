"""HTTP: MCP for whoever has the token."""

from __future__ import annotations

import asyncio
import hmac
from typing import Any

from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from reverie.doors.serving import listening
from reverie.doors.serving.listening import Place
from reverie.doors.serving.patience import USUAL, Patience

PATH = "/mcp"


async def serve(
    server: Server[Any], place: Place, token: str, stop: asyncio.Event, *, patience: Patience = USUAL
) -> None:
    """Serve until ``stop``, and then answer what was asked."""
    origins = [f"{scheme}://{name}" for name in place.origins for scheme in ("http", "https")]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        transport_security=TransportSecuritySettings(allowed_hosts=place.origins, allowed_origins=origins),
    )
    await listening.serve(_Guarded(app, token), place, stop, patience=patience)


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
