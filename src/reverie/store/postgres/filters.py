"""From a Filter to SQL alone: what a search may return must be settled before its limit, so nothing is left to Python.

The plain part is ``store.where``'s; what that one says in Python is said here in PostgreSQL's own ways.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from reverie.domain.query import Filter
from reverie.domain.time import MICROS_PER_DAY, micros
from reverie.memory.decay import FADE_DAYS, FADE_FACTOR, FADES_ABOVE
from reverie.memory.scope import matches
from reverie.store.executor import Corpus
from reverie.store.postgres.lexemes import labels_query
from reverie.store.postgres.session import Session, texts
from reverie.store.rows import names
from reverie.store.where import Clauses, check_searched
from reverie.store.where import where as portable

_LABELS = ("tags", "topics", "entities")
_LISTS = {
    "conversations": "conversation_id",
    "channels": "channel",
    "roles": "role",
    "speakers": "speaker",
    "kinds": "kind",
    "states": "state",
}
_LABELLED = "words @@ ?::tsquery"
_NOTHING: frozenset[Any] = frozenset()
# memory.decay.faded_confidence, for rows: its numbers, and as there in 32 bits.
_FADED = f"""(confidence * CASE WHEN confidence <= {FADES_ABOVE!r} THEN 1 ELSE power({FADE_FACTOR!r}, least(
    greatest(? - greatest(last_reinforced_at, confidence_at), 0) / {FADE_DAYS * MICROS_PER_DAY},
    ceil(ln({FADES_ABOVE!r} / confidence) / ln({FADE_FACTOR!r}) - 1e-9))) END)::real >= ?::real"""


def conditions(session: Session, agent_id: str, filter: Filter, corpus: Corpus, now: datetime) -> Clauses:
    """Return the whole filter over a corpus's columns. Raise InvalidInput as ``store.where`` does."""
    portable(agent_id, filter, corpus, now)  # refuses what the corpus lacks
    check_searched(filter)
    lists = {
        name: getattr(filter, name) for name in _LISTS if not (corpus == "episodes" and name == "states")
    }
    plain: dict[str, Any] = dict.fromkeys((*_LISTS, *_LABELS), _NOTHING)
    clauses = portable(
        agent_id, replace(filter, ids=None, scope=None, min_confidence=None, **plain), corpus, now
    )
    for name, wanted in lists.items():
        if wanted:
            _among(clauses, _LISTS[name], wanted)
    if filter.ids is not None:
        _among(clauses, "id", filter.ids)
    if filter.scope is not None:
        _among(clauses, "scope", ["[]", *_scopes(session, agent_id, filter.scope)])
    if filter.min_confidence is not None:
        clauses.add(_FADED, micros(now), float(filter.min_confidence))
    return bearing(clauses, filter)


def bearing(clauses: Clauses, filter: Filter) -> Clauses:
    """Return the clauses for rows that bear the filter's labels, too."""
    asked = labels_of(filter)
    return clauses.also(_LABELLED, labels_query(clauses.agent_id, asked)) if asked else clauses


def labels_of(filter: Filter) -> Mapping[str, Collection[str]]:
    """Return the labels that the filter asks for, by field."""
    return {name: getattr(filter, name) for name in _LABELS if getattr(filter, name)}


def without_labels(filter: Filter) -> Filter:
    """Return what the filter asks for beside them."""
    return replace(filter, tags=_NOTHING, topics=_NOTHING, entities=_NOTHING)


def may_be_narrow(filter: Filter) -> bool:
    """Return whether few rows may pass: anything is asked for but the states that every recall asks for."""
    return filter != Filter(states=filter.states, include_superseded=filter.include_superseded)


def _among(clauses: Clauses, column: str, values: Collection[str]) -> None:
    clauses.add(f"{column} = ANY (?::text[])", texts(sorted(map(str, values))))


def _scopes(session: Session, agent_id: str, path: str) -> list[str]:
    """Return the agent's scopes that cover the path."""
    rows = session.run(
        "SELECT DISTINCT scope FROM memories WHERE agent_id = ? AND scope <> '[]'", (agent_id,)
    )
    return [scope for (scope,) in rows if matches(names(scope), path)]
