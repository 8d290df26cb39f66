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


@dataclass(frozen=True, kw_only=True, slots=True)
class LayerShown:
    """One layer of the block: what entered, and of what was left out the best, with words and why."""

    name: str
    tokens: int
    entered: Sequence[Entered]
    left_out: Sequence[tuple[LeftOut, str, str]]
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
            values |= {"block": block, "layers": _layers(view, block)}
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
        shown = [(one, _text(view, one.id), REASONS[one.reason]) for one in left[:_MOST_LEFT_OUT]]
        if entered or left:
            found.append(
                LayerShown(
                    name=name, tokens=sum(one.tokens for one in entered), entered=entered, left_out=shown,
                    more=len(left) - len(shown),
                )
            )  # fmt: skip
    return found


def _text(view: View, id: str) -> str:
    try:
        found = view.agent.get(id)
    except NotFound:  # a soul entry's or a relationship's id
        return id
    return found.essence if isinstance(found, Memory) else found.content
