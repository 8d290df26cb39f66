"""Routes: which verb of the client answers to which method and path, and what right it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.agent.facets import Diary, Goals, Link, Relationships, Society, Soul, Summaries
from reverie.agent.items import Items
from reverie.agent.jobs import Host, Jobs, Procedures
from reverie.client import Agent, Reverie, Right


@dataclass(frozen=True, kw_only=True, slots=True)
class Route:
    """A verb's method and path. A ``{name}`` of the path is the verb's parameter of that name."""

    method: str
    path: str
    verb: Callable[..., Any]
    right: Right
    facet: str | None = None
    """The attribute of the agent that has the verb."""
    of_agent: bool = True
    takes: tuple[str, ...] | None = None
    """The parameters that it has here; None for all."""
    makes: bool = False
    """Whether something new is there afterwards (201)."""
    etag: bool = False


BANK = "/v1/banks/{bank}"
AGENT = f"{BANK}/agents/{{agent}}"
READ, WRITE, ADMIN = Right
_FACETS = {
    Diary: "diary", Goals: "goals", Host: "host", Items: "items", Jobs: "jobs", Link: "link", Procedures: "procedures",
    Relationships: "relationships", Society: "society", Soul: "soul", Summaries: "summaries",
}  # fmt: skip
_BY_NAME = {cls.__qualname__: facet for cls, facet in _FACETS.items()}


def _route(right: Right, method: str, path: str, verb: Callable[..., Any], **more: Any) -> Route:
    facet = _BY_NAME.get(verb.__qualname__.partition(".")[0])
    return Route(method=method, path=f"{AGENT}/{path}", verb=verb, right=right, facet=facet, **more)


def _of_bank(right: Right, method: str, path: str, verb: Callable[..., Any]) -> Route:
    return Route(method=method, path=f"{BANK}{path}", verb=verb, right=right, of_agent=False)


ROUTES: Sequence[Route] = (
    _route(WRITE, "POST", "episodes", Agent.observe, makes=True),
    _route(READ, "GET", "episodes", Agent.episodes),
    _route(READ, "POST", "episodes/recall", Agent.recall_episodes),
    _route(READ, "GET", "episodes/{id}", Agent.get),
    _route(ADMIN, "DELETE", "episodes/{id}", Agent.forget, takes=("id",)),
    _route(READ, "GET", "conversations", Agent.conversations),
    _route(WRITE, "POST", "memories", Agent.remember, makes=True),
    _route(WRITE, "POST", "memories/batch", Agent.remember_many, makes=True),
    _route(READ, "GET", "memories", Agent.memories),
    _route(READ, "POST", "memories/recall", Agent.recall),
    _route(READ, "GET", "memories/scoped", Agent.scoped),
    _route(READ, "GET", "memories/{id}", Agent.get, etag=True),
    _route(WRITE, "PATCH", "memories/{id}", Agent.revise, etag=True),
    _route(ADMIN, "DELETE", "memories/{id}", Agent.forget, takes=("id",), etag=True),
    _route(READ, "GET", "memories/{id}/portrait", Agent.portrait),
    _route(ADMIN, "POST", "memories/{id}/adopt", Agent.adopt),
    _route(ADMIN, "POST", "memories/{id}/approve", Agent.approve),
    _route(ADMIN, "POST", "forget", Agent.forget, takes=("conversation", "since", "until", "everything")),
    _route(READ, "POST", "context", Agent.context),
    _route(WRITE, "POST", "window", Agent.window),
    _route(READ, "GET", "due", Agent.due),
    _route(READ, "GET", "stats", Agent.stats),
    _route(READ, "GET", "audit", Agent.audit),
    _route(ADMIN, "PATCH", "profile", Agent.set_profile),
    _route(WRITE, "POST", "attend", Agent.attend),
    _route(WRITE, "POST", "sleep", Agent.sleep),
    _route(WRITE, "POST", "housekeeping", Agent.housekeeping),
    _route(WRITE, "POST", "self-care", Agent.self_care),
    _route(READ, "GET", "sleeps", Jobs.sleeps),
    _route(READ, "GET", "sleeps/{sleep_id}", Jobs.diff),
    _route(ADMIN, "POST", "sleeps/{sleep_id}/revert", Agent.revert),
    _route(READ, "GET", "goals", Goals.list),
    _route(WRITE, "POST", "goals", Goals.add, makes=True),
    _route(WRITE, "POST", "goals/{id}/complete", Goals.complete),
    _route(WRITE, "POST", "goals/{id}/postpone", Goals.postpone),
    _route(WRITE, "POST", "goals/{id}/reopen", Goals.reopen),
    _route(READ, "GET", "diary", Diary.pages),
    _route(READ, "GET", "diary/search", Diary.search),
    _route(READ, "GET", "diary/months/{month}", Diary.month),
    _route(READ, "GET", "diary/{date}", Diary.page),
    _route(WRITE, "PUT", "diary/{date}", Diary.write),
    _route(ADMIN, "DELETE", "diary/{date}", Diary.remove),
    _route(READ, "GET", "procedures", Procedures.list),
    _route(READ, "GET", "procedures/{name}", Procedures.get),
    _route(WRITE, "PUT", "procedures/{name}", Procedures.record),
    _route(READ, "GET", "relationships", Relationships.list),
    _route(READ, "GET", "relationships/{other}", Relationships.get),
    _route(WRITE, "PUT", "relationships/{other}", Relationships.assign),
    _route(ADMIN, "DELETE", "relationships/{other}", Relationships.remove),
    _route(READ, "GET", "relationship-history", Relationships.history),
    _route(READ, "GET", "relationship-graph", Relationships.graph),
    _route(READ, "GET", "soul", Soul.list),
    _route(WRITE, "POST", "soul", Soul.add, makes=True),
    _route(ADMIN, "DELETE", "soul/{id}", Soul.remove),
    _route(READ, "GET", "portrait", Soul.portrait),
    _route(WRITE, "POST", "portrait", Soul.refresh),
    _route(WRITE, "PUT", "items", Items.put),
    _route(READ, "GET", "items", Items.get),
    _route(WRITE, "DELETE", "items", Items.delete),
    _route(WRITE, "POST", "items/batch", Items.write),
    _route(READ, "POST", "items/search", Items.search),
    _route(READ, "GET", "items/namespaces", Items.namespaces),
    _route(READ, "GET", "rooms", Society.rooms),
    _route(READ, "GET", "society", Society.history),
    _route(READ, "GET", "links", Link.list),
    _route(WRITE, "POST", "links", Link.request, makes=True),
    _route(READ, "GET", "links/pending", Link.pending),
    _route(READ, "GET", "links/{id}", Link.get),
    _route(READ, "GET", "links/{id}/items", Link.items),
    _route(READ, "GET", "links/{id}/standing", Link.standing),
    _route(ADMIN, "POST", "links/{id}/accept", Link.accept),
    _route(WRITE, "POST", "links/{id}/decline", Link.decline),
    _route(ADMIN, "POST", "links/{id}/revoke", Link.revoke),
    _route(READ, "GET", "blocks", Link.blocked),
    _route(WRITE, "PUT", "blocks/{other}", Link.block),
    _route(WRITE, "DELETE", "blocks/{other}", Link.unblock),
    _route(READ, "GET", "summaries", Summaries.list),
    _route(READ, "GET", "summaries/{summary_id}", Summaries.expand),
    _route(ADMIN, "POST", "jobs/pause", Jobs.pause),
    _route(ADMIN, "POST", "jobs/resume", Jobs.resume),
    _route(WRITE, "POST", "jobs/sleep-through", Jobs.sleep_through),
    _route(READ, "POST", "jobs/sources", Jobs.sources),
    _route(WRITE, "POST", "jobs/retry", Jobs.retry),
    _route(WRITE, "POST", "jobs/flush", Jobs.flush),
    _route(ADMIN, "POST", "jobs/reembed", Jobs.reembed),
    _route(ADMIN, "POST", "jobs/backfill", Jobs.backfill),
    _route(WRITE, "POST", "night", Host.night),
    _route(WRITE, "POST", "night/apply", Host.apply_night),
    _route(WRITE, "POST", "extraction", Host.extraction),
    _route(WRITE, "POST", "extraction/apply", Host.apply_extraction),
    _route(ADMIN, "POST", "import", Agent.import_bank),
    _route(ADMIN, "POST", "import-from", Agent.import_from),
    _of_bank(READ, "GET", "", Reverie.info),
    _of_bank(READ, "GET", "/agents", Reverie.agents),
    _of_bank(READ, "GET", "/relationship-graph", Reverie.relationship_graph),
    _of_bank(ADMIN, "POST", "/attend", Reverie.attend),
    _of_bank(ADMIN, "POST", "/sleep", Reverie.sleep),
    _of_bank(ADMIN, "POST", "/housekeeping", Reverie.housekeeping),
    _of_bank(ADMIN, "POST", "/flush", Reverie.flush),
    _of_bank(ADMIN, "POST", "/reembed", Reverie.reembed),
    _of_bank(ADMIN, "POST", "/check-model", Reverie.check_model),
)
ELSEWHERE = {
    "Agent.export": "a stream of lines, in app.py",
    "Agent.profile": "a property, in app.py",
    "Agent.wrap": "it wraps a client in the caller's own process",
    "Room.say": "in app.py, with the room's members",
    "Reverie.room": "as Room.say",
    "Reverie.agent": "the path names the agent",
    "Reverie.open": "the server opens its banks",
    "Reverie.close": "the server closes its banks",
    "Reverie.backup": "it writes a file where the server runs: `reverie backup`",
    "Reverie.copy_to": "it needs a second bank: `reverie copy`",
    "Reverie.check": "it reads the whole bank: `reverie check`",
    "Reverie.warm": "the server warms its banks",
    "Reverie.tokens": "for counters in the caller's own process",
}
"""Verbs that have no route of this table, and why: a test holds that each verb is here or there."""
