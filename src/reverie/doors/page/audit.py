"""Audit: who changed what, when and why."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.memory import Memory
from reverie.doors.page.frame import PAGE_SIZE, View
from reverie.errors import InvalidInput, NotFound

_WORDS = ("essence", "text", "name", "other", "rationale")
_FILTERS = ("action", "actor", "target", "job")


def index(view: View) -> Response:
    """Show the log, newest first."""
    chosen = {name: view.asked(name) for name in _FILTERS}
    found = view.agent.audit(
        actions=chosen["action"] or None, actor=chosen["actor"] or None, target=chosen["target"] or None,
        job=chosen["job"] or None, limit=PAGE_SIZE + 1, after=view.after, newest_first=True,
    )  # fmt: skip
    paged = view.pager(found, "audit", chosen=chosen)
    entries = [(one, *_subject(view, one), _text(one.before), _text(one.after)) for one in paged["shown"]]
    return view.page(
        "audit.html",
        chosen=chosen,
        actions=[*Action],
        filtered=any(chosen.values()),
        **{**paged, "shown": entries},
    )


def _subject(view: View, entry: AuditEntry) -> tuple[str, str | None]:
    """Return what the entry is about in words, as far as there are any, and the page of it where it has one."""
    told = (values.get(name) for values in (entry.after or {}, entry.before or {}) for name in _WORDS)
    words = next((one for one in told if isinstance(one, str)), None)
    target = entry.target
    if entry.action is Action.RELATIONSHIP and words:
        return words, view.url("relationships", words)
    if entry.action is Action.DIARY:
        return target, view.url("diary", day=target)
    try:
        if entry.action is Action.LINK:
            return f"with {view.agent.link.get(target).other}", view.url("links", target)
        if entry.action is Action.SLEEP or entry.job == target:
            return f"the night of {view.times.full(entry.at)}", view.url("nights", target)
        found = view.agent.get(target)
    except (NotFound, InvalidInput):
        return words or target, None
    if isinstance(found, Memory):
        return words or found.essence, view.url("memories", target)
    return words or found.content, view.url("conversations", found.conversation, at=target)


def _text(values: Mapping[str, object] | None) -> str:
    """Return changed fields, one a line."""
    return "" if values is None else "\n".join(f"{name}: {_value(value)}" for name, value in values.items())


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
