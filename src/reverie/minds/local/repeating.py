"""What people say again and again: too little to be learned when it is said once, but not on three days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reverie.domain.episode import Episode
from reverie.domain.message import Role
from reverie.minds.local.ledger import Ledger
from reverie.minds.local.said import Said
from reverie.ports.night import Cluster, Night
from reverie.rules.kinding import kind_of
from reverie.rules.promote import kind_of as kind_of_what_recurs
from reverie.rules.promote import may_recur, recurring, says_the_same
from reverie.rules.terms import terms

_NEAR = 0.8
"""Cosine of two messages from which they may say the same."""
_LEAST, _DAYS = 3, 2
_KNOWN = 0.5
"""Share of its words that a memory of one of these episodes has, where it says it already."""

Repeated = tuple[Said, str, tuple[Episode, ...]]
"""The statement as it was made last, its kind, and the episodes that make it."""


def repeated(night: Night, ledger: Ledger, said: Sequence[Said]) -> Iterator[Repeated]:
    """Statements of the night that at least three episodes on two days make, and no memory of these has."""
    of_message: dict[str, Said] = {}
    for one in said:  # of a message the one that says most
        best = of_message.get(one.message.id)
        if best is None or one.importance > best.importance:
            of_message[one.message.id] = one
    for cluster in night.clusters:
        done: set[str] = set()
        for place in reversed(range(len(cluster.episodes))):
            episode = cluster.episodes[place]
            statement = of_message.get(episode.id)
            if statement is None or episode.id in done:
                continue
            same = _the_same(cluster, place)
            found = recurring(same, night.zone, least=_LEAST, days=_DAYS) if len(same) >= _LEAST else None
            if found is None or _is_known(ledger, statement, found):
                continue
            done |= {one.id for one in found}
            kind = kind_of_what_recurs(kind_of(statement.essence), statement.essence)
            yield statement, kind, found


def _the_same(cluster: Cluster, place: int) -> list[Episode]:
    """The episode and those of the cluster and before it that say the same."""
    one = cluster.episodes[place]
    if one.role is not Role.USER or not may_recur(one):
        return []
    found = [one]
    for others, vectors in (
        (cluster.episodes, cluster.vectors),
        (cluster.earlier, cluster.earlier_vectors),
    ):
        near = (vectors @ cluster.vectors[place]).tolist()
        found += [
            other
            for other, cosine in zip(others, near, strict=True)
            if cosine >= _NEAR and other.id != one.id and may_recur(other) and says_the_same(one, other)
        ]
    return found


def _is_known(ledger: Ledger, statement: Said, found: Sequence[Episode]) -> bool:
    words = frozenset(terms(statement.essence))
    ids = {one.id for one in found}
    return any(
        not ids.isdisjoint(entry.sources) and len(entry.terms & words) >= _KNOWN * len(words)
        for entry in ledger.entries
    )
