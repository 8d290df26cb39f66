"""Frame: one request of a page, and how it is answered: templates, addresses, forms, messages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from reverie.client import Agent, Reverie, Right, Tokens
from reverie.domain.memory import Memory
from reverie.doors.cli import words
from reverie.doors.page.sessions import Session
from reverie.doors.page.times import Times
from reverie.doors.page.urls import address, unsegment
from reverie.errors import InvalidInput

PAGE_SIZE = 40


NAVIGATION = (
    (("", "Overview"), ("review", "Review"), ("memories", "Memories"), ("conversations", "Conversations")),
    (("nights", "Nights"), ("context", "Context preview")),
    (("soul", "Soul"), ("diary", "Diary")),
    (("relationships", "Relationships"), ("rooms", "Rooms"), ("links", "Links")),
    (("audit", "Audit"), ("upkeep", "Upkeep"), ("tokens", "Tokens")),
)
"""The menu in groups: the path of each page, and its name."""


@cache
def environment() -> Environment:
    """Return the templates. Whatever they are given is escaped."""
    made = Environment(
        loader=PackageLoader("reverie.doors.page"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    made.filters.update(
        groupby_day=_by_day, counted=words.counted, bytes=words.size, number=_number, percent=_percent
    )
    made.globals.update(asset=asset, navigation=NAVIGATION)
    return made


@cache
def asset(name: str) -> str:
    """Return the address of a file that the pages use; another one after it has changed."""
    content = files(__package__).joinpath("assets", name).read_bytes()
    return f"/assets/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"


def _id(one: Any) -> str:
    return str(one.id)


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """One request about one agent's memory."""

    request: Request
    session: Session
    reveries: Mapping[str, Reverie]
    bank: str
    agent: Agent
    times: Times
    tokens: Tokens

    def url(self, *parts: str, **query: object) -> str:
        """Return the address of another page of the same agent."""
        return address(self.bank, self.agent.id, *parts, **query)

    def of(self, agent: str, *parts: str) -> str:
        """Return the address of a page of another agent of the same bank."""
        return address(self.bank, agent, *parts)

    def value(self, name: str) -> str:
        """Return a value of the path."""
        return unsegment(str(self.request.path_params[name]))

    def asked(self, name: str, default: str = "") -> str:
        """Return a parameter of the query, without white space around it."""
        return self.request.query_params.get(name, default).strip()

    def given(self, name: str, default: str = "") -> str:
        """Return a field of the form, without white space around it; lines end with a line feed."""
        form: Mapping[str, list[str]] = self.request.state.form
        return form.get(name, [default])[0].replace("\r\n", "\n").strip()

    def names(self, field: str) -> list[str]:
        """Return the names that a field of the form has, with commas between them."""
        return commas(self.given(field))

    @property
    def wants_part(self) -> bool:
        """Whether htmx asks for a part of the page."""
        return (
            "hx-request" in self.request.headers and "hx-history-restore-request" not in self.request.headers
        )

    def allows(self, right: Right) -> bool:
        """Return whether the session may do that to this agent."""
        return self.session.allows(right, self.bank, self.agent.id)

    @property
    def owns(self) -> bool:
        """Whether it is the session of whoever started the server."""
        return self.session.token is None

    @property
    def rules(self) -> bool:
        """Whether the session may do what concerns the whole server."""
        token = self.session.token
        return token is None or (token.right is Right.ADMIN and not token.banks and not token.agents)

    def page(self, template: str, *, status: int = 200, **values: object) -> Response:
        """Return a template as the answer."""
        told, self.session.told = self.session.told, []
        return answered(template, status, self._all() | {"told": told} | values)

    def part(self, template: str, **values: object) -> Response:
        """Return a part of a page, for htmx."""
        return answered(template, 200, self._all() | values)

    def either(self, part: str, template: str, **values: Any) -> Response:
        """Return the part where htmx asks for it, else the page with it."""
        return self.part(part, **values) if self.wants_part else self.page(template, **values)

    @property
    def after(self) -> str | None:
        """The last id of the page before, in a list that is shown page by page."""
        return self.asked("after") or None

    def pager(
        self, found: Sequence[Any], *parts: str, size: int = PAGE_SIZE, last: Callable[[Any], str] = _id,
        chosen: Mapping[str, str] = MappingProxyType({}),
    ) -> dict[str, Any]:  # fmt: skip
        """Return what a page of a list shows of what was found (one more than that, where there is more), and the
        addresses of the first page and the next.
        """
        shown = found[:size]
        return {
            "shown": shown, "first": self.url(*parts, **chosen) if self.after else None,
            "next": self.url(*parts, after=last(shown[-1]), **chosen) if len(found) > size else None,
        }  # fmt: skip

    def done(self, words: str, *parts: str, **query: object) -> Response:
        """Return the way to a page which says that it was done."""
        self.session.tell("good", words)
        return redirect(self.url(*parts, **query))

    def slip(self, words: str, *parts: str, **query: object) -> Response:
        """Return the way to a page which says why it wasn't done."""
        self.session.tell("bad", words)
        return redirect(self.url(*parts, **query))

    def _all(self) -> dict[str, object]:
        return {
            "view": self, "url": self.url, "times": self.times, "csrf": self.session.csrf,
            "can_write": self.allows(Right.WRITE), "can_admin": self.allows(Right.ADMIN), "rules": self.rules,
            "here": self.request.url.path, "choices": self._choices,
        }  # fmt: skip

    def _choices(self) -> Sequence[tuple[str, str, bool]]:
        """Return whose memories there are: (value, name, whether it is this one)."""
        here = (self.bank, self.agent.id)
        found = [
            (bank, agent)
            for bank, held in self.reveries.items()
            for agent in agents_of(self.session, held, bank)
        ]
        several = len(self.reveries) > 1
        return [
            (f"{bank}/{agent}", f"{agent} – {bank}" if several else agent, (bank, agent) == here)
            for bank, agent in ([] if here in found else [here]) + found
        ]


def commas(text: str) -> list[str]:
    """Return names that stand with commas between them."""
    return [one.strip() for one in text.split(",") if one.strip()]


def slip_of(error: InvalidInput) -> str:
    """Return what somebody typed wrong, and what helps."""
    return f"{error.field}: {error.problem}; {error.remedy}"


def agents_of(session: Session, reverie: Reverie, bank: str) -> Sequence[str]:
    """Return the agents of a bank that the session may read."""
    return [one for one in reverie.agents() if session.allows(Right.READ, bank, one)]


def answered(template: str, status: int, values: Mapping[str, object]) -> Response:
    """Return a template as the answer."""
    text = environment().get_template(template).render(values)
    return HTMLResponse(text.encode(errors="replace"), status)


def redirect(to: str) -> Response:
    """Return the way to another page; what was posted isn't posted again."""
    return RedirectResponse(to, 303)


def missing(what: str) -> HTTPException:
    """Return the error for what isn't there."""
    return HTTPException(404, what)


def refused(why: str) -> HTTPException:
    """Return the error for what the session may not do."""
    return HTTPException(403, why)


def _by_day(memories: Sequence[Memory], times: Times) -> Sequence[tuple[str, Sequence[Memory]]]:
    """Return memories that lie side by side by the day on which they were learned."""
    return [(day, [*group]) for day, group in groupby(memories, key=lambda one: times.day(one.created_at))]


def _number(value: float, digits: int = 0) -> str:
    return f"{value:,.{digits}f}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"
