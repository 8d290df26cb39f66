"""Core: what the tools of toolset ``core`` do: each asks the client once and says what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from reverie.client import asks_before, fenced
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.message import Message, Role
from reverie.domain.outcome import Inserted, Queued, Reinforced
from reverie.domain.query import EpisodeHit, MemoryHit
from reverie.doors.here import from_here
from reverie.doors.mcp.answer import Answer, lines, set_in, whose
from reverie.doors.mcp.counts import forgotten, told
from reverie.doors.mcp.definitions import CORE, EPISODE, Definition
from reverie.doors.mcp.hits import within
from reverie.doors.mcp.update import update
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

EVENTS = "events"
"""The conversation in which an agent tells what happened."""
RECALL_TOKENS = 2_000
FEW, MANY = 10, 50
CONTEXT_TOKENS = 800


class Core:
    """One agent's memory as tools. May be called from many threads at once."""

    definitions: Sequence[Definition] = CORE

    def __init__(self, reverie: Reverie, agent_id: str) -> None:
        self._reverie = reverie
        self._agent: Agent = reverie.agent(agent_id)

    def run(self, name: str, given: dict[str, Any]) -> Answer:
        """Run one tool with arguments that were read. Raises ReverieError."""
        match name:
            case "memory_learn":
                return self._learn(**given)
            case "memory_recall":
                return self._recall(given.pop("query"), given.pop("type", None), **given)
            case "memory_episode":
                return self._episode(**given)
            case "memory_procedure":
                return self._procedure(**given)
            case "memory_update":
                return update(self._agent, **given)
            case "memory_context":
                return self._context(**given)
            case _:
                return self._forget(**given)

    def _learn(
        self,
        content: str,
        *,
        type: str = Kind.FACT,  # noqa: A002  # the tool's word
        until: str | None = None,
        **given: Any,
    ) -> Answer:
        match self._agent.remember(content, kind=type, valid_to=until and _end(until), **given):
            case Inserted(memory=memory, near=near):
                learned = f"Learned as {memory.id} ({memory.kind}, priority {memory.priority})."
                close = (
                    f"It is close to {', '.join(near)}, but says something else: both are kept. If one of them holds no"
                    " longer, call memory_update with its id."
                )
                long = (
                    f"It has {size:,} tokens; a context of {CONTEXT_TOKENS} never shows it. Keep its parts instead."
                    if (size := self._reverie.tokens(content)) > CONTEXT_TOKENS
                    else None
                )
                text = lines(learned, close if near else None, long)
                return Answer(text=text, values={"id": memory.id, "outcome": "inserted"})
            case Reinforced(memory=memory):
                text = f"Known already as {memory.id}; it counts for more now."
                return Answer(text=text, values={"id": memory.id, "outcome": "reinforced"})
            case Queued(memory=memory):
                text = f"It waits as {memory.id}: embedding fails just now, and it is kept once that works."
                return Answer(text=text, values={"id": memory.id, "outcome": "queued"})

    def _recall(
        self, query: str, kind: str | None, *, scope: str | None = None, max_tokens: int | None = None,
        also_past: bool = False,
    ) -> Answer:  # fmt: skip
        budget, limit = (RECALL_TOKENS, FEW) if max_tokens is None else (max_tokens, MANY)
        only_said = (kind or "").casefold() == EPISODE
        if only_said and scope is not None:
            raise InvalidInput("scope", "episodes have none", "leave it out, or leave out type")
        hits: list[MemoryHit | EpisodeHit] = []
        lead: str | None = None
        scope = from_here(scope)
        if not only_said:
            deep = also_past or asks_before(query)
            found = self._agent.recall(query, kinds=kind, scope=scope, limit=limit, deep=deep)
            hits = [*found.hits]
            if found.fell_back:
                lead = "Nothing current answers; this is superseded, inactive or summarized:"
            if scope is not None and kind is None and not hits:
                hits = _of_file(self._agent.scoped(scope, limit=limit))
                lead = "No memory answers; this is about the file:"
        if only_said or (kind is None and scope is None):
            said = self._agent.recall_episodes(query, limit=limit)
            known = {id for hit in hits if isinstance(hit, MemoryHit) for id in hit.memory.source_episodes}
            hits += [hit for hit in said.hits if hit.id not in known]
            # Both relevances are probabilities that the hit answers.
            hits = sorted(hits, key=lambda hit: -hit.relevance)[:limit]
        if not hits:
            lead = "Nothing in memory answers. Try other words; what you find out, keep with memory_learn."
        return within(hits, lead=lead, budget=budget, tokens=self._reverie.tokens)

    def _episode(self, event: str, **given: Any) -> Answer:
        message = Message(content=event, role=Role.AGENT, **given)
        seen = self._agent.observe(message, conversation=EVENTS)
        if seen.forgotten:
            raise InvalidInput(
                "event",
                "it was forgotten on purpose and is not recorded again",
                "go on without; only the user may bring it back, with `reverie observe --override`",
            )
        if seen.queued:
            text = "It waits: embedding fails just now, and it is recorded once that works. Don't repeat it."
            return Answer(text=text, values={"outcome": "queued"})
        if not seen.episode_ids:
            raise InvalidInput(
                "event", "it is private as a whole", "record what may be kept, or go on without"
            )
        id = seen.episode_ids[0]
        hidden = f"Taken out of it: {told(seen.redacted)}." if seen.redacted else None
        return Answer(text=lines(f"Recorded as {id}.", hidden), values={"id": id})

    def _procedure(self, name: str, **given: Any) -> Answer:
        procedures = self._agent.procedures
        kept = procedures.record(name, **given) if given else procedures.get(name)
        numbered = "\n".join(
            f"{place}. {set_in(step).lstrip()}" for place, step in enumerate(kept.steps.steps, 1)
        )
        went = f"succeeded {kept.steps.success_count}, failed {kept.steps.failure_count}"
        facts = f"{went}; {whose(kept.memory.source_trust, kept.memory.learned_from)}; id {kept.id}"
        lesson = kept.memory.lesson
        told = lines(numbered, f"lesson: {set_in(lesson).lstrip()}" if lesson else None)
        return Answer(
            text=lines(f"Procedure {kept.name!r} [{facts}]:", fenced(told)),
            values={
                "id": kept.id,
                "name": kept.name,
                "steps": list(kept.steps.steps),
                "success_count": kept.steps.success_count,
                "failure_count": kept.steps.failure_count,
                "trust": kept.memory.source_trust.value,
                **({"lesson": lesson} if lesson else {}),
            },
        )

    def _context(self, task: str, *, max_tokens: int = CONTEXT_TOKENS, path: str | None = None) -> Answer:
        text = self._agent.context(task, max_tokens=max_tokens, path=from_here(path)).text
        return Answer(text=text or "Memory holds nothing for this task yet.", values={"text": text})

    def _forget(self, id: str) -> Answer:
        return forgotten(self._agent.forget(id))


def _end(until: str) -> str:
    """Return when a day that is told ends; another time as it is."""
    try:
        day = date.fromisoformat(until)
    except ValueError:
        return until
    return until if day == date.max else (day + timedelta(days=1)).isoformat()


def _of_file(memories: Sequence[Memory]) -> list[MemoryHit | EpisodeHit]:
    return [MemoryHit(memory=one, score=0.0, relevance=0.0, terms={}) for one in memories]
