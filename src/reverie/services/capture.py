"""capture: what principals state for good becomes a memory at once, without a model (s2)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.domain.capture import Capture
from reverie.domain.draft import Draft
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Origin
from reverie.domain.message import Role
from reverie.domain.outcome import Remembered
from reverie.domain.trust import SourceTrust
from reverie.errors import Forgotten, InvalidInput, NotFound, StoreError
from reverie.ports.store import Unit
from reverie.rules.accounts import is_account
from reverie.rules.echo import Echo, steers
from reverie.rules.own_words import is_own
from reverie.rules.patterns import THIS, captures, recalls_before
from reverie.rules.redact import PLACEHOLDER
from reverie.services.desk import Desk, read_again
from reverie.services.remember import remember

ACTOR = "capture"
CAPTURED = "captured"
INFORMATION = "captured.information"

_log = logging.getLogger("reverie.capture")


@dataclass(frozen=True, kw_only=True, slots=True)
class Captured:
    """Ids of memories, new and reinforced ones; ``information``: those of them that instruct nobody, since they repeat
    outside text of the same snippet or stand in a message that isn't all its sender's own words.
    """

    ids: tuple[str, ...] = ()
    information: tuple[str, ...] = ()

    def __add__(self, other: Captured) -> Captured:
        return Captured(
            ids=tuple(dict.fromkeys((*self.ids, *other.ids))),
            information=tuple(dict.fromkeys((*self.information, *other.information))),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Caught:
    """What was caught, the messages that say it, whether these are all their sender's ``own`` words, and whether it
    only ``echoes`` outside text.
    """

    capture: Capture
    sources: tuple[Episode, ...]
    own: bool
    echoes: bool

    @property
    def informs(self) -> bool:
        """Whether it is information alone."""
        return self.echoes or not self.own


def capture(desk: Desk, agent_id: str, said: Sequence[Episode], *, override: bool = False) -> Captured:
    """Keeps what the new messages of one conversation state for good.

    ``said`` are stored, in their order and at the conversation's end. Principals alone are listened to. What only
    repeats outside text of the same snippet stays theirs, but ranks as information; so does what stands in a message
    that isn't all their own words, and that is external. A failure of the store loses captures, never messages: it is
    logged without contents and counted.
    """
    caught = _caught(desk, agent_id, said)
    return _kept(desk, agent_id, caught, override=override) if caught else Captured()


def _caught(desk: Desk, agent_id: str, said: Sequence[Episode]) -> list[_Caught]:
    if not desk.settings.capture:
        return []
    extra = desk.settings.capture_patterns
    found: list[_Caught] = []
    snippets = _Snippets(desk, agent_id, said)
    for place, episode in enumerate(said):
        if not _is_heard(episode):
            continue
        caught = captures(episode.content, episode.speaker, extra)
        sources: tuple[Episode, ...] = (episode,)
        if not caught and recalls_before(episode.content) and (before := snippets.said_before(place)):
            both = captures(f"{before.content}\n{episode.content}", episode.speaker, extra)
            caught = tuple(one for one in both if one.pattern == THIS)
            sources = (before, episode)
        if not caught:
            continue
        echo, own = snippets.outside(place), all(is_own(source.content) for source in sources)
        found += [
            _Caught(capture=one, sources=sources, own=own, echoes=echo.repeats(one.essence))
            for one in caught
            if PLACEHOLDER not in one.essence and not is_account(one.essence)
        ]
    return found


def _is_heard(episode: Episode) -> bool:
    return episode.role is Role.USER and episode.source_trust is SourceTrust.PRINCIPAL


class _Snippets:
    """What stands before a new message within its snippet; earlier messages are read only when they are asked for."""

    def __init__(self, desk: Desk, agent_id: str, said: Sequence[Episode]) -> None:
        self._desk, self._agent_id, self._said = desk, agent_id, said
        self._earlier: Sequence[Episode] | None = None

    def outside(self, place: int) -> Echo:
        """What outside sources said in the snippet that ends with a message."""
        return Echo(one.content for one in self._before(place) if one.source_trust is SourceTrust.EXTERNAL)

    def said_before(self, place: int) -> Episode | None:
        """The last message before by the same speaker."""
        speaker = self._said[place].speaker
        return next(
            (one for one in reversed(self._before(place)) if _is_heard(one) and one.speaker == speaker), None
        )

    def _before(self, place: int) -> Sequence[Episode]:
        size = self._desk.settings.snippet_messages - 1
        here = self._said[max(0, place - size) : place]
        missing = size - len(here)
        if missing <= 0:
            return here
        if self._earlier is None:
            self._earlier = _tail_before(self._desk, self._agent_id, self._said, size)
        return [*self._earlier[-missing:], *here]


@read_again
def _tail_before(desk: Desk, agent_id: str, said: Sequence[Episode], size: int) -> Sequence[Episode]:
    """The conversation's messages right before the new ones."""
    first = said[0]
    if not first.position:
        return ()
    with desk.store.read(agent_id) as unit:
        tail = unit.episodes.tail(first.conversation, len(said) + size)
    return [one for one in tail if one.position < first.position][-size:]


def _draft(one: _Caught, now: datetime) -> Draft:
    latest, capture = one.sources[-1], _informing(one.capture) if one.informs else one.capture
    return Draft(
        essence=capture.essence,
        kind=capture.kind,
        priority=capture.priority,
        importance=capture.importance,
        source_episodes=tuple(source.id for source in one.sources),
        source_trust=None if one.own else SourceTrust.EXTERNAL,
        origin=Origin.PATTERN,
        time=min(latest.time, now),
    )


def _informing(capture: Capture) -> Capture:
    """The same as information: of a kind that steers nobody, at that kind's own priority."""
    kind = Kind.FACT if steers(capture.kind, capture.priority) else capture.kind
    return replace(capture, kind=kind, priority=None)


def _kept(desk: Desk, agent_id: str, caught: Sequence[_Caught], *, override: bool) -> Captured:
    """All in one transaction, which counts them too; where one of them was forgotten, one by one without it."""

    def told(outcomes: Sequence[Remembered]) -> Captured:
        ids = [outcome.memory.id for outcome in outcomes]
        informing = [id for one, id in zip(caught, ids, strict=True) if one.informs]
        return Captured(ids=tuple(dict.fromkeys(ids)), information=tuple(dict.fromkeys(informing)))

    def count(unit: Unit, outcomes: Sequence[Remembered]) -> None:
        done = told(outcomes)
        unit.counters.add({CAPTURED: len(done.ids), INFORMATION: len(done.information)})

    try:
        outcomes = remember(
            desk,
            agent_id,
            [_draft(one, desk.clock()) for one in caught],
            override=override,
            actor=ACTOR,
            within=lambda _: True,
            also=count,
            may_wait=True,
        )
    except StoreError as error:
        _log.warning("%d captures were not kept: %s", len(caught), type(error).__name__)
        return Captured()
    except (Forgotten, NotFound, InvalidInput):
        if len(caught) == 1:
            return Captured()
        return sum((_kept(desk, agent_id, [one], override=override) for one in caught), Captured())
    return told(outcomes)
