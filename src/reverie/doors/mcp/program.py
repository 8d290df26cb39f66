"""The program: a bank served as tools until the host goes away or a signal comes; then everything is closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mcp.server import Server

from reverie.doors.mcp.calls import Calls
from reverie.doors.mcp.descriptors import Descriptors
from reverie.doors.mcp.server import make_server
from reverie.doors.mcp.toolbox import Toolbox
from reverie.doors.serving.signals import signals

if TYPE_CHECKING:
    from reverie.client import Reverie
    from reverie.doors.serving.listening import Place

_Serve = Callable[[Server[Any], asyncio.Event], Awaitable[None]]


def run_stdio(reverie: Reverie, agent_id: str, toolsets: Sequence[str], wire: Descriptors) -> None:
    """Serve the host that started this process."""
    from reverie.doors.mcp.wire import serve

    toolbox = Toolbox(reverie, agent_id, toolsets)
    _run(reverie, agent_id, toolbox, lambda server, stop: serve(server, wire, stop))


def run_http(reverie: Reverie, agent_id: str, toolsets: Sequence[str], place: Place, token: str) -> None:
    """Serve whoever has the token."""
    from reverie.doors.mcp.http import serve

    toolbox = Toolbox(reverie, agent_id, toolsets)
    _run(reverie, agent_id, toolbox, lambda server, stop: serve(server, place, token, stop))


def _run(reverie: Reverie, agent_id: str, toolbox: Toolbox, serve: _Serve) -> None:
    # The SDK logs what a call held when it can't make sense of it.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    calls = Calls()
    calls.begin(partial(_warm, reverie, agent_id))
    server = make_server(toolbox, calls)

    async def serving() -> None:
        stop = asyncio.Event()
        with signals(asyncio.get_running_loop(), stop):
            await serve(server, stop)

    try:
        asyncio.run(serving())
    finally:
        calls.close()


def _warm(reverie: Reverie, agent_id: str) -> None:
    """Load what the first call would have to wait for. If that fails, the first call says so."""
    reverie.warm()
    reverie.agent(agent_id).stats()
