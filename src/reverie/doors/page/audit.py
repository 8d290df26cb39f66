"""Audit: who changed what, when and why."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

from reverie.domain.audit import Action, AuditEntry
from reverie.doors.page.frame import PAGE_SIZE, View

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
    entries = [(one, _subject(one), _text(one.before), _text(one.after)) for one in paged["shown"]]
    return view.page(
        "audit.html",
        chosen=chosen,
        actions=[*Action],
        filtered=any(chosen.values()),
        **{**paged, "shown": entries},
    )


def _subject(entry: AuditEntry) -> str:
    """Return what the entry is about in words, where it holds any; else its id."""
    for values in (entry.after or {}, entry.before or {}):
        for name in _WORDS:
            if isinstance(values.get(name), str):
                return str(values[name])
    return entry.target


def _text(values: Mapping[str, object] | None) -> str:
    """Return changed fields, one a line."""
    return "" if values is None else "\n".join(f"{name}: {_value(value)}" for name, value in values.items())


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
