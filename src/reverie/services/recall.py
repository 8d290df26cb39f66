"""recall: the one read path. Candidates, score, floor, budget; for memories and for what was said."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypedDict, TypeVar
from zoneinfo import ZoneInfo

from reverie.domain.ask import Ask
from reverie.domain.emotion import emotion_bits
from reverie.domain.memory import Memory, State, Version
from reverie.domain.query import EpisodeHit, Filter, MemoryHit, Recall, Strategy
from reverie.domain.time import from_micros, micros, zone_of
from reverie.errors import NotFound
from reverie.ports.search import Floats, Probe, View
from reverie.ports.store import Unit
from reverie.rules import score
from reverie.rules.budget import checked_count, fit
from reverie.rules.candidates import EpisodeCandidates, MemoryCandidates
from reverie.rules.dates import moments
from reverie.rules.explain import explained
from reverie.rules.naming import name_words, named_speakers, without_names
from reverie.rules.score import Scored, best_first, score_episodes, score_memories
from reverie.rules.terms import query_terms
from reverie.rules.traits import asks_when
from reverie.rules.when import Window
from reverie.services.arrange import newer_first, spread
from reverie.services.desk import Desk, read_again

_MEANING = frozenset({Strategy.SEMANTIC, Strategy.HYBRID})
_WORDS = frozenset({Strategy.LEXICAL, Strategy.TOPIC, Strategy.HYBRID})
_BY_CONTENT = frozenset({Strategy.SEMANTIC, Strategy.LEXICAL, Strategy.HYBRID})
_TIMES = frozenset({Strategy.TEMPORAL, Strategy.HYBRID})
# How far around a time that a question names strategy temporal looks first: people tell of things afterwards.
_BEFORE, _AFTER = timedelta(days=7), timedelta(days=28)
_EARLIEST, _LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_DEEP_STATES = frozenset(State)
Hit = TypeVar("Hit", bound=MemoryHit | EpisodeHit)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Question:
    """An Ask made ready: embedded once, its names and terms found."""

    ask: Ask
    text: str | None
    vector: Floats | None
    terms: tuple[str, ...]
    named: tuple[str, ...] = ()
    windows: tuple[Window, ...] = ()
    emotions: int = 0
    now: int
    in_zone: bool = False
    """Whether ``windows`` are days of the agent's zone; else they are UTC's, and the zone is still to be looked up."""

    def for_score(self) -> score.Question:
        """What the score must know of it."""
        return score.Question(
            strategy=self.ask.strategy,
            now=self.now,
            terms=len(self.terms),
            windows=self.windows,
            asks_when=self.text is not None and asks_when(self.text),
            named=self.named,
            emotions=self.emotions,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Chosen:
    """Candidates above the floor, best first, as (place, relevance)."""

    places: Sequence[int]
    considered: int
    below_floor: int


@read_again
def recall(desk: Desk, agent_id: str, ask: Ask) -> Recall[MemoryHit]:
    """Memories that answer, best first.

    What is found counts as touched. Where ordinary recall finds nothing above the floor, deep recall is
    tried and the result says so. Raises EmbedderMismatch.
    """
    view = desk.search.view(agent_id)
    desk.check_embedder(agent_id, view.embedder)
    question = _question(desk, agent_id, view, ask, names=False)
    question = replace(question, emotions=_emotions(desk, question))
    found = _recall_memories(desk, agent_id, view, question, deep=ask.deep)
    if not found.hits and not found.left_out and not ask.deep and ask.as_of is None:
        deep = _recall_memories(desk, agent_id, view, question, deep=True)
        found = replace(deep, fell_back=True) if deep.hits else found
    desk.touches.add(agent_id, [hit.id for hit in found.hits], desk.clock())
    return found


@read_again
def recall_episodes(desk: Desk, agent_id: str, ask: Ask) -> Recall[EpisodeHit]:
    """What was said, best first. Raises EmbedderMismatch."""
    view = desk.search.view(agent_id)
    desk.check_embedder(agent_id, view.embedder)
    question = _question(desk, agent_id, view, ask, names=True)
    found = view.episodes(_probe(desk, question, ask.filter))
    if not found.ids and _looks_at_times(question):
        found = view.episodes(_probe(desk, question, ask.filter, everywhere=True))
    with desk.store.read(agent_id) as unit:
        question = _dated(unit, question)
        scored = score_episodes(found, question.for_score())
        chosen = _choose(desk.settings.episode_floor, ask, question, scored, found)
        places = _first(desk, ask, chosen.places)

        def read(some: Sequence[int]) -> list[EpisodeHit]:
            stored = unit.episodes.get([found.ids[place] for place in some])
            return [
                EpisodeHit(episode=stored[found.ids[place]], **_numbers(scored, place))
                for place in some
                if found.ids[place] in stored
            ]

        hits = read(places)
        if _asks_by_content(question):
            hits = spread(hits, chosen.places[len(places) :], read)[: len(hits)]
    return _cut(desk, ask, question, hits, chosen, deep=False)


def _question(desk: Desk, agent_id: str, view: View, ask: Ask, *, names: bool) -> _Question:
    text = ask.query
    if text is None and ask.conversation is not None:
        text = _situation(desk, agent_id, ask.conversation)
    clock = desk.clock()
    now = micros(clock)
    if text is None:
        return _Question(ask=ask, text=None, vector=None, terms=(), now=now)
    windows = moments(text, ask.as_of or clock) if ask.strategy in _TIMES else ()
    if windows and ask.strategy is Strategy.TEMPORAL:  # it searches near them
        windows = _local(windows, text, ask.as_of or clock, desk.zone(agent_id))
    named = named_speakers(text, view.speakers) if names else ()
    vector = desk.embedder.embed_query(without_names(text, named)) if ask.strategy in _MEANING else None
    terms = tuple(query_terms(text, name_words(named))) if ask.strategy in _WORDS else ()
    return _Question(
        ask=ask, text=text, vector=vector, terms=terms, named=named, windows=windows, now=now,
        in_zone=not windows or ask.strategy is Strategy.TEMPORAL,
    )  # fmt: skip


def _emotions(desk: Desk, question: _Question) -> int:
    """The question's emotions as bits: those that the caller gave, else as they are judged."""
    felt = question.ask.emotions
    if felt is None and question.text is not None and question.ask.strategy is Strategy.HYBRID:
        felt = desk.mood_of(question.text, question.vector)
    return emotion_bits(felt, neutral=False)


def _dated(unit: Unit, question: _Question) -> _Question:
    """The question with its windows in the agent's zone, which is looked up only where there are any."""
    if question.in_zone or question.text is None:
        return question
    agent = unit.agents.get()
    zone = zone_of(agent.time_zone if agent else "UTC")
    windows = _local(question.windows, question.text, question.ask.as_of or from_micros(question.now), zone)
    return replace(question, windows=windows, in_zone=True)


def _local(windows: tuple[Window, ...], text: str, now: datetime, zone: ZoneInfo) -> tuple[Window, ...]:
    """The spans of time that a question names, of which those in UTC are known."""
    return windows if zone.key == "UTC" else moments(text, now, zone)


def _situation(desk: Desk, agent_id: str, conversation: str) -> str:
    """The last messages of a conversation as a question. Raises NotFound."""
    with desk.store.read(agent_id) as unit:
        snippet = unit.episodes.tail(conversation, desk.settings.snippet_messages)
    if not snippet:
        raise NotFound("conversation", conversation)
    return "\n".join(episode.content for episode in snippet)


def _looks_at_times(question: _Question) -> bool:
    return question.ask.strategy is Strategy.TEMPORAL and bool(question.windows)


def _near_times(question: _Question, where: Filter) -> Filter:
    """The filter narrowed to what lies near the times that the question names."""
    first = min(window.since for window in question.windows)
    last = max(window.until for window in question.windows)
    since = first - min(_BEFORE, first - _EARLIEST)
    until = last + min(_AFTER, _LATEST - last)
    return replace(
        where,
        since=since if where.since is None else max(since, where.since),
        until=until if where.until is None else min(until, where.until),
    )


def _probe(desk: Desk, question: _Question, where: Filter, *, everywhere: bool = False) -> Probe:
    ask = question.ask
    if _looks_at_times(question) and not everywhere:
        where = _near_times(question, where)
    wide = max(desk.settings.candidates, 2 * (ask.limit or desk.settings.recall_limit))
    return Probe(
        filter=where,
        now=ask.as_of or desk.clock(),
        vector=question.vector,
        terms=question.terms,
        limit=wide,
        as_of=ask.as_of,
        labels=ask.strategy is Strategy.TOPIC,
        context=ask.strategy is Strategy.HYBRID,
    )


def _recall_memories(
    desk: Desk, agent_id: str, view: View, question: _Question, *, deep: bool
) -> Recall[MemoryHit]:
    ask = question.ask
    where = replace(ask.filter, states=_DEEP_STATES, include_superseded=True) if deep else ask.filter
    if ask.query is not None and ask.conversation is not None:
        where = replace(where, ids=_of_conversation(desk, agent_id, ask.conversation))
    # No unit is open meanwhile: a view may need a connection of its own.
    found = view.memories(_probe(desk, question, where))
    if not found.ids and _looks_at_times(question):
        found = view.memories(_probe(desk, question, where, everywhere=True))
    with desk.store.read(agent_id) as unit:
        question = _dated(unit, question)
        scored = score_memories(found, question.for_score())
        chosen = _choose(desk.settings.memory_floor, ask, question, scored, found)
        places = _first(desk, ask, chosen.places)

        def read(some: Sequence[int]) -> list[MemoryHit]:
            return _memory_hits(unit, found, scored, some, ask.as_of)

        def further(ids: Collection[str]) -> list[MemoryHit]:
            return read(
                [place for place in chosen.places if found.ids[place] in ids and not found.version[place]]
            )

        hits = read(places)
        if _asks_by_content(question):
            size = len(hits)
            hits = spread(hits, chosen.places[len(places) :], read)
            hits = newer_first(unit, hits, further)[:size]
    return _cut(desk, ask, question, hits, chosen, deep=deep)


def _of_conversation(desk: Desk, agent_id: str, conversation: str) -> frozenset[str]:
    """Ids of the conversation's memories. Raises NotFound."""
    with desk.store.read(agent_id) as unit:
        if unit.conversations.get(conversation) is None:
            raise NotFound("conversation", conversation)
        return unit.memories.of_conversation([conversation])


def _memory_hits(
    unit: Unit,
    found: MemoryCandidates,
    scored: Scored,
    some: Sequence[int],
    as_of: datetime | None,
) -> list[MemoryHit]:
    ids = {place: found.ids[place] for place in some}
    stored = unit.memories.get(ids.values())
    ids = {place: id for place, id in ids.items() if id in stored}
    past = unit.memories.past(
        [(id, int(found.version[place])) for place, id in ids.items() if found.version[place]]
    )
    sources = {episode for id in ids.values() for episode in stored[id].source_episodes}
    refs = {key: episode.ref for key, episode in unit.episodes.get(sources).items()} if sources else {}
    hits = []
    for place, id in ids.items():
        memory = stored[id]
        version = past.get((id, int(found.version[place])))
        if version is None and as_of is not None and memory.believed_from > as_of:
            # Revised since the view was taken: the wording that it showed is in the history by now
            version = _believed_at(as_of, unit.memories.versions(id))
        if version is None and (found.version[place] or (as_of is not None and memory.believed_from > as_of)):
            continue
        known = tuple(ref for key in memory.source_episodes if (ref := refs.get(key)) is not None)
        hits.append(MemoryHit(memory=_as_worded(memory, version), refs=known, **_numbers(scored, place)))
    return hits


def _believed_at(moment: datetime, versions: Sequence[Version]) -> Version | None:
    return next((one for one in versions if one.believed_from <= moment < one.believed_to), None)


def _as_worded(memory: Memory, version: Version | None) -> Memory:
    if version is None:
        return memory
    return replace(
        memory,
        essence=version.essence,
        lesson=version.lesson,
        version=version.version,
        believed_from=version.believed_from,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
    )


def _choose(
    floor: float, ask: Ask, question: _Question, scored: Scored, found: MemoryCandidates | EpisodeCandidates
) -> _Chosen:
    order = best_first(scored, found.ids)
    if ask.strategy in (Strategy.TOPIC, Strategy.LEXICAL):
        order = order[scored.score[order] > 0]
    # What is asked for by words alone shares a word with the question, or it would be no candidate.
    default = 0.0 if ask.strategy is Strategy.LEXICAL else floor
    least = default if ask.min_score is None else ask.min_score
    kept = order[scored.relevance[order] >= least] if _asks_by_content(question) else order
    return _Chosen(places=kept.tolist(), considered=len(found.ids), below_floor=len(order) - len(kept))


def _asks_by_content(question: _Question) -> bool:
    return question.text is not None and question.ask.strategy in _BY_CONTENT


def _first(desk: Desk, ask: Ask, places: Sequence[int]) -> Sequence[int]:
    """What to read from the store: as many as the limit lets in; with a budget alone, all."""
    if ask.limit is None and ask.max_tokens is not None:
        return places
    return places[: ask.limit or desk.settings.recall_limit]


class _Numbers(TypedDict):
    score: float
    relevance: float
    terms: Mapping[str, float]


def _numbers(scored: Scored, place: int) -> _Numbers:
    return {
        "score": float(scored.score[place]),
        "relevance": float(scored.relevance[place]),
        "terms": {name: float(column[place]) for name, column in scored.terms.items()},
    }


def _cut(
    desk: Desk, ask: Ask, question: _Question, hits: list[Hit], chosen: _Chosen, *, deep: bool
) -> Recall[Hit]:
    kept: list[Hit] = hits
    spent = 0
    if ask.max_tokens is not None:
        counter = ask.tokens
        cost = desk.tokens if counter is None else lambda text, _left: checked_count(counter, text)
        places, spent = fit([hit.text for hit in hits], ask.max_tokens, cost)
        kept = [hits[place] for place in places]
    if ask.explain:
        kept = [replace(hit, explanation=explained(hit.terms)) for hit in kept]
    return Recall(
        hits=tuple(kept),
        query=question.text,
        strategy=ask.strategy,
        deep=deep,
        considered=chosen.considered,
        below_floor=chosen.below_floor,
        left_out=len(chosen.places) - len(kept),
        tokens=spent,
    )
