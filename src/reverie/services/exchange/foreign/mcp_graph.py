"""The MCP reference memory server's file: JSON Lines of entities and relations; or what its ``read_graph`` gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reverie.domain.knowledge_graph import (
    CONVERSATION,
    ENTITY,
    OBSERVATION,
    RELATION,
    entity_words,
    observation_words,
    relation_words,
)
from reverie.domain.message import EpisodeMetadata, Message, Role
from reverie.services.exchange.foreign.fields import digest, labels, mapping, moment, sequence, text
from reverie.services.exchange.foreign.items import UNTRUSTED, Item, Note, Talk, broken


def is_mine(value: object) -> bool:
    """Return whether a value is an entity or a relation."""
    given = mapping(value)
    return isinstance(given.get("observations"), list) or {"from", "to", "relationType"} <= given.keys()


def read(place: str, value: object) -> Iterator[Item]:
    """Yield an entity as a message of the conversation that holds the graph, and a note for each observation and
    relation: so the MCP toolset ``graph`` reads what is imported.
    """
    given = mapping(value)
    if given.get("type") == "relation" or "relationType" in given:
        yield _relation(place, given)
    elif text(given.get("name")):
        yield from _entity(place, given)
    else:
        yield broken(place, "it is neither an entity with a name nor a relation")


def _relation(place: str, given: Mapping[str, object]) -> Item:
    source, its_type, target = text(given.get("from")), text(given.get("relationType")), text(given.get("to"))
    if not (source and its_type and target):
        return broken(place, "the relation lacks from, to or relationType")
    ends, types = labels([source, target]), labels([its_type])
    in_graph = ends == tuple(dict.fromkeys((source, target))) and types == (its_type,)
    return Note(
        source_id=digest(source, its_type, target), text=relation_words(source, its_type, target),
        tags=(RELATION, *types), entities=ends, conversation=CONVERSATION if in_graph else None,
    )  # fmt: skip


def _entity(place: str, given: Mapping[str, object]) -> Iterator[Item]:
    """Yield the entity for the graph, where its name and type can stand there, and a note for each observation."""
    name, kind = text(given.get("name")), text(given.get("entityType"))
    entities, types = labels([name]), labels([kind])
    in_graph = entities == (name,) and types == (kind,)
    if in_graph:
        yield Talk(conversation=CONVERSATION, channel=UNTRUSTED, messages=[
            Message(
                content=entity_words(name, kind), role=Role.TOOL, ref=digest(ENTITY, name), tags=(ENTITY, *types),
                metadata=EpisodeMetadata(entities=entities),
            )
        ])  # fmt: skip
    for number, one in enumerate(sequence(given.get("observations"))):
        said = text(one) or text(mapping(one).get("content"))
        if not said:
            yield broken(f"{place}, observations[{number}]", "it is no text")
            continue
        yield Note(
            source_id=digest(name, said), text=observation_words(name, said), tags=(OBSERVATION, *types),
            entities=entities, conversation=CONVERSATION if in_graph else None,
            time=moment(mapping(one).get("timestamp"), mapping(one).get("created_at")),
        )  # fmt: skip
