"""App: the routes as a FastAPI application over open banks."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Annotated, Any

from fastapi import Body, FastAPI, Header, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, create_model
from starlette.exceptions import HTTPException
from starlette.routing import Route as Route_
from starlette.types import ASGIApp

from reverie._version import __version__
from reverie.client import Agent, Repeats, Reverie, Right, Tokens
from reverie.domain.agent import Agent as Profile
from reverie.domain.outcome import Observed
from reverie.doors.rest.banks import Banks, check_right
from reverie.doors.rest.events import add_events
from reverie.doors.rest.guard import OPEN, Guard, Limits
from reverie.doors.rest.metrics import CONTENT_TYPE, Metrics
from reverie.doors.rest.problems import TYPE, Problem, answer, of_error, of_http, of_validation
from reverie.doors.rest.routes import AGENT, BANK, ROUTES, Route
from reverie.doors.rest.segments import SegmentRoute
from reverie.doors.rest.wire import Parameter, Result, exactly, parameters, sent
from reverie.errors import InvalidInput, ReverieError
from reverie.errors.places import place_of

_log = logging.getLogger("reverie.rest")
_ABOUT = """\
Memory for AI agents: every verb of the Python client. A token (`reverie token create`) goes into the header
`Authorization: Bearer TOKEN`. Errors are `application/problem+json` with a remedy. A write with the header
`Idempotency-Key` may be repeated."""
_FAILURES = {
    400: "The body is no JSON.", 401: "No token that is known.", 403: "The token doesn't allow it.",
    404: "There is no such thing.", 405: "Not by this method.",
    409: "It can't be done as things stand.", 413: "The body is too large.", 422: "A value can't be used.",
    429: "Too many requests.", 503: "The bank can't answer now.",
}  # fmt: skip


_PROBLEM = "#/components/schemas/Problem"


def make_app(
    banks: Mapping[str, Reverie], tokens: Tokens, *, limits: Limits | None = None, hosts: Iterable[str] = (),
    repeats: Repeats | None = None, stop: asyncio.Event | None = None,
) -> ASGIApp:  # fmt: skip
    """Return the server's application. ``hosts``: what clients may call it in the header Host; empty: anything.
    ``repeats``: idempotency keys that outlive the process. ``stop``: streams end once that is set.
    """
    app = FastAPI(
        title="Reverie", version=__version__, description=_ABOUT, openapi_url=None, redirect_slashes=False,
        responses={
            code: {"description": said, "content": {TYPE: {"schema": {"$ref": _PROBLEM}}}}
            for code, said in _FAILURES.items()
        },
    )  # fmt: skip
    app.router.route_class = SegmentRoute
    held = Banks(banks)
    metrics = Metrics()
    for route in ROUTES:
        _add(app, route, held)
    _add_others(app, held, metrics)
    add_events(app, held, tokens, stop)
    app.add_exception_handler(ReverieError, of_error)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, of_validation)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, partial(_of_http, app))
    app.add_exception_handler(Exception, _broken)
    return Guard(app, tokens, limits or Limits(), hosts, metrics, repeats or Repeats())


def _openapi(app: FastAPI) -> dict[str, Any]:
    made = app.openapi()
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    made["components"]["schemas"] |= {**schema.pop("$defs"), "Problem": schema}
    made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    made["security"] = [{"token": []}]
    for path in OPEN & made["paths"].keys():
        made["paths"][path]["get"]["security"] = []
    return made


def _add(app: FastAPI, route: Route, banks: Banks) -> None:
    taken = parameters(route.verb, route.takes)
    result = Result(route.verb)
    in_path = [one for one in taken if f"{{{one.name}}}" in route.path]
    others = [one for one in taken if one not in in_path]
    as_query = route.method in ("GET", "DELETE")
    body = None if as_query or not others else _body(route, others)
    status = 204 if result.model is None else 201 if route.makes else 200
    known = {_alias(one.name): one.is_list for one in others} if as_query else {}

    def endpoint(request: Request, bank: str, agent: str | None = None, **given: Any) -> Response:
        check_right(request, route.right, bank, agent)
        check_query(request, known)
        values = {one.name: given[one.name] for one in in_path}
        if body is not None:
            values |= _sent_body(given.get("body"))
        else:
            values |= {one.name: given[one.name] for one in others if given[one.name] is not None}
        owner: Any = banks.bank(bank) if agent is None else banks.agent(bank, agent)
        if route.facet is not None:
            owner = getattr(owner, route.facet)
        verb = getattr(owner, route.verb.__name__)
        if route.etag and agent is not None:
            return _versioned(request, banks.agent(bank, agent), banks.lock(bank, agent, values["id"]),
                              lambda: verb(**values), result, route.method)  # fmt: skip
        made = result.json(verb(**values), values)
        return _document(made, status)

    endpoint.__signature__ = _signature(route, in_path, others, body, as_query)  # type: ignore[attr-defined]
    name = _name(route)
    app.add_api_route(
        route.path, endpoint, methods=[route.method], status_code=status, response_model=result.model,
        response_class=JSONResponse if result.model is not None else Response, name=name, operation_id=name,
        summary=_summary(route.verb), description=_description(route.verb), tags=[route.facet or _tag(route)],
    )  # fmt: skip


def _name(route: Route) -> str:
    """Return a name that is the route's alone: generated clients call it."""
    owner = route.facet or ("" if route.of_agent else "bank")
    named = [owner, route.verb.__name__]
    if route.verb in (Agent.get, Agent.forget):  # one verb, several paths
        named.append({"memories": "memory", "episodes": "episode"}.get(route.path.split("/")[6], ""))
    return "_".join(filter(None, named))


def _tag(route: Route) -> str:
    return "memory" if route.of_agent else "bank"


def _body(route: Route, others: list[Parameter]) -> type[BaseModel]:
    made: dict[str, Any] = {}
    for one in others:
        default = ... if one.required else one.default
        made[one.name] = (exactly(one.hint), Field(default, alias=_alias(one.name)))
    title = "".join(part.title() for part in f"{_name(route)}_request".split("_"))
    return create_model(title, __config__=ConfigDict(extra="forbid", populate_by_name=False), **made)


def _sent_body(body: BaseModel | None) -> dict[str, Any]:
    return {} if body is None else sent(body)


def _alias(name: str) -> str:
    return name.rstrip("_")


def _signature(
    route: Route,
    in_path: list[Parameter],
    others: list[Parameter],
    body: type[BaseModel] | None,
    as_query: bool,
) -> inspect.Signature:
    def one(name: str, hint: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)

    made = [one("request", Request), one("bank", Annotated[str, Path(examples=["main"])])]
    if route.of_agent:
        made.append(one("agent", Annotated[str, Path(examples=["mama"])]))
    made += [one(each.name, Annotated[str, Path()]) for each in in_path]
    if as_query:
        made += [
            one(each.name, Annotated[each.hint, Query(alias=_alias(each.name))],
                inspect.Parameter.empty if each.required else each.default)
            for each in others
        ]  # fmt: skip
    elif body is not None:
        needed = any(each.required for each in others)
        hint = body if needed else body | None
        made.append(one("body", Annotated[hint, Body()], inspect.Parameter.empty if needed else None))
    if route.etag:
        header = "if_none_match" if route.method == "GET" else "if_match"
        made.append(one(header, Annotated[str | None, Header(description="An ETag.")], None))
    return inspect.Signature(made)


def check_query(request: Request, known: Mapping[str, bool]) -> None:
    """Raise InvalidInput for a parameter that the route doesn't have, or that stands twice and is no list."""
    names = [name for name, _ in request.query_params.multi_items()]
    for name in names:
        if name not in known:
            told = ", ".join(sorted(known)) or "none"
            raise InvalidInput(name[:60], "there is no such parameter here", f"it takes {told}")
        if not known[name] and names.count(name) > 1:
            raise InvalidInput(name, "it stands there more than once", "give it once")


def _document(body: bytes, status: int, **headers: str) -> Response:
    return Response(body, status, headers, "application/json" if body else None)


def _versioned(
    request: Request, agent: Agent, lock: threading.Lock, call: Callable[[], Any], result: Result, method: str
) -> Response:
    """Answer with the version's ETag; change nothing where If-Match names another version."""
    if method == "GET":
        found = call()
        tag = _tag_of(found)
        if tag in _tags(request.headers.get("if-none-match")):
            return Response(status_code=304, headers={"etag": tag})
        return _document(result.json(found), 200, etag=tag)
    wanted = request.headers.get("if-match")
    with lock:
        if wanted is not None and wanted.strip() != "*":
            tag = _tag_of(agent.get(request.path_params["id"]))
            if tag not in _tags(wanted):
                return answer(
                    request, 412, "Changed", "it was changed since that ETag", remedy="read it again, then decide",
                    headers={"etag": tag},
                )  # fmt: skip
        made = call()
    tags = {"etag": _tag_of(made)} if method == "PATCH" else {}
    return _document(result.json(made), 200, **tags)


def _tag_of(found: Any) -> str:
    """Return the ETag of a memory or episode: of what it says, not of who read it."""
    touched = ("touches", "last_touched_at")
    held = [(name, getattr(found, name)) for name in found.__dataclass_fields__ if name not in touched]
    return f'"{hashlib.blake2b(repr(held).encode(errors="replace"), digest_size=12).hexdigest()}"'


def _tags(header: str | None) -> list[str]:
    """Return the tags of a header. A proxy that compresses makes them weak."""
    return [] if header is None else [one.strip().removeprefix("W/") for one in header.split(",")]


def _summary(verb: Callable[..., Any]) -> str:
    return (inspect.getdoc(verb) or "").split(".")[0].replace("``", "`").replace("\n", " ")


def _description(verb: Callable[..., Any]) -> str:
    """Return what the verb's docstring says, without its example."""
    return (inspect.getdoc(verb) or "").split(">>>")[0].replace("``", "`").strip()


def _of_http(app: FastAPI, request: Request, error: HTTPException) -> Response:
    """Return the answer to a request for what isn't there, with all methods that a path has where it is the method."""
    if error.status_code == 405:
        fitting = (
            one
            for one in app.routes
            if isinstance(one, Route_) and one.path_regex.match(request.scope["path"])
        )
        error.headers = {
            "allow": ", ".join(sorted(method for one in fitting for method in one.methods or ()))
        }
    return of_http(request, error)


def _broken(request: Request, error: Exception) -> Response:
    """Log that the program itself failed, and return the answer. What it was about is told to neither."""
    kind = type(error).__name__
    _log.error("request %s failed: %s at %s", request.state.request_id, kind, place_of(error))
    remedy = "tell its owner the instance; its log says where"
    return answer(request, 500, "Broken", f"the server failed ({kind})", remedy=remedy)


def _add_others(app: FastAPI, banks: Banks, metrics: Metrics) -> None:
    """Add what isn't one verb's call."""

    @cache
    def description() -> bytes:
        return json.dumps(_openapi(app)).encode()

    @app.get("/openapi.json", include_in_schema=False)
    def described() -> Response:
        """Return the description, made once: it takes seconds, and anybody may ask for it."""
        return Response(description(), media_type="application/json")

    @app.get("/healthz", tags=["server"], operation_id="health")
    async def health() -> dict[str, str]:
        """Say that the server answers, also while all its threads work."""
        return {"status": "ok"}

    @app.get("/metrics", tags=["server"], operation_id="metrics", response_class=Response)
    async def told_metrics(request: Request) -> Response:
        """Return counters in Prometheus's format. It takes a token for all banks and agents."""
        token = request.state.token
        if token.banks or token.agents:
            raise HTTPException(403, "the token is for some banks or agents only")
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    @app.get("/v1/banks", tags=["bank"], operation_id="banks")
    def list_banks(request: Request) -> dict[str, list[str]]:
        """Return the names of the banks that the token is for."""
        token = request.state.token
        return {"items": [name for name in banks.names() if not token.banks or name in token.banks]}

    @app.get(f"{AGENT}/profile", tags=["memory"], operation_id="profile", response_model=Profile)
    def profile(request: Request, bank: str, agent: str) -> Response:
        """Return the agent's profile."""
        check_right(request, Right.READ, bank, agent)
        return _document(_PROFILE.json(banks.agent(bank, agent).profile), 200)

    @app.get(f"{AGENT}/export", tags=["memory"], operation_id="export", response_class=StreamingResponse)
    def export(request: Request, bank: str, agent: str, log: bool = True, vectors: bool = False) -> Response:
        """Return the whole bank as JSON lines (docs/export.md)."""
        check_right(request, Right.ADMIN, bank, agent)
        found = banks.agent(bank, agent).export(log=log, vectors=vectors)
        lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in found)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    @app.post(f"{BANK}/rooms/{{room}}/messages", tags=["society"], operation_id="room_say", status_code=201)
    def say(request: Request, bank: str, room: str, body: RoomMessage) -> dict[str, Observed]:
        """Say something in a room: each member hears it, and remembers it as its own."""
        for member in body.members:
            check_right(request, Right.WRITE, bank, member)
        held = banks.bank(bank).room(room, body.members)
        return dict(held.say(body.speaker, body.content, time=body.time, ref=body.ref, tags=body.tags))


_PROFILE = Result(Agent.set_profile)


class RoomMessage(BaseModel):
    """What is said in a room, and who is in it."""

    model_config = ConfigDict(extra="forbid")
    members: list[str]
    speaker: str
    content: str
    time: str | None = None
    ref: str | None = None
    tags: list[str] = []
