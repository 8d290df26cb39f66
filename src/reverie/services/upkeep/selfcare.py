"""Relieve an agent of detail (s4): observations become summaries, conversations that are over are closed.

Nothing is lost: what a summary stands for is kept, found by deep recall, and brought back by ``expand``. Each batch is
one transaction that looks again at what was read; the mind is asked before it. So a self-care that was killed has done
some batches and not the next, and the next call goes on. ``docs/why/self-care.md``.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from reverie.domain.agent import Agent
from reverie.domain.ask import MAX_LIMIT, checked_whole
from reverie.domain.audit import Action
from reverie.domain.ids import checked_name
from reverie.domain.job import SELF_CARE, JobState
from reverie.domain.room import Expanded
from reverie.domain.settings import Settings
from reverie.domain.summary import Load, SelfCareReport, Summary
from reverie.domain.text import checked_switch
from reverie.errors import InvalidInput, NotFound
from reverie.ports.mind import Mind
from reverie.ports.store import Unit
from reverie.ports.unread import unread_within
from reverie.services.runtime import (
    Desk,
    Job,
    Lease,
    Progress,
    Stopped,
    check_awake,
    is_paused,
    read_again,
    thinking_mind,
)
from reverie.services.upkeep.memory_summaries import next_sort, summarize
from reverie.services.upkeep.narratives import Care
from reverie.services.upkeep.room_summaries import Closing, close, closings

UNREAD = "self-care.unread"

_EVERY = timedelta(hours=1)
"""By itself it comes so often at most."""
_CHANGING = "the bank is being changed; try again"


def self_care(
    desk: Desk,
    agent_id: str,
    *,
    actor: str,
    dry_run: bool = False,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> SelfCareReport:
    """Close conversations that are over, and make summaries of observations: of one batch, and of others until what
    is active holds less than ``Settings.self_care.target`` tokens. Fewer than ``Settings.self_care.min_observations``
    stay as they are, since they would make a poor summary.

    It declines with fewer than that (unless closing of messages is due, which is done then), and away from
    home. ``dry_run`` asks no mind. ``stop`` is a background thread's: with it the work gives way to callers, and ends
    between two batches once it is set. Raise InvalidInput where there is no mind, Paused, JobRunning, MindFailed,
    CapReached, EmbedderMismatch, and what an embedder or the store raises; what was done until then stays done.
    """
    mind = thinking_mind(desk, "for self-care")
    checked_switch(dry_run, "dry_run")
    check_awake(desk, agent_id)
    job = Job(desk, agent_id, actor=actor, stop=stop, progress=progress)
    load, live = job.read(lambda unit: (unit.summaries.load(), _live(unit)))
    report = SelfCareReport(
        id=job.id, started_at=job.started, ended_at=job.started, observations=load.details,
        tokens_before=load.tokens, tokens_after=load.tokens, dry_run=dry_run,
    )  # fmt: skip
    agent = job.read(lambda unit: unit.agents.get())
    why = _declined(desk.settings, agent, load, over=_is_over(desk, load, live))
    if why is not None:
        return _ended(job, replace(report, declined=why))
    wanted = job.read(partial(closings, desk)) if desk.reader is not None else ()
    if dry_run:
        return _tried(job, report, load, wanted)
    if next_sort(desk, load, first=True) is None and not wanted:
        return _ended(job, replace(report, declined=_NOTHING))
    return _cared(job, mind, report, wanted)


_NOTHING = "there is nothing to summarize or to close"
_SCATTERED = "too few of its observations hold in the same places (scope) to be summarized together"


def _why_nothing(care: Care) -> str:
    if care.changed:
        return _CHANGING
    return _SCATTERED if care.scattered else _NOTHING


def _cared(job: Job, mind: Mind, report: SelfCareReport, wanted: Sequence[Closing]) -> SelfCareReport:
    """Hold the lease from the first batch to the last."""
    care = Care(job=job, total=sum(one.count for one in wanted) + report.observations)
    with job.lease(SELF_CARE) as lease:
        with unread_within() as unread:
            whole = _done(care, mind, wanted)
        made = (*care.rooms, *care.batches)
        report = replace(
            _ended(job, report), batches=len(care.batches), conversations=len(care.rooms),
            closed=care.closed, summarized=care.summarized, summaries=made, unread=tuple(unread),
            declined=None if made else _why_nothing(care),
        )  # fmt: skip
        job.desk.store.transact(job.agent_id, partial(_note, job, report, lease if whole else None))
        if whole:
            lease.ended()
    return report


def _done(care: Care, mind: Mind, wanted: Sequence[Closing]) -> bool:
    """Do both halves; return False if it was to end early."""
    try:
        if care.job.desk.reader is not None:
            close(care, care.job.desk.reader, wanted)
        summarize(care, mind)
    except Stopped:
        return False
    return True


def _note(job: Job, report: SelfCareReport, lease: Lease | None, unit: Unit) -> None:
    """Write the job's own entry in the log, and in the same transaction that it ended well."""
    if report.summaries:
        after = {
            "batches": report.batches, "summarized": report.summarized, "conversations": report.conversations,
            "closed": report.closed, "tokens_before": report.tokens_before, "tokens_after": report.tokens_after,
        }  # fmt: skip
        unit.audit.add([job.entry(Action.SELF_CARE, job.id, report.ended_at, after=after)])
    unit.counters.add({UNREAD: len(report.unread)})
    if lease is not None:
        lease.end(unit, report.ended_at)


def _ended(job: Job, report: SelfCareReport) -> SelfCareReport:
    """Return the report with how the bank stands now."""
    load, since = job.read(lambda unit: (unit.summaries.load(), unit.summaries.live_since()))
    return replace(report, ended_at=job.desk.clock(), tokens_after=load.tokens, summarized_until=since)


def _tried(job: Job, report: SelfCareReport, load: Load, wanted: Sequence[Closing]) -> SelfCareReport:
    """Return what would be done, each summary taken at its longest."""
    desk = job.desk
    size, most = desk.settings.self_care.batch, desk.settings.self_care.summary
    rooms = sum(one.summaries for one in wanted)
    left = replace(load, tokens=load.tokens + rooms * most, summaries=load.summaries + rooms)
    batches = summarized = 0
    while (sort := next_sort(desk, left, first=not batches)) is not None:
        count = min(size, left.summaries if sort else left.details)
        held = count * (most if sort else load.tokens // max(1, load.details + load.summaries))
        if held <= most and batches:
            break
        left = replace(
            left, details=left.details - (0 if sort else count), summaries=left.summaries + 1 - (count if sort else 0),
            tokens=max(0, left.tokens - held) + min(most, held),
        )  # fmt: skip
        batches, summarized = batches + 1, summarized + count
    nothing = None if batches or wanted else _NOTHING
    return replace(
        _ended(job, report), batches=batches, summarized=summarized, conversations=rooms,
        closed=sum(one.count for one in wanted), tokens_after=left.tokens if batches or wanted else load.tokens,
        declined=nothing,
    )  # fmt: skip


def _declined(settings: Settings, agent: Agent | None, load: Load, *, over: bool) -> str | None:
    """Return why there is to be none now."""
    away = None if agent is None else away_from_home(agent)
    if away is not None:
        return away
    if over or load.details >= settings.self_care.min_observations:
        return None
    return f"it has {load.details} observations to summarize, and self-care needs {settings.self_care.min_observations}"


def _is_over(desk: Desk, load: Load, live: int) -> bool:
    return next_sort(desk, load, first=True) is not None or live > desk.settings.self_care.live_entries


def _live(unit: Unit) -> int:
    """Return how many messages of the agent's own conversations are live."""
    return sum(one.live for one in unit.summaries.rooms())


def away_from_home(agent: Agent) -> str | None:
    """Return why the agent counts as away; None where it has no home, or is there."""
    if agent.home is None:
        return None
    if agent.location is None:
        return f"nobody knows where it is: the location {agent.home!r} in its profile says that it is at home"
    if agent.location.casefold() == agent.home.casefold():
        return None
    return f"it is at {agent.location!r}, away from its home {agent.home!r}"


@read_again
def due(desk: Desk, agent_id: str) -> bool:
    """Return whether self-care is to come by itself now: it may (``Settings.self_care.auto``), what is active holds
    more than ``Settings.self_care.ceiling`` tokens or more messages are live than ``Settings.self_care.live_entries``,
    the agent is awake and at home, and it neither rests after a failure nor was cared for within the hour.
    """
    now = desk.clock()
    with desk.store.read(agent_id) as unit:
        agent = unit.agents.get()
        if agent is None or is_paused(unit) or unit.transfer.under_way() is not None:
            return False
        at = due_at(desk, unit, agent, replace(unit.jobs.get(SELF_CARE), until=None), now)
    return at is not None and at <= now


def due_at(desk: Desk, unit: Unit, agent: Agent, state: JobState, now: datetime) -> datetime | None:
    """Return when self-care is to come by itself, as things stand; None where it isn't."""
    at = state.free_at(now)
    if (
        desk.mind is None
        or not desk.settings.self_care.auto
        or at is None
        or away_from_home(agent) is not None
    ):
        return None
    if state.last_at is not None and timedelta(0) <= now - state.last_at < _EVERY:
        at = max(at, state.last_at + _EVERY)
    return at if is_wanted(desk, unit) else None


def is_wanted(desk: Desk, unit: Unit) -> bool:
    """Return whether there is more to remember, or more that is live, than there should be."""
    settings = desk.settings
    if unit.summaries.load().tokens > settings.self_care.ceiling:
        return True
    return _live(unit) > settings.self_care.live_entries


@read_again
def summaries(desk: Desk, agent_id: str, *, limit: int, after: str | None) -> Sequence[Summary]:
    """Return what its summaries stand for, in the order of making. Raise InvalidInput."""
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    if after is not None:
        checked_name(after, "after")
    with desk.reading(agent_id) as unit:
        return unit.summaries.list(limit=limit, after=after)


@read_again
def expand(desk: Desk, agent_id: str, summary_id: str) -> Expanded:
    """Return the memories or messages that a summary stands for, in time order. Raise NotFound, InvalidInput."""
    checked_name(summary_id, "summary_id")
    with desk.reading(agent_id) as unit:
        known = unit.memories.get([summary_id]).get(summary_id)
        if known is None:
            raise NotFound("memory", summary_id)
        summary = unit.summaries.get([summary_id]).get(summary_id)
        if summary is None:
            raise InvalidInput(
                "summary_id", "that memory is no summary", "give the id of one: summaries() lists them"
            )
        memories = unit.memories.get(unit.summaries.members(summary_id))
        # One that came by a link may close no conversation here, and stand for messages that were here already.
        episodes = {} if memories else unit.episodes.get(known.source_episodes)
        spans = unit.summaries.get(memories)

    def time_of(id: str) -> datetime:
        one = memories[id]
        return spans[id].began_at if id in spans else one.valid_from or one.created_at

    return Expanded(
        summary=summary,
        memory=known,
        memories=tuple(memories[id] for id in sorted(memories, key=lambda id: (time_of(id), id))),
        episodes=tuple(sorted(episodes.values(), key=lambda one: one.position)),
    )
