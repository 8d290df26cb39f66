"""Message: one utterance as a caller hands it in; Conversation: the room it was said in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from reverie.domain.ids import checked_name
from reverie.domain.text import checked_share, checked_text, normalized
from reverie.errors import InvalidInput

MAX_CONTENT_BYTES = 1 << 20
MAX_LABELS = 100
API_CHANNEL = "api"


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
    """A role by its name; the common names of others (assistant, human, …) are understood. Raises
    InvalidInput.
    """
    name = str(value).lower()
    if name in _ALIASES:
        return _ALIASES[name]
    try:
        return Role(name)
    except ValueError:
        raise InvalidInput("role", f"{value!r:.40} is not a role", f"choose from {', '.join(Role)}") from None


def checked_labels(values: object, name: str) -> tuple[str, ...]:
    """Distinct labels (tags, topics, entities …) in the given order, at most 100, each a checked name."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(name, "it is not a list of names", 'give a list such as ["work"]')
    labels = tuple(dict.fromkeys(checked_name(value, name) for value in values))
    if len(labels) > MAX_LABELS:
        raise InvalidInput(name, f"{len(labels)} labels are too many", f"give at most {MAX_LABELS}")
    return labels


@dataclass(frozen=True, kw_only=True, slots=True)
class EpisodeMetadata:
    """What is known of an interaction beside its words; None or empty where nobody said."""

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

    @classmethod
    def of(cls, value: object) -> Message:
        """A message from a Message, a plain text (said by the user) or a mapping with the fields' names.

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
                "message", f"a {type(value).__name__} is not a message", "give a Message, a mapping or text"
            )
        return cls(**_fields(value))  # type: ignore[arg-type]  # checked by __post_init__


_SYNONYMS = {"name": "speaker", "timestamp": "time", "id": "ref"}
_OWN = frozenset({"content", "role", "speaker", "time", "ref", "outcome", "tags"})
_META = frozenset({"task_type", "tools_used", "emotional_tone", "topics", "entities", "importance"})


def _fields(value: Mapping[object, object]) -> dict[str, object]:
    given: dict[str, object] = {}
    meta: dict[str, object] = {}
    for raw, item in value.items():
        key = str(raw)
        key = key if key in _OWN else _SYNONYMS.get(key, key)
        if item is None:
            continue
        if key == "metadata" and isinstance(item, Mapping):
            meta.update({str(name): entry for name, entry in item.items() if entry is not None})
        elif key == "metadata" and isinstance(item, EpisodeMetadata):
            given["metadata"] = item
        elif key in given or (key in _META and key in meta):
            raise InvalidInput("message", f"{key!r} is given twice", "give it once")
        elif key in _OWN:
            given[key] = item
        elif key in _META:
            meta[key] = item
        else:
            raise InvalidInput(
                "message",
                f"{key!r:.60} is not a field of a message",
                f"use {', '.join(sorted(_OWN | _META))}",
            )
    for key in meta:
        if key not in _META:
            raise InvalidInput(
                "metadata", f"{key!r:.60} is not a field of it", f"use {', '.join(sorted(_META))}"
            )
    if "content" not in given:
        raise InvalidInput("content", "the message has none", 'give {"content": "…"}')
    if meta:
        given["metadata"] = EpisodeMetadata(**meta)  # type: ignore[arg-type]  # checked by its __post_init__
    return given


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
