"""The question of a recall made ready: its text, names, terms, times and emotions, and the probe that they make."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from reverie.domain.ask import Ask
from reverie.domain.emotion import emotion_bits
from reverie.domain.query import Filter, Strategy
from reverie.domain.time import micros
from reverie.errors import NotFound
from reverie.language import asks_when, name_words
from reverie.language.dates import Window, moments
from reverie.memory.scoring import score
from reverie.ports.search import Floats, Probe
from reverie.services.runtime import Desk

MEANING = frozenset({Strategy.SEMANTIC, Strategy.HYBRID})
_WORDS = frozenset({Strategy.LEXICAL, Strategy.TOPIC, Strategy.HYBRID})
_BY_CONTENT = frozenset({Strategy.SEMANTIC, Strategy.LEXICAL, Strategy.HYBRID})
_TIMES = frozenset({Strategy.TEMPORAL, Strategy.HYBRID})
# How far around a time that a question names strategy temporal looks first: people tell of things afterwards.
_BEFORE, _AFTER = timedelta(days=7), timedelta(days=28)
_EARLIEST, _LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class PreparedQuestion:
    """An Ask made ready: its names, terms and times found, and then embedded once."""

    ask: Ask
    """As it was given, but by words alone where the embedder failed (``words_only``)."""
    text: str | None
    vector: Floats | None = None
    terms: tuple[str, ...]
    named: tuple[str, ...] = ()
    windows: tuple[Window, ...] = ()
    emotions: int = 0
    now: int
    words_only: bool = False

    def for_score(self) -> score.Question:
        """Return what the score must know of it."""
        return score.Question(
            strategy=self.ask.strategy,
            now=self.now,
            terms=len(self.terms),
            windows=self.windows,
            asks_when=self.text is not None and asks_when(self.text),
            named=self.named,
            emotions=self.emotions,
        )


def text_of(desk: Desk, agent_id: str, ask: Ask) -> str | None:
    """Return what is asked: the query, else a conversation's last messages, else None. Raise NotFound."""
    if ask.query is None and ask.conversation is not None:
        return _situation(desk, agent_id, ask.conversation)
    return ask.query


def question_of(
    desk: Desk, agent_id: str, ask: Ask, text: str | None, named: tuple[str, ...] = ()
) -> PreparedQuestion:
    """Return the Ask made ready, but for its vector and emotions."""
    clock = desk.clock()
    now = micros(clock)
    if text is None:
        return PreparedQuestion(ask=ask, text=None, terms=(), now=now)
    windows: tuple[Window, ...] = ()
    if ask.strategy in _TIMES and (windows := moments(text, ask.as_of or clock)):
        zone = desk.zone(agent_id)  # most questions name no time and need none
        windows = windows if zone.key == "UTC" else moments(text, ask.as_of or clock, zone)
    terms = desk.terms_of(text, name_words(named)) if ask.strategy in _WORDS else ()
    return PreparedQuestion(ask=ask, text=text, terms=terms, named=named, windows=windows, now=now)


def by_words(desk: Desk, agent_id: str, question: PreparedQuestion) -> PreparedQuestion:
    """Return the question where the embedder failed, and words alone must do."""
    ask = replace(question.ask, strategy=Strategy.LEXICAL)
    return replace(question_of(desk, agent_id, ask, question.text, question.named), words_only=True)


def emotions_of(desk: Desk, question: PreparedQuestion, vector: Floats | None) -> int:
    """Return the question's emotions as bits: those that the caller gave, else as they are judged."""
    felt = question.ask.emotions
    if felt is None and question.text is not None and question.ask.strategy is Strategy.HYBRID:
        felt = desk.mood_of(question.text, vector)
    return emotion_bits(felt, neutral=False)


def _situation(desk: Desk, agent_id: str, conversation: str) -> str:
    """Return the last messages of a conversation as a question. Raise NotFound."""
    with desk.store.read(agent_id) as unit:
        snippet = unit.episodes.tail(conversation, desk.settings.loop.snippet_messages)
    if not snippet:
        raise NotFound("conversation", conversation)
    return "\n".join(episode.content for episode in snippet)


def looks_at_times(question: PreparedQuestion) -> bool:
    """Return whether the probe keeps to what lies near the times that the question names."""
    return question.ask.strategy is Strategy.TEMPORAL and bool(question.windows)


def _near_times(question: PreparedQuestion, where: Filter) -> Filter:
    """Return the filter narrowed to what lies near the times that the question names."""
    first = min(window.since for window in question.windows)
    last = max(window.until for window in question.windows)
    since = first - min(_BEFORE, first - _EARLIEST)
    until = last + min(_AFTER, _LATEST - last)
    return replace(
        where,
        since=since if where.since is None else max(since, where.since),
        until=until if where.until is None else min(until, where.until),
    )


def probe_of(desk: Desk, question: PreparedQuestion, where: Filter, *, everywhere: bool = False) -> Probe:
    """Return what to look for; ``everywhere``: also far from the times that the question names."""
    ask = question.ask
    if looks_at_times(question) and not everywhere:
        where = _near_times(question, where)
    wide = max(desk.settings.recall.candidates, 2 * (ask.limit or desk.settings.recall.limit))
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


def asks_by_content(question: PreparedQuestion) -> bool:
    """Return whether hits have a relevance, and those that repeat each other step back."""
    return question.text is not None and question.ask.strategy in _BY_CONTENT
