"""One server that is asked over HTTP, with tries, a deadline, and replies of bounded size."""

from __future__ import annotations

import json
import os
import threading
import weakref
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from time import monotonic, sleep
from typing import TYPE_CHECKING

from reverie.embedders.remote.address import Address
from reverie.embedders.remote.retries import MOST_TRIES, Cooldown, asked_for, pause_before
from reverie.errors import EmbedderFailed, InvalidInput
from reverie.errors.extras import install

if TYPE_CHECKING:
    import httpx2

Headers = Callable[[], Mapping[str, str]]
"""Asked before each request, so that a token may be renewed. What it gives stands in no log and no error."""

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_WHY = {
    400: "it refuses the request: see that model and dimensions are right",
    401: "it refuses the key",
    402: "it wants to be paid",
    403: "the key may not use this model",
    404: "it doesn't know the model, or the address is wrong",
    413: "the request is too large for it",
}
_MOST_CONNECT_SECONDS = 10.0


class RequestRefused(EmbedderFailed):
    """The server refuses what it was asked, and would again (4xx)."""

    def __init__(self, embedder: str, status: int) -> None:
        super().__init__(embedder, _WHY.get(status, f"it answered {status}"))
        self.status = status


class _Passing(Exception):
    """It may work at another try. ``asked``: how many seconds the server wants to be left alone."""

    def __init__(self, why: str, asked: float | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.asked = asked


class HttpClient:
    """Thread-safe; connections are kept open between requests, and made anew in a forked process.

    ``seconds``: the most that one request may take, with all its tries.
    """

    def __init__(self, name: str, address: Address, *, headers: Headers, seconds: float) -> None:
        if find_spec("httpx2") is None:
            raise InvalidInput(
                "embedder", "the package that asks providers is not installed",
                install("embedders"),
            )  # fmt: skip
        self._name, self._address, self._headers, self._seconds = name, address, headers, seconds
        self._rest = Cooldown(name, monotonic)
        self._lock = threading.Lock()
        self._client: httpx2.Client | None = None
        self._pid = 0

    def ask(self, path: str, body: Mapping[str, object], most_bytes: int) -> object:
        """Return what the server answers to a POST, as JSON. Raises RequestRefused, or EmbedderFailed."""
        self._rest.check()
        until = monotonic() + self._seconds
        content = json.dumps(body).encode()
        tries = 0
        while True:
            tries += 1
            try:
                reply = self._once(path, content, most_bytes, until)
            except _Passing as failure:
                pause = pause_before(tries, failure.asked)
                if tries >= MOST_TRIES or monotonic() + pause >= until:
                    self._rest.failed(failure.asked)
                    raise EmbedderFailed(self._name, failure.why) from None
            else:
                self._rest.answered()
                return reply
            sleep(pause)

    def close(self) -> None:
        """Close what connections are open; the next request opens others."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _once(self, path: str, content: bytes, most_bytes: int, until: float) -> object:
        import httpx2

        left = max(until - monotonic(), 0.01)
        timeout = httpx2.Timeout(left, connect=min(left, _MOST_CONNECT_SECONDS))
        # Nothing of what comes back is quoted anywhere: servers repeat in their errors what they were sent.
        try:
            with self._opened().stream(
                "POST", self._address.url + path, content=content, timeout=timeout,
                headers={"content-type": "application/json", "accept": "application/json", **self._headers()},
            ) as response:  # fmt: skip
                self._check(response)
                return _json(_read(response, most_bytes, until))
        except httpx2.TimeoutException:
            raise _Passing(f"it did not answer within {self._seconds:g} s") from None
        except httpx2.TransportError:
            raise _Passing("it could not be reached, or broke off") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError):
            raise EmbedderFailed(self._name, "its reply could not be read") from None

    def _check(self, response: httpx2.Response) -> None:
        status = response.status_code
        if status == 200:
            return
        if status in _PASSING:
            why = "it has too many requests" if status == 429 else f"it answered {status}"
            raise _Passing(why, asked_for(response.headers.get("retry-after")))
        if 400 <= status < 500:
            raise RequestRefused(self._name, status)
        raise EmbedderFailed(self._name, f"it answered {status}")  # a redirect too: text goes nowhere else

    def _opened(self) -> httpx2.Client:
        import httpx2

        with self._lock:
            if self._client is None or self._pid != os.getpid():
                # What goes to this machine goes through no proxy of the environment.
                self._client = httpx2.Client(follow_redirects=False, trust_env=not self._address.is_local)
                self._pid = os.getpid()
                weakref.finalize(self, self._client.close)
            return self._client


def _read(response: httpx2.Response, most_bytes: int, until: float) -> bytes:
    """Return the reply's body; raise _Passing where it is too long, or drips for too long."""
    pieces, size = [], 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > most_bytes:
            raise _Passing("its reply is far longer than it should be")
        if monotonic() > until:
            raise _Passing("its reply took too long")
        pieces.append(piece)
    return b"".join(pieces)


def _json(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise _Passing("its reply is no JSON") from None
