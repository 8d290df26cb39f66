"""Events: the audit log as it grows, as server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import FastAPI, Header, Request
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException

from reverie.client import Agent, Right, Tokens
from reverie.doors.rest.banks import Banks, check_right
from reverie.doors.rest.routes import AGENT

EVENT_SECONDS = 1.0
MOST_STREAMS = 256
BEGINNING = "0"
"""The id in front of the first entry."""
_AT_ONCE = 200
_RETRY_SECONDS = 30


def add_events(app: FastAPI, banks: Banks, tokens: Tokens, stop: asyncio.Event | None) -> None:
    """Add the route. Its streams end once ``stop`` is set, or their token is revoked."""
    ending = asyncio.Event() if stop is None else stop
    streams = 0

    @app.get(f"{AGENT}/events", tags=["memory"], operation_id="events", response_class=StreamingResponse)
    async def events(
        request: Request, bank: str, agent: str,
        last_event_id: Annotated[str | None, Header(description="Of the last event that was seen; 0: from the first.")]
        = None,
    ) -> StreamingResponse:  # fmt: skip
        """Follow what happens: server-sent events, one for each entry of the audit log, from now on or behind
        Last-Event-ID. The first has no data: its id is where it begins.
        """
        check_right(request, Right.READ, bank, agent)
        if streams >= MOST_STREAMS:
            headers = {"retry-after": str(_RETRY_SECONDS)}
            raise HTTPException(503, f"{MOST_STREAMS} others follow already", headers)
        held = await run_sync(banks.agent, bank, agent)
        after = await run_sync(_begun, held, last_event_id)
        return StreamingResponse(counted(held, after, request.state.token.id), media_type="text/event-stream")

    async def counted(agent: Agent, after: str | None, token: str) -> AsyncIterator[bytes]:
        nonlocal streams
        streams += 1
        try:
            yield f"id: {after or BEGINNING}\n\n".encode()
            while not ending.is_set() and tokens.has(token):
                found = await run_sync(partial(agent.audit, limit=_AT_ONCE, after=after))
                for entry in found:
                    after = entry.id
                    told = {"action": entry.action.value, "target": entry.target, "actor": entry.actor}
                    data = json.dumps({**told, "at": entry.at.isoformat()})
                    yield f"id: {entry.id}\nevent: {entry.action.value}\ndata: {data}\n\n".encode()
                if not found:
                    yield b": nothing new\n\n"  # by which a client that is gone is noticed
                    with suppress(TimeoutError):
                        await asyncio.wait_for(ending.wait(), EVENT_SECONDS)
        finally:
            streams -= 1


def _begun(agent: Agent, last: str | None) -> str | None:
    """Return the entry behind which a stream begins; None for all. Raises NotFound."""
    if last == BEGINNING:
        return None
    if last is not None:
        agent.audit(limit=1, after=last)
        return last
    latest = agent.audit(limit=1, newest_first=True)
    return latest[0].id if latest else None
