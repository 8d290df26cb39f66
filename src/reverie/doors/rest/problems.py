"""Problems: an error as application/problem+json (RFC 9457), with what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from reverie.domain.address import masked
from reverie.errors import (
    Busy,
    CapReached,
    Closed,
    EmbedderFailed,
    Forgotten,
    InvalidInput,
    JobRunning,
    LinkRefused,
    MindFailed,
    NotFound,
    NotHeard,
    NotOpen,
    NotRevertible,
    Paused,
    RefConflict,
    ReverieError,
    StoreError,
    TimedOut,
    Unreachable,
)

TYPE = "application/problem+json"
_STATUS: tuple[tuple[type[ReverieError], int], ...] = (
    (InvalidInput, 422), (NotFound, 404), (RefConflict, 409), (Forgotten, 409), (Paused, 409), (JobRunning, 409),
    (NotOpen, 409), (NotRevertible, 409), (LinkRefused, 409), (NotHeard, 409), (CapReached, 429), (MindFailed, 502),
    (EmbedderFailed, 503), (Busy, 503), (Unreachable, 503), (TimedOut, 503), (Closed, 503), (StoreError, 503),
)  # fmt: skip
_RETRY = (Busy, Unreachable, TimedOut, EmbedderFailed)
_RETRY_SECONDS = 2


class Fault(BaseModel):
    """One field that can't be used."""

    field: str
    problem: str


class Problem(BaseModel):
    """What was wrong (``detail``) and what to do (``remedy``)."""

    type: str = Field(examples=["urn:reverie:not-found"])
    title: str = Field(examples=["NotFound"])
    status: int = Field(examples=[404])
    detail: str
    remedy: str | None = None
    field: str | None = None
    errors: list[Fault] = []
    instance: str | None = Field(
        default=None, description="The request's id; a failure of the program (500) is logged with it."
    )


def status_of(error: ReverieError) -> int:
    """Return the HTTP status that an error has."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 409)


def of_error(request: Request, error: ReverieError) -> JSONResponse:
    """Return the answer to a request that an error ended."""
    detail, remedy, field = masked(str(error)), None, None
    if isinstance(error, InvalidInput):
        detail, remedy, field = masked(error.problem), masked(error.remedy), error.field
    headers = {"retry-after": str(_RETRY_SECONDS)} if isinstance(error, _RETRY) else {}
    return answer(
        request, status_of(error), type(error).__name__, detail, remedy=remedy, field=field, headers=headers
    )


def of_validation(request: Request, error: RequestValidationError) -> JSONResponse:
    """Return the answer to a request that isn't as the description says."""
    faults = [Fault(field=_place(one["loc"]), problem=str(one["msg"])) for one in error.errors()]
    detail = "; ".join(f"{one.field}: {one.problem}" for one in faults[:5])
    remedy = "send it as /openapi.json describes it"
    if faults and faults[0].field == "body" and "json" not in request.headers.get("content-type", ""):
        remedy = "send it with the header Content-Type: application/json"
    return answer(
        request, 422, "InvalidInput", detail, remedy=remedy, errors=faults,
        field=faults[0].field if faults else None,
    )  # fmt: skip


def of_http(request: Request, error: HTTPException) -> JSONResponse:
    """Return the answer to a request for what isn't there, or that isn't allowed."""
    return answer(
        request, error.status_code, _named(error.status_code), str(error.detail), headers=error.headers
    )


def answer(
    request: Request, status: int, title: str, detail: str, *, remedy: str | None = None, field: str | None = None,
    errors: Sequence[Fault] = (), headers: Mapping[str, str] | None = None,
) -> JSONResponse:  # fmt: skip
    """Return a problem."""
    problem = Problem(
        type=f"urn:reverie:{kebab(title)}", title=title, status=status, detail=_clean(detail),
        remedy=remedy and _clean(remedy), field=field and _clean(field), errors=list(errors),
        instance=getattr(request.state, "request_id", None),
    )  # fmt: skip
    return JSONResponse(
        problem.model_dump(exclude_none=True, exclude_defaults=True) | {"status": status},
        status_code=status, media_type=TYPE, headers=dict(headers or {}),
    )  # fmt: skip


def _place(location: Sequence[Any]) -> str:
    """Return a field's path: "memories[0].kind"."""
    parts = [f"[{one}]" if isinstance(one, int) else f".{one}" for one in location[1:]]
    return "".join(parts).lstrip(".") or str(location[0])


def _named(status: int) -> str:
    return {401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 405: "MethodNotAllowed"}.get(
        status, "Refused"
    )


def kebab(name: str) -> str:
    """Return an error's name as its type has it: not-found."""
    return "".join(f"-{one.lower()}" if one.isupper() else one for one in name).lstrip("-")


def _clean(text: str) -> str:
    return text.encode(errors="replace").decode()
