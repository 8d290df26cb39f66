"""Society: what the tools of toolset ``society`` do: each asks the client once and says what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from reverie.client import fenced
from reverie.domain.kinds import Kind
from reverie.domain.link import NeuralLink
from reverie.domain.outcome import Inserted, Queued, Reinforced
from reverie.domain.query import Strategy
from reverie.domain.relationship import Relationship
from reverie.domain.time import zone_of
from reverie.doors.mcp.answer import Answer, lines, plain, set_in
from reverie.doors.mcp.core import FEW, MANY, RECALL_TOKENS
from reverie.doors.mcp.counts import forgotten, told
from reverie.doors.mcp.definitions import Definition
from reverie.doors.mcp.definitions_society import SOCIETY
from reverie.doors.mcp.diary import DIARY_TOKENS, page_within, pages_within
from reverie.doors.mcp.hits import within
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_WAYS = {"both": Strategy.HYBRID, "meaning": Strategy.SEMANTIC, "keyword": Strategy.LEXICAL}
_NEAR = "It is close to {}, but says something else: both are kept."
_WAITS = "It waits as {}: embedding fails just now, and it is kept once that works."
_PAGES = 100


class Society:
    """One agent's life among others as tools. May be called from many threads at once."""

    definitions: Sequence[Definition] = SOCIETY

    def __init__(self, reverie: Reverie, agent_id: str) -> None:
        self._reverie = reverie
        self._agent: Agent = reverie.agent(agent_id)

    def run(self, name: str, given: dict[str, Any]) -> Answer:
        """Run one tool with arguments that were read, and say who asks for the agent's memory meanwhile. Raises
        ReverieError.
        """
        # Asked first: should it fail, nothing was done yet, as the refusal then says.
        asked = self._asked() if not name.startswith("neural_link") else None
        answer = self._answer(name, given)
        return answer if asked is None else replace(answer, text=lines(answer.text, asked))

    def _answer(self, name: str, given: dict[str, Any]) -> Answer:
        match name:
            case "add_to_longterm_memory":
                return self._add(**given)
            case "retrieve_specific_memories":
                return self._retrieve(**given)
            case "remove_from_memory":
                return forgotten(self._agent.forget(given["id"]))
            case "add_to_soul":
                return self._add_to_soul(**given)
            case "remove_from_soul":
                return self._remove_from_soul(**given)
            case "write_diary":
                return self._write(**given)
            case "search_diary_for_keywords":
                return self._search(**given)
            case "show_diary_entries_from_day":
                return self._show(**given)
            case "assign_relationship":
                return self._assign(**given)
            case "self_care":
                return self._self_care()
            case "neural_link_request_memory":
                return self._request(**given)
            case _:
                return self._share(**given)

    def _add(self, content: str, *, type: str = Kind.OBSERVATION, **given: Any) -> Answer:  # noqa: A002  # the tool's word
        match self._agent.remember(content, kind=type, **given):
            case Inserted(memory=memory, near=near):
                text = lines(f"Kept as {memory.id}.", _NEAR.format(", ".join(near)) if near else None)
                return Answer(text=text, values={"id": memory.id, "outcome": "inserted"})
            case Reinforced(memory=memory):
                text = f"Known already as {memory.id}; it counts for more now."
                return Answer(text=text, values={"id": memory.id, "outcome": "reinforced"})
            case Queued(memory=memory):
                values = {"id": memory.id, "outcome": "queued"}
                return Answer(text=_WAITS.format(memory.id), values=values)

    def _retrieve(self, query: str, *, by: str = "both", max_tokens: int | None = None) -> Answer:
        if by not in _WAYS:
            raise InvalidInput("by", f"there is no {by!r:.60}", f"choose from {', '.join(_WAYS)}")
        budget, limit = (RECALL_TOKENS, FEW) if max_tokens is None else (max_tokens, MANY)
        found = self._agent.recall(query, strategy=_WAYS[by], limit=limit)
        lead = (
            "Nothing current answers; this is superseded, inactive or summarized:"
            if found.fell_back
            else None
        )
        if not found.hits:
            lead = "No memory answers. Try other words, or look into your diary."
        return within(found.hits, lead=lead, budget=budget, tokens=self._reverie.tokens)

    def _add_to_soul(self, text: str) -> Answer:
        entry = self._agent.soul.add(text)
        return Answer(text=f"Your soul holds it as {entry.id}.", values={"id": entry.id})

    def _remove_from_soul(self, entry: str) -> Answer:
        said = entry.strip()
        known = next((one.id for one in self._agent.soul.list() if said in (one.id, one.text)), said)
        gone = self._agent.soul.remove(known)
        return Answer(text=lines("Taken out of your soul:", fenced(gone.text)), values={"id": gone.id})

    def _write(self, text: str, *, details: Mapping[str, object] | None = None, **given: Any) -> Answer:
        if details and "text" in details:
            raise InvalidInput("details", "it holds a text, too", "give the text as text alone")
        entry = self._agent.diary.write({"text": text, **details} if details else text, **given)
        count = len(entry.notes)
        said = f"Written on the page of {entry.date}, its note {count:,}."
        return Answer(text=said, values={"date": entry.date, "notes": f"{count}"})

    def _search(self, keywords: str, *, max_tokens: int = DIARY_TOKENS, **given: Any) -> Answer:
        found = self._agent.diary.search(keywords, limit=_PAGES, **given)
        none = "No page has all these words. Try fewer, or other ones."
        return pages_within(found, self._zone, max_tokens, self._reverie.tokens, none)

    def _show(self, *, date: str | None = None, max_tokens: int = DIARY_TOKENS) -> Answer:
        return page_within(self._agent.diary.page(date), self._zone, max_tokens, self._reverie.tokens)

    def _assign(self, other: str, **given: Any) -> Answer:
        known = self._agent.relationships
        seen = known.assign(other, **given) if given else known.get(other)
        return _relationship(seen, self._zone)

    def _self_care(self) -> Answer:
        report = self._agent.self_care()
        numbers = {
            "summarized": report.summarized, "summaries": len(report.summaries), "closed_messages": report.closed,
            "tokens_before": report.tokens_before, "tokens_after": report.tokens_after,
        }  # fmt: skip
        if report.declined is not None:
            text = f"Not now: {report.declined}. Go on; nothing was changed."
            return Answer(text=text, values={**numbers, "declined": report.declined})
        done = told(numbers) if report else "nothing was to be done"
        undo = f"The user can undo it: `reverie revert {report.id}`." if report else None
        return Answer(text=lines(f"Done: {done}.", undo), values=numbers)

    def _request(self, agent: str, *, message: str | None = None) -> Answer:
        asked = self._agent.link.request(agent, message=message)
        until = f"{asked.expires_at.astimezone(self._zone):%H:%M:%S}"
        text = (
            f"Asked {plain(asked.other)}, which has until {until} to share. Then your memory simply holds it."
        )
        return Answer(text=text, values={"id": asked.id, "until": asked.expires_at.isoformat()})

    def _share(self, agent: str, *, decline: bool = False, include: Sequence[str] = ()) -> Answer:
        if decline and include:
            raise InvalidInput("include", "declining shares nothing", "leave it out, or leave out decline")
        link = self._pending(agent)
        name = plain(link.other)
        if decline:
            self._agent.link.decline(link.id)
            return Answer(text=f"Declined; {name} gets nothing.", values={"id": link.id, "copied": {}})
        shared = self._agent.link.accept(link.id, include=include)
        text = f"Shared with {name}: {told(shared.counts)}. You keep all of it."
        return Answer(text=text, values={"id": link.id, "copied": dict(shared.counts)})

    def _pending(self, agent: str) -> NeuralLink:
        """Return that agent's request, which can be answered now. Its name counts as it is: "Kade" and "KADE" are two
        agents, and what is shared can't be unread. Raises InvalidInput.
        """
        pending = self._agent.link.pending()
        asked = [link for link in pending if agent in (link.other, link.id)]
        if not asked:
            names = ", ".join(plain(link.other) for link in pending)
            remedy = (
                f"answer one of {names}" if names else "wait until somebody asks; a request lasts 2 minutes"
            )
            raise InvalidInput("agent", "no request of that agent is open", remedy)
        return asked[-1]

    def _asked(self) -> str | None:
        """Return who asks for this agent's memory: nothing else would tell it in time."""
        asked = self._agent.link.pending()
        if not asked:
            return None
        names = ", ".join(
            f"{plain(link.other)} (until {link.expires_at.astimezone(self._zone):%H:%M:%S})" for link in asked
        )
        said = [f"{plain(link.other)}:\n{set_in(link.message)}" for link in asked if link.message]
        return lines(
            f"Asking for a copy of your memory: {names}. Answer by neural_link_share_memory, as you like.",
            fenced("\n".join(said)) if said else None,
        )

    @property
    def _zone(self) -> tzinfo:
        return zone_of(self._agent.profile.time_zone)


def _relationship(seen: Relationship, zone: tzinfo) -> Answer:
    met = None
    if seen.first_met_at is not None:
        many = "1 message" if seen.interaction_count == 1 else f"{seen.interaction_count:,} messages"
        met = f"met on {seen.first_met_at.astimezone(zone):%Y-%m-%d}, {many} of theirs since"
    beside = {"tone": seen.tone, "rationale": seen.rationale, "notes": seen.notes}
    known = {name: value for name, value in beside.items() if value}
    facts = [f"{seen.type}, trust {seen.trust:+.2f}", *(f"{name}: {value}" for name, value in known.items())]
    told = fenced(set_in(lines(*facts, met)))
    values = {"other": seen.other, "type": seen.type, "trust": seen.trust, **known}
    return Answer(
        text=lines(f"How you see {plain(seen.other)}:", told),
        values={**values, "interaction_count": seen.interaction_count},
    )
