"""Keep what principals state for good, or ask to be reminded of, as memories at once, without a model (s2)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from reverie.domain.capture import Capture, CapturePattern
from reverie.domain.draft import Draft
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Origin, Quoted
from reverie.domain.message import Role
from reverie.domain.outcome import Remembered
from reverie.domain.trust import SourceTrust
from reverie.errors import Forgotten, InvalidInput, NotFound, StoreError
from reverie.memory.change import Echo, steers
from reverie.memory.privacy import PLACEHOLDER, is_account, is_own
from reverie.memory.quoting import question_in, said_before
from reverie.ports.judges import Heard, Judged
from reverie.ports.store import Unit, Vector
from reverie.services.observe.due_forms import has_due_form
from reverie.services.observe.due_items import DueItem, due_items, without_due
from reverie.services.observe.stated import asks_for_before, last_said, read_closely, stated, with_form
from reverie.services.remember import remember
from reverie.services.runtime import Desk, read_again

ACTOR = "capture"
CAPTURED = "captured"
INFORMATION = "captured.information"
UNREAD = "captured.unread"

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
    """What was caught, the message that says it and the one that asks to remember it, what had been asked before,
    whether the message looks all its sender's ``own`` (``memory.privacy.own_words``), whether it only ``echoes``
    outside text, and when it falls ``due``.
    """

    capture: Capture
    said: Episode
    asking: Episode
    asked: str
    own: bool
    echoes: bool
    due: datetime | None = None

    @property
    def informs(self) -> bool:
        """Whether it is information alone."""
        return self.echoes or not self.own


def capture(
    desk: Desk,
    agent_id: str,
    said: Sequence[Episode],
    vectors: Mapping[str, Vector] | None = None,
    *,
    override: bool = False,
) -> Captured:
    """Keep what the new messages of one conversation state for good, word for word; what they ask to be reminded of or
    say is due becomes a goal with that time, where it is surely their speaker's own (``due_items``).

    ``said`` are stored, in their order and at the conversation's end; ``vectors`` are theirs, by id. Principals alone
    are listened to, in words that the judges believe to be their own. What only repeats outside text of the same
    snippet stays theirs, but ranks as information; so does what stands in a message whose shape says that it may hold
    somebody else's, and that is external. No failure loses a message: a text that the judges can't read is
    left out and counted, and so are captures that the store refuses; the log has no contents.
    """
    caught = _caught(desk, agent_id, said, vectors or {})
    return _kept(desk, agent_id, caught, override=override) if caught else Captured()


def _caught(
    desk: Desk, agent_id: str, said: Sequence[Episode], vectors: Mapping[str, Vector]
) -> list[_Caught]:
    if not desk.settings.capture.enabled:
        return []
    extra = desk.settings.capture.patterns
    snippets = _Snippets(desk, agent_id, said)
    looked: list[tuple[int, Episode]] = []  # a place, and the message to be read for it
    for place, episode in enumerate(said):
        if not _is_heard(episode):
            continue
        if not asks_for_before(episode.content):
            looked.append((place, episode))
        elif before := snippets.own_before(place):
            looked.append((place, before))
    asked = [snippets.asked(place) if said[place] is one else "" for place, one in looked]
    judged = _judged(desk, agent_id, [one for _, one in looked], vectors, asked, extra)
    found: list[_Caught] = []
    for (place, one), question, sentences in zip(looked, asked, judged, strict=True):
        wished = said[place] is not one
        captures = last_said(one.content, sentences) if wished else stated(one.content, sentences, extra)
        may_be_due = not wished and has_due_form(one.content)
        if not captures and not may_be_due:
            continue
        own = is_own(one.content)
        items = _due(desk, agent_id, one, sentences) if may_be_due and own else ()
        if not captures and not items:
            continue
        echo = snippets.outside(place)
        items = tuple(item for item in items if not echo.repeats(item[0].essence))
        every = [*items, *((capture, None) for capture in without_due(captures, items))]
        found += [
            _Caught(
                capture=capture, said=one, asking=said[place], asked=question, own=own,
                echoes=echo.repeats(capture.essence), due=at,
            )
            for capture, at in sorted(every, key=lambda each: each[0].start)
            if PLACEHOLDER not in capture.essence and not is_account(capture.essence)
        ]  # fmt: skip
    return found


@read_again
def _due(desk: Desk, agent_id: str, said: Episode, judged: Sequence[Judged]) -> tuple[DueItem, ...]:
    return due_items(said.content, judged, said=said.time, zone=desk.zone(agent_id), now=desk.clock())


def _judged(
    desk: Desk,
    agent_id: str,
    some: Sequence[Episode],
    vectors: Mapping[str, Vector],
    asked: Sequence[str],
    extra: Sequence[CapturePattern],
) -> Sequence[Sequence[Judged]]:
    """Return each message's sentences; none of one that the judges can't read."""
    heard = [
        Heard(
            text=one.content, vector=vectors.get(one.id), asked=question, apart=with_form(one.content, extra)
        )
        for one, question in zip(some, asked, strict=True)
    ]
    return read_closely(partial(_read, desk, agent_id), heard)


def _read(desk: Desk, agent_id: str, heard: Sequence[Heard]) -> Sequence[Sequence[Judged]]:
    """Return each message's sentences; none of one that the judges can't read: that is counted."""
    if not heard:
        return []
    whole = _tried(desk, heard)
    if not isinstance(whole, Exception):
        return whole
    each = [_tried(desk, [one]) for one in heard]
    failed = [one for one in each if isinstance(one, Exception)]
    if failed:
        why = type(failed[0]).__name__
        _log.warning("%d messages were not judged, nothing of them is kept: %s", len(failed), why)
        desk.store.transact(agent_id, lambda unit: unit.counters.add({UNREAD: len(failed)}))
    return [[] if isinstance(one, Exception) else one[0] for one in each]


def _tried(desk: Desk, heard: Sequence[Heard]) -> Sequence[Sequence[Judged]] | Exception:
    try:
        return desk.judges.judge(heard)
    except Exception as error:  # noqa: BLE001  # a rule may fail on a text that nobody thought of; it is stored
        return error


def _is_heard(episode: Episode) -> bool:
    return episode.role is Role.USER and episode.source_trust is SourceTrust.PRINCIPAL


class _Snippets:
    """What stands before a new message within its snippet; earlier messages are read only when they are asked for."""

    def __init__(self, desk: Desk, agent_id: str, said: Sequence[Episode]) -> None:
        self._desk, self._agent_id, self._said = desk, agent_id, said
        self._earlier: Sequence[Episode] | None = None

    def outside(self, place: int) -> Echo:
        """Return what outside sources said in the snippet that ends with a message."""
        return Echo(one.content for one in self._before(place) if one.source_trust is SourceTrust.EXTERNAL)

    def asked(self, place: int) -> str:
        """Return what another said right before."""
        return said_before(next(reversed(self._before(place)), None), self._said[place])

    def own_before(self, place: int) -> Episode | None:
        """Return the last message before by the same speaker."""
        speaker = self._said[place].speaker
        return next(
            (one for one in reversed(self._before(place)) if _is_heard(one) and one.speaker == speaker), None
        )

    def _before(self, place: int) -> Sequence[Episode]:
        size = self._desk.settings.loop.snippet_messages - 1
        here = self._said[max(0, place - size) : place]
        missing = size - len(here)
        if missing <= 0:
            return here
        if self._earlier is None:
            self._earlier = _tail_before(self._desk, self._agent_id, self._said, size)
        return [*self._earlier[-missing:], *here]


@read_again
def _tail_before(desk: Desk, agent_id: str, said: Sequence[Episode], size: int) -> Sequence[Episode]:
    """Return the conversation's messages right before the new ones."""
    first = said[0]
    if not first.position:
        return ()
    with desk.store.read(agent_id) as unit:
        tail = unit.episodes.tail(first.conversation, len(said) + size)
    return [one for one in tail if one.position < first.position][-size:]


def _draft(one: _Caught, now: datetime) -> Draft:
    capture, said = _informing(one.capture) if one.informs else one.capture, one.said
    return Draft(
        essence=capture.essence,
        kind=capture.kind,
        priority=capture.priority,
        importance=capture.importance,
        source_episodes=tuple(dict.fromkeys((said.id, one.asking.id))),
        source_trust=None if one.own else SourceTrust.EXTERNAL,
        origin=Origin.PATTERN,
        time=min(one.asking.time, now),
        quoted=Quoted(
            episode=said.id, role=said.role, speaker=said.speaker, at=said.time,
            answers=None if capture.start else question_in(one.asked),
        ),
    )  # fmt: skip


def _informing(capture: Capture) -> Capture:
    """Return the same as information: of a kind that steers nobody, at that kind's own priority."""
    kind = Kind.FACT if steers(capture.kind, capture.priority) else capture.kind
    return replace(capture, kind=kind, priority=None)


def _kept(desk: Desk, agent_id: str, caught: Sequence[_Caught], *, override: bool) -> Captured:
    """Return all in one transaction, which counts them too; where one of them was forgotten, one by one without it."""

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
            dues=[one.due for one in caught],
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
