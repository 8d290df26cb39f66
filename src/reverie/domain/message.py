"""Message: one utterance as a caller hands it in; Conversation: the room it was said in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from reverie.domain.ids import checked_name
from reverie.domain.text import at_most, checked_share, checked_text, lowered, normalized
from reverie.domain.time import check_moment
from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed

MAX_CONTENT_BYTES = 1 << 20
MAX_LABELS = 100
MAX_AT_ONCE = 1_000_000
_MOST_GIVEN = 10_000


class Role(StrEnum):
    """Who speaks, seen from the agent whose bank it is."""

    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"
    TOOL = "tool"


_ALIASES = {
    "assistant": Role.AGENT,
    "ai": Role.AGENT,
    "human": Role.USER,
    "function": Role.TOOL,
    "developer": Role.SYSTEM,
}


def checked_role(value: object) -> Role:
    """Return a role by its name; other common names (assistant, human, …) are understood. Raises InvalidInput."""
    name = lowered(value)
    if name in _ALIASES:
        return _ALIASES[name]
    try:
        return Role(name)
    except ValueError:
        raise InvalidInput(
            "role", f"{shown(value)} is not a role", f"choose from {', '.join(Role)}"
        ) from None


def checked_labels(values: object, name: str) -> tuple[str, ...]:
    """Return distinct labels (tags, topics, entities …) in the given order, at most 100, each a checked name."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(name, "it is not a list of names", 'give a list such as ["work"]')
    if isinstance(values, tuple) and not values:
        return ()
    given = at_most(values, _MOST_GIVEN, name)
    labels = tuple(dict.fromkeys(checked_name(value, name) for value in given))
    if len(labels) > MAX_LABELS:
        raise InvalidInput(name, f"{len(labels)} labels are too many", f"give at most {MAX_LABELS}")
    return labels


@dataclass(frozen=True, kw_only=True, slots=True)
class EpisodeMetadata:
    """What is known of an interaction beside its words; None or empty where nobody said.

    Topics and entities that nobody gave are found in the words when they are observed
    (``Settings.remember.extract_labels``).
    """

    task_type: str | None = None
    tools_used: tuple[str, ...] = ()
    emotional_tone: str | None = None
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    importance: float | None = None

    def __post_init__(self) -> None:
        for name in ("task_type", "emotional_tone"):
            value = getattr(self, name)
            if value is not None:
                checked_name(value, name)
        for name in ("tools_used", "topics", "entities"):
            object.__setattr__(self, name, checked_labels(getattr(self, name), name))
        if self.importance is not None:
            object.__setattr__(self, "importance", checked_share(self.importance, "importance"))


NO_METADATA = EpisodeMetadata()


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One utterance. ``time`` None means now; a time without a zone is read in the agent's zone.

    ``ref`` is the caller's own id of the message and comes back on hits; within a conversation a ref names
    one message for good, so observing the same batch twice stores it once. Raises InvalidInput for empty
    content, content over 1 MiB, or an unknown role; the content is normalized as ``domain.text`` says.
    """

    content: str
    role: Role = Role.USER
    speaker: str | None = None
    time: datetime | str | None = None
    ref: str | None = None
    outcome: str | None = None
    tags: tuple[str, ...] = ()
    metadata: EpisodeMetadata = field(default=NO_METADATA)

    def __post_init__(self) -> None:
        content = checked_text(
            self.content, "content", most_bytes=MAX_CONTENT_BYTES, remedy="split it into several messages"
        )
        object.__setattr__(self, "content", content)
        object.__setattr__(self, "role", checked_role(self.role))
        for name in ("speaker", "ref"):
            value = getattr(self, name)
            if value is not None:
                checked_name(value, name)
        if self.outcome is not None:
            object.__setattr__(self, "outcome", normalized(checked_name(self.outcome, "outcome")))
        object.__setattr__(self, "tags", checked_labels(self.tags, "tags"))
        if self.time is not None:
            check_moment(self.time, "time")
        if not isinstance(self.metadata, EpisodeMetadata):
            raise InvalidInput(
                "metadata", f"{typed(self.metadata)} is not metadata", "give an EpisodeMetadata"
            )

    @classmethod
    def of(cls, value: object) -> Message:
        """Return a message from a Message, a plain text (said by the user) or a mapping with the fields' names.

        The fields of EpisodeMetadata may stand in the mapping itself or under ``metadata``; ``name`` is
        understood as speaker, ``timestamp`` as time and ``id`` as ref. Raises InvalidInput for anything
        else.
        """
        if isinstance(value, Message):
            return value
        if isinstance(value, str):
            return cls(content=value)
        if not isinstance(value, Mapping):
            raise InvalidInput(
                "message", f"{typed(value)} is not a message", "give a Message, a mapping or text"
            )
        return cls(**_fields(value))  # type: ignore[arg-type]  # checked by __post_init__


_SYNONYMS = {"name": "speaker", "timestamp": "time", "id": "ref"}
_OWN = frozenset({"content", "role", "speaker", "time", "ref", "outcome", "tags"})
_META = frozenset({"task_type", "tools_used", "emotional_tone", "topics", "entities", "importance"})
FIELDS = _OWN | _META | _SYNONYMS.keys() | {"metadata"}
"""What a mapping that ``Message.of`` reads may name."""


def _fields(value: Mapping[object, object]) -> dict[str, object]:
    given: dict[str, object] = {}
    meta: dict[str, object] = {}
    for raw, item in value.items():
        key = raw if isinstance(raw, str) else shown(raw)
        key = key if key in _OWN else _SYNONYMS.get(key, key)
        if item is None:
            continue
        if key == "metadata":
            for name, entry in _metadata(item).items():
                _put_once(meta, name, entry)
        elif key in _OWN:
            _put_once(given, key, item)
        elif key in _META:
            _put_once(meta, key, item)
        else:
            raise InvalidInput(
                "message",
                f"{shown(key)} is not a field of a message",
                f"use {', '.join(sorted(_OWN | _META))}",
            )
    if "content" not in given:
        raise InvalidInput("content", "the message has none", 'give {"content": "…"}')
    if meta:
        given["metadata"] = EpisodeMetadata(**meta)  # type: ignore[arg-type]  # checked by its __post_init__
    return given


def _put_once(values: dict[str, object], key: str, item: object) -> None:
    if key in values:
        raise InvalidInput("message", f"{key!r} is given twice", "give it once")
    values[key] = item


def _metadata(item: object) -> dict[str, object]:
    """Return what ``metadata`` says, without what it leaves open."""
    if isinstance(item, EpisodeMetadata):
        said = {name: getattr(item, name) for name in sorted(_META)}
        return {name: entry for name, entry in said.items() if entry not in (None, ())}
    if not isinstance(item, Mapping):
        raise InvalidInput("metadata", f"{typed(item)} is not metadata", "give a mapping")
    for name in item:
        if name not in _META:
            raise InvalidInput(
                "metadata", f"{shown(name)} is not a field of it", f"use {', '.join(sorted(_META))}"
            )
    return {name: entry for name, entry in item.items() if entry is not None}


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """A room's ordered messages: what is known of the room. ``participants`` are the speakers seen in it,
    sorted.
    """

    id: str
    channel: str
    started_at: datetime
    last_at: datetime
    episodes: int
    participants: tuple[str, ...] = ()
