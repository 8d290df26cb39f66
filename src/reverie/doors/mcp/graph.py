"""Graph: what the tools of toolset ``graph`` do: the reference memory server's, on our bank.

Each entity, observation and relation is an episode of the conversation GRAPH, which keeps it exactly. Of each
observation and relation a memory is made as well, which rests on that episode alone: recall and the context find it,
and to forget either is to forget both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from reverie.domain.episode import Episode
from reverie.domain.ids import checked_name
from reverie.domain.knowledge_graph import (
    CONVERSATION,
    ENTITY,
    OBSERVATION,
    RELATION,
    entity_words,
    observation_words,
    relation_words,
)
from reverie.domain.memory import MAX_ESSENCE_BYTES
from reverie.domain.message import EpisodeMetadata, Message, Role
from reverie.doors.mcp.answer import Answer
from reverie.doors.mcp.definitions import Definition
from reverie.doors.mcp.definitions_graph import GRAPH
from reverie.doors.mcp.graph_nodes import Entity, Graph, Relation
from reverie.errors import NotFound

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_PAGE = 1_000
_DONE = "deleted successfully"


class GraphTools:
    """One agent's knowledge graph as tools. May be called from many threads at once."""

    definitions: Sequence[Definition] = GRAPH

    def __init__(self, reverie: Reverie, agent_id: str) -> None:
        self._agent: Agent = reverie.agent(agent_id)
        self._lock = Lock()  # a model may create an entity and add to it in one turn

    def run(self, name: str, given: dict[str, Any]) -> Answer:
        """Run one tool with arguments that were read. Raises ReverieError."""
        with self._lock:
            match name:
                case "create_entities":
                    return self._create_entities(given["entities"])
                case "create_relations":
                    return self._create_relations(given["relations"])
                case "add_observations":
                    return self._add(given["observations"])
                case "delete_entities":
                    return self._delete_entities(given["entityNames"])
                case "delete_observations":
                    return self._delete_observations(given["deletions"])
                case "delete_relations":
                    return self._delete_relations(given["relations"])
                case "search_nodes":
                    return _graph(self._read().matching(given["query"]))
                case "open_nodes":
                    return _graph(self._read().named(given["names"]))
                case _:
                    return _graph(self._read())

    def _create_entities(self, entities: Sequence[Mapping[str, Any]]) -> Answer:
        known = {entity.name for entity in self._read().entities}
        new: dict[str, Entity] = {}
        for place, one in enumerate(entities):
            path = f"entities[{place}]"
            checked_name(one["name"], f"{path}.name")
            checked_name(one["entityType"], f"{path}.entityType")
            if one["name"] not in known and one["name"] not in new:
                told = tuple(dict.fromkeys(one["observations"]))
                new[one["name"]] = Entity(name=one["name"], type=one["entityType"], observations=told)
        self._keep(
            message
            for entity in new.values()
            for message in (
                _entity(entity),
                *(_observation(entity.name, text) for text in entity.observations),
            )
        )
        made = [entity.as_json() for entity in new.values()]
        return _listed("entities", made)

    def _create_relations(self, relations: Sequence[Mapping[str, str]]) -> Answer:
        for place, one in enumerate(relations):
            for field, name in one.items():
                checked_name(name, f"relations[{place}].{field}")
        known = set(self._read().relations)
        new = [one for one in dict.fromkeys(map(Relation.of, relations)) if one not in known]
        self._keep(map(_relation, new))
        return _listed("relations", [one.as_json() for one in new])

    def _add(self, observations: Sequence[Mapping[str, Any]]) -> Answer:
        told = {entity.name: set(entity.observations) for entity in self._read().entities}
        for one in observations:
            if one["entityName"] not in told:
                raise NotFound("entity", one["entityName"])
        results, messages = [], list[Message]()
        for one in observations:
            name, known = one["entityName"], told[one["entityName"]]
            new = [text for text in dict.fromkeys(one["contents"]) if text not in known]
            known.update(new)
            messages += [_observation(name, text) for text in new]
            results.append({"entityName": name, "addedObservations": new})
        self._keep(messages)
        return _listed("results", results)

    def _delete_entities(self, names: Sequence[str]) -> Answer:
        gone = [one for one in self._episodes() if not set(names).isdisjoint(one.metadata.entities)]
        self._forget(reversed(gone))  # the entity itself, which came first, goes last
        return _deleted("Entities")

    def _delete_observations(self, deletions: Sequence[Mapping[str, Any]]) -> Answer:
        wanted = {(one["entityName"], text) for one in deletions for text in one["observations"]}
        self._forget(one for one in self._episodes() if _is(one, OBSERVATION) and _observed(one) in wanted)
        return _deleted("Observations")

    def _delete_relations(self, relations: Sequence[Mapping[str, str]]) -> Answer:
        wanted = set(map(Relation.of, relations))
        self._forget(one for one in self._episodes() if _is(one, RELATION) and _related(one) in wanted)
        return _deleted("Relations")

    def _keep(self, told: Iterable[Message]) -> None:
        messages = list(told)
        if not messages:
            return
        # A model that deletes and creates means it: the reference server has no "forgotten on purpose".
        seen = self._agent.observe(messages, conversation=CONVERSATION, override=True)
        if len(seen.episode_ids) != len(messages):
            return  # some wait for the embedder: which ones isn't told, so the loop may make memories of them
        self._agent.remember_many(
            [
                {"essence": one.content, "source_episodes": [id], "entities": one.metadata.entities}
                for one, id in zip(messages, seen.episode_ids, strict=True)
                if ENTITY not in one.tags[:1] and len(one.content.encode()) <= MAX_ESSENCE_BYTES
            ],
            override=True,
        )

    def _forget(self, episodes: Iterable[Episode]) -> None:
        for one in list(episodes):
            with suppress(NotFound):  # another process was faster
                self._agent.forget(one.id)

    def _episodes(self) -> Iterator[Episode]:
        """Yield what the graph is made of, in the order of telling."""
        after = None
        while page := self._agent.episodes(conversations=[CONVERSATION], limit=_PAGE, after=after):
            yield from (one for one in page if one.tags and one.metadata.entities)
            after = page[-1].id

    def _read(self) -> Graph:
        types, told, relations = dict[str, str](), dict[str, dict[str, None]](), dict[Relation, None]()
        for one in self._episodes():
            name = one.metadata.entities[0]
            if _is(one, ENTITY):
                types.setdefault(name, one.tags[-1])
            elif _is(one, OBSERVATION):
                told.setdefault(name, {})[_observed(one)[1]] = None
            elif _is(one, RELATION):
                relations[_related(one)] = None
        return Graph(
            entities=tuple(
                Entity(name=name, type=its_type, observations=tuple(told.get(name, ())))
                for name, its_type in types.items()
            ),
            relations=tuple(relations),
        )


def _entity(entity: Entity) -> Message:
    return _message(entity_words(entity.name, entity.type), (ENTITY, entity.type), entity.name)


def _observation(name: str, text: str) -> Message:
    return _message(observation_words(name, text), (OBSERVATION,), name)


def _relation(one: Relation) -> Message:
    words = relation_words(one.source, one.type, one.target)
    return _message(words, (RELATION, one.type), one.source, one.target)


def _message(content: str, tags: tuple[str, ...], *entities: str) -> Message:
    metadata = EpisodeMetadata(entities=entities)
    return Message(content=content, role=Role.AGENT, tags=tags, metadata=metadata)


def _is(episode: Episode, what: str) -> bool:
    return episode.tags[0] == what


def _observed(episode: Episode) -> tuple[str, str]:
    name = episode.metadata.entities[0]
    return name, episode.content.removeprefix(observation_words(name, ""))


def _related(episode: Episode) -> Relation:
    ends = episode.metadata.entities  # one where an entity is related to itself
    return Relation(source=ends[0], target=ends[-1], type=episode.tags[-1])


def _graph(graph: Graph) -> Answer:
    values = graph.as_json()
    return Answer(text=_json(values), values=values)


def _listed(name: str, made: Sequence[Mapping[str, object]]) -> Answer:
    return Answer(text=_json(made), values={name: made})


def _deleted(what: str) -> Answer:
    message = f"{what} {_DONE}"
    return Answer(text=message, values={"success": True, "message": message})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
