"""Summarize older messages as one text, block by block, each block once (s3).

A block's summary is made from the summary of all before it and the block's messages, and kept under a key that names
exactly these: a history that has grown begins where it stopped, in this process or another. The mind is asked outside
of transactions, and what it answers is checked.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.agent import Agent
from reverie.domain.episode import Episode
from reverie.domain.text import normalized
from reverie.domain.time import micros
from reverie.errors import MindFailed, StoreError
from reverie.memory.forgetting import sentences, tombstone
from reverie.memory.prompt import chained, size_of
from reverie.ports.mind import Mind
from reverie.ports.store import Unit
from reverie.services.prompt.history import TurnMessage
from reverie.services.runtime import Desk, anything_forgotten, asked, clean, message_digest, read_again

MOST_CALLS = 20
"""So often the mind is asked for one turn at most; a longer history is summarized over several turns."""
LEAST_TOKENS = 8
"""A summary of fewer isn't asked for."""
_HALVINGS = 4
_AT_ONCE, _LEAST_AT_ONCE = 16, 1_000
_EDITION = "window/2"
_CACHE_SECONDS = 2.0

_log = logging.getLogger("reverie.window")


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowSummary:
    """``text`` stands for the first ``blocks`` of the blocks; None where there is none. ``why``: what of the others."""

    text: str | None
    blocks: int
    why: str | None = None


_NONE = WindowSummary(text=None, blocks=0)


def summarized(
    desk: Desk,
    agent_id: str,
    conversation: str | None,
    blocks: Sequence[Sequence[TurnMessage]],
    *,
    most: int,
    fits: Callable[[str], bool],
) -> WindowSummary:
    """Return one summary of as many of the blocks, from the first on, as can be had; at most ``most`` tokens long by
    the built-in estimate, and such that it ``fits`` by the caller's counter.

    Where that counts so much more that a summary doesn't fit, a shorter one is asked for, by halves. What was kept of
    earlier turns is used again. Where the mind fails, the summary ends before that block.
    """
    if not blocks:
        return _NONE
    mind = desk.reader
    if mind is None:
        return WindowSummary(text=None, blocks=0, why="there is no mind to summarize them")
    for halved in range(_HALVINGS):
        size = most >> halved
        if size < LEAST_TOKENS:
            break
        found = _Chain(desk, agent_id, conversation, mind, size, fits).of(blocks)
        if found is not None:
            return found
    return WindowSummary(text=None, blocks=0, why="a summary has no room in the window")


@dataclass(frozen=True, slots=True)
class _Chain:
    """The summaries of one length by one mind."""

    desk: Desk
    agent_id: str
    conversation: str | None
    mind: Mind
    size: int
    fits: Callable[[str], bool]

    def of(self, blocks: Sequence[Sequence[TurnMessage]]) -> WindowSummary | None:
        """Return the summary of the blocks; None where one on the way doesn't fit."""
        keys = self._keys(blocks)
        done, text = self._known(keys)
        before, keeping = keys[done - 1] if done else None, True
        why, calls = None, 0
        while done < len(blocks) and (text is None or self.fits(text)):
            end = self._end(blocks, done)
            read = self._read([said for block in blocks[done:end] for said in block])
            if read.episodes and calls == MOST_CALLS:
                why = "they are summarized over the next turns"
                break
            if read.episodes:
                calls += 1
                try:
                    text = self._asked(read.episodes, text)
                except MindFailed as failure:
                    why = f"the mind failed: {failure.why}"
                    _log.warning("a window is left without a part of its summary: %s", failure)
                    break
                keeping = keeping and self._keep(before, keys[end - 1], text, read)
                before = keys[end - 1]
            done = end
        if text is not None and not self.fits(text):
            return None
        return WindowSummary(text=text, blocks=done, why=why)

    def _end(self, blocks: Sequence[Sequence[TurnMessage]], begin: int) -> int:
        """Return the place behind the last of the blocks that the mind reads at once: one block, or of a history
        that nobody has summarized yet as many as are together no longer than _AT_ONCE times the summary (or
        _LEAST_AT_ONCE).
        """
        end, left = begin, max(_AT_ONCE * self.size, _LEAST_AT_ONCE)
        while end < len(blocks):
            left -= sum(size_of(said.message.content) for said in blocks[end])
            if left < 0 and end > begin:
                break
            end += 1
        return end

    def _keys(self, blocks: Sequence[Sequence[TurnMessage]]) -> list[bytes]:
        settings = self.desk.settings
        made = (
            _EDITION,
            self.mind.id,
            str(self.size),
            str(settings.privacy.redact),
            str(settings.privacy.redact_pii),
        )
        # By the conversation it is known what was forgotten; without one, less is known.
        where = () if self.conversation is None else (self.conversation,)
        key = chained(b"", (*made, *where))
        keys = []
        for block in blocks:
            key = chained(key, (part for said in block for part in _parts(said)))
            keys.append(key)
        return keys

    def _known(self, keys: Sequence[bytes]) -> tuple[int, str | None]:
        """Return how many blocks the longest known summary stands for, and the summary."""
        known = _digests(self.desk, self.agent_id, keys)
        done = next((place + 1 for place in range(len(keys) - 1, -1, -1) if keys[place] in known), 0)
        return done, known[keys[done - 1]] if done else None

    def _asked(self, readable: Sequence[Episode], so_far: str | None) -> str:
        """Raise MindFailed, also for an answer that is none and for whatever else the mind raises."""
        answer: object = asked(
            self.mind, lambda: self.mind.compress(readable, so_far=so_far, max_tokens=self.size)
        )
        text = normalized(answer).strip() if isinstance(answer, str) else ""
        if not text:
            raise MindFailed(self.mind.id, "its summary is empty")
        text = self._cut(text)
        if not text:
            raise MindFailed(self.mind.id, "its summary is longer than it was asked for")
        return text

    def _cut(self, text: str) -> str:
        """Return its first sentences that are no longer than was asked for; a mind may say a little too much."""
        parts = sentences(text)
        while parts and self.desk.tokens("".join(parts).rstrip(), self.size) > self.size:
            parts.pop()
        return "".join(parts).rstrip()

    def _read(self, block: Sequence[TurnMessage]) -> _Readable:
        """Return what the mind may read of these messages."""
        texts = {said.place: clean(self.desk.settings, said.message.content).text.strip() for said in block}
        dead = _forgotten_at(self.desk, self.agent_id, self.conversation, block, texts)
        now = self.desk.clock()
        left = [said for said in block if texts[said.place] and said.place not in dead]
        episodes = [self._episode(said, texts[said.place], now) for said in left]
        return _Readable(block=block, texts=texts, forgotten=dead, episodes=episodes)

    def _episode(self, said: TurnMessage, content: str, now: datetime) -> Episode:
        """Make an episode of a message. One without a time was said now, as ``Message`` has it."""
        message = said.message
        return Episode(
            id=message.ref or f"messages[{said.place}]",
            conversation=self.conversation or "window",
            position=said.place,
            time=said.time or now,
            observed_at=now,
            channel="window",
            role=message.role,
            speaker=message.speaker,
            content=content,
            ref=message.ref,
            source_trust=said.trust,
        )

    def _keep(self, before: bytes | None, key: bytes, text: str, read: _Readable) -> bool:
        """Keep a summary that goes on from the one under ``before``; False where it isn't kept, and none that goes on
        from it may be.

        A forget empties the cache: where the summary before this one is gone, or one of the messages was forgotten
        since they were read, this one may tell what was forgotten. So may one of messages of which sentences may be
        forgotten unknown to us: those without a conversation, or without ref and time. Once anything was forgotten in
        the bank, none of these is kept.
        """
        unknown = any(not _is_named(self.conversation, said) for said in read.block)

        def write(unit: Unit) -> bool:
            if before is not None and not unit.digests.get([before]):
                return False
            if _forgotten(unit, self.conversation, read.block, read.texts) != read.forgotten:
                return False
            if unknown and anything_forgotten(unit):
                return False
            now = self.desk.clock()
            if unit.agents.get() is None:
                unit.agents.put(Agent(id=self.agent_id, created_at=now), self.desk.secret())
            unit.digests.put(key, text, now)
            return True

        try:
            return self.desk.store.transact(self.agent_id, write, wait=_CACHE_SECONDS)
        except StoreError as error:  # a window goes without a cache; what is wrong shows where it matters
            _log.warning("a summary could not be kept: %s", type(error).__name__)
            return False


@dataclass(frozen=True, kw_only=True, slots=True)
class _Readable:
    """Messages, what of them may be remembered, by place, which were forgotten, and the rest."""

    block: Sequence[TurnMessage]
    texts: Mapping[int, str]
    forgotten: frozenset[int]
    episodes: Sequence[Episode]


def _parts(said: TurnMessage) -> Iterator[str]:
    """Yield what a summary's key says of a message."""
    yield said.message.role
    yield said.message.speaker or ""
    yield "" if said.time is None else str(micros(said.time))
    yield said.trust
    yield said.message.content


@read_again
def _digests(desk: Desk, agent_id: str, keys: Sequence[bytes]) -> Mapping[bytes, str]:
    with desk.store.read(agent_id) as unit:
        return unit.digests.get(keys)


@read_again
def _forgotten_at(
    desk: Desk,
    agent_id: str,
    conversation: str | None,
    block: Sequence[TurnMessage],
    texts: Mapping[int, str],
) -> frozenset[int]:
    with desk.store.read(agent_id) as unit:
        return _forgotten(unit, conversation, block, texts)


def _forgotten(
    unit: Unit, conversation: str | None, block: Sequence[TurnMessage], texts: Mapping[int, str]
) -> frozenset[int]:
    """Return the places of messages that were forgotten on purpose: known as ``observe`` knows them, where they can
    be.
    """
    secret = unit.agents.secret()
    if not secret:
        return frozenset()
    marks = {said.place: _mark(secret, conversation, said, texts[said.place]) for said in block}
    known = unit.tombstones.known(set(marks.values()))
    return frozenset(place for place, mark in marks.items() if mark in known)


def _mark(secret: bytes, conversation: str | None, said: TurnMessage, text: str) -> bytes:
    if conversation is None or not _is_named(conversation, said):
        return tombstone(secret, text)
    return message_digest(secret, conversation, said.message.ref, said.time, text)


def _is_named(conversation: str | None, said: TurnMessage) -> bool:
    """Return whether the message can be told from others with the same words."""
    return conversation is not None and (said.message.ref is not None or said.time is not None)
