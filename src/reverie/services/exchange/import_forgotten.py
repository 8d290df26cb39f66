"""Tell what of a file was forgotten in the bank that it is imported into, and must not come back by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reverie.domain.episode import Episode
from reverie.memory.forgetting import tombstone
from reverie.ports.store import Unit
from reverie.services.aggregates import AGGREGATES
from reverie.services.codecs import KeptMemory
from reverie.services.exchange.bank_file import Contents
from reverie.services.runtime import message_digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ForgottenHere:
    """The file's texts and messages that the bank's tombstones know."""

    secret: bytes = b""
    trusted: bool = True
    digests: frozenset[bytes] = frozenset()
    anything: bool = False

    @classmethod
    def of(cls, unit: Unit, contents: Contents) -> ForgottenHere:
        """Look up all texts of the file."""
        secret = unit.agents.secret()
        if not secret or not unit.transfer.count("tombstones"):
            return cls()
        digests = {tombstone(secret, text) for text in set(_texts(contents))}
        digests |= {_digest(secret, one.episode) for one in contents.episodes}
        return cls(
            secret=secret, trusted=contents.trusted, digests=unit.tombstones.known(digests), anything=True
        )

    def text(self, text: str | None) -> bool:
        """Return whether the text was forgotten."""
        return bool(self.digests) and text is not None and tombstone(self.secret, text) in self.digests

    def message(self, said: Episode) -> bool:
        """Return whether the message was. Of an untrusted file, whose conversations are others, the words decide."""
        if not self.trusted:
            return self.text(said.content)
        return bool(self.digests) and _digest(self.secret, said) in self.digests

    def without(self, kept: KeptMemory) -> KeptMemory:
        """Return the memory without a lesson and past wordings that were."""
        if not self.digests:
            return kept
        lesson = None if self.text(kept.memory.lesson) else kept.memory.lesson
        versions = tuple(
            replace(one, version=replace(one.version, lesson=None)) if self.text(one.version.lesson) else one
            for one in kept.versions
            if not self.text(one.version.essence)
        )
        return replace(kept, memory=replace(kept.memory, lesson=lesson), versions=versions)


def _digest(secret: bytes, said: Episode) -> bytes:
    return message_digest(secret, said.conversation, said.ref, said.time, said.content)


def _texts(contents: Contents) -> Iterator[str]:
    for one in contents.memories:
        said = [(one.memory.essence, one.memory.lesson)]
        said += [(past.version.essence, past.version.lesson) for past in one.versions]
        yield from (text for pair in said for text in pair if text is not None)
    if not contents.trusted:
        yield from (one.episode.content for one in contents.episodes)
    for aggregate in AGGREGATES:
        for row in contents.of(aggregate.name):
            yield from (text for text in aggregate.texts(row) if text is not None)
