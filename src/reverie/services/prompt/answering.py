"""What was said that answers the task of a context block: episodes as quotations, best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, fields, replace

from reverie.domain.ask import Ask
from reverie.domain.episode import Episode
from reverie.domain.query import Filter
from reverie.language import named_speakers
from reverie.memory.prompt import Situation, answerable
from reverie.memory.scoring import EpisodeCandidates, best_first, score_episodes
from reverie.ports.search import Floats, Probe, View
from reverie.ports.store import Unit
from reverie.services.recall import question_of
from reverie.services.remember import outdated
from reverie.services.runtime import Desk

MOST_SAID = 40
"""Episodes that are looked at for a block."""
_CANDIDATES = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskAnswer:
    """An episode that bears on the task, with its relevance in [0, 1]."""

    episode: Episode
    relevance: float


def answering(
    desk: Desk,
    agent_id: str,
    view: View,
    text: str,
    vector: Floats | None,
    around: Situation,
    shown: Set[str],
    among: frozenset[str] = frozenset(),
) -> Sequence[tuple[str, float]]:
    """Return ids of the episodes that answer a text best, with their relevance, best first: at most MOST_SAID. None
    where even the best is unlikely to. Those that are ``shown`` elsewhere, as the task is made of them, would pass for
    the best answer, and don't count. ``among``: only of these conversations; empty: of all.
    """
    named = named_speakers(text, view.speakers)
    question = question_of(desk, agent_id, Ask(query=text, filter=Filter()), text, named)
    probe = Probe(
        filter=Filter(conversations=among), now=desk.clock(), vector=vector, terms=question.terms,
        limit=_CANDIDATES, labels=False,
    )  # fmt: skip
    found = _without(view.episodes(probe), shown)
    if not found.ids:
        return ()
    scored = score_episodes(found, question.for_score())
    relevance = answerable(scored.relevance, around)
    order = best_first(scored, found.ids)[:MOST_SAID].tolist()
    return [(found.ids[place], float(relevance[place])) for place in order if relevance[place]]


def _without(found: EpisodeCandidates, shown: Set[str]) -> EpisodeCandidates:
    """Return the candidates but for these."""
    if shown.isdisjoint(found.ids):
        return found
    places = [place for place, id in enumerate(found.ids) if id not in shown]
    columns = {
        field.name: getattr(found, field.name)[places]
        for field in fields(found)
        if field.name not in ("ids", "speakers")
    }
    return replace(found, ids=[found.ids[place] for place in places], **columns)


def read(unit: Unit, found: Sequence[tuple[str, float]]) -> Sequence[TaskAnswer]:
    """Return the episodes that are there still, in their order, without the words of memories that were corrected
    since.
    """
    stored = unit.episodes.get([id for id, _ in found])
    wrong = outdated(unit, unit.memories.derived_from(stored)) if stored else {}
    answers = []
    for id, score in found:
        if id in stored and (said := _without_words(stored[id], wrong.get(id, ()))) is not None:
            answers.append(TaskAnswer(episode=said, relevance=score))
    return answers


def _without_words(episode: Episode, wrong: Iterable[str]) -> Episode | None:
    """Return an episode with an ellipsis for each of the texts; None where they were all that it says."""
    left = episode.content
    for text in wrong:
        left = left.replace(text, "…")
    if left == episode.content:
        return episode
    return replace(episode, content=left) if any(map(str.isalnum, left)) else None
