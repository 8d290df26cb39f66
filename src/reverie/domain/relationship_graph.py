"""RelationshipGraph: who sees whom how."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.domain.relationship import Relationship


@dataclass(frozen=True, kw_only=True, slots=True)
class RelationshipGraph:
    """``nodes``: names of all, in order, agents and others; ``views``: (agent, how it sees one other), in order."""

    nodes: tuple[str, ...] = ()
    views: tuple[tuple[str, Relationship], ...] = ()
