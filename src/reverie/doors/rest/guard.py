"""Guard: what stands before every route: request ids, whose token it is, how much and how often may be asked, and
requests that are repeated.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio.to_thread import run_sync
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reverie.client import Repeat, Repeats, Tokens
from reverie.doors.rest.metrics import Metrics
from reverie.doors.rest.problems import TYPE, kebab
from reverie.doors.rest.segments import encoded
from reverie.errors import InvalidInput

OPEN = frozenset({"/healthz", "/openapi.json"})
"""What needs no token: nothing of a bank."""
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_REFUSED = 400
_WRITES = ("POST", "PUT", "PATCH", "DELETE")
MOST_KEPT, KEPT_SECONDS = 10_000, 600.0
MOST_KEPT_BYTES = 64 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """``body``: bytes a request may have. ``rate``: requests a second that a token may make for long (0: any number),
    ``burst`` of them at once.
    """

    body: int = 16 << 20
    rate: float = 0
    burst: int = 100


class Guard:
    """The outermost layer of the server."""

    def __init__(
        self, app: ASGIApp, tokens: Tokens, limits: Limits, hosts: Iterable[str], metrics: Metrics, repeats: Repeats,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._app = app
        self._tokens = tokens
        self._limits = limits
        self._hosts = frozenset(hosts)
        self._metrics = metrics
        self._repeats = repeats
        self._buckets = _Buckets(limits, clock)
        self._answers = _Answers(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before the application sees it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        asked = headers.get(b"x-request-id", "")
        id = asked if _ID.fullmatch(asked) else secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = id
        scope["path"] = encoded(scope["raw_path"])
        exchange = _Exchange(send, id)
        begun = time.perf_counter()
        try:
            with _span(scope["method"]):
                await self._checked(scope, receive, exchange, headers)
        finally:
            route = scope.get("route")
            path = getattr(route, "path", "none")
            self._metrics.seen(scope["method"], path, exchange.status, time.perf_counter() - begun)

    async def _checked(
        self, scope: Scope, receive: Receive, exchange: _Exchange, headers: dict[bytes, str]
    ) -> None:
        if self._hosts and headers.get(b"host", "").lower() not in self._hosts:
            await exchange.refuse(
                421, "UnknownHost", "this server isn't called that", "ask it by its own name"
            )
            return
        token, text = None, ""
        if scope["path"] not in OPEN:
            scheme, _, text = headers.get(b"authorization", "").partition(" ")
            try:
                token = self._tokens.of(text.strip()) if scheme.lower() == "bearer" else None
            except InvalidInput as error:
                await exchange.refuse(503, "NoTokens", "the file of tokens can't be used", error.remedy)
                return
            if token is None:
                remedy = "send the header Authorization: Bearer TOKEN; `reverie token create` makes one"
                await exchange.refuse(
                    401, "Unauthorized", "no token that is known", remedy, [(b"www-authenticate", b"Bearer")]
                )
                return
            wait = self._buckets.taken(token.id)
            if wait:
                seconds = str(max(1, round(wait))).encode()
                await exchange.refuse(
                    429, "TooManyRequests", f"more than {self._limits.rate:g} requests a second",
                    "ask again later", [(b"retry-after", seconds)],
                )  # fmt: skip
                return
            scope["state"]["token"] = token
        body = await read_body(receive, self._limits.body)
        if body is None:
            await exchange.refuse(
                413, "TooLarge", f"the body has more than {self._limits.body:,} bytes", "send it in parts"
            )
            return
        key = headers.get(b"idempotency-key")
        if key is None or scope["method"] not in _WRITES or token is None:
            await self._answered(scope, _again(body, receive), exchange.send, exchange)
            return
        if not _KEY.fullmatch(key):
            await exchange.refuse(
                422, "InvalidInput", "Idempotency-Key: it is no key", "give up to 255 characters"
            )
            return
        # Under the token's text, which is kept nowhere, so that nobody else can try what the request may have been.
        secret = text.strip().encode()
        name = hmac.digest(secret, f"{scope['method']} {key}".encode(), "sha256")
        request = hmac.digest(
            secret, scope["raw_path"] + b"?" + scope["query_string"] + b"\0" + body, "sha256"
        )
        await self._once(name, request, scope, _again(body, receive), exchange)

    async def _once(
        self, name: bytes, request: bytes, scope: Scope, receive: Receive, exchange: _Exchange
    ) -> None:
        """Answer a request whose key was seen before with what was answered then, or say that it was done."""
        try:
            repeat = await run_sync(self._repeats.begin, name, request)
        except InvalidInput as error:
            await exchange.refuse(503, "NoKeys", error.problem, error.remedy)
            return
        match repeat:
            case Repeat.NEW:
                held: list[Message] = []

                async def keep(message: Message) -> None:
                    held.append(message)
                    await exchange.send(message)

                try:
                    await self._answered(scope, receive, keep, exchange)
                finally:
                    if held:  # else the server ends meanwhile, and nobody knows whether it was done
                        done = exchange.status < _REFUSED
                        with suppress(InvalidInput):  # then it stays begun
                            await run_sync(partial(self._repeats.end, name, done=done))
                        if done:
                            self._answers.keep(name, held)
            case Repeat.OTHER:
                problem = "Idempotency-Key: it was used for another request"
                await exchange.refuse(422, "InvalidInput", problem, "make a new key for each request")
            case Repeat.BEGUN:
                problem = "the request with this key isn't answered yet, or the server was ended meanwhile"
                remedy = "ask again; if it stays so, look whether it was done, and take a new key"
                await exchange.refuse(409, "InProgress", problem, remedy, [(b"retry-after", b"1")])
            case Repeat.DONE:
                known = self._answers.of(name)
                if known is None:
                    problem = "the request with this key was done, and its answer isn't kept any more"
                    await exchange.refuse(
                        409, "AlreadyDone", problem, "read what it changed, if you need that"
                    )
                for message in known or ():
                    await exchange.send(message)

    async def _answered(self, scope: Scope, receive: Receive, send: Send, exchange: _Exchange) -> None:
        """Let the application answer. After a forget no answer is kept that may tell of what is gone."""
        await self._app(scope, receive, send)
        path = scope["path"]
        if exchange.status < _REFUSED and (scope["method"] == "DELETE" or path.endswith("/forget")):
            self._answers.clear()


class _Exchange:
    """One request's answer: with its id, and its status for the metrics."""

    def __init__(self, send: Send, id: str) -> None:
        self._send = send
        self._id = id
        self.status = 500

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            taken = [one for one in message["headers"] if one[0] != b"x-request-id"]
            message = {**message, "headers": [*taken, (b"x-request-id", self._id.encode()), *_SAFE]}
        await self._send(message)

    async def refuse(
        self, status: int, title: str, detail: str, remedy: str, headers: Iterable[tuple[bytes, bytes]] = ()
    ) -> None:
        problem = {
            "type": f"urn:reverie:{kebab(title)}", "title": title, "status": status, "detail": detail, "remedy": remedy,
            "instance": self._id,
        }  # fmt: skip
        body = json.dumps(problem).encode()
        told = [(b"content-type", TYPE.encode()), (b"content-length", str(len(body)).encode())]
        await self.send({"type": "http.response.start", "status": status, "headers": [*told, *headers]})
        await self.send({"type": "http.response.body", "body": body})


_SAFE = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


class _Buckets:
    """How many requests each token may still make at once."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def taken(self, token: str) -> float:
        """Take one, or return in how many seconds there is one."""
        if not self._limits.rate:
            return 0
        now = self._clock()
        left, at = self._left.get(token, (float(self._limits.burst), now))
        left = min(float(self._limits.burst), left + (now - at) * self._limits.rate)
        if left < 1:
            self._left[token] = (left, now)
            return (1 - left) / self._limits.rate
        self._left[token] = (left - 1, now)
        return 0


class _Answers:
    """Answers by idempotency key, for KEPT_SECONDS; of more than MOST_KEPT the oldest go."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._kept: OrderedDict[bytes, tuple[float, Sequence[Message]]] = OrderedDict()
        self._size = 0

    def of(self, key: bytes) -> Sequence[Message] | None:
        """Return an answer that is kept."""
        self._expire()
        return self._kept[key][1] if key in self._kept else None

    def keep(self, key: bytes, messages: Sequence[Message]) -> None:
        """Keep an answer."""
        self._kept[key] = (self._clock(), messages)
        self._size += _size(messages)
        self._expire()

    def clear(self) -> None:
        """Drop all."""
        self._kept.clear()
        self._size = 0

    def _expire(self) -> None:
        while self._kept:
            at, messages = next(iter(self._kept.values()))
            old = self._clock() - at > KEPT_SECONDS
            if not (old or len(self._kept) > MOST_KEPT or self._size > MOST_KEPT_BYTES):
                return
            self._kept.popitem(last=False)
            self._size -= _size(messages)


def _size(messages: Sequence[Message]) -> int:
    return sum(len(one.get("body", b"")) for one in messages)


async def read_body(receive: Receive, most: int) -> bytes | None:
    """Return the body; None where it is longer than that."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read once more, and then what comes."""
    given = False

    async def next_message() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message


def _span(method: str) -> Any:
    """Return OpenTelemetry's span of the request, where its API is installed. Its name holds nobody's."""
    try:
        from opentelemetry import trace
    except ImportError:
        return nullcontext()
    return trace.get_tracer("reverie").start_as_current_span(f"{method} /v1")
