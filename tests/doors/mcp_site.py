"""The MCP server over HTTP, served by a thread of the test's own process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from reverie.doors.mcp.http import PATH, serve
from reverie.doors.mcp.server import make_server
from reverie.doors.serving.listening import Place, opened
from tests.doors.mcp_host import Host, hosted

TOKEN = "t0ken-" + "5e" * 16
ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@dataclass(frozen=True, kw_only=True)
class Site:
    """A served address."""

    host: Host
    place: Place

    def post(self, headers: Mapping[str, str], body: object = ASK) -> httpx2.Response:
        return httpx2.post(self.place.url, json=body, headers={**ACCEPT, **headers})


@contextmanager
def served(folder: Path, **given: Any) -> Iterator[Site]:
    """A bank in that folder, served until the end; ``given`` goes to ``serve``."""
    with hosted(folder / "a.bank") as host:
        place = opened("127.0.0.1", 0, names=["memory.example"], own_token=False, path=PATH)
        ready = threading.Event()
        made: dict[str, Any] = {}

        async def serving() -> None:
            made.update(loop=asyncio.get_running_loop(), stop=asyncio.Event())
            ready.set()
            await serve(make_server(host.toolbox, host.calls), place, TOKEN, made["stop"], **given)

        thread = threading.Thread(target=lambda: asyncio.run(serving()), daemon=True)
        thread.start()
        assert ready.wait(20)
        try:
            yield Site(host=host, place=place)
        finally:
            made["loop"].call_soon_threadsafe(made["stop"].set)
            thread.join(20)
            assert not thread.is_alive()
            place.socket.close()
