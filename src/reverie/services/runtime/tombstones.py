"""Tombstones: what was forgotten on purpose isn't learned again by accident."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from reverie.domain.episode import Episode
from reverie.domain.time import micros
from reverie.memory.forgetting import message_tombstone, tombstone
from reverie.ports.store import Unit


def first_forgotten(unit: Unit, texts: Sequence[str]) -> int | None:
    """Return the place of the first text that was forgotten, or None."""
    secret = unit.agents.secret()
    if not secret or not texts:
        return None
    digests = [tombstone(secret, text) for text in texts]
    forgotten = unit.tombstones.known(set(digests))
    return next((place for place, digest in enumerate(digests) if digest in forgotten), None)


def forgotten(unit: Unit, texts: Iterable[str]) -> frozenset[str]:
    """Return those of the texts that were forgotten."""
    secret = unit.agents.secret()
    digests = {tombstone(secret, text): text for text in texts} if secret else {}
    known = unit.tombstones.known(digests) if digests else frozenset()
    return frozenset(digests[digest] for digest in known)


def mark_of_forgetting(secret: bytes) -> bytes:
    """Return a digest that stands among the others as soon as there is one, and isn't lifted. No message has it: none
    is of a conversation without a name.
    """
    return message_tombstone(secret, "", "anything", "")


def anything_forgotten(unit: Unit) -> bool:
    """Return whether anything was ever forgotten here."""
    secret = unit.agents.secret()
    return bool(secret) and bool(unit.tombstones.known({mark_of_forgetting(secret)}))


def lift_tombstones(unit: Unit, texts: Iterable[str]) -> frozenset[str]:
    """Let texts be learned again, by a deliberate override; those among them that were forgotten."""
    secret = unit.agents.secret()
    digests = {text: tombstone(secret, text) for text in texts}
    forgotten = unit.tombstones.known(set(digests.values()))
    unit.tombstones.remove(forgotten)
    return frozenset(text for text, digest in digests.items() if digest in forgotten)


def message_digest(
    secret: bytes, conversation: str, ref: str | None, time: datetime | None, content: str
) -> bytes:
    """Return what one message is known by once it is forgotten; it must have a ref or a time."""
    assert ref is not None or time is not None
    name = f"ref {ref}" if ref is not None else f"time {micros(time) if time else 0}"
    return message_tombstone(secret, conversation, name, content)


def digests_of(secret: bytes, texts: Iterable[str], messages: Iterable[Episode]) -> frozenset[bytes]:
    """Return the digests of forgotten texts, and of forgotten (or partly forgotten) messages as they were."""
    said = {message_digest(secret, one.conversation, one.ref, one.time, one.content) for one in messages}
    return frozenset({tombstone(secret, text) for text in texts} | said)
