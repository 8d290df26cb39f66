"""Connections between what a night changed and what else is known of the same people and things; few of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reverie.domain.change import Connect
from reverie.minds.local.ledger import Entry, Ledger
from reverie.rules.entities import entities

_MOST = 10
_LEAST = 0.4
"""Cosine below which a name in common is chance."""
_COMMON = 6
"""A name that more of the memories have tells nothing."""


def connect(ledger: Ledger, speakers: Sequence[str]) -> None:
    """Each memory that was learned or revised with the nearest other one that names the same, who doesn't speak."""
    named = _named(ledger, tuple(speakers))
    having: dict[str, set[int]] = {}
    for place, names in named.items():
        for name in names:
            having.setdefault(name, set()).add(place)
    for place in sorted(named):
        entry = ledger.entries[place]
        if len(ledger.connected) >= _MOST:
            return
        telling = {name for name in named[place] if len(having[name]) <= _COMMON}
        if not telling or not _is_changed(ledger, entry):
            continue
        cosines = ledger.cosines(ledger.vectors[place])
        others = set[int]().union(*(having[name] for name in telling)) - {place}
        best = max(
            ((cosines[other], -other) for other in others if not _related(ledger, place, other)),
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


def _is_changed(ledger: Ledger, entry: Entry) -> bool:
    """Whether it was learned or revised in the night."""
    return entry.memory is None or entry.key in ledger.revised


def _named(ledger: Ledger, speakers: tuple[str, ...]) -> Mapping[int, set[str]]:
    """Whom and what the changed entries name, and those that may name one of these, by their places: others are not
    read. A name's words stand in its text as they are, but for the apostrophe.
    """
    own = {part.casefold() for name in speakers for part in name.split()}

    def names(entry: Entry) -> set[str]:
        return {name for name in entities(entry.essence, speakers) if name.casefold() not in own}

    named = {place: names(entry) for place, entry in enumerate(ledger.entries) if _is_changed(ledger, entry)}
    words = {name.partition(" ")[0] for found in named.values() for name in found}
    for place, entry in enumerate(ledger.entries):
        if place not in named:
            text = entry.essence.replace("\u2019", "'")
            if any(word in text for word in words):
                named[place] = names(entry)
    return named


def _related(ledger: Ledger, one: int, other: int) -> bool:
    first, second = ledger.entries[one].key, ledger.entries[other].key
    if ledger.is_faded(first) or ledger.is_faded(second):
        return True
    return (first, second) in ledger.contradicted or (second, first) in ledger.contradicted
