"""Make memories of conversations in the background (s1). One round looks at what is new since the last one.

For each conversation the store keeps a watermark: the position up to which its messages have been read. A snippet's
memories and the watermark's advance are one transaction, and the advance is a compare-and-set: a crash leaves a
snippet to be read again or done, and of two processes that read the same one, one writes. ``docs/why/loop.md``.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from functools import partial

from reverie.domain.attended import NOTHING, Attended
from reverie.domain.ids import checked_name
from reverie.domain.job import NEVER
from reverie.domain.memory import State
from reverie.domain.query import Filter
from reverie.domain.snippet import Snippet
from reverie.domain.time import zone_of
from reverie.domain.watermark import Watermark
from reverie.errors import (
    Closed,
    EmbedderMismatch,
    MindFailed,
    ReverieError,
    Unreachable,
)
from reverie.ports.mind import Mind
from reverie.ports.search import Floats
from reverie.ports.store import Unit
from reverie.services.loop.keeping import JOB, Keeper, Step
from reverie.services.loop.snippets import Window, windows
from reverie.services.runtime import Desk, Job, asked, read_again, tried

FAILURES = "loop.failures"

_FEW = 3  # tries to read a conversation that is being changed meanwhile
_FIRST_BACK_OFF = timedelta(seconds=30)
_MOST_BACK_OFF = timedelta(hours=1)
_MOST_DOUBLINGS = 10
_TRIES = 4
"""So many times as many tries as other jobs has a conversation: its pauses are shorter, and it is given days too."""
_MOST_CONVERSATIONS = 100
_FAIL_SECONDS = 1.0  # a failure is noted only where that takes no long wait
_KNOWN = Filter(states=frozenset({State.ACTIVE, State.ARCHIVED}))

_log = logging.getLogger("reverie.loop")


def attend(
    desk: Desk,
    agent_id: str,
    *,
    conversation: str | None = None,
    actor: str,
    stop: threading.Event | None = None,
) -> Attended:
    """Run one round for one agent: read the snippets that are new in its conversations, and keep what is worth it.

    With ``conversation`` that one alone, even where it is parked after a failure. ``stop`` is a background thread's:
    with it the round gives way to callers, and ends between two snippets once it is set. What fails is logged
    without contents, counted, and parked with a growing pause. Nothing is done where no mind may read what was said
    (``Desk.reader``), and for an agent that is being copied into here. Raise InvalidInput, EmbedderMismatch, Closed,
    and StoreError where not even the failure could be written down.
    """
    if conversation is not None:
        checked_name(conversation, "conversation")
    mind = desk.reader
    if mind is None:
        return NOTHING
    marks, zone = _behind(desk, agent_id, conversation)
    job, done = Job(desk, agent_id, actor=actor, stop=stop), NOTHING
    for place, mark in enumerate(marks):
        if job.stopped:
            return done + Attended(left=len(marks) - place)
        done += _Visit(job, mind, zone, mark).run()
    return done + Attended(left=1) if len(marks) == _MOST_CONVERSATIONS else done


def attend_all(
    desk: Desk, *, everyone: bool = True, actor: str, stop: threading.Event | None = None
) -> Attended:
    """Run one round for every agent, or for those alone that had something new in this process since the last round.

    An agent that can't be attended to (its vectors are another embedder's, its part of the bank is damaged) is passed
    over and counted as a failure, and is due again when all are looked at. Where no agent can, what the first one
    raised is raised, unless all have vectors of another embedder's. Raise Closed, and Unreachable at once.
    """
    dirty = desk.dirty.take()
    if desk.reader is None:
        return NOTHING
    agents = list(desk.store.agent_ids() if everyone or dirty is None else dirty)
    done, waiting, failed, seen = NOTHING, set(agents), list[Exception](), 0
    try:
        for agent_id in agents:
            if stop is not None and stop.is_set():
                break
            one = tried(partial(attend, desk, agent_id, actor=actor, stop=stop))
            seen += 1
            if isinstance(one, Unreachable):  # nor are the others' rows
                raise one
            if isinstance(one, Exception):
                _log.warning("the loop passes over an agent: %s", type(one).__name__)
                failed.append(one)
                one = Attended(failures=1)
            done += one
            if not one.left:
                waiting.discard(agent_id)
        grave = [error for error in failed if not isinstance(error, EmbedderMismatch)]
        if grave and len(failed) == seen:
            waiting.update(agents)
            raise grave[0]
    finally:
        for agent_id in waiting:
            desk.dirty.add(agent_id)
    return done


def due_at(desk: Desk, unit: Unit, now: datetime) -> datetime | None:
    """Return when there is something to read by itself: now, or once a conversation that failed has rested. None:
    nothing that is known of.
    """
    if desk.reader is None:
        return None
    return now if unit.watermarks.behind(JOB, now=now, limit=1) else unit.watermarks.next_try(JOB)


@read_again
def _behind(desk: Desk, agent_id: str, conversation: str | None) -> tuple[list[Watermark], tzinfo]:
    """Return the watermarks of conversations that hold something new, longest silent first; and the agent's zone."""
    with desk.store.read(agent_id) as unit:
        agent = unit.agents.get()
        zone = zone_of(agent.time_zone if agent else "UTC")
        if agent is None or agent.paused_at is not None or unit.transfer.under_way() is not None:
            return [], zone
        desk.check_embedder(agent_id, unit.agents.embedder())
        if conversation is None:
            behind = unit.watermarks.behind(JOB, now=desk.clock(), limit=_MOST_CONVERSATIONS)
            return [one.watermark for one in behind], zone
        mark = unit.watermarks.get(JOB, conversation)
        upto = unit.conversations.next_positions([conversation]).get(conversation, 0)
        return ([mark] if upto > mark.position else []), zone


class _Visit:
    """A round's visit to one conversation."""

    def __init__(self, job: Job, mind: Mind, zone: tzinfo, mark: Watermark) -> None:
        self._job, self._desk, self._agent_id = job, job.desk, job.agent_id
        self._mind, self._zone, self._mark = mind, zone, mark
        self._done = Attended(conversations=1)

    def run(self) -> Attended:
        """From the watermark to the conversation's end; a failure parks it."""
        step = Step.CHANGED
        tries = 0
        try:
            while step is Step.CHANGED and tries < _FEW:
                tries += 1
                step = self._go_through()
        except (Closed, EmbedderMismatch):
            raise
        except ReverieError as error:
            self._park(error)
            return self._done + Attended(failures=1)
        return self._done if step is Step.DONE else self._done + Attended(left=1)

    def _go_through(self) -> Step:
        for window in _windows(self._desk, self._agent_id, self._mark):
            if self._job.stopped:
                return Step.LEFT
            with self._job.work():
                step = self._read(window)
            if step is not Step.DONE:
                return step
            self._job.rest()
        return Step.DONE

    def _read(self, window: Window) -> Step:
        """Keep one snippet, from its messages to its memories."""
        keeper = Keeper(self._desk, self._agent_id, self._zone, self._job.actor)
        step, done = keeper.keep(self._mark, window, self._extracted)
        if step is Step.DONE:
            self._mark = Watermark(job=JOB, conversation=self._mark.conversation, position=window.upto)
            self._done += done
        return step

    def _extracted(self, snippet: Snippet) -> object:
        """Return what the mind proposes."""
        familiar = partial(_familiar, self._desk, self._agent_id)
        return asked(self._mind, partial(self._mind.extract, snippet, familiar))

    def _park(self, error: ReverieError) -> None:
        mark = self._mark
        pause = min(_FIRST_BACK_OFF * 2 ** min(mark.failures, _MOST_DOUBLINGS), _MOST_BACK_OFF)
        is_last = mark.failures + 1 >= self._desk.settings.worker.tries * _TRIES

        def fail(unit: Unit) -> None:
            until = NEVER if is_last else self._desk.clock() + pause
            unit.watermarks.fail(JOB, mark.conversation, seen=mark.position, parked_until=until)
            unit.counters.add({FAILURES: 1})

        self._desk.store.transact(self._agent_id, fail, wait=_FAIL_SECONDS)
        why = error.why if isinstance(error, MindFailed) else type(error).__name__
        if is_last:
            _log.error("a conversation could not be read once more and is dead until a retry: %s", why)
            return
        _log.warning("a conversation could not be read and rests for %d s: %s", pause.total_seconds(), why)


@read_again
def _windows(desk: Desk, agent_id: str, mark: Watermark) -> Sequence[Window]:
    with desk.store.read(agent_id) as unit:
        return windows(unit, mark, desk.settings)


@read_again
def _familiar(desk: Desk, agent_id: str, vectors: Floats) -> Sequence[float]:
    """See ``ports.mind.Familiar``."""
    view = desk.search.view(agent_id)
    nearest = view.nearest(vectors, filter=_KNOWN, now=desk.clock(), limit=1)
    return [near[0][1] if near else -1.0 for near in nearest]
