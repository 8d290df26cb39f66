"""Faults: what is wrong with an answer, in our words. What the answer says, names of its own included, isn't told."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError
from pydantic_ai import ModelRetry

from reverie.minds.llm.question import Answer, Question

_UNFIT = "its answer isn't what was asked for"


def unfit(error: BaseException, names: frozenset[str]) -> str:
    """Return why an answer was refused to the end, as far as the error's causes tell it, in the ``names`` of the
    question.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ValidationError):
            return f"{_UNFIT}: {_misshapen(cause, names)}"
        if isinstance(cause, ModelRetry):
            return f"{_UNFIT} ({cause.message})"  # which our own check wrote
        cause = cause.__cause__ or cause.__context__
    return f"{_UNFIT}: there is no text in it"


def _misshapen(error: ValidationError, names: frozenset[str]) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    part, kind = _part(first["loc"], names), first["type"]
    if kind == "json_invalid":
        return "it is cut off" if "EOF" in first["msg"] else "it is no JSON"
    if kind == "extra_forbidden":
        return "it has a part that nobody asked for"
    if not part:
        return (
            "it is no JSON object"
            if kind in ("model_type", "dict_type")
            else "the parts that were asked for are missing"
        )
    return f"{part} is missing" if kind == "missing" else f"{part} is of another kind than was asked for"


def _part(place: tuple[int | str, ...], names: frozenset[str]) -> str:
    """Return where in the answer, by our own names: new[0].category."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f"{'.' if text else ''}{step if step in names else '…'}"
    return text


def names_of(question: Question[Answer]) -> frozenset[str]:
    """Every name that the answer's schema and its parts have."""
    if not issubclass(question.schema, BaseModel):
        return frozenset()  # a JSON value of any shape is read by us
    told = question.schema.model_json_schema(by_alias=True)
    return frozenset(
        name for one in (told, *told.get("$defs", {}).values()) for name in one.get("properties", {})
    )
