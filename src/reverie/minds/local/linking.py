"""Connections between what a night changed and what else is known of the same people and things; few of them."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.domain.change import Connect
from reverie.minds.local.ledger import Ledger
from reverie.rules.entities import entities

_MOST = 10
_LEAST = 0.4
"""Cosine below which a name in common is chance."""
_COMMON = 6
"""A name that more of the memories have tells nothing."""


def connect(ledger: Ledger, speakers: Sequence[str]) -> None:
    """Each memory that was learned or revised with the nearest other one that names the same, who doesn't speak."""
    own = {part.casefold() for name in speakers for part in name.split()}
    named = [
        {name for name in entities(entry.essence, tuple(speakers)) if name.casefold() not in own}
        for entry in ledger.entries
    ]
    counts: dict[str, int] = {}
    for names in named:
        for name in names:
            counts[name] = counts.get(name, 0) + 1
    for place, entry in enumerate(ledger.entries):
        if len(ledger.connected) >= _MOST:
            return
        telling = {name for name in named[place] if counts[name] <= _COMMON}
        if not telling or not (entry.memory is None or entry.key in ledger.revised):
            continue
        cosines = ledger.cosines(ledger.vectors[place])
        best = max(
            (
                (cosines[other], -other)
                for other in range(len(cosines))
                if other != place and named[other] & telling and not _related(ledger, place, other)
            ),
            default=(0.0, 0),
        )
        if best[0] >= _LEAST:
            other = ledger.entries[-best[1]]
            name = min(telling & named[-best[1]])
            pair = (min(entry.key, other.key), max(entry.key, other.key))
            if pair not in ledger.connected:
                ledger.connected[pair] = Connect(
                    memory_a=entry.key, memory_b=other.key, relation=f"about {name}"
                )


def _related(ledger: Ledger, one: int, other: int) -> bool:
    first, second = ledger.entries[one].key, ledger.entries[other].key
    if ledger.is_faded(first) or ledger.is_faded(second):
        return True
    return (first, second) in ledger.contradicted or (second, first) in ledger.contradicted
