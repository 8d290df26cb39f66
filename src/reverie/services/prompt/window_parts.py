"""Read what the bank gives to a turn's window: memories that bear on it, open goals, what happened lately."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta, tzinfo

from reverie.domain.episode import Episode
from reverie.domain.goal import Goal
from reverie.domain.memory import State
from reverie.domain.query import Filter, MemoryHit, Strategy
from reverie.domain.time import DAY, micros
from reverie.memory.prompt import GUARDED_KINDS, about_now, label_of
from reverie.memory.quoting import shown_name
from reverie.memory.scoring import Question, score_memories
from reverie.memory.trust import may_instruct
from reverie.ports.search import Probe
from reverie.services.prompt.history import TurnMessage
from reverie.services.remember import goals
from reverie.services.runtime import Desk, clean, read_again

_PAGE = 100
_MOST_PASSED_OVER = 400
_TELLING = 30


@read_again
def recalled(
    desk: Desk, agent_id: str, task: str, path: str | None, *, without: Collection[str]
) -> Sequence[MemoryHit]:
    """Return the memories that answer the task best, best first, ``Settings.window.recalled`` at most (s3: 10): active
    ones, true now, as sure as ``Settings.window.confidence`` (s3: 0.3), and not those ``without``.

    Ordered by relevance alone, which is the same at any time; nothing is touched. What says an instruction and comes
    from a source that may not instruct stays out.
    """
    settings, now = desk.settings, desk.clock()
    view = desk.search.view(agent_id)
    desk.check_embedder(agent_id, view.embedder)
    terms = desk.terms_of(task)
    states = frozenset({State.ACTIVE})
    where = Filter(states=states, scope=path, min_confidence=settings.window.confidence)
    wide = max(settings.recall.candidates, settings.window.recalled + len(without))
    probe = Probe(
        filter=where, now=now, vector=desk.vector_of(task), terms=terms, limit=wide,
        labels=False, context=False,
    )  # fmt: skip
    found = view.memories(probe)
    scored = score_memories(found, Question(strategy=Strategy.HYBRID, now=micros(now), terms=len(terms)))
    relevance = {
        id: float(scored.relevance[place]) for place, id in enumerate(found.ids) if id not in without
    }
    enough = [id for id, share in relevance.items() if share >= settings.recall.memory_floor]
    with desk.reading(agent_id) as unit:
        memories = unit.memories.get(enough)
    places = {id: place for place, id in enumerate(found.ids)}
    hits = [
        MemoryHit(
            memory=memory,
            score=float(scored.score[places[id]]),
            relevance=relevance[id],
            terms={name: float(column[places[id]]) for name, column in scored.terms.items()},
        )
        for id, memory in memories.items()
        if (memory.kind not in GUARDED_KINDS or may_instruct(memory))
        and (memory.valid_from is None or memory.valid_from <= now)
        and (memory.valid_to is None or now < memory.valid_to)
    ]
    return sorted(hits, key=lambda hit: (-round(hit.relevance, 9), hit.id))[: settings.window.recalled]


def open_goals(desk: Desk, agent_id: str) -> Sequence[Goal]:
    """Return the goals that are kept and open: first those that are due about now, soonest first, then by priority,
    then oldest first.
    """
    first, last = about_now(desk.clock(), desk.zone(agent_id))

    def turn(goal: Goal) -> tuple[object, ...]:
        memory = goal.memory
        if goal.due is not None and first <= goal.due < last:
            return 0, goal.due, memory.id
        return 1, memory.priority.rank, memory.created_at, memory.id

    return sorted(goals.goals(desk, agent_id), key=turn)


@read_again
def lately(
    desk: Desk, agent_id: str, said: Sequence[TurnMessage], conversation: str | None
) -> Sequence[Episode]:
    """Return what was said in the last 24 hours and isn't among the messages, newest first:
    ``Settings.window.episodes`` at most (s3: 20).
    """
    now = desk.clock()
    where = Filter(since=now - DAY, until=now + timedelta(microseconds=1))
    own = _Own(desk, said, conversation)
    others: list[Episode] = []
    most, read, after = desk.settings.window.episodes, 0, None
    with desk.reading(agent_id) as unit:
        while read <= len(said) + _MOST_PASSED_OVER:
            page = unit.episodes.list(where, limit=_PAGE, after=after, newest_first=True)
            others += [episode for episode in page if not own.holds(episode)]
            read, after = read + len(page), page[-1].id if page else None
            if len(page) < _PAGE or (conversation is None and len(others) >= most):
                break
    return [episode for episode in others if not own.encloses(episode)][:most]


class _Own:
    """Which episodes are the messages themselves: by their ref, or by role and words as they are stored; and, in the
    conversation that they are of, what stands behind one of them, since some of its words may be forgotten.
    """

    def __init__(self, desk: Desk, said: Sequence[TurnMessage], conversation: str | None) -> None:
        self._conversation = conversation
        self._refs = {one.message.ref for one in said if one.message.ref is not None}
        self._words = {(one.message.role, clean(desk.settings, one.message.content).text) for one in said}
        self._first: int | None = None

    def holds(self, episode: Episode) -> bool:
        """Return whether the episode is one of them."""
        known = episode.ref in self._refs and self._conversation in (None, episode.conversation)
        if not known and (episode.role, episode.content) not in self._words:
            return False
        # What is short may have been said before, in another context.
        if episode.conversation == self._conversation and (known or len(episode.content) >= _TELLING):
            self._first = episode.position if self._first is None else min(episode.position, self._first)
        return True

    def encloses(self, episode: Episode) -> bool:
        """Return whether the episode stands behind one that was looked at and is one of them."""
        if self._first is None or episode.conversation != self._conversation:
            return False
        return episode.position > self._first


def episode_text(episode: Episode, zone: tzinfo) -> str:
    """Return an episode on one line: when, where, who, what."""
    when = episode.time.astimezone(zone).strftime("%Y-%m-%d %H:%M")
    who = shown_name(episode.speaker) or episode.role
    return f"{when}, {shown_name(episode.channel)}, {who}: {label_of(episode.source_trust)}{episode.content}"


@read_again
def is_stored(desk: Desk, agent_id: str, conversation: str) -> bool:
    """Return whether the bank holds the conversation."""
    with desk.reading(agent_id) as unit:
        return unit.conversations.get(conversation) is not None
