"""App: the pages as one application, and the server that has REST under ``/v1`` and the page at ``/``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from reverie.client import Reverie, Right, signed
from reverie.domain.address import masked
from reverie.doors.page import (
    audit,
    conversations,
    diary,
    links,
    memories,
    memory,
    nights,
    overview,
    preview,
    relationships,
    review,
    rooms,
    soul,
    tokens,
    upkeep,
)
from reverie.doors.page.frame import View, agents_of, answered, redirect
from reverie.doors.page.gate import ASSETS, LOGIN, Gate, cookie
from reverie.doors.page.sessions import Session, Sessions
from reverie.doors.page.times import Times
from reverie.doors.page.urls import address, unsegment
from reverie.doors.rest.banks import Banks
from reverie.doors.rest.problems import status_of
from reverie.errors import InvalidInput, ReverieError
from reverie.errors.places import place_of

_log = logging.getLogger("reverie.page")
ACTOR = "page"
"""Who signs in the audit log what is done on the pages."""
_REST = ("/v1", "/healthz", "/metrics", "/openapi.json")
_AGENT = "/b/{bank}/{agent}"
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A page of an agent, or an action on it."""

    method: str
    path: str
    show: Callable[[View], Response]
    right: Right = Right.READ


READ, WRITE, ADMIN = Right
PAGES: Sequence[Page] = (
    Page(method="GET", path="", show=overview.show),
    Page(method="GET", path="numbers", show=overview.numbers),
    Page(method="GET", path="memories", show=memories.index),
    Page(method="GET", path="memories/{id}", show=memory.show),
    Page(method="GET", path="memories/{id}/edit", show=memory.edit, right=WRITE),
    Page(method="POST", path="memories/{id}/edit", show=memory.revise, right=WRITE),
    Page(method="POST", path="memories/{id}/pin", show=memory.pin, right=WRITE),
    Page(method="POST", path="memories/{id}/approve", show=memory.approve, right=ADMIN),
    Page(method="POST", path="memories/{id}/adopt", show=memory.adopt, right=ADMIN),
    Page(method="GET", path="memories/{id}/forget", show=memory.ask_forget, right=ADMIN),
    Page(method="POST", path="memories/{id}/forget", show=memory.forget, right=ADMIN),
    Page(method="GET", path="review", show=review.index),
    Page(method="POST", path="review/{id}/approve", show=review.approve, right=ADMIN),
    Page(method="POST", path="review/{id}/trust", show=review.trust, right=ADMIN),
    Page(method="GET", path="conversations", show=conversations.index),
    Page(method="GET", path="conversations/{id}", show=conversations.show),
    Page(method="GET", path="messages/{message}/forget", show=conversations.ask_forget, right=ADMIN),
    Page(method="POST", path="messages/{message}/forget", show=conversations.forget, right=ADMIN),
    Page(method="GET", path="nights", show=nights.index),
    Page(method="POST", path="nights", show=nights.sleep, right=WRITE),
    Page(method="GET", path="nights/{id}", show=nights.show),
    Page(method="GET", path="nights/{id}/undo", show=nights.ask_undo, right=ADMIN),
    Page(method="POST", path="nights/{id}/undo", show=nights.undo, right=ADMIN),
    Page(method="GET", path="context", show=preview.show),
    Page(method="GET", path="soul", show=soul.index),
    Page(method="GET", path="soul/portrait", show=soul.portrait),
    Page(method="POST", path="soul", show=soul.add, right=WRITE),
    Page(method="POST", path="soul/{id}/remove", show=soul.remove, right=ADMIN),
    Page(method="GET", path="diary", show=diary.index),
    Page(method="GET", path="relationships", show=relationships.index),
    Page(method="GET", path="relationships/{other}", show=relationships.show),
    Page(method="GET", path="rooms", show=rooms.index),
    Page(method="GET", path="links", show=links.index),
    Page(method="GET", path="links/{id}", show=links.show),
    Page(method="POST", path="links/{id}/accept", show=links.accept, right=ADMIN),
    Page(method="POST", path="links/{id}/decline", show=links.decline, right=WRITE),
    Page(method="POST", path="links/{id}/revoke", show=links.revoke, right=ADMIN),
    Page(method="POST", path="links/{id}/adopt", show=links.adopt, right=ADMIN),
    Page(method="GET", path="audit", show=audit.index),
    Page(method="GET", path="upkeep", show=upkeep.index),
    Page(method="GET", path="upkeep/state", show=upkeep.state),
    Page(method="POST", path="upkeep", show=upkeep.profile, right=ADMIN),
    Page(method="POST", path="upkeep/pause", show=upkeep.pause, right=ADMIN),
    Page(method="POST", path="upkeep/resume", show=upkeep.resume, right=ADMIN),
    Page(method="POST", path="upkeep/retry", show=upkeep.retry, right=WRITE),
    Page(method="POST", path="upkeep/backup", show=upkeep.backup, right=ADMIN),
    Page(method="GET", path="upkeep/export", show=upkeep.export, right=ADMIN),
    Page(method="GET", path="tokens", show=tokens.index, right=ADMIN),
    Page(method="POST", path="tokens", show=tokens.create, right=ADMIN),
    Page(method="POST", path="tokens/{id}/revoke", show=tokens.revoke, right=ADMIN),
)  # fmt: skip


def make_page(banks: Mapping[str, Reverie], sessions: Sessions, *, hosts: Iterable[str] = ()) -> ASGIApp:
    """Return the page's application. ``hosts``: what browsers may call it in the header Host; empty: anything."""
    desk = _Desk({name: signed(held, ACTOR) for name, held in banks.items()}, sessions)
    routes = [
        Route("/", desk.start),
        Route(LOGIN, desk.login, methods=["GET", "POST"]),
        Route("/logout", desk.logout, methods=["POST"]),
        Route("/go", desk.go),
        Route("/favicon.ico", desk.icon),
        Route(f"{ASSETS}{{name}}", desk.asset),
        *(Route(f"{_AGENT}{'/' if one.path else ''}{one.path}", desk.answering(one), methods=[one.method])
          for one in PAGES),
    ]  # fmt: skip
    handlers = {HTTPException: desk.missing, ReverieError: desk.failed, Exception: desk.broken}
    return Gate(Starlette(routes=routes, exception_handlers=handlers), sessions, hosts)  # type: ignore[arg-type]


def make_site(rest: ASGIApp, page: ASGIApp) -> ASGIApp:
    """Return both as one application."""

    async def site(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        is_rest = scope["type"] != "http" or any(path == one or path.startswith(f"{one}/") for one in _REST)
        await (rest if is_rest else page)(scope, receive, send)

    return site


class _Desk:
    def __init__(self, banks: Mapping[str, Reverie], sessions: Sessions) -> None:
        self._banks = Banks(banks)
        self._sessions = sessions

    def start(self, request: Request) -> Response:
        """Lead to the first agent that there is."""
        session: Session = request.state.session
        found = [
            (bank, agent)
            for bank in self._banks.names()
            for agent in agents_of(session, self._banks.bank(bank), bank)
        ]
        if not found:
            return self._alone(request, "nobody.html")
        return redirect(address(*found[0]))

    def go(self, request: Request) -> Response:
        """Lead to the agent that was chosen."""
        bank, _, agent = request.query_params.get("to", "").partition("/")
        return redirect(address(bank, agent) if agent else "/")

    def login(self, request: Request) -> Response:
        """Open a session by a link or a token; else say how."""
        session, slip = None, False
        if request.method == "POST":
            session = self._sessions.enter_with(request.state.form.get("token", [""])[0])
            slip = session is None
        elif request.method == "GET" and "code" in request.query_params:
            session = self._sessions.enter(request.query_params["code"])
            slip = session is None
        if session is None:
            return answered(
                "login.html", 403 if slip else 200, {"slip": slip, "by_link": request.method == "GET"}
            )
        answer = redirect("/")
        answer.headers["set-cookie"] = cookie(request.headers.get("host", "").lower(), session)
        return answer

    def logout(self, request: Request) -> Response:
        """End the session."""
        self._sessions.leave(request.state.session)
        answer = redirect(LOGIN)
        answer.headers["set-cookie"] = cookie(request.headers.get("host", "").lower(), None)
        return answer

    def asset(self, request: Request) -> Response:
        """Return a file that the pages use."""
        name = request.path_params["name"]
        kind = _TYPES.get(name.rpartition(".")[2])
        found = files(__package__).joinpath("assets", name)
        if kind is None or "/" in name or "\\" in name or not found.is_file():
            raise HTTPException(404, "there is no such file")
        return Response(found.read_bytes(), media_type=kind)

    def icon(self, _request: Request) -> Response:
        """Lead to the icon."""
        return RedirectResponse(f"{ASSETS}icon.svg", 307)

    def answering(self, page: Page) -> Callable[[Request], Response]:
        """Return the endpoint of a page."""

        def endpoint(request: Request) -> Response:
            session: Session = request.state.session
            bank, agent = (unsegment(request.path_params[name]) for name in ("bank", "agent"))
            held = self._banks.agent(bank, agent)
            if not session.allows(page.right, bank, agent):
                raise HTTPException(403, f"your token doesn't give the right to {page.right} here")
            return page.show(
                View(
                    request=request, session=session, bank=bank, agent=held, times=Times.of(held),
                    tokens=self._sessions.tokens,
                    reveries={name: self._banks.bank(name) for name in self._banks.names()},
                )
            )  # fmt: skip

        return endpoint

    def failed(self, request: Request, error: ReverieError) -> Response:
        """Say what was wrong, and what to do."""
        words, remedy = masked(str(error)), ""
        if isinstance(error, InvalidInput):
            words, remedy = masked(f"{error.field}: {error.problem}"), masked(error.remedy)
        return self._alone(request, "problem.html", status_of(error), words=words, remedy=remedy)

    def missing(self, request: Request, error: HTTPException) -> Response:
        """Say that it isn't there, or isn't allowed."""
        return self._alone(request, "problem.html", error.status_code, words=error.detail, remedy="")

    def broken(self, request: Request, error: Exception) -> Response:
        """Log that the program itself failed, and say so. What it was about is told to neither."""
        _log.error("a page failed: %s at %s", type(error).__name__, place_of(error))
        words = f"The server failed ({type(error).__name__})."
        return self._alone(
            request, "problem.html", 500, words=words, remedy="try it again, or look into its log"
        )

    def _alone(self, request: Request, template: str, status: int = 200, **values: object) -> Response:
        session: Session | None = request.state.session
        csrf = "" if session is None else session.csrf
        return answered(template, status, {"csrf": csrf, **values})
