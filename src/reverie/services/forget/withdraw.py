"""withdraw: what is forgotten goes from the outbox too: out of what waits there for an embedder."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.domain.draft import Draft
from reverie.domain.message import Message
from reverie.domain.queued import QueuedWrite
from reverie.domain.time import to_utc
from reverie.memory.forgetting import parted, tombstone
from reverie.ports.store import Unit
from reverie.services.aggregates import queued_writes
from reverie.services.remember import labels
from reverie.services.runtime import OBSERVE, REMEMBER, draft_in, message_digest, message_json, messages_in

Between = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reach:
    """What of the waiting writes a forget is about, beside the digests of what it deletes: everything, a memory by its
    id, a conversation, or the sentences that hold one of these wordings.
    """

    everything: bool = False
    id: str | None = None
    conversation: str | None = None
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawn:
    """How many messages and memories went, and what keeps them from being learned again."""

    count: int = 0
    digests: frozenset[bytes] = frozenset()


def waits(unit: Unit, id: str) -> bool:
    """Return whether the memory of that id waits."""
    return any(write.id == id and write.verb == REMEMBER for write in queued_writes(unit))


def waits_in(unit: Unit, conversation: str) -> bool:
    """Return whether messages of the conversation wait."""
    return any(write.payload.get("conversation") == conversation for write in queued_writes(unit))


def withdraw(
    unit: Unit, reach: Reach, between: Between | None, secret: bytes, digests: Collection[bytes],
    episodes: Collection[str],
) -> Withdrawn:  # fmt: skip
    """Take out what a forget reaches. ``digests``: of the texts that go; ``episodes``: those that go."""
    count, new = 0, set[bytes]()
    for write in list(queued_writes(unit)):
        one = _Write(write, reach, between, secret, digests)
        left = one.messages() if write.verb == OBSERVE else one.draft(episodes)
        if not one.changed:
            continue
        unit.outbox.remove([write.id])
        if left is not None:
            unit.outbox.add(replace(write, payload=left))
        count, new = count + one.gone, new | one.digests
    return Withdrawn(count=count, digests=frozenset(new))


class _Write:
    """One waiting write: what is left of it (None: nothing), and what went."""

    def __init__(
        self, write: QueuedWrite, reach: Reach, between: Between | None, secret: bytes, digests: Collection[bytes]
    ) -> None:  # fmt: skip
        self._write, self._reach, self._between = write, reach, between
        self._secret, self._dead = secret, digests
        self.changed, self.gone, self.digests = False, 0, set[bytes]()

    def messages(self) -> Mapping[str, object] | None:
        """Return what is left of waiting messages."""
        said = str(self._write.payload["conversation"])
        left = []
        for message in messages_in(self._write):
            at = self._write.at if message.time is None else to_utc(message.time)
            mark = message_digest(self._secret, said, message.ref, at, message.content)
            whole = self._reach.everything or self._reach.conversation == said or self._lies_in(at)
            rest = None if whole or mark in self._dead else self._rest(message)
            if rest is not message:
                self.changed = True
                self.digests.add(mark)
            if rest is not None:
                left.append(message_json(rest, at))
                continue
            self.gone += 1
            self.digests.add(tombstone(self._secret, message.content))
        return {**self._write.payload, "messages": left} if left else None

    def draft(self, episodes: Collection[str]) -> Mapping[str, object] | None:
        """Return what is left of a waiting memory."""
        draft = draft_in(self._write)
        sources = draft.source_episodes
        texts = [text for text in (draft.essence, draft.lesson) if text]
        known = {tombstone(self._secret, text) for text in texts}
        unfounded = bool(sources) and all(source in episodes for source in sources)
        if (
            self._reach.everything
            or self._reach.id == self._write.id
            or unfounded
            or self._lies_in(_time(draft))
            or not known.isdisjoint(self._dead)
        ):
            self.changed, self.gone, self.digests = True, 1, known
            return None
        return self._write.payload

    def _rest(self, message: Message) -> Message | None:
        """Return the message without forgotten sentences; None where nothing is left, the same where it holds none."""
        if tombstone(self._secret, message.content) in self._dead:
            return None
        rest, _ = parted(message.content, self._reach.wordings)
        if not rest:
            return None
        if rest == message.content.strip():
            return message
        kept = labels.without_forgotten(message.metadata, message.content, rest)
        return replace(message, content=rest, metadata=kept)

    def _lies_in(self, at: datetime) -> bool:
        if self._between is None:
            return False
        since, until = self._between
        return (since is None or at >= since) and (until is None or at < until)


def _time(draft: Draft) -> datetime:
    return datetime.fromisoformat(str(draft.time))
