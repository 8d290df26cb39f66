"""What was said that answers the task of a context block: episodes as quotations, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.domain.ask import Ask
from reverie.domain.episode import Episode
from reverie.domain.query import Filter
from reverie.ports.search import Floats, Probe, View
from reverie.ports.store import Unit
from reverie.rules.naming import name_words, named_speakers
from reverie.rules.score import best_first, score_episodes
from reverie.rules.terms import query_terms
from reverie.services.desk import Desk
from reverie.services.question import question_of

MOST_SAID = 40
"""Episodes that are looked at for a block."""
_CANDIDATES = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """An episode that bears on the task, with its relevance in [0, 1]."""

    episode: Episode
    relevance: float


def answering(
    desk: Desk, agent_id: str, view: View, text: str, vector: Floats | None, least: float
) -> Sequence[tuple[str, float]]:
    """Return ids of the episodes that answer a text best, with their relevance, best first: at most MOST_SAID, of at
    least that relevance.
    """
    named = named_speakers(text, view.speakers)
    question = question_of(desk, agent_id, Ask(query=text, filter=Filter()), text, named)
    probe = Probe(
        filter=Filter(), now=desk.clock(), vector=vector, terms=tuple(query_terms(text, name_words(named))),
        limit=_CANDIDATES, labels=False,
    )  # fmt: skip
    found = view.episodes(probe)
    if not found.ids:
        return ()
    scored = score_episodes(found, question.for_score())
    order = best_first(scored, found.ids)[:MOST_SAID].tolist()
    return [
        (found.ids[place], float(scored.relevance[place]))
        for place in order
        if scored.relevance[place] >= least
    ]


def read(unit: Unit, found: Sequence[tuple[str, float]]) -> Sequence[Answer]:
    """Return the episodes that are there still, in their order."""
    stored = unit.episodes.get([id for id, _ in found])
    return [Answer(episode=stored[id], relevance=score) for id, score in found if id in stored]
