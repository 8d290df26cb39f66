"""Labels: the topics and entities that Reverie finds itself, where the caller gave none
(``Settings.remember.extract_labels``).

Nothing marks them as found: what a caller gives wins and stays, and what equals what the text gives follows the text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from reverie.domain.memory import Memory
from reverie.domain.message import EpisodeMetadata, Message
from reverie.domain.revision import Revision
from reverie.language import Labels, entities, labels
from reverie.memory.forgetting import surviving_labels
from reverie.services.runtime import Desk


def of_messages(desk: Desk, part: Sequence[Message], places: Collection[int]) -> list[Message]:
    """Return the messages, those at the places with topics and entities. Who speaks among them is known by name."""
    if not desk.settings.remember.extract_labels:
        return list(part)
    wanted = set(places)
    speakers = tuple(sorted({message.speaker for message in part if message.speaker is not None}))
    return [
        replace(message, metadata=_with_labels(message.metadata, message.content, speakers))
        if place in wanted
        else message
        for place, message in enumerate(part)
    ]


def of_memory(desk: Desk, memory: Memory) -> Memory:
    """Return a new memory with the topics and entities of its essence."""
    if not desk.settings.remember.extract_labels or (memory.topics and memory.entities):
        return memory
    found = labels(memory.essence)
    return replace(memory, topics=memory.topics or found.topics, entities=memory.entities or found.entities)


def revised(desk: Desk, known: Memory, new: Memory, revision: Revision) -> Memory:
    """Return the memory with labels that follow its new essence: those that are exactly what the old one gives.

    What the caller gave, now or before, or cleared, stays.
    """
    if new.essence == known.essence:
        return new
    before, after = labels(known.essence), labels(new.essence)
    topics, entities = new.topics, new.entities
    if _follows(desk, revision, "topics", known.topics, before.topics):
        topics = after.topics
    if _follows(desk, revision, "entities", known.entities, before.entities):
        entities = after.entities
    return replace(new, topics=topics, entities=entities)


def restored(metadata: EpisodeMetadata, message: Message) -> EpisodeMetadata:
    """Return what is known of an episode whose forgotten words come back: their labels come back with them."""
    given = message.metadata
    return replace(
        metadata, topics=given.topics or metadata.topics, entities=given.entities or metadata.entities
    )


def without_forgotten(metadata: EpisodeMetadata, before: str, after: str) -> EpisodeMetadata:
    """Return what is known of an episode that lost sentences, without the labels that only these explain, whoever gave
    them.
    """
    return replace(
        metadata,
        topics=surviving_labels(metadata.topics, before, after),
        entities=surviving_labels(metadata.entities, before, after),
    )


def _with_labels(metadata: EpisodeMetadata, content: str, speakers: tuple[str, ...]) -> EpisodeMetadata:
    if metadata.topics and metadata.entities:
        return metadata
    # Topics leave out the words of entities, but entities don't ask for topics
    found = Labels(entities=entities(content, speakers)) if metadata.topics else labels(content, speakers)
    return replace(
        metadata, topics=metadata.topics or found.topics, entities=metadata.entities or found.entities
    )


def _follows(
    desk: Desk, revision: Revision, name: str, stored: tuple[str, ...], found: tuple[str, ...]
) -> bool:
    """Return whether stored labels were found in the old text and nobody says otherwise now."""
    if getattr(revision, name) is not None or name in revision.clear or stored != found:
        return False
    return bool(stored) or desk.settings.remember.extract_labels
