"""The program: banks served over REST until a signal comes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from reverie.client import Reverie, Tokens
from reverie.doors.rest.app import make_app
from reverie.doors.rest.guard import Limits
from reverie.doors.serving.listening import Place, serve
from reverie.doors.serving.signals import signals


def run(banks: Mapping[str, Reverie], place: Place, tokens: Tokens, limits: Limits) -> None:
    """Serve these banks to whoever has a token."""
    app = make_app(banks, tokens, limits=limits, hosts=place.origins)

    async def serving() -> None:
        stop = asyncio.Event()
        with signals(asyncio.get_running_loop(), stop):
            await serve(app, place, stop)

    asyncio.run(serving())
