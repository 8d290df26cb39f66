"""Extraction: which statements of a snippet are kept, and what they become."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reverie.domain.emotion import Emotions
from reverie.domain.snippet import Extracted, Snippet
from reverie.minds.local.statements import Statement, name_of, statements
from reverie.minds.local.vectors import Floats, MessageVectors
from reverie.ports.embedder import Embedder
from reverie.ports.mind import Familiar
from reverie.rules import cue_words
from reverie.rules.kinding import kind_of
from reverie.rules.lasting import weighed_by
from reverie.rules.lessons import lesson_of
from reverie.rules.salience import familiarity, feeling_strength, importance_of, salience, words
from reverie.rules.salience_weights import AGENT, SAID, Weights
from reverie.rules.topics import labels

MOST_LOOKED_AT = 16
"""Statements of a snippet that are embedded: those whose words promise most."""
MOST_OF_MESSAGE = 3
_LESS_FOR_ANOTHER = 1.0
"""Log odds that each further statement of the same message loses."""
_LEAST_OF_AGENT = 0.55
"""Importance below which nothing is kept that the agent said, whatever the floor: most of that is proposals, and what
people say themselves comes first.
"""
_WHOLE = 0.9
"""Cosine from which a statement is all that its message says: how near it is to it tells nothing then."""
_SAME = 0.85
"""Cosine from which two statements of a snippet say the same."""

Feeling = Callable[[Sequence[str], Floats | None], Sequence[Emotions]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """A statement with all its cues; ``vector`` is its essence's."""

    statement: Statement
    vector: Floats
    cues: dict[str, float]
    emotions: Emotions | None
    log_odds: float


def weights_of(statement: Statement) -> Weights:
    """People's words and the agent's are weighed apart."""
    return AGENT if statement.by_agent else SAID


def log_odds_of(statement: Statement, cues: Mapping[str, float]) -> float:
    """What cues give; of what people say, by what it tells of."""
    odds = salience(cues, weights_of(statement))
    if statement.by_agent:
        return odds
    return weighed_by(statement.told, odds, among_people=bool(cues["among_people"]))


def weighed(
    snippet: Snippet, familiar: Familiar, embedder: Embedder, messages: MessageVectors, feel: Feeling | None
) -> list[Weighed]:
    """The snippet's most promising statements with their cues, best first; equal ones in their order."""
    found = statements(snippet)
    if not found:
        return []
    promising = sorted(found, key=lambda one: -log_odds_of(one, one.cues))[:MOST_LOOKED_AT]
    texts = [one.essence for one in promising]
    vectors = embedder.embed(texts)
    emotions = [None] * len(texts) if feel is None else list(feel(texts, vectors))
    known = familiar(vectors)
    of_message = messages.of([message.content for message in snippet.messages])
    centre = of_message.mean(axis=0)
    centre /= max(float(np.linalg.norm(centre)), 1e-9)
    places = {message.id: place for place, message in enumerate(snippet.messages)}
    done: list[Weighed] = []
    for row, one in enumerate(promising):
        place, usual = places[one.message.id], weights_of(one).means
        near = float(vectors[row] @ of_message[place])
        cues = {
            **one.cues,
            "central": float(vectors[row] @ centre) if len(snippet.messages) > 1 else usual["central"],
            "of_message": near if near < _WHOLE else usual["of_message"],
            "answers": float(vectors[row] @ of_message[place - 1]) if place else 0.0,
            **familiarity(float(known[row])),
            "felt": feeling_strength(emotions[row]),
        }
        odds = log_odds_of(one, cues)
        done.append(
            Weighed(statement=one, vector=vectors[row], cues=cues, emotions=emotions[row], log_odds=odds)
        )
    return sorted(done, key=lambda one: -one.log_odds)


def chosen(found: Sequence[Weighed], floor: float) -> list[tuple[Weighed, float]]:
    """Those at or above the floor with their importance, best first; of overlapping and like ones the best alone."""
    taken: list[tuple[Weighed, float]] = []
    for one in found:
        same = [other for other, _ in taken if other.statement.message.id == one.statement.message.id]
        importance = importance_of(one.log_odds - _LESS_FOR_ANOTHER * len(same))
        least = max(floor, _LEAST_OF_AGENT) if one.statement.by_agent else floor
        if importance < least or len(same) == MOST_OF_MESSAGE:
            continue
        if any(_overlap(one.statement, other.statement) for other in same):
            continue
        if any(float(one.vector @ other.vector) >= _SAME for other, _ in taken):
            continue
        taken.append((one, importance))
    return sorted(taken, key=lambda pair: -pair[1])


def proposed(one: Weighed, importance: float, speakers: Sequence[str]) -> Extracted:
    """The memory that a statement makes."""
    statement = one.statement
    kind = kind_of(statement.essence)
    found = labels(statement.essence, tuple(speakers))
    read = words(" ".join(part.text for part in statement.said))
    return Extracted(
        essence=statement.essence,
        kind=kind,
        importance=importance,
        sources=statement.sources,
        stated=not statement.by_agent and cue_words.HEDGED.isdisjoint(read),
        emotions=one.emotions,
        lesson=lesson_of(statement.essence, kind, one.emotions),
        topics=found.topics,
        entities=found.entities,
    )


def speakers_of(snippet: Snippet) -> tuple[str, ...]:
    """Who speaks in the snippet, by name."""
    return tuple(sorted({name_of(message) for message in snippet.messages if message.speaker}))


def _overlap(one: Statement, other: Statement) -> bool:
    return one.first < other.end and other.first < one.end
