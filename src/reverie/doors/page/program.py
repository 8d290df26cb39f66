"""The program: banks served over REST, and as pages, until a signal comes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import closing

from reverie.client import Repeats, Reverie
from reverie.doors.page.app import make_page, make_site
from reverie.doors.page.sessions import Sessions
from reverie.doors.rest.app import make_app
from reverie.doors.rest.guard import Limits
from reverie.doors.serving.listening import Place, serve
from reverie.doors.serving.signals import signals


def run(banks: Mapping[str, Reverie], place: Place, sessions: Sessions, limits: Limits) -> None:
    """Serve these banks to whoever has a token, or a login link."""
    hosts = place.origins
    stop = asyncio.Event()
    tokens = sessions.tokens
    with closing(Repeats(tokens.path.with_suffix(".repeats"))) as repeats:
        rest = make_app(banks, tokens, limits=limits, hosts=hosts, repeats=repeats, stop=stop)
        app = make_site(rest, make_page(banks, sessions, hosts=hosts))

        async def serving() -> None:
            with signals(asyncio.get_running_loop(), stop):
                await serve(app, place, stop)

        asyncio.run(serving())
