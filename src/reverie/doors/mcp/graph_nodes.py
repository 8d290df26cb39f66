"""Graph nodes: entities with their observations, relations between them, and what a search takes out of a graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """A thing by its name, its type, and what is known of it, in the order of telling."""

    name: str
    type: str
    observations: tuple[str, ...]

    def as_json(self) -> Mapping[str, object]:
        """Return it as the reference server does."""
        return {"name": self.name, "entityType": self.type, "observations": list(self.observations)}

    def has(self, words: str) -> bool:
        """Return whether its name, its type or an observation holds these words in a row; case is ignored."""
        return any(words in text.lower() for text in (self.name, self.type, *self.observations))


@dataclass(frozen=True, kw_only=True, slots=True)
class Relation:
    """What one entity, the source, is or does to another, by their names."""

    source: str
    target: str
    type: str

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Relation:
        """Return it from the reference server's form."""
        return cls(source=given["from"], target=given["to"], type=given["relationType"])

    def as_json(self) -> Mapping[str, object]:
        """Return it as the reference server does."""
        return {"from": self.source, "to": self.target, "relationType": self.type}


@dataclass(frozen=True, kw_only=True, slots=True)
class Graph:
    """Entities and relations, each once."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]

    def as_json(self) -> Mapping[str, object]:
        """Return it as the reference server does."""
        return {
            "entities": [one.as_json() for one in self.entities],
            "relations": [one.as_json() for one in self.relations],
        }

    def matching(self, query: str) -> Graph:
        """Return the entities that have the query in a row, and where none has, those that have each of its words."""
        asked = query.lower()
        found = [one.name for one in self.entities if one.has(asked)]
        words = asked.split()
        if not found and len(words) > 1:
            found = [one.name for one in self.entities if all(map(one.has, words))]
        return self.named(found)

    def named(self, names: Collection[str]) -> Graph:
        """Return these entities, and the relations that begin or end at one of them."""
        wanted = set(names)
        entities = tuple(one for one in self.entities if one.name in wanted)
        found = {one.name for one in entities}
        return Graph(
            entities=entities,
            relations=tuple(one for one in self.relations if not found.isdisjoint((one.source, one.target))),
        )
