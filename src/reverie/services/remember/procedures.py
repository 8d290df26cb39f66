"""Keep procedures (s2): named workflows with their steps, and how often following them worked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.domain.audit import Action
from reverie.domain.draft import Draft
from reverie.domain.ids import checked_name
from reverie.domain.kinds import Kind
from reverie.domain.memory import MAX_ESSENCE_BYTES, MAX_LESSON_BYTES, Memory, Origin, State
from reverie.domain.outcome import Reinforced, Remembered
from reverie.domain.procedure import MAX_STEP_BYTES, MAX_STEPS, Procedure, Run, Steps
from reverie.domain.revision import Revision
from reverie.domain.text import at_most, checked_text, lowered
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput, NotFound
from reverie.errors.showing import shown, typed
from reverie.memory.change import confirmed
from reverie.ports.store import Unit
from reverie.services.remember.revise import revise
from reverie.services.remember.writing import remember
from reverie.services.runtime import Desk, changed, clean, cleaned, entry, read_again, refuse_secret

_OUTCOMES = {"success": True, "failure": False}


def procedure(
    desk: Desk, agent_id: str, name: str, *, steps: Sequence[str] | None = None, outcome: str | None = None,
    note: str | None = None, scope: Sequence[str] = (), tags: Sequence[str] = (), lesson: str | None = None,
    override: bool = False, actor: str,
) -> Procedure:  # fmt: skip
    """Keep a procedure's ``steps``, record an ``outcome`` of following it (success or failure, with a ``note``), or
    both in one transaction. Return the procedure as it is then.

    A known procedure keeps its id and its counts; its old wording stays in the history. A success is evidence for it,
    and so are the same steps said again; a failure is only counted. Scope, tags and lesson replace the old ones if
    given. Raise NotFound for a new name without steps, InvalidInput (also where there is nothing to record), and what
    ``remember`` raises.
    """
    asked = _cleaned(desk, _asked(name, steps, outcome, note, scope, tags, lesson))
    while True:
        known = _named(desk, agent_id, asked.name)
        try:
            if known is not None:
                return _continued(
                    desk, agent_id, asked, known.memory_id, known, override=override, actor=actor
                )
            try:
                return _begun(desk, agent_id, asked, override=override, actor=actor)
            except _Known as found:
                return _continued(
                    desk, agent_id, asked, found.memory_id, None, override=override, actor=actor
                )
        except _Overtaken:
            continue  # somebody else made it, or gave it other steps, in the meantime


@read_again
def named(desk: Desk, agent_id: str, name: str) -> Procedure:
    """Return the procedure of that name, in any case. Raise NotFound, InvalidInput."""
    name = checked_name(name, "name")
    with desk.reading(agent_id) as unit:
        steps = unit.procedures.named(name)
        memory = None if steps is None else unit.memories.get([steps.memory_id]).get(steps.memory_id)
    if steps is None or memory is None:
        raise NotFound("procedure", name)
    return Procedure(memory=memory, steps=steps)


@read_again
def procedures(desk: Desk, agent_id: str) -> Sequence[Procedure]:
    """Return all procedures in order of name, whatever the state of their memories."""
    with desk.reading(agent_id) as unit:
        known = unit.procedures.list()
        memories = unit.memories.get([steps.memory_id for steps in known])
    return [
        Procedure(memory=memories[steps.memory_id], steps=steps)
        for steps in known
        if steps.memory_id in memories
    ]


class _Overtaken(Exception):
    """The procedure isn't what it was when the write was prepared."""


class _Known(Exception):
    """A memory says so already, in these or nearly these words, and nobody knew that it is a procedure."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(memory_id)
        self.memory_id = memory_id


@dataclass(frozen=True, kw_only=True, slots=True)
class _Asked:
    """What a caller gave, checked; empty and None for nothing."""

    name: str
    steps: tuple[str, ...]
    succeeded: bool | None
    note: str | None
    scope: tuple[str, ...]
    tags: tuple[str, ...]
    lesson: str | None


def _asked(
    name: object, steps: object, outcome: object, note: object, scope: Sequence[str], tags: Sequence[str],
    lesson: str | None,
) -> _Asked:  # fmt: skip
    name = checked_name(name, "name")
    if outcome is not None and lowered(outcome) not in _OUTCOMES:
        raise InvalidInput("outcome", f"{shown(outcome)} is unknown", f"choose from {', '.join(_OUTCOMES)}")
    if note is not None:
        note = checked_text(note, "note", most_bytes=MAX_LESSON_BYTES).strip()
        if outcome is None:
            raise InvalidInput("note", "it tells of an outcome, and none is given", "give an outcome too")
    checked = () if steps is None else _steps(name, steps)
    # A draft checks the rest as remember would, and so before anything is looked up.
    draft = Draft(essence="steps", kind=Kind.WORKFLOW, scope=tuple(scope), tags=tuple(tags), lesson=lesson)
    if not (checked or outcome or draft.scope or draft.tags or draft.lesson):
        raise InvalidInput(
            "steps", "there is nothing to record", "give steps or an outcome; get reads a procedure"
        )
    return _Asked(
        name=name, steps=checked, succeeded=None if outcome is None else _OUTCOMES[lowered(outcome)], note=note,
        scope=draft.scope, tags=draft.tags, lesson=draft.lesson,
    )  # fmt: skip


def _cleaned(desk: Desk, asked: _Asked) -> _Asked:
    """Return what is asked without what must not be stored; the lesson is cleaned where it is kept."""
    refuse_secret(desk.settings, asked.name, "name")
    steps = tuple(
        cleaned(desk.settings, step, f"steps[{place}]").text for place, step in enumerate(asked.steps)
    )
    note = None if asked.note is None else clean(desk.settings, asked.note).text.strip() or None
    return replace(asked, steps=steps, note=note)


def _steps(name: str, steps: object) -> tuple[str, ...]:
    if isinstance(steps, str) or not isinstance(steps, Iterable):
        raise InvalidInput("steps", f"{typed(steps)} is no list of steps", "give a list of texts")
    given = at_most(steps, MAX_STEPS, "steps")
    if not given:
        raise InvalidInput("steps", "there are none", f"give 1 to {MAX_STEPS}")
    checked = tuple(
        checked_text(step, f"steps[{place}]", most_bytes=MAX_STEP_BYTES).strip()
        for place, step in enumerate(given)
    )
    if len(_essence(name, checked).encode()) > MAX_ESSENCE_BYTES:
        raise InvalidInput(
            "steps", f"together they are longer than {MAX_ESSENCE_BYTES:,} bytes of UTF-8",
            "shorten them, or make several procedures",
        )  # fmt: skip
    return checked


def _essence(name: str, steps: Sequence[str]) -> str:
    return f"{name}: {'; '.join(steps)}"


@read_again
def _named(desk: Desk, agent_id: str, name: str) -> Steps | None:
    with desk.reading(agent_id) as unit:
        return unit.procedures.named(name)


def _begun(desk: Desk, agent_id: str, asked: _Asked, *, override: bool, actor: str) -> Procedure:
    """Return a new procedure, in a memory of its own. Raise _Known where a memory is reinforced instead."""
    if not asked.steps:
        raise NotFound("procedure", asked.name)
    draft = Draft(
        essence=_essence(asked.name, asked.steps), kind=Kind.WORKFLOW, scope=asked.scope, tags=asked.tags,
        lesson=asked.lesson,
    )  # fmt: skip
    made: list[Procedure] = []

    def also(unit: Unit, outcomes: Sequence[Remembered]) -> None:
        (kept,) = outcomes
        if unit.procedures.named(asked.name) is not None:
            raise _Overtaken
        if isinstance(kept, Reinforced):
            raise _Known(kept.memory.id)
        evidence = asked.succeeded is True
        made[:] = [_settled(desk, unit, asked, kept.memory, None, evidence=evidence, actor=actor)]

    remember(desk, agent_id, [draft], override=override, actor=actor, also=also)
    return made[0]


def _continued(
    desk: Desk, agent_id: str, asked: _Asked, memory_id: str, known: Steps | None, *, override: bool,
    actor: str,
) -> Procedure:  # fmt: skip
    """Return the procedure ``known`` changed; None makes a memory one that was none."""
    made: list[Procedure] = []

    def also(unit: Unit, memory: Memory) -> None:
        current = unit.procedures.named(asked.name)
        if (current and (current.memory_id, current.steps)) != (known and (known.memory_id, known.steps)):
            raise _Overtaken
        if current is None:
            memory = _free(unit, memory)
        made[:] = [
            _settled(
                desk, unit, asked, memory, current, evidence=_counts(asked, current, memory), actor=actor
            )
        ]

    fields = _revised(asked, known)
    if fields:
        revision = Revision.of(fields)
        revise(desk, agent_id, memory_id, revision, override=override, actor=actor, also=also)
    else:

        def write(unit: Unit) -> None:
            memory = unit.memories.get([memory_id]).get(memory_id)
            if memory is None:
                raise NotFound("procedure", asked.name)
            also(unit, memory)

        desk.store.transact(agent_id, write)
    return made[0]


def _free(unit: Unit, memory: Memory) -> Memory:
    """Return the memory, if it is no other procedure's. What the agent says on purpose is its conscious commit, though
    the loop had picked it up before.
    """
    other = unit.procedures.get([memory.id]).get(memory.id)
    if other is not None:
        raise InvalidInput(
            "steps",
            f"the procedure {other.name!r} has the same ones",
            "use its name, or give steps that differ",
        )
    if memory.source_trust is not SourceTrust.AGENT or memory.origin is Origin.COMMIT:
        return memory
    return replace(memory, origin=Origin.COMMIT)


def _counts(asked: _Asked, known: Steps | None, memory: Memory) -> bool:
    """Return whether what was asked is evidence for the procedure: it worked, it was said again, or it is wanted
    back.
    """
    if asked.succeeded or not asked.steps:
        return asked.succeeded is True
    said_again = (known is None or known.steps == asked.steps) and asked.succeeded is None
    return said_again or memory.state is not State.ACTIVE


def _revised(asked: _Asked, known: Steps | None) -> Mapping[str, object]:
    """Return the new values of the memory."""
    fields: dict[str, object] = {}
    if known is None or (asked.steps and asked.steps != known.steps):
        fields["essence"] = _essence(asked.name if known is None else known.name, asked.steps)
    for name in ("scope", "tags", "lesson"):
        if getattr(asked, name):
            fields[name] = getattr(asked, name)
    return fields


def _settled(
    desk: Desk, unit: Unit, asked: _Asked, memory: Memory, known: Steps | None, *, evidence: bool, actor: str
) -> Procedure:
    """Write steps, outcome and evidence, with their audit entries; ``memory`` is stored, but for its origin."""
    now = desk.clock()
    steps = known or Steps(memory_id=memory.id, name=asked.name, steps=asked.steps)
    steps = replace(steps, steps=asked.steps or steps.steps)
    if steps != known:
        unit.procedures.put(steps)
    if asked.succeeded is not None:
        run = Run(id=desk.ids(now), at=now, succeeded=asked.succeeded, note=asked.note)
        unit.procedures.record(memory.id, run)
        steps = replace(
            steps,
            success_count=steps.success_count + run.succeeded,
            failure_count=steps.failure_count + (not run.succeeded),
        )
    log = []
    if steps != known:
        before, after = _told(known), _told(steps)
        names = [name for name in after if before.get(name) != after[name]]
        log.append(
            entry(
                desk, Action.PROCEDURE, memory.id, actor=actor, at=now,
                before=None if known is None else {name: before[name] for name in names},
                after={name: after[name] for name in names} | ({"note": asked.note} if asked.note else {}),
            )
        )  # fmt: skip
    stored = unit.memories.get([memory.id])[memory.id]
    new = confirmed(memory, now) if evidence else memory
    if new != stored:
        unit.memories.update(new)
        was, is_now = changed(stored, new)
        log.append(entry(desk, Action.REINFORCE, memory.id, actor=actor, at=now, before=was, after=is_now))
    unit.audit.add(log)
    return Procedure(memory=new, steps=steps)


def _told(steps: Steps | None) -> dict[str, object]:
    """Return a procedure's fields as JSON values."""
    if steps is None:
        return {}
    return {
        "name": steps.name,
        "steps": [*steps.steps],
        "success_count": steps.success_count,
        "failure_count": steps.failure_count,
    }
