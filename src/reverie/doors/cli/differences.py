"""How changed fields are told: what was, and what is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from reverie.doors.cli.watch import Watch

_QUIET = frozenset({"updated_at", "confidence_at", "last_reinforced_at", "believed_from", "created_at"})
_NEW = ("essence", "kind", "confidence", "source_trust")
_TIMES = frozenset({"valid_from", "valid_to", "believed_from", "paused_at"})
BRIEF = frozenset({"essence", "kind", "confidence", "state", "superseded_by", "valid_from", "valid_to"})
"""The fields that say what a sleep did to a memory; the others follow from them."""
_LONGEST = 300


def told(
    before: Mapping[str, object] | None,
    after: Mapping[str, object] | None,
    watch: Watch,
    *,
    only: frozenset[str] | None = None,
) -> Sequence[str]:
    """A line for each field that a reader wants to know of, or of those in ``only``; of something new its first
    ones.
    """
    if before is None and after is None:
        return []
    if before is None:
        assert after is not None
        names = [name for name in _NEW if name in after] or [*after]
        return [f"{name}: {_short(name, after[name], watch)}" for name in names]
    now = after or {}
    names = [name for name in {**before, **now} if name not in _QUIET and (only is None or name in only)]
    return [
        f"{name}: {_short(name, before.get(name), watch)} → {_short(name, now.get(name), watch)}"
        for name in names
    ]


def _short(name: str, value: object, watch: Watch) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    if name in _TIMES and isinstance(value, str):
        return watch.day(datetime.fromisoformat(value))
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
