"""Supersession: a memory that takes the place of older ones, which are kept and come back by deep recall and as_of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from reverie.domain.audit import Action
from reverie.domain.memory import Memory, State
from reverie.domain.outcome import Remembered
from reverie.domain.trust import least_trusted
from reverie.errors import InvalidInput, NotFound
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, changed, entry, placed, version_of

Replaced = Sequence[str]
"""Ids of the memories whose place one new memory takes."""


def check_replaced(unit: Unit, batch: Sequence[Replaced], born: Sequence[Memory]) -> None:
    """Raise NotFound for a memory that isn't there, InvalidInput for a summary, and where a less trusted one would
    replace it.
    """
    wanted = {memory_id for replaced in batch for memory_id in replaced}
    found = unit.memories.get(wanted) if wanted else {}
    missing = wanted - set(found)
    if missing:
        raise NotFound("memory", min(missing))
    summaries = unit.summaries.get(wanted) if wanted else {}
    for place, (replaced, new) in enumerate(zip(batch, born, strict=True)):
        for memory_id in replaced:
            if memory_id in summaries:
                raise InvalidInput(
                    placed("memories", place, len(batch)) + "supersedes",
                    f"{memory_id} is a summary, which stands for others",
                    "name what it stands for (expand shows it), or forget the summary: then these are active again",
                )
            old = found[memory_id].source_trust
            if new.source_trust is not old and least_trusted((new.source_trust, old)) is new.source_trust:
                raise InvalidInput(
                    placed("memories", place, len(batch)) + "supersedes",
                    f"what comes from a source of trust {new.source_trust} can't replace {memory_id}, of trust {old}",
                    "remember it beside the other, or give a source that is trusted as much",
                )


def supersede(
    desk: Desk,
    unit: Unit,
    outcomes: Sequence[Remembered],
    batch: Sequence[Replaced],
    now: datetime,
    actor: str,
) -> list[Remembered]:
    """Archive what each new memory replaces; what it said was true until the new one was learned or became valid.
    Gives the outcomes with their memories as they stand then.

    A memory doesn't replace itself: where the new text only reinforced the old one, nothing happens to it. Nor does it
    replace what a later draft of the batch says again.
    """
    check_replaced(unit, batch, [outcome.memory for outcome in outcomes])
    log, changes = [], dict[str, Memory]()
    for place, (outcome, replaced) in enumerate(zip(outcomes, batch, strict=True)):
        said_again = {later.memory.id for later in outcomes[place:]}
        wanted = [memory_id for memory_id in replaced if memory_id not in said_again]
        known = unit.memories.get(wanted)
        for old in (known[memory_id] for memory_id in dict.fromkeys(wanted) if memory_id in known):
            new = _replaced(old, outcome.memory, now)
            if new == old:
                continue
            if new.version != old.version:
                unit.memories.add_version(version_of(old, new.believed_from))
            unit.memories.update(new)
            changes[new.id] = new
            before, after = changed(old, new)
            log.append(entry(desk, Action.SUPERSEDE, new.id, actor=actor, at=now, before=before, after=after))
    unit.audit.add(log)
    return [replace(one, memory=changes.get(one.memory.id, one.memory)) for one in outcomes]


def _replaced(old: Memory, by: Memory, now: datetime) -> Memory:
    # What becomes true later only ends the old one: until then it answers.
    ahead = by.valid_from is not None and by.valid_from > now
    covered = old.state is State.SUMMARIZED  # and stays under its summary
    state = old.state if covered else State.ARCHIVED
    new = old if ahead else replace(old, state=state, superseded_by=by.id)
    learned = by.created_at if by.created_at > old.believed_from else now
    until = by.valid_from or learned
    begun = old.valid_from is None or old.valid_from < until
    if begun and (old.valid_to is None or old.valid_to > until):
        new = replace(new, valid_to=until, version=old.version + 1, believed_from=learned)
    return new if new == old else replace(new, updated_at=now)
