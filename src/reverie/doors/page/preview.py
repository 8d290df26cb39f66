"""Preview: what would stand in the prompt before a task, and per layer what entered, what didn't, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from reverie.domain.block import ContextBlock, Entered, Layer, LeftOut, Reason
from reverie.domain.memory import Memory
from reverie.doors.page.frame import View, slip_of
from reverie.errors import InvalidInput, NotFound

LAYERS = {
    Layer.IDENTITY: "Who the agent is", Layer.BASELINE: "Standing rules and what is most alive",
    Layer.PEOPLE: "How it sees who takes part", Layer.DUE: "What is due", Layer.CONTEXTUAL: "What bears on the task",
    Layer.PROCEDURES: "Workflows that fit",
}  # fmt: skip
REASONS = {
    Reason.BUDGET: "no room left", Reason.THRESHOLD: "too little to do with it",
    Reason.TRUST: "its source may not instruct",
    Reason.REVIEW: "waits for approval", Reason.SCOPE: "holds for other paths", Reason.VALIDITY: "isn't true now",
    Reason.LIMIT: "others fit better", Reason.SHOWN: "stands there already",
}  # fmt: skip
_MOST_LEFT_OUT = 15
_FEW = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """What a layer looked at: its text, what it is and its page. ``why``: it was left out; None where it entered."""

    text: str
    what: str
    page: str | None
    score: float
    tokens: int | None = None
    why: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LayerShown:
    """One layer of the block: what entered, and of what was left out the best; ``more``: how many are not shown."""

    name: str
    tokens: int
    entered: Sequence[Line]
    left_out: Sequence[Line]
    more: int


def show(view: View) -> Response:
    """Show the block for a task."""
    task, path, tokens = (view.asked(name) for name in ("task", "path", "tokens"))
    values: dict[str, Any] = {
        "task": task, "path": path, "tokens": tokens, "block": None, "layers": [], "slip": "",
    }  # fmt: skip
    if task or path:
        try:
            most = _whole(tokens)
            block = view.agent.context(task or None, path=path or None, max_tokens=most)
        except InvalidInput as error:
            values["slip"] = slip_of(error)
        else:
            layers = _layers(view, block)
            rest = block.tokens - sum(one.tokens for one in layers)
            values |= {"block": block, "layers": layers, "rest": rest}
    return view.either("preview_block.html", "preview.html", **values)


def _whole(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise InvalidInput("tokens", f"{text!r:.40} is no whole number", "give one such as 800")
    return int(text)


def _layers(view: View, block: ContextBlock) -> Sequence[LayerShown]:
    found = []
    for layer, name in LAYERS.items():
        entered = [one for one in block.entered if one.layer is layer]
        left = [one for one in block.left_out if one.layer is layer]
        most = len(left) if len(left) <= _MOST_LEFT_OUT + _FEW else _MOST_LEFT_OUT
        if entered or left:
            found.append(
                LayerShown(
                    name=name, tokens=sum(one.tokens for one in entered), entered=[_line(view, one) for one in entered],
                    left_out=[_line(view, one) for one in left[:most]], more=len(left) - most,
                )
            )  # fmt: skip
    return found


def _line(view: View, one: Entered | LeftOut) -> Line:
    try:
        found = view.agent.get(one.id)
    except NotFound:  # a soul entry's or a relationship's id
        found = None
    text, what, page = one.id, "", None
    if isinstance(found, Memory):
        text, what, page = found.essence, found.kind.value, view.url("memories", found.id)
    elif found is not None:
        text, what = found.content, "message"
        page = view.url("conversations", found.conversation, at=found.id)
    if isinstance(one, LeftOut):
        return Line(text=text, what=what, page=page, score=one.score, why=REASONS[one.reason])
    return Line(text=one.text.removeprefix("- "), what=what, page=page, score=one.score, tokens=one.tokens)
