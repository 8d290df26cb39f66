"""Keep goals (s3): memories of kind goal, open until they are achieved; some fall due."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from reverie.domain.audit import Action
from reverie.domain.goal import Achieved, Goal
from reverie.domain.ids import checked_name
from reverie.domain.kinds import Kind
from reverie.domain.memory import MAX_LESSON_BYTES, Memory, State
from reverie.domain.outcome import Remembered
from reverie.domain.query import Filter
from reverie.domain.text import checked_switch, checked_text
from reverie.domain.time import due_to_utc
from reverie.errors import InvalidInput, NotFound
from reverie.language.dates import moments_ahead
from reverie.memory.change import confirmed
from reverie.memory.trust import is_own
from reverie.ports.store import Unit
from reverie.services.remember.scheduling import log, open_again, set_due, told
from reverie.services.remember.writing import remember
from reverie.services.runtime import Desk, changed, clean, entry, read_again

_WORDS = '"tomorrow at nine", "Friday 5pm", "3 December" or "in two weeks" (docs/due.md)'
_OPEN = Filter(kinds=frozenset({Kind.GOAL}), states=frozenset({State.ACTIVE}))
_REACHED = Filter(kinds=frozenset({Kind.GOAL}), states=frozenset({State.ACTIVE, State.ARCHIVED}))


def add(
    desk: Desk, agent_id: str, text: str, *, due: object = None, override: bool = False, actor: str,
    **fields: object,
) -> Goal:  # fmt: skip
    """Keep a goal, or reinforce the one that says the same; one that was achieved is open again. ``due``: when it falls
    due; None leaves that as it is.

    ``fields`` are those of ``Draft`` but the kind. Raise what ``remember`` does.
    """
    at = None if due is None else _due(desk, agent_id, due)
    dues: dict[str, datetime] = {}

    def reopened(unit: Unit, outcomes: Sequence[Remembered]) -> None:
        memory, now = outcomes[0].memory, desk.clock()
        open_again(desk, unit, memory, now, actor)
        if at is not None:
            set_due(desk, unit, memory.id, at, actor)
        dues.update(unit.dues.get([memory.id]))

    draft = {**fields, "essence": text, "kind": Kind.GOAL}
    kept = remember(desk, agent_id, [draft], override=override, actor=actor, also=reopened)
    return Goal(memory=kept[0].memory, due=dues.get(kept[0].memory.id))


def postpone(desk: Desk, agent_id: str, id: str, due: object, *, actor: str) -> Goal:
    """Let a goal fall due at another time, or at none (None). Raise NotFound, InvalidInput."""
    at = None if due is None else _due(desk, agent_id, due)

    def write(unit: Unit, memory: Memory) -> Goal:
        set_due(desk, unit, id, at, actor)
        return Goal(memory=memory, achieved=unit.goals.achieved([id]).get(id), due=at)

    return _change(desk, agent_id, id, write)


@read_again
def due(desk: Desk, agent_id: str, *, until: datetime | None = None) -> Sequence[Goal]:
    """Return the open goals that fall due before ``until`` (None: whenever), soonest first; so what is overdue comes
    first. The rule of ``goals`` says which are open.
    """
    with desk.reading(agent_id) as unit:
        dues = unit.dues.between(None, until)
        reached, memories = unit.goals.achieved(dues), unit.memories.get(dues)
    return [
        Goal(memory=memories[id], due=at)
        for id, at in dues.items()
        if id not in reached and _is_open(memories.get(id))
    ]


def complete(desk: Desk, agent_id: str, id: str, *, note: str | None = None, actor: str) -> Goal:
    """Note that a goal is achieved; one that is noted already stays as it is. Raise NotFound, InvalidInput (for a
    memory that is no goal).
    """
    if note is not None:
        note = (
            clean(desk.settings, checked_text(note, "note", most_bytes=MAX_LESSON_BYTES)).text.strip() or None
        )

    def write(unit: Unit, memory: Memory) -> Goal:
        known = unit.goals.achieved([id]).get(id)
        due = unit.dues.get([id]).get(id)
        if known is not None:
            return Goal(memory=memory, achieved=known, due=due)
        achieved = Achieved(memory_id=id, at=desk.clock(), note=note)
        unit.goals.achieve(achieved)
        log(desk, unit, id, actor, achieved.at, before={"achieved": None}, after=told(achieved))
        return Goal(memory=memory, achieved=achieved, due=due)

    return _change(desk, agent_id, id, write)


def reopen(desk: Desk, agent_id: str, id: str, *, actor: str) -> Goal:
    """Open a goal that was achieved, or archived, again: it matters anew, which counts as new evidence for it. An open
    one stays as it is. Raise NotFound, InvalidInput.
    """

    def write(unit: Unit, memory: Memory) -> Goal:
        now, due = desk.clock(), unit.dues.get([id]).get(id)
        if not open_again(desk, unit, memory, now, actor) and memory.state is State.ACTIVE:
            return Goal(memory=memory, due=due)
        new = confirmed(memory, now)
        unit.memories.update(new)
        before, after = changed(memory, new)
        unit.audit.add([entry(desk, Action.REINFORCE, id, actor=actor, at=now, before=before, after=after)])
        return Goal(memory=new, due=due)

    return _change(desk, agent_id, id, write)


@read_again
def goals(desk: Desk, agent_id: str, *, achieved: bool = False) -> Sequence[Goal]:
    """Return the open goals, oldest first; with ``achieved`` those that were reached instead. Raise InvalidInput.

    Open are active memories of kind goal, whatever made them; what has been archived is open no more. Another's goals
    that a neural link brought are that other's, until they are adopted.
    """
    checked_switch(achieved, "achieved")
    now = desk.clock()
    with desk.reading(agent_id) as unit:
        ids = unit.memories.ids(_REACHED if achieved else _OPEN, now=now)
        reached = unit.goals.achieved(ids)
        memories = unit.memories.get([id for id in ids if (id in reached) is achieved])
        dues = unit.dues.get(memories)
    own = (memory for memory in memories.values() if is_own(memory))
    return [
        Goal(memory=memory, achieved=reached.get(memory.id), due=dues.get(memory.id))
        for memory in sorted(own, key=lambda one: (one.created_at, one.id))
    ]


def _change(desk: Desk, agent_id: str, id: str, work: Callable[[Unit, Memory], Goal]) -> Goal:
    checked_name(id, "id")

    def write(unit: Unit) -> Goal:
        memory = unit.memories.get([id]).get(id)
        if memory is None:
            raise NotFound("goal", id)
        if memory.kind is not Kind.GOAL:
            raise InvalidInput("id", f"it is a memory of kind {memory.kind}", "give the id of a goal")
        return work(unit, memory)

    return desk.store.transact(agent_id, write)


def _is_open(memory: Memory | None) -> bool:
    """Return whether a memory is a goal that is open, unless it was achieved."""
    return memory is not None and memory.kind is Kind.GOAL and memory.state is State.ACTIVE and is_own(memory)


def _due(desk: Desk, agent_id: str, due: object) -> datetime:
    """Return when that is, also of words such as "tomorrow at nine", as messages have them."""
    zone = desk.zone(agent_id)
    try:
        return due_to_utc(due, zone=zone)
    except InvalidInput as error:
        if not isinstance(due, str):
            raise
        words = due.strip()
        named = moments_ahead(words, desk.clock(), zone)
        if [(one.start, one.end) for one in named] != [(0, len(words))]:
            raise InvalidInput(
                error.field, error.problem, f"{error.remedy}, or words such as {_WORDS}"
            ) from None
        return due_to_utc(named[0].at)
