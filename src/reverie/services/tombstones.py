"""Tombstones: what was forgotten on purpose isn't learned again by accident."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.ports.store import Unit
from reverie.rules.forgetting import tombstone


def first_forgotten(unit: Unit, texts: Sequence[str]) -> int | None:
    """The place of the first text that was forgotten, or None."""
    secret = unit.agents.secret()
    if not secret or not texts:
        return None
    digests = [tombstone(secret, text) for text in texts]
    forgotten = unit.tombstones.known(set(digests))
    return next((place for place, digest in enumerate(digests) if digest in forgotten), None)


def lift_tombstones(unit: Unit, texts: Iterable[str]) -> None:
    """Texts that may be learned again, by a deliberate override."""
    secret = unit.agents.secret()
    unit.tombstones.remove({tombstone(secret, text) for text in texts})


def raise_tombstones(unit: Unit, texts: Iterable[str], at: datetime) -> int:
    """Marks texts as forgotten; how many distinct ones."""
    secret = unit.agents.secret()
    digests = {tombstone(secret, text) for text in texts}
    unit.tombstones.add(digests, at)
    return len(digests)
