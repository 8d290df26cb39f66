"""Compute what a sleep's changes need that is slow, before the transaction: births, judgements, what is near."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

import numpy as np

from reverie.domain.change import Learn, Revise
from reverie.domain.kinds import default_priority
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.query import Filter
from reverie.domain.revision import Revision
from reverie.domain.settings import Settings
from reverie.memory.quoting import with_dates
from reverie.ports.search import View
from reverie.services.remember import Reworded, judged, labels, reworded_all
from reverie.services.runtime import Desk, read_again
from reverie.services.sleep.checks import ValidChange
from reverie.services.sleep.gathering import Gathered
from reverie.services.sleep.supporting import Supported

NEAR_ENOUGH = 0.6
"""Cosine from which on it is looked at whether two tell of the same attribute with different values."""

_COMPARED = Filter(states=frozenset({State.ACTIVE, State.ARCHIVED}))
_NEAREST = 64
Near = Sequence[tuple[str, float]]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Plan:
    """``born``: new memories by their change's place, and ``filled`` with what was judged of them; ``reworded``: what
    is judged of old and new wordings; ``near``: the memories near to each new wording in the bank of ``rev``.
    """

    supported: Supported
    born: Mapping[int, Memory]
    filled: Mapping[int, Memory]
    reworded: Mapping[int, Reworded]
    near: Mapping[int, Near]
    rev: int


def planned(desk: Desk, gathered: Gathered, found: Supported, now: datetime) -> Plan:
    """Compute everything that needs the embedder's vectors or a mind's judgement; nothing is written."""
    learns = [one for one in found.valid if isinstance(one.change, Learn)]
    zone = gathered.zone
    born = [_born(desk, one, one.change, now, zone) for one in learns if isinstance(one.change, Learn)]
    vectors = [found.vectors[one.place] for one in learns]
    filled = judged(desk, born, np.stack(vectors)) if born else []
    rev, near = _near(desk, gathered.agent.id, found, now)
    return Plan(
        supported=found,
        born={one.place: memory for one, memory in zip(learns, born, strict=True)},
        filled={
            one.place: labels.of_memory(desk, memory) for one, memory in zip(learns, filled, strict=True)
        },
        reworded=_reworded(desk, gathered, found),
        near=near,
        rev=rev,
    )


def near_again(desk: Desk, agent_id: str, plan: Plan, now: datetime) -> Mapping[int, Near]:
    """Return what is near by now, for a bank that somebody wrote to meanwhile."""
    return _near_in(desk.search.view(agent_id), desk.settings, plan.supported, now)


def revision_of(change: Revise) -> Revision:
    """Return what the change revises, as a caller would say it."""
    return Revision(essence=change.essence, lesson=change.lesson, importance=change.importance)


def confidence_of(settings: Settings, one: ValidChange, change: Learn | Revise) -> float:
    """Return how sure a wording of the night is: as the mind says, at most what is stated or inferred is born with;
    what our checks doubt is no surer than what is inferred.
    """
    stated = change.stated and not one.doubts
    most = settings.remember.stated_confidence if stated else settings.remember.inferred_confidence
    return most if change.confidence is None else min(change.confidence, most)


def _born(desk: Desk, one: ValidChange, change: Learn, now: datetime, zone: tzinfo) -> Memory:
    quoted = with_dates(change.quoted, change.essence, zone)
    return Memory(
        id=desk.ids(now),
        essence=change.essence,
        emotions=change.emotions,
        importance=change.importance,
        lesson=change.lesson,
        kind=change.kind,
        priority=default_priority(change.kind),
        confidence=confidence_of(desk.settings, one, change),
        tags=change.tags,
        topics=change.topics,
        entities=change.entities,
        source_episodes=tuple(sorted(change.sources)),
        origin=Origin.SLEEP,
        source_trust=one.trust,
        confidence_at=one.at,
        last_reinforced_at=one.at,
        created_at=one.at,
        updated_at=now,
        believed_from=one.at,
        valid_from=change.since,
        quoted=quoted,
        needs_review=bool(one.doubts),
    )


@read_again
def _near(desk: Desk, agent_id: str, found: Supported, now: datetime) -> tuple[int, Mapping[int, Near]]:
    view = desk.search.view(agent_id)
    desk.check_embedder(agent_id, view.embedder)
    return view.rev, _near_in(view, desk.settings, found, now)


def _near_in(view: View, settings: Settings, found: Supported, now: datetime) -> Mapping[int, Near]:
    places = [one.place for one in found.valid if one.place in found.vectors]
    if not places:
        return {}
    vectors = np.stack([found.vectors[place] for place in places])
    least = min(settings.remember.duplicate_cosine, NEAR_ENOUGH)
    near = view.nearest(vectors, filter=_COMPARED, now=now, limit=_NEAREST, least=least)
    return dict(zip(places, near, strict=True))


def _reworded(desk: Desk, gathered: Gathered, found: Supported) -> Mapping[int, Reworded]:
    places, pairs = list[int](), list[tuple[Memory, Memory]]()
    for one in found.valid:
        if isinstance(one.change, Revise):
            known = gathered.shown[one.change.memory_id]
            places.append(one.place)
            pairs.append((known, replace(known, essence=one.change.essence)))
    if not pairs:
        return {}
    before = np.stack([gathered.vectors[known.id] for known, _ in pairs])
    after = np.stack([found.vectors[place] for place in places])
    return dict(zip(places, reworded_all(desk, pairs, before, after), strict=True))
