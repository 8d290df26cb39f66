"""Faults: what is wrong with an answer, in our words. What the answer says, names of its own included, isn't told."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError
from pydantic_ai import ModelRetry

_UNFIT = "its answer isn't what was asked for"


def unfit(error: BaseException, schema: type[BaseModel]) -> str:
    """Why an answer was refused to the end, as far as the error's causes tell it."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ValidationError):
            return f"{_UNFIT}: {_misshapen(cause, schema)}"
        if isinstance(cause, ModelRetry):
            return f"{_UNFIT} ({cause.message})"  # which our own check wrote
        cause = cause.__cause__ or cause.__context__
    return f"{_UNFIT}: there is no text in it"


def _misshapen(error: ValidationError, schema: type[BaseModel]) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    part, kind = _part(first["loc"], _names(schema)), first["type"]
    if kind == "json_invalid":
        return "it is cut off" if "EOF" in first["msg"] else "it is no JSON"
    if kind == "extra_forbidden":
        return "it has a part that nobody asked for"
    if not part:
        return "it is no JSON object" if kind == "model_type" else "the parts that were asked for are missing"
    return f"{part} is missing" if kind == "missing" else f"{part} is of another kind than was asked for"


def _part(place: tuple[int | str, ...], names: frozenset[str]) -> str:
    """Where in the answer, by our own names: new[0].category."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f"{'.' if text else ''}{step if step in names else '…'}"
    return text


def _names(schema: type[BaseModel]) -> frozenset[str]:
    """Every name that the schema and its parts have."""
    told = schema.model_json_schema(by_alias=True)
    return frozenset(
        name for one in (told, *told.get("$defs", {}).values()) for name in one.get("properties", {})
    )
