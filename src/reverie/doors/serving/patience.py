"""Patience: how long a client over HTTP may keep the server waiting, and how many may do so at once.

uvicorn has a timeout for the pause between two requests and none for a request that never ends, and its
``limit_concurrency`` refuses everybody while slow clients hold all places. So its protocol gets one timer more.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """``seconds``: for a whole request, headers and body, and for taking an answer. ``most``: how many connections may
    wait so at once; one more takes the place of the one that has waited longest.
    """

    seconds: float = 30.0
    most: int = 256


USUAL = Patience()


def patient(patience: Patience) -> type[asyncio.Protocol]:
    """Return the protocol of one server: HTTP/1.1 as uvicorn speaks it, which cuts off clients that are slow for
    longer.
    """
    waiting: dict[_Timed, asyncio.TimerHandle] = {}  # who has waited longest comes first

    class _Timed(H11Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)  # type: ignore[arg-type]  # as asyncio calls it
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._wait_no_longer()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._look()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._wait()

        def resume_writing(self) -> None:
            super().resume_writing()
            self._look()

        def on_response_complete(self) -> None:
            self._wait()
            super().on_response_complete()  # begins the next request, where that has come already
            self._look()

        def _look(self) -> None:
            """Look whether the client keeps anybody waiting. Where it is the server's turn, it doesn't."""
            cycle: RequestResponseCycle | None = self.cycle
            if cycle is None or cycle.more_body or cycle.response_complete or self.flow.write_paused:
                return
            self._wait_no_longer()

        def _wait(self) -> None:
            self._wait_no_longer()
            if len(waiting) >= patience.most:
                next(iter(waiting)).cut_off()
            waiting[self] = self.loop.call_later(patience.seconds, self.cut_off)

        def _wait_no_longer(self) -> None:
            timer = waiting.pop(self, None)
            if timer is not None:
                timer.cancel()

        def cut_off(self) -> None:
            self._wait_no_longer()
            self.transport.abort()

    return _Timed
