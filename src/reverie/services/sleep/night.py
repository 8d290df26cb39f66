"""Sleep with the model that the agent runs on as the mind. The question goes out; its answer, whenever it comes,
is checked, applied and reported as any mind's. ``docs/host.md``.

An answer that never comes, comes late or twice changes nothing: only the latest night that was asked for is open, what
was shown of it is compared with the bank within the one transaction, and the same transaction closes it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import replace

from reverie.domain.ask import checked_whole
from reverie.domain.change import Refusal
from reverie.domain.host import HostQuestion
from reverie.domain.ids import checked_name
from reverie.domain.job import SLEEP
from reverie.domain.sleep import SleepReport
from reverie.domain.time import micros
from reverie.errors import InvalidInput, NotOpen, Paused
from reverie.ports.bill import billed
from reverie.ports.host import Answered, Asking
from reverie.ports.store import Unit
from reverie.ports.unread import unread_within
from reverie.services.runtime import Desk, Job, check_awake, is_paused, read_again
from reverie.services.sleep.checks import refusal
from reverie.services.sleep.gathering import Gathered, gather, gather_again
from reverie.services.sleep.nights import Kept, is_as_expected, numbers
from reverie.services.sleep.planning import planned
from reverie.services.sleep.run import Prepared, SleepRun, clean_notes, waiting
from reverie.services.sleep.supporting import checked

TOKENS = 8_000
"""What a night's text costs at most by default, one long conversation aside."""
LEAST_TOKENS, MOST_TOKENS = 500, 1_000_000

_CLOSED = "it is not open: it was answered, a later one was asked for, or it is none of this agent's"
_READ = "its messages were slept on or forgotten meanwhile"
_CHANGED = "the memory was changed meanwhile"
_ENDS = ("memory_id", "contradicted_by", "memory_a", "memory_b")
_TWICE = "this answer was applied already"
_SECOND = "answer what was asked about that which was refused of it, or ask for the next night"


def night(desk: Desk, agent_id: str, *, max_tokens: int = TOKENS) -> HostQuestion | None:
    """Return the next night as a question to the host's model; None where no episode waits. An earlier night that is
    still open is closed. Raise Paused, InvalidInput, EmbedderMismatch.
    """
    checked_whole(max_tokens, "max_tokens", LEAST_TOKENS, MOST_TOKENS)
    check_awake(desk, agent_id)
    now = desk.clock()
    gathered = gather(desk, agent_id, now)
    asking = None if gathered is None else desk.host.night(gathered.night, max_tokens=max_tokens)
    if gathered is None or asking is None:
        return None
    kept = Kept.of(gathered, asking.labelled)
    id = desk.ids(now)

    def write(unit: Unit) -> None:
        if is_paused(unit):
            raise Paused(agent_id)
        unit.nights.clear()
        unit.nights.put(id, now, kept.body())

    desk.store.transact(agent_id, write)
    left = waiting(desk, agent_id) - kept.episodes
    return _question(id, asking, kept, max(left, 0))


def apply_night(
    desk: Desk, agent_id: str, night_id: str | None, answer: object, *, actor: str
) -> SleepReport:
    """Apply the answer of the host's model, and report as a sleep does; ``question`` of the report asks about what
    was refused. ``night_id`` None: the answer itself names its night.

    Raise InvalidInput (an answer without a usable shape), NotOpen, Paused, JobRunning; then nothing was changed.
    """
    value = dict(desk.host.read(answer))
    named = value.pop("night", None)
    night_id = checked_name(_addressed(night_id, named), "night")
    check_awake(desk, agent_id)
    kept, body = _open(desk, agent_id, night_id)
    digest = _digest(value)
    if digest == kept.answered:
        raise NotOpen("night", night_id, _TWICE, remedy=_SECOND)
    run = SleepRun(Job(desk, agent_id, actor=actor), desk.host.id)
    gathered = _shown_again(run.job, kept, night_id)
    answered = desk.host.changes(value, kept.labelled, gathered.zone)
    with run.job.lease(SLEEP) as lease:
        prepared, again = _prepared(run.job, gathered, answered, kept)

        def write(unit: Unit) -> SleepReport | None:
            """Apply the answer, and close the night or leave it open for its second round; None, with nothing changed,
            where somebody else was faster.
            """
            found = unit.nights.get(night_id)
            episodes = unit.episodes.get([*gathered.spoken])
            if found is None or found[1] != body or not is_as_expected(kept, episodes):
                return None
            unchanged = _unchanged(unit, kept)
            report = run.apply(lease, prepared, unit)
            if report.refused is None and again is None:
                unit.nights.remove(night_id)
            elif report.refused is None:
                now = {id: numbers(one) for id, one in unit.memories.get(unchanged).items()}
                second = replace(
                    kept, round=kept.round + 1, answered=digest, slept_at=micros(report.sleep.ended_at),
                    numbers={**kept.numbers, **now},
                )  # fmt: skip
                unit.nights.put(night_id, found[0], second.body())
            return report

        report = desk.store.transact(agent_id, write)
        if report is not None and report.refused is None:
            lease.ended()
    if report is None:
        raise NotOpen("night", night_id, _READ)
    if report.refused is not None:
        return report
    report = run.portrayed(report)
    if again is None:
        return report
    second = replace(kept, round=kept.round + 1)
    return replace(report, question=_question(night_id, again, second, report.remaining))


def _unchanged(unit: Unit, kept: Kept) -> list[str]:
    """Return the memories that are as they were shown: what this answer makes of them, it may change once more."""
    known = unit.memories.get(kept.numbers)
    return [id for id, one in known.items() if numbers(one) == kept.numbers[id]]


def _question(id: str, asking: Asking, kept: Kept, remaining: int) -> HostQuestion:
    return HostQuestion(
        id=id, prompt=asking.prompt, text=asking.text, schema=asking.schema, episodes=kept.episodes,
        remaining=remaining, round=kept.round,
    )  # fmt: skip


def _addressed(night_id: str | None, named: object) -> str:
    """Return which night is answered. Raise InvalidInput."""
    if night_id is None:
        night_id = named if isinstance(named, str) else None
        if night_id is None:
            raise InvalidInput(
                "night", "the answer names none", 'give the night\'s id, or answer with "night": ID'
            )
    elif named not in (None, night_id):
        raise InvalidInput("night", "the answer names another night", "give each night its own answer")
    return night_id


def _digest(value: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@read_again
def _open(desk: Desk, agent_id: str, night_id: str) -> tuple[Kept, str]:
    """Return what was kept of it. Raise NotOpen."""
    with desk.reading(agent_id) as unit:
        found = unit.nights.get(night_id)
    if found is None:
        raise NotOpen("night", night_id, _CLOSED)
    kept = Kept.from_body(found[1])
    return kept, found[1]


def _shown_again(job: Job, kept: Kept, night_id: str) -> Gathered:
    """Return the night as the bank is by now, without what is gone or says something else. Raise NotOpen."""
    desk, agent_id, now = job.desk, job.agent_id, job.started
    gathered = gather_again(desk, agent_id, now, kept.rooms, kept.core)
    if gathered is not None and (gone := kept.changed(gathered.heard)):
        kept = kept.without(gone)
        gathered = gather_again(desk, agent_id, now, kept.rooms, kept.core)
    if gathered is None or not gathered.spoken or not is_as_expected(kept, gathered.spoken):
        raise NotOpen("night", night_id, _READ)
    return replace(gathered, rev=kept.rev)


def _prepared(job: Job, gathered: Gathered, answered: Answered, kept: Kept) -> tuple[Prepared, Asking | None]:
    """Return what is to be applied, and the question about what isn't."""
    desk, changes = job.desk, answered.changes
    with billed() as beside, unread_within() as unread:
        changed = kept.changed_memories(gathered.shown)
        # Nothing is asked about what comes too late, since no other answer would do
        late = {
            place: refusal(desk.settings, one, _CHANGED)
            for place, one in enumerate(changes)
            if _names(one, changed)
        }
        found = checked(desk, gathered, changes, skip=late)
        refused = [Refusal(place=place, reason=one.reason) for place, one in sorted(found.rejected.items())]
        found = replace(found, rejected={**found.rejected, **late})
        plan = planned(desk, gathered, found, job.started)
    prepared = Prepared(
        gathered=gathered, plan=plan, spent=beside.spent, notes=clean_notes(desk.settings, answered.notes),
        unread=tuple(unread), round=kept.round,
    )  # fmt: skip
    refused = [one for one in refused if one.place < len(changes)]
    return prepared, answered.again(refused) if refused and kept.round == 1 else None


def _names(change: object, ids: Collection[str]) -> bool:
    return any(getattr(change, name, None) in ids for name in _ENDS)
