"""A server of pages in this process, and a browser's side of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from reverie.client import Agent, Reverie, Right, Tokens
from reverie.domain.memory import Memory
from reverie.domain.outcome import Inserted
from reverie.doors.page.app import make_page
from reverie.doors.page.sessions import Sessions
from reverie.doors.page.urls import address
from reverie.embedders.hashing import HashingEmbedder


@dataclass(kw_only=True)
class Browser:
    """A browser that is logged in, looking at mama's memory."""

    client: TestClient
    agent: str = "mama"

    def url(self, *parts: str, **query: object) -> str:
        return address("main", self.agent, *parts, **query)

    def get(self, *parts: str, status: int = 200, **query: Any) -> str:
        answer = self.client.get(self.url(*parts, **query))
        assert answer.status_code == status, answer.text
        return answer.text

    def part(self, *parts: str, **query: object) -> str:
        answer = self.client.get(self.url(*parts, **query), headers={"hx-request": "true"})
        assert answer.status_code == 200, answer.text
        return answer.text

    @property
    def csrf(self) -> str:
        return found(self.client.get(self.url()).text, r'name="csrf" value="([^"]+)"')

    def post(self, *parts: str, status: int = 200, **fields: Any) -> str:
        answer = self.client.post(self.url(*parts), data={"csrf": self.csrf, **fields})
        assert answer.status_code == status, answer.text
        return answer.text


@dataclass(kw_only=True)
class PageSite:
    """The server, its bank and its sessions."""

    app: Any
    sessions: Sessions
    tokens: Tokens
    reverie: Reverie

    @property
    def mama(self) -> Agent:
        return self.reverie.agent("mama")

    def kept(self, text: str, **given: Any) -> Memory:
        """A memory of mama's."""
        outcome = self.mama.remember(text, **given)
        assert isinstance(outcome, Inserted)
        return outcome.memory

    def doubted(self, text: str, **given: Any) -> Memory:
        """A memory whose wording a sleep doubts."""
        memory = replace(self.kept(text, **given), needs_review=True)
        self.mama._desk.store.transact("mama", lambda unit: unit.memories.update(memory))
        return memory

    def stranger(self) -> TestClient:
        """A client without a session, that isn't led anywhere by itself."""
        return TestClient(self.app, follow_redirects=False, raise_server_exceptions=False)

    def browser(self, right: Right | None = None, **given: Any) -> Browser:
        """A browser with a session: the owner's, or by a token with that right."""
        client = TestClient(self.app)
        if right is None:
            answer = client.get("/login", params={"code": self.sessions.link()}, follow_redirects=False)
        else:
            token = self.tokens.create("test", right, **given)[1]
            answer = client.post("/login", data={"token": token}, follow_redirects=False)
        assert answer.status_code == 303
        return Browser(client=client)


@contextmanager
def page_site(folder: Path) -> Iterator[PageSite]:
    """A site over a new bank."""
    tokens = Tokens(folder / "tokens.json")
    sessions = Sessions(tokens)
    with Reverie.open(folder / "a.bank", encrypted=False, embedder=HashingEmbedder.for_tests()) as reverie:
        app = make_page({"main": reverie}, sessions)
        yield PageSite(app=app, sessions=sessions, tokens=tokens, reverie=reverie)


def found(text: str, pattern: str) -> str:
    """The first group of a pattern that must be there."""
    match = re.search(pattern, text)
    assert match is not None, pattern
    return match[1]


def text_of(page: str) -> str:
    """What a page says, without its tags, on one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())
