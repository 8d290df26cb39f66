"""How changed fields are told: what was, and what is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_QUIET = frozenset({"updated_at", "confidence_at", "last_reinforced_at", "believed_from", "created_at"})
_NEW = ("essence", "kind", "confidence", "source_trust")
_LONGEST = 300


def told(before: Mapping[str, object] | None, after: Mapping[str, object] | None) -> Sequence[str]:
    """A line for each field that a reader wants to know of; of something new its first ones."""
    if before is None and after is None:
        return []
    if before is None:
        assert after is not None
        names = [name for name in _NEW if name in after] or [*after]
        return [f"{name}: {_short(after[name])}" for name in names]
    names = [name for name in {**before, **(after or {})} if name not in _QUIET]
    return [f"{name}: {_short(before.get(name))} → {_short((after or {}).get(name))}" for name in names]


def _short(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
