"""Update: what ``memory_update`` does: word a memory anew, and keep the old wording as past, or as a mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.outcome import Inserted, Queued, Reinforced
from reverie.domain.trust import SourceTrust
from reverie.doors.mcp.answer import Answer
from reverie.doors.mcp.definitions import CORRECTS, SUPERSEDES
from reverie.errors import InvalidInput
from reverie.errors.showing import shown

if TYPE_CHECKING:
    from reverie.client import Agent


def update(agent: Agent, id: str, how: str, content: str) -> Answer:
    """Return what came of it. Raises ReverieError.

    A model's words never stand as the user's: what would replace the user's own word is kept beside it.
    """
    way = how.casefold()
    if way not in (SUPERSEDES, CORRECTS):
        raise InvalidInput("how", f"{shown(how)} is unknown", f"choose from {SUPERSEDES}, {CORRECTS}")
    known = _memory(agent, id)
    if known.source_trust is SourceTrust.PRINCIPAL:
        return _replaced(agent, known, content, supersedes=())
    if way == SUPERSEDES:
        return _replaced(agent, known, content, supersedes=(known.id,))
    corrected = agent.revise(known.id, essence=content)
    text = f"Corrected: {corrected.id} says it now, and nothing else does."
    return Answer(text=text, values={"id": corrected.id, "outcome": "corrected"})


def _memory(agent: Agent, id: str) -> Memory:
    known = agent.get(id)
    if not isinstance(known, Memory):
        raise InvalidInput(
            "id", "it is an episode, which stays as it was", "keep what is so with memory_learn"
        )
    if known.superseded_by is not None:
        raise InvalidInput(
            "id", f"{known.superseded_by} has superseded it already", "update that one, by its id"
        )
    if known.kind is Kind.WORKFLOW:
        for one in agent.procedures.list():
            if one.id == id:
                raise InvalidInput(
                    "id", f"it is the procedure {one.name!r}", "give memory_procedure its new steps"
                )
    return known


def _replaced(agent: Agent, old: Memory, content: str, supersedes: tuple[str, ...]) -> Answer:
    done = agent.remember(
        content, kind=old.kind, priority=old.priority, scope=old.scope, tags=old.tags, pinned=old.pinned,
        supersedes=supersedes,
    )  # fmt: skip
    id = done.memory.id
    match done:
        case Reinforced() if id == old.id:
            text = f"{id} says so already; nothing was replaced. A whole other wording replaces it."
            return Answer(text=text, values={"id": id, "outcome": "reinforced"})
        case Inserted() | Reinforced() if supersedes:
            text = f"Kept as {id}. It supersedes {old.id}, which memory_recall gives with also_past."
            return Answer(text=text, values={"id": id, "outcome": "superseded", "superseded": old.id})
        case Inserted() | Reinforced():
            text = (
                f"Kept as {id}, beside {old.id}: that is the user's own word, which only the user replaces"
                f" (`reverie revise {old.id}`)."
            )
            return Answer(text=text, values={"id": id, "outcome": "beside"})
        case Queued():
            text = f"It waits as {id}: embedding fails just now, and it is kept once that works."
            return Answer(text=text, values={"id": id, "outcome": "queued"})
