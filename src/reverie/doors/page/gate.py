"""Gate: what stands before every page: the server's names, sessions, CSRF, and headers that keep a browser strict."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from html import escape
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reverie.doors.page.sessions import Session, Sessions
from reverie.doors.rest.guard import read_body

COOKIE = "reverie_session"
LOGIN = "/login"
ASSETS = "/assets/"
FAVICON = "/favicon.ico"
MOST_BODY = 1 << 20
_MOST_FIELDS = 100
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
    " frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),  # with none, browsers send forms with the Origin null
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""What every answer has."""
_HERE = ("127.0.0.1", "localhost", "[::1]", "testserver")


class Gate:
    """The outermost layer of the page. ``hosts``: what browsers may call the server in the header Host; empty: any.

    Behind it ``scope["state"]`` has ``session`` (None where the path needs none) and ``form``: the fields of a POST, a
    list of values each.
    """

    def __init__(self, app: ASGIApp, sessions: Sessions, hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._sessions = sessions
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before a page sees it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        answer = _Answer(send, scope["path"])
        host = headers.get(b"host", "").lower()
        if self._hosts and host not in self._hosts:
            await answer.refuse(
                421, "This server isn't called that", "Open it by the address that it printed."
            )
            return
        session = self._sessions.of(cookie_of(headers, host))
        if session is None and not _is_open(scope["path"]):
            await answer.redirect(LOGIN, by_htmx=b"hx-request" in headers)
            return
        state = scope.setdefault("state", {})
        state["session"], state["form"] = session, {}
        if scope["method"] not in ("GET", "HEAD"):
            if not _same_origin(headers, host):
                await answer.refuse(403, "That came from another page", "Use this page's own buttons.")
                return
            body = await read_body(receive, MOST_BODY)
            if body is None:
                await answer.refuse(413, "That is too much at once", "Send less than 1 MiB.")
                return
            form = _form(headers, body)
            if form is None:
                await answer.refuse(400, "That is no form", "Use this page's own buttons.")
                return
            if scope["path"] != LOGIN and not _is_ours(session, form):
                await answer.refuse(
                    403, "This form is not from this session", "Load the page again, then try again."
                )
                return
            state["form"] = form
        await self._app(scope, receive, answer.send)


def cookie_name(host: str) -> str:
    """Return the cookie's name. Browsers share cookies among all ports of a host; the port tells servers apart."""
    _, _, port = host.rpartition(":")
    return f"{COOKIE}_{port}" if port.isascii() and port.isdigit() else COOKIE


def cookie_of(headers: Mapping[bytes, str], host: str) -> str:
    """Return the session's id as the browser sends it, or ""."""
    try:
        found = SimpleCookie(headers.get(b"cookie", "")).get(cookie_name(host))
    except CookieError:
        return ""
    return "" if found is None else found.value


def cookie(host: str, session: Session | None) -> str:
    """Return the header Set-Cookie that opens a session, or with None ends it."""
    value, age = (session.id, "") if session is not None else ("", "; Max-Age=0")
    name, _, port = host.rpartition(":")
    here = (name if port.isdigit() else host) in _HERE
    secure = "" if here else "; Secure"
    return f"{cookie_name(host)}={value}; Path=/; HttpOnly; SameSite=Strict{age}{secure}"


class _Answer:
    """One request's answer, with the headers that each has."""

    def __init__(self, send: Send, path: str) -> None:
        self._send = send
        self._lasting = path.startswith(ASSETS)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = b"private, max-age=86400" if self._lasting and message["status"] == 200 else b"no-store"
            message = {**message, "headers": [*message["headers"], *HEADERS, (b"cache-control", kept)]}
        await self._send(message)

    async def refuse(self, status: int, title: str, remedy: str) -> None:
        page = (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
            f"<h1>{escape(title)}</h1><p>{escape(remedy)}</p></html>"
        )
        await self._whole(status, page.encode(), [(b"content-type", b"text/html; charset=utf-8")])

    async def redirect(self, to: str, *, by_htmx: bool) -> None:
        if by_htmx:
            await self._whole(401, b"", [(b"hx-redirect", to.encode())])
        else:
            await self._whole(303, b"", [(b"location", to.encode())])

    async def _whole(self, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        length = (b"content-length", str(len(body)).encode())
        await self.send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
        await self.send({"type": "http.response.body", "body": body})


def _is_open(path: str) -> bool:
    return path in (LOGIN, FAVICON) or path.startswith(ASSETS)


def _same_origin(headers: Mapping[bytes, str], host: str) -> bool:
    """Return whether the browser says nothing else."""
    if headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get(b"origin")
    return origin is None or urlsplit(origin).netloc.lower() == host


def _form(headers: Mapping[bytes, str], body: bytes) -> dict[str, list[str]] | None:
    kind = headers.get(b"content-type", "application/x-www-form-urlencoded").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return None
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError:
        return None


def _is_ours(session: Session | None, form: Mapping[str, list[str]]) -> bool:
    given = form.get("csrf", [""])[0]
    return session is not None and hmac.compare_digest(given.encode(), session.csrf.encode())
