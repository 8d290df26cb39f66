"""Recall memories and episodes: candidates, score, floor, budget. This is the one read path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict, TypeVar

import numpy as np

from reverie.domain.ask import Ask
from reverie.domain.memory import Memory, State, Version
from reverie.domain.query import EpisodeHit, Filter, MemoryHit, Recall, Strategy
from reverie.errors import NotFound
from reverie.language import asks_before, named_speakers, without_names
from reverie.memory.prompt import checked_count, fit
from reverie.memory.quoting import may_be_summary
from reverie.memory.scoring import (
    LOOKED_AT,
    EpisodeCandidates,
    MemoryCandidates,
    Scored,
    best_first,
    explained,
    score_episodes,
    score_memories,
)
from reverie.ports.search import View
from reverie.ports.store import Unit
from reverie.services.recall.arrange import current_first, later_first, newer_first, spread
from reverie.services.recall.question import (
    MEANING,
    PreparedQuestion,
    asks_by_content,
    by_words,
    emotions_of,
    looks_at_times,
    probe_of,
    question_of,
    text_of,
)
from reverie.services.runtime import Desk, read_again

_DEEP_STATES = frozenset(State)
Hit = TypeVar("Hit", bound=MemoryHit | EpisodeHit)
_Reader = Callable[[Sequence[int]], list[MemoryHit]]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Chosen:
    """Places of the candidates above the floor, best first."""

    places: Sequence[int]
    considered: int
    below_floor: int


@read_again
def recall(desk: Desk, agent_id: str, ask: Ask) -> Recall[MemoryHit]:
    """Return memories that answer, best first.

    What is found counts as touched, unless it is only looked at. Where ordinary recall finds nothing above the floor,
    deep recall is tried and the result says so. Raise EmbedderMismatch.
    """
    text = text_of(desk, agent_id, ask)
    view = desk.search.view(agent_id)
    desk.check_embedder(agent_id, view.embedder)
    question = question_of(desk, agent_id, ask, text)
    if text is None or ask.strategy not in MEANING:
        question = replace(question, emotions=emotions_of(desk, question, None))
    elif (vector := desk.vector_of(text)) is None:
        question = by_words(desk, agent_id, question)
    else:
        question = replace(question, vector=vector, emotions=emotions_of(desk, question, vector))
    candidates = _searched(desk, agent_id, view, question, deep=ask.deep)
    found = _recall_memories(desk, agent_id, question, candidates, deep=ask.deep)
    if not found.hits and not found.left_out and not ask.deep and ask.as_of is None:
        refused = frozenset(candidates.ids)
        candidates = _searched(desk, agent_id, view, question, deep=True)
        deep = _recall_memories(desk, agent_id, question, candidates, deep=True)
        hits = tuple(hit for hit in deep.hits if hit.id not in refused)
        found = replace(deep, hits=hits, fell_back=True) if hits else found
    if ask.touch:
        desk.touches.add(agent_id, [hit.id for hit in found.hits], desk.clock())
    return found


@read_again
def recall_episodes(desk: Desk, agent_id: str, ask: Ask) -> Recall[EpisodeHit]:
    """Return what was said, best first. Raise EmbedderMismatch."""
    text = text_of(desk, agent_id, ask)
    view = desk.search.view(agent_id)
    desk.check_embedder(agent_id, view.embedder)
    named = () if text is None else named_speakers(text, view.speakers)
    question = question_of(desk, agent_id, ask, text, named)
    if text is not None and ask.strategy in MEANING:
        vector = desk.vector_of(without_names(text, named))
        question = by_words(desk, agent_id, question) if vector is None else replace(question, vector=vector)
    found = view.episodes(probe_of(desk, question, ask.filter))
    ask = question.ask
    if not found.ids and looks_at_times(question):
        found = view.episodes(probe_of(desk, question, ask.filter, everywhere=True))
    with desk.store.read(agent_id) as unit:
        scored = score_episodes(found, question.for_score())
        chosen = _choose(desk.settings.recall.episode_floor, ask, question, scored, found)
        places = _first(desk, ask, chosen.places)

        def read(some: Sequence[int]) -> list[EpisodeHit]:
            stored = unit.episodes.get([found.ids[place] for place in some])
            return [
                EpisodeHit(episode=stored[found.ids[place]], **numbers)
                for place, numbers in zip(some, _numbers(scored, some), strict=True)
                if found.ids[place] in stored
            ]

        hits = read(places)
        if asks_by_content(question):
            hits = spread(hits, chosen.places[len(places) :], read)[: len(hits)]
    return _cut(desk, ask, question, hits, chosen, deep=False)


def _where(desk: Desk, agent_id: str, ask: Ask, *, deep: bool) -> Filter:
    where = replace(ask.filter, states=_DEEP_STATES, include_superseded=True) if deep else ask.filter
    if ask.query is not None and ask.conversation is not None:
        where = replace(where, ids=_of_conversation(desk, agent_id, ask.conversation))
    return where


def _searched(
    desk: Desk, agent_id: str, view: View, question: PreparedQuestion, *, deep: bool
) -> MemoryCandidates:
    where = _where(desk, agent_id, question.ask, deep=deep)
    # No unit is open meanwhile: a view may need a connection of its own.
    found = view.memories(probe_of(desk, question, where))
    if not found.ids and looks_at_times(question):
        found = view.memories(probe_of(desk, question, where, everywhere=True))
    return found


def _recall_memories(
    desk: Desk, agent_id: str, question: PreparedQuestion, found: MemoryCandidates, *, deep: bool
) -> Recall[MemoryHit]:
    ask = question.ask
    with desk.store.read(agent_id) as unit:
        scored = score_memories(found, question.for_score())
        chosen = _choose(desk.settings.recall.memory_floor, ask, question, scored, found)

        def plain(some: Sequence[int]) -> list[MemoryHit]:
            return _memory_hits(unit, found, scored, some, ask.as_of)

        read: _Reader = plain
        places = _first(desk, ask, chosen.places)
        if _wants_the_latest(question):
            chosen, read = _latest_first(unit, chosen, found, scored, plain, len(places))
            places = _first(desk, ask, chosen.places)

        def further(ids: Collection[str]) -> list[MemoryHit]:
            return read(
                [place for place in chosen.places if found.ids[place] in ids and not found.version[place]]
            )

        hits = read(places)
        if asks_by_content(question):
            size = len(hits)
            hits = spread(hits, chosen.places[len(places) :], read)
            hits = newer_first(unit, hits, further)[:size]
            if not deep and ask.as_of is None:
                hits = current_first(hits, chosen.places[len(places) :], read, desk.clock())[:size]
    return _cut(desk, ask, question, hits, chosen, deep=deep)


def _wants_the_latest(question: PreparedQuestion) -> bool:
    """Return whether what was said later counts for more: not where it is asked what was so before, nor for a
    conversation's last messages, which ask for nothing.
    """
    ask = question.ask
    return ask.query is not None and ask.strategy is Strategy.HYBRID and not asks_before(ask.query)


def _latest_first(
    unit: Unit,
    chosen: _Chosen,
    found: MemoryCandidates,
    scored: Scored,
    plain: _Reader,
    size: int,
) -> tuple[_Chosen, _Reader]:
    """Return the candidates with the later of those first that tell of the same, and what reads their hits, in that
    order. ``size``: so many are read in any case.
    """
    looked, rest = chosen.places[:LOOKED_AT], chosen.places[LOOKED_AT:]
    behind = scored.score.item(rest[0]) if rest else 0.0
    ahead = chosen.places[: max(LOOKED_AT, size)]
    place_of = {found.ids[place]: place for place in ahead}
    hits = {place_of[hit.id]: hit for hit in plain(ahead)}
    best = later_first(unit, [hits[place] for place in looked if place in hits], behind)
    order = [place_of[hit.id] for hit in best]
    hits.update(zip(order, best, strict=True))

    def read(some: Sequence[int]) -> list[MemoryHit]:
        unread = [place for place in some if place not in hits]
        return [*(hits[place] for place in some if place in hits), *(plain(unread) if unread else ())]

    gone = [place for place in looked if place not in hits]
    return replace(chosen, places=[*order, *gone, *rest]), read


def _of_conversation(desk: Desk, agent_id: str, conversation: str) -> frozenset[str]:
    """Return ids of the conversation's memories. Raise NotFound."""
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
    wording = {place: found.version.item(place) for place in ids}
    worded = [(id, wording[place]) for place, id in ids.items() if wording[place]]
    past = unit.memories.past(worded) if worded else {}
    sources = {episode for id in ids.values() for episode in stored[id].source_episodes}
    refs = {key: episode.ref for key, episode in unit.episodes.get(sources).items()} if sources else {}
    told = [id for id in ids.values() if may_be_summary(stored[id].essence, stored[id].origin)]
    summaries = unit.summaries.get(told) if told else {}
    hits = []
    for (place, id), numbers in zip(ids.items(), _numbers(scored, [*ids]), strict=True):
        memory = stored[id]
        version = past.get((id, wording[place]))
        if version is None and as_of is not None and memory.believed_from > as_of:
            # Revised since the view was taken: the wording that it showed is in the history by now
            version = _believed_at(as_of, unit.memories.versions(id))
        if version is None and (wording[place] or (as_of is not None and memory.believed_from > as_of)):
            continue
        known = tuple(ref for key in memory.source_episodes if (ref := refs.get(key)) is not None)
        hits.append(
            MemoryHit(
                memory=_as_worded(memory, version), refs=known, summary=summaries.get(id),
                **numbers,
            )
        )  # fmt: skip
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
    floor: float,
    ask: Ask,
    question: PreparedQuestion,
    scored: Scored,
    found: MemoryCandidates | EpisodeCandidates,
) -> _Chosen:
    order = best_first(scored, found.ids)
    if ask.strategy in (Strategy.TOPIC, Strategy.LEXICAL):
        order = order[scored.score[order] > 0]
    kept = order
    if asks_by_content(question) and ask.min_score is not None:
        kept = order[scored.relevance[order] >= ask.min_score]
    # What is asked for by words alone shares a word with the question, or it would be no candidate.
    elif asks_by_content(question) and ask.strategy is not Strategy.LEXICAL and len(order):
        kept = order if scored.relevance[order].max() >= floor else order[:0]
    return _Chosen(places=kept.tolist(), considered=len(found.ids), below_floor=len(order) - len(kept))


def _first(desk: Desk, ask: Ask, places: Sequence[int]) -> Sequence[int]:
    """Return what to read from the store: as many as the limit lets in; with a budget alone, all."""
    if ask.limit is None and ask.max_tokens is not None:
        return places
    return places[: ask.limit or desk.settings.recall.limit]


class _Numbers(TypedDict):
    score: float
    relevance: float
    terms: Mapping[str, float]


def _numbers(scored: Scored, places: Sequence[int]) -> list[_Numbers]:
    """Return what is told of the candidates at these places."""
    some = np.asarray(places, np.intp)
    columns = [
        column.take(some).tolist() for column in (scored.score, scored.relevance, *scored.terms.values())
    ]
    return [
        {"score": score, "relevance": relevance, "terms": dict(zip(scored.terms, points, strict=True))}
        for score, relevance, *points in zip(*columns, strict=True)
    ]


def _cut(
    desk: Desk, ask: Ask, question: PreparedQuestion, hits: list[Hit], chosen: _Chosen, *, deep: bool
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
        words_only=question.words_only,
    )
