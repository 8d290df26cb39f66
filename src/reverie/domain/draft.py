"""Draft: what a caller hands to ``remember``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import TypeVar

from reverie.domain.emotion import Emotions
from reverie.domain.fields import SHARED, Check, check_fields
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Origin, Quoted
from reverie.domain.message import checked_labels
from reverie.domain.text import checked_switch, member
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed

_E = TypeVar("_E", bound=StrEnum)


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A memory to be. Only ``essence`` is needed; what is None stays unjudged or takes the default of its
    kind.

    Topics and entities that are not given are found in the essence (``Settings.remember.extract_labels``).
    ``time`` is when it was learned (None: now), ``valid_from``/``valid_to`` when it is true in the world;
    texts and naive times are read in the agent's zone. ``source_trust`` None: the least trusted of the
    source episodes, or the agent's own word where there are none; it can be lowered by a caller but not
    raised above its sources. ``supersedes`` are ids of memories that are no longer
    so: they are archived, and true until this one was learned (or its ``valid_from``). ``quoted``: where the essence
    stands word for word; a mind of this machine sets it. ``needs_review``: its wording is doubtful, and instructs
    nobody before a person approves it. Raise InvalidInput.
    """

    essence: str
    kind: Kind = Kind.FACT
    lesson: str | None = None
    emotions: Emotions | None = None
    importance: float | None = None
    priority: Priority | None = None
    confidence: float | None = None
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    source_episodes: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    source_trust: SourceTrust | None = None
    origin: Origin = Origin.COMMIT
    pinned: bool = False
    time: datetime | str | None = None
    valid_from: datetime | str | None = None
    valid_to: datetime | str | None = None
    quoted: Quoted | None = None
    needs_review: bool = False

    def __post_init__(self) -> None:
        check_fields(self, _CHECKS, optional=_OPTIONAL)

    @classmethod
    def of(cls, value: object) -> Draft:
        """Return a draft from a Draft, an essence, or a mapping with the fields' names. Raise InvalidInput for
        anything else.
        """
        if isinstance(value, Draft):
            return value
        if isinstance(value, str):
            return cls(essence=value)
        if not isinstance(value, Mapping):
            raise InvalidInput("memory", f"{typed(value)} is not a memory", "give text, a mapping or a Draft")
        names = {field.name for field in fields(cls)}
        for key in value:
            if key not in names:
                raise InvalidInput(
                    "memory", f"{shown(key)} is not a field of it", f"use {', '.join(sorted(names))}"
                )
        if value.get("essence") is None:
            raise InvalidInput("essence", "the memory has none", 'give {"essence": "…"}')
        return cls(**{key: item for key, item in value.items() if item is not None})


def _quoted(value: object, field: str) -> Quoted:
    if not isinstance(value, Quoted):
        raise InvalidInput(field, f"{typed(value)} is no quotation", "leave it out")
    return value


_CHECKS: Mapping[str, Check] = {
    **SHARED,
    "source_episodes": checked_labels,
    "supersedes": checked_labels,
    "source_trust": partial(member, SourceTrust),
    "origin": partial(member, Origin),
    "quoted": _quoted,
    "needs_review": checked_switch,
}
_OPTIONAL = frozenset(field.name for field in fields(Draft) if field.default is None)
