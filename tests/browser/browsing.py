"""A real browser's side of the page: servers to visit, and tabs that note whatever a page does that it must not."""

from __future__ import annotations

import asyncio
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Locator, Page, Request, Response, expect
from starlette.types import ASGIApp

from bench.realmem import Calendar
from reverie.client import Agent, Reverie, Tokens
from reverie.domain.memory import Memory
from reverie.domain.outcome import Inserted
from reverie.doors.page.app import PAGES, make_page, make_site
from reverie.doors.page.sessions import Sessions
from reverie.doors.page.urls import address
from reverie.doors.rest.app import make_app
from reverie.doors.serving.listening import Place, opened, serve
from reverie.embedders.hashing import HashingEmbedder

ACTED = frozenset({"review/{id}/near", "upkeep/export"})
"""The routes that test_actions.py asks for, as no page does by itself."""
WIDE, NARROW = (1280, 900), (360, 740)
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_NOTES = Path(__file__).with_name("notes.js").read_text("utf-8")
_ROUTES = [
    (page.method, page.path, re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(f"/b/x/y/{page.path}").rstrip("/"))))
    for page in PAGES
]  # fmt: skip


@contextmanager
def listening(app_of: Callable[[Place], ASGIApp]) -> Iterator[str]:
    """Serve an application in a thread of this process. Gives its address."""
    place = opened("127.0.0.1", 0)
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    running = threading.Thread(target=loop.run_until_complete, args=[serve(app_of(place), place, stop)])
    running.start()
    try:
        yield place.url
    finally:
        loop.call_soon_threadsafe(stop.set)
        running.join()
        loop.close()
        place.socket.close()


@dataclass(kw_only=True)
class Site:
    """A server of REST and pages, and the banks behind it."""

    url: str
    sessions: Sessions
    tokens: Tokens
    banks: Mapping[str, Reverie]
    clock: Calendar

    @property
    def link(self) -> str:
        """A new link that logs in once."""
        return f"{self.url}/login?code={self.sessions.link()}"


@contextmanager
def site(folder: Path, banks: Mapping[str, Reverie], clock: Calendar) -> Iterator[Site]:
    """Serve these banks. ``clock``: theirs."""
    tokens = Tokens(folder / "tokens.json")
    sessions = Sessions(tokens)

    def app(place: Place) -> ASGIApp:
        hosts = place.origins
        return make_site(make_app(banks, tokens, hosts=hosts), make_page(banks, sessions, hosts=hosts))

    with listening(app) as url:
        yield Site(url=url, sessions=sessions, tokens=tokens, banks=banks, clock=clock)


def bank(folder: Path, name: str, calendar: Calendar) -> Reverie:
    """Open a new bank in that folder."""
    embedder = HashingEmbedder.for_tests()
    return Reverie.open(folder / f"{name}.bank", encrypted=False, embedder=embedder, clock=calendar)


def route(method: str, url: str) -> str | None:
    """Return which of PAGES a request asks for, such as ``POST memories/{id}/pin``."""
    path = re.sub("^/b/[^/]+/[^/]+", "/b/x/y", urlsplit(url).path)
    return next(
        (f"{verb} {name}" for verb, name, shape in _ROUTES if verb == method and shape.fullmatch(path)), None
    )


@dataclass(kw_only=True)
class Tab:
    """A tab that looks at one agent's memory. ``problems``: what a page did that it must not; ``asked``: the routes
    that the server answered well.
    """

    page: Page
    site: Site
    bank: str = ""
    agent: str = ""
    problems: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        page = self.page
        page.add_init_script(_NOTES)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self._note("exception", str(error)))
        page.on("request", self._requested)
        page.on("response", self._answered)
        page.on("download", lambda download: self._asked("GET", download.url))
        page.on("dialog", self._asked_back)

    @contextmanager
    def at(self, bank: str, agent: str) -> Iterator[Tab]:
        """Look at that agent's memory. Raises AssertionError where a page did what it must not."""
        self.bank, self.agent = bank, agent
        self.problems.clear()
        self.asked.clear()
        yield self
        assert not self.problems, "\n".join(self.problems)

    def url(self, *parts: str, **query: object) -> str:
        """The address of a page about the agent."""
        return self.site.url + address(self.bank, self.agent, *parts, **query)

    def open(self, *parts: str, **query: object) -> Page:
        """Open such a page, and wait until all of it is there."""
        return self.visit(self.url(*parts, **query))

    def visit(self, url: str) -> Page:
        """Open an address, and wait until all of it is there."""
        self.page.goto(url)
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until the page has what it asks for by itself."""
        expect(self.page.locator("[hx-trigger=load]")).to_have_count(0, timeout=20_000)

    def query(self) -> dict[str, str]:
        """What the address asks for: no more than what was typed and chosen."""
        return dict(parse_qsl(urlsplit(self.page.url).query))

    def press(self, name: str, role: Any = "button") -> None:
        """Press what has that name in the page's content, and wait for the page that comes."""
        with self.page.expect_navigation():
            self.page.get_by_role("main").get_by_role(role, name=name, exact=True).click()
        self.settle()

    def sure(self, name: str, within: Locator | None = None) -> None:
        """Press what asks first, then that it is meant."""
        place = within or self.page.get_by_role("main")
        place.locator("summary", has_text=f"{name}…").click()
        with self.page.expect_navigation():
            place.get_by_role("button", name=name, exact=True).click()

    def told(self, words: str) -> None:
        """The page says what was done."""
        expect(self.page.locator(".told.good, .told.bad").filter(has_text=words)).to_be_visible()

    def _note(self, kind: str, words: str) -> None:
        self.problems.append(f"{kind}: {words} at {self.page.url}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(message.type, message.text)

    def _asked_back(self, dialog: Dialog) -> None:
        self._note("dialog", dialog.message)
        dialog.dismiss()

    def _requested(self, request: Request) -> None:
        if not request.url.startswith(f"{self.site.url}/"):
            self._note("request elsewhere", request.url)

    def _answered(self, response: Response) -> None:
        if response.status < 400:
            self._asked(response.request.method, response.url)

    def _asked(self, method: str, url: str) -> None:
        if found := route(method, url):
            self.asked.add(found)


@contextmanager
def tab(chromium: Browser, site: Site, *, size: tuple[int, int] = WIDE) -> Iterator[Tab]:
    """A tab of a browser that is logged in."""
    width, height = size
    with chromium.new_context(viewport={"width": width, "height": height}, accept_downloads=True) as context:
        context.set_default_timeout(15_000)
        made = Tab(page=context.new_page(), site=site)
        made.page.goto(site.link)
        yield made


def kept(agent: Agent, text: str, **given: Any) -> Memory:
    """A new memory of the agent's."""
    outcome = agent.remember(text, **given)
    assert isinstance(outcome, Inserted)
    return outcome.memory


def doubted(agent: Agent, text: str, **given: Any) -> Memory:
    """A new memory whose wording awaits review."""
    memory = replace(kept(agent, text, **given), needs_review=True)
    agent._desk.store.transact(agent.id, lambda unit: unit.memories.update(memory))
    return memory
