"""Values of domain types as columns, and columns as values: times, lists of names, JSON, memories and episodes.

The column types are portable: times are integer microseconds since 1970 (UTC), lists and mappings are JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from reverie.domain.emotion import Emotion, Emotions
from reverie.domain.episode import Episode
from reverie.domain.gist import Gist
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, Origin, Quoted, State, Version
from reverie.domain.message import NO_METADATA, EpisodeMetadata, Role
from reverie.domain.text_cache import text_cache
from reverie.domain.time import from_micros, micros
from reverie.domain.trust import SourceTrust

_JSON = json.JSONDecoder()
# A look-up is a quarter of what a call of the enumeration costs, and a recall reads hundreds.
_KINDS: Mapping[str, Kind] = {str(one): one for one in Kind}
_PRIORITIES: Mapping[str, Priority] = {str(one): one for one in Priority}
_ORIGINS: Mapping[str, Origin] = {str(one): one for one in Origin}
_STATES: Mapping[str, State] = {str(one): one for one in State}
_TRUSTS: Mapping[str, SourceTrust] = {str(one): one for one in SourceTrust}
_ROLES: Mapping[str, Role] = {str(one): one for one in Role}

# Rows are `Any` here and only here: what a column holds is settled by the schema, which a test compares.
Columns = Sequence[Any]

EPISODE_COLUMNS = (
    "id, conversation_id, position, time, observed_at, channel, role, speaker, content, ref, outcome, tags,"
    " task_type, tools_used, emotional_tone, topics, entities, importance, source_trust, consolidated_at"
)
MEMORY_COLUMNS = (
    "id, essence, lesson, emotions, importance, kind, priority, confidence, confidence_at, scope, tags, topics,"
    " entities, origin, source_trust, pinned, state, superseded_by, reinforcement_count, last_reinforced_at, version,"
    " created_at, updated_at, believed_from, valid_from, valid_to, learned_from, quoted,"
    " needs_review"
)
MEMORY_WORDS = "essence, lesson, scope, tags, topics, entities"
"""The columns by whose words a memory is found."""
GIST_COLUMNS = (
    "id", "essence", "lesson", "kind", "priority", "scope", "origin", "source_trust", "reinforcement_count",
    "last_reinforced_at", "valid_from", "valid_to", "learned_from", "quoted", "needs_review",
)  # fmt: skip
VERSION_COLUMNS = "memory_id, version, essence, lesson, believed_from, believed_to, valid_from, valid_to"


def moment(value: int | None) -> datetime | None:
    """Return the column's time, or None."""
    return None if value is None else from_micros(value)


def instant(value: datetime | None) -> int | None:
    """Return the time as a column, or None."""
    return None if value is None else micros(value)


def json_text(value: object) -> str:
    """Compact JSON in which every script stays readable, so that keyword search finds its words."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def listed(values: Sequence[str]) -> str:
    """Return names as a JSON list."""
    return json_text(list(values)) if values else "[]"


@text_cache(1 << 12)
def names(text: object) -> tuple[str, ...]:
    """Return the names of a JSON list, as ``listed`` wrote it: nothing stands around it. Of a bank's lists many are
    alike.
    """
    known = cast(str, text)
    if known == "[]":
        return ()
    if known.count('"') == 2 and "\\" not in known:  # one name with nothing to unquote: most lists
        return (known[2:-2],)
    return tuple(_JSON.raw_decode(known)[0])


def mapping_text(value: Mapping[str, object] | None) -> str | None:
    """Return a mapping as JSON, or None."""
    return None if value is None else json_text(dict(value))


def mapping(text: str | None) -> Mapping[str, object] | None:
    """Return the mapping of a JSON object, or None."""
    return None if text is None else cast("dict[str, object]", json.loads(text))


@text_cache(1 << 15)
def emotions(text: str | None) -> Emotions | None:
    """Return the labels of a JSON list, or None. There are few different ones."""
    return None if text is None else tuple(map(Emotion, names(text)))


def quotation_text(value: Quoted | None) -> str | None:
    """Return where an essence stands, as JSON, or None."""
    if value is None:
        return None
    return json_text(
        [
            value.episode, str(value.role), value.speaker, micros(value.at), value.answers, value.dates
        ]
    )  # fmt: skip


def quotation(text: str | None) -> Quoted | None:
    """Return where an essence stands, or None."""
    if text is None:
        return None
    episode, role, speaker, at, answers, dates = json.loads(text)
    return Quoted(
        episode=episode, role=_ROLES[role], speaker=speaker, at=from_micros(at), answers=answers,
        dates=tuple((words, day) for words, day in dates),
    )  # fmt: skip


def episode_columns(episode: Episode) -> tuple[object, ...]:
    """Return the values of EPISODE_COLUMNS."""
    meta = episode.metadata
    return (
        episode.id, episode.conversation, episode.position, micros(episode.time), micros(episode.observed_at),
        episode.channel, str(episode.role), episode.speaker, episode.content, episode.ref, episode.outcome,
        listed(episode.tags), meta.task_type, listed(meta.tools_used), meta.emotional_tone, listed(meta.topics),
        listed(meta.entities), meta.importance, str(episode.source_trust), instant(episode.consolidated_at),
    )  # fmt: skip


def episode(row: Columns) -> Episode:
    """Return the episode of a row of EPISODE_COLUMNS."""
    (id, conversation, position, time, observed_at, channel, role, speaker, content, ref, outcome, tags,
     task_type, tools_used, emotional_tone, topics, entities, importance, source_trust,
     consolidated_at) = row  # fmt: skip
    return Episode(
        id=id, conversation=conversation, position=position, time=from_micros(time),
        observed_at=from_micros(observed_at), channel=channel, role=_ROLES[role], speaker=speaker, content=content,
        ref=ref, outcome=outcome, tags=names(tags),
        metadata=_metadata(task_type, tools_used, emotional_tone, topics, entities, importance),
        source_trust=_TRUSTS[source_trust], consolidated_at=moment(consolidated_at),
    )  # fmt: skip


def _metadata(
    task_type: str | None, tools_used: str, emotional_tone: str | None, topics: str, entities: str,
    importance: float | None,
) -> EpisodeMetadata:  # fmt: skip
    given = (task_type, emotional_tone, importance)
    if given == (None, None, None) and tools_used == topics == entities == "[]":
        return NO_METADATA
    return EpisodeMetadata(
        task_type=task_type, tools_used=names(tools_used), emotional_tone=emotional_tone, topics=names(topics),
        entities=names(entities), importance=importance,
    )  # fmt: skip


def memory_columns(memory: Memory) -> tuple[object, ...]:
    """Return the values of MEMORY_COLUMNS."""
    return (
        memory.id, memory.essence, memory.lesson, None if memory.emotions is None else listed(memory.emotions),
        memory.importance, str(memory.kind), str(memory.priority), memory.confidence, micros(memory.confidence_at),
        listed(memory.scope), listed(memory.tags), listed(memory.topics), listed(memory.entities),
        str(memory.origin), str(memory.source_trust), int(memory.pinned), str(memory.state), memory.superseded_by,
        memory.reinforcement_count, micros(memory.last_reinforced_at), memory.version, micros(memory.created_at),
        micros(memory.updated_at), micros(memory.believed_from), instant(memory.valid_from), instant(memory.valid_to),
        memory.learned_from, quotation_text(memory.quoted), int(memory.needs_review),
    )  # fmt: skip


def memory_words(memory: Memory) -> tuple[object, ...]:
    """Return the values of MEMORY_WORDS."""
    lists = (memory.scope, memory.tags, memory.topics, memory.entities)
    return (memory.essence, memory.lesson, *map(listed, lists))


def memory(row: Columns, sources: Sequence[str], touches: int, last_touched_at: int | None) -> Memory:
    """Return the memory of a row of MEMORY_COLUMNS, with what lies in other tables."""
    (id, essence, lesson, feelings, importance, kind, priority, confidence, confidence_at, scope, tags, topics,
     entities, origin, source_trust, pinned, state, superseded_by, reinforcement_count, last_reinforced_at, version,
     created_at, updated_at, believed_from, valid_from, valid_to, learned_from, quoted,
     needs_review) = row  # fmt: skip
    created = from_micros(created_at)  # most memories were never touched again: one time for all

    def at(value: int) -> datetime:
        return created if value == created_at else from_micros(value)

    return Memory(
        id=id, essence=essence, emotions=emotions(feelings), importance=importance, lesson=lesson, kind=_KINDS[kind],
        priority=_PRIORITIES[priority], confidence=confidence, confidence_at=at(confidence_at), scope=names(scope),
        tags=names(tags), topics=names(topics), entities=names(entities), source_episodes=tuple(sources),
        origin=_ORIGINS[origin], source_trust=_TRUSTS[source_trust], pinned=bool(pinned), state=_STATES[state],
        superseded_by=superseded_by, reinforcement_count=reinforcement_count,
        last_reinforced_at=at(last_reinforced_at), touches=touches, last_touched_at=moment(last_touched_at),
        version=version, created_at=created, updated_at=at(updated_at), believed_from=at(believed_from),
        valid_from=moment(valid_from), valid_to=moment(valid_to), learned_from=learned_from,
        quoted=quotation(quoted), needs_review=bool(needs_review),
    )  # fmt: skip


def gist(row: Columns) -> Gist:
    """Return the gist of a row of GIST_COLUMNS with touches and the last one's time."""
    (id, essence, lesson, kind, priority, scope, origin, source_trust, reinforcement_count, last_reinforced_at,
     valid_from, valid_to, learned_from, quoted, needs_review, touches, last_touched_at) = row  # fmt: skip
    return Gist(
        id=id, essence=essence, lesson=lesson, kind=_KINDS[kind], priority=_PRIORITIES[priority], scope=names(scope),
        origin=_ORIGINS[origin], source_trust=_TRUSTS[source_trust], reinforcement_count=reinforcement_count,
        last_reinforced_at=from_micros(last_reinforced_at), touches=touches or 0,
        last_touched_at=moment(last_touched_at), valid_from=moment(valid_from), valid_to=moment(valid_to),
        learned_from=learned_from, quoted=quotation(quoted), needs_review=bool(needs_review),
    )  # fmt: skip


def version(row: Columns) -> Version:
    """Return the replaced wording of a row of VERSION_COLUMNS."""
    memory_id, number, essence, lesson, believed_from, believed_to, valid_from, valid_to = row
    return Version(
        memory_id=memory_id, version=number, essence=essence, lesson=lesson, believed_from=from_micros(believed_from),
        believed_to=from_micros(believed_to), valid_from=moment(valid_from), valid_to=moment(valid_to),
    )  # fmt: skip
