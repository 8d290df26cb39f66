"""Runs of words that one role says, and how the runs of a value become messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.domain.ids import checked_name
from reverie.domain.message import Message, Role
from reverie.domain.text import normalized
from reverie.errors import InvalidInput

_NOTHING: Mapping[str, Any] = {}
_NAMES = ("speaker", "name")


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """Words of one role. ``at``: the field that they stand in. ``ref``: an id of their own, which keeps them apart from
    their neighbours. ``tool``: which tool was called or answered. ``cited``: the text goes on in the middle of a
    sentence, with or after a citation.
    """

    text: str
    role: Role
    at: str
    ref: str | None = None
    tool: str | None = None
    time: object = None
    cited: bool = False


def made(
    runs: Iterable[Run], at: str, *, id: str | None = None, role: Role | None = None,
    given: Mapping[str, Any] = _NOTHING,
) -> list[Message]:  # fmt: skip
    """Return the runs as messages, without empty ones; neighbours of one role become one message.

    ``id``: the value's own id. The first message without a ref of its own gets it, the others get their number behind
    it. ``given``: further fields, as ``Message.of`` reads them, for each; a speaker's name only for runs of ``role``.
    Raise InvalidInput.
    """
    messages: list[Message] = []
    taken: set[str] = set()
    for run in joined(runs):
        ref = _free(run.ref or id, taken, len(messages) + 1)
        fields = {name: one for name, one in given.items() if run.role is role or name not in _NAMES}
        fields |= {"content": run.text, "role": run.role, "ref": ref}
        if run.time is not None:
            fields["time"] = run.time
        if run.tool is not None and not {"tools_used", "metadata"} & fields.keys() and _is_name(run.tool):
            fields["tools_used"] = [run.tool]
        try:
            messages.append(Message.of(fields))
        except InvalidInput as error:
            field = run.at if error.field == "content" else at + error.field
            raise InvalidInput(field, error.problem, error.remedy) from None
    return messages


def joined(runs: Iterable[Run]) -> Sequence[Run]:
    """Return the runs with neighbours of one role as one, without empty ones."""
    found: list[Run] = []
    for run in runs:
        last = found[-1] if found else None
        goes_on = (
            last is not None and last.role is run.role and {last.ref, run.ref, last.tool, run.tool} == {None}
        )
        joint = "" if goes_on and last and (last.cited or run.cited) else "\n"
        if not normalized(run.text).strip() and joint:
            continue
        if last and goes_on:
            found[-1] = replace(last, text=f"{last.text}{joint}{run.text}", cited=run.cited)
        else:
            found.append(run)
    return found


def _free(wanted: str | None, taken: set[str], number: int) -> str | None:
    if wanted is None:
        return None
    ref = wanted
    while ref in taken:
        ref, number = f"{wanted}:{number}", number + 1
    taken.add(ref)
    return ref


def _is_name(text: str) -> bool:
    try:
        checked_name(text, "tools_used")
    except InvalidInput:
        return False
    return True
