"""Repair: the one question about what was refused of an answer, each entry with its reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from reverie.domain.change import Connect, Refusal
from reverie.memory.quoting import fenced
from reverie.minds.nights.reading import Parsed, Read
from reverie.minds.nights.writing import Asked

MOST_ASKED_AGAIN = 60
"""Entries in a repair question."""
_MOST_ENTRY, _MOST_REASON = 2_000, 300  # characters


def again(asked: Asked, parsed: Parsed, refusals: Iterable[Refusal]) -> str:
    """Return what the repair question (``prompt("repair")``) is about; empty where nothing was refused that is worth
    one: an edge between memories isn't, nor is what an accepted entry would have superseded. A refusal's place is that
    among ``parsed.changes``.
    """
    found: dict[str, tuple[Read, list[str]]] = {}
    for refusal in sorted(refusals, key=lambda one: one.place):
        if not 0 <= refusal.place < len(parsed.read):
            continue
        one = parsed.read[refusal.place]
        name = one.name.partition(".")[0]
        if name in found:
            found[name][1].append(refusal.reason)
        elif not one.beside:
            found[name] = one, [refusal.reason]
    if all(isinstance(one.change, Connect) for one, _ in found.values()):
        return ""
    rows = [
        f"{one.name or 'answer'}: {'; '.join(dict.fromkeys(reasons))[:_MOST_REASON]}\n{_written(one.entry)}"
        for one, reasons in [*found.values()][:MOST_ASKED_AGAIN]
    ]
    episodes, memories = asked.episodes.ids_by_label, asked.memories.ids_by_label
    labels = f"Messages have the labels {_span(episodes)}, memories {_span(memories)}."
    return f"{labels}\n\n" + fenced("\n".join(rows))


def _span(labels: Iterable[str]) -> str:
    some: Sequence[str] = [*labels]
    return f"{some[0]} to {some[-1]}" if some else "none"


def _written(entry: object) -> str:
    """Return an entry as the model wrote it, on one line; cut where it is long."""
    try:
        text = json.dumps(entry, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        return "(it can't be shown)"
    return text if len(text) <= _MOST_ENTRY else f"{text[:_MOST_ENTRY]}\u2026"
