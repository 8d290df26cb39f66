"""The lines of an export, version 2, that every bank has: header, profile, rooms, messages, memories and their edges.

A type's fields stand once, in its ``Shape``, which writes a value as a JSON object and reads it back.
``docs/export.md`` describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from reverie.domain.agent import Agent
from reverie.domain.episode import Episode
from reverie.domain.goal import Achieved
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Connection, Memory, Origin, Quoted, State, Version
from reverie.domain.message import EpisodeMetadata, Role
from reverie.domain.procedure import Run, Steps
from reverie.domain.trust import SourceTrust
from reverie.ports.aggregates import Vector
from reverie.services.codecs.bank_values import Header, KeptEpisode, KeptMemory, KeptVersion, Profile, Room
from reverie.services.codecs.shape import Shape, each, one
from reverie.services.codecs.values import (
    BASE64,
    CONTENT,
    COUNT,
    EMOTIONS,
    NAME,
    NAMES,
    PAIRS,
    SHARE,
    SWITCH,
    TEXT,
    TIME,
    VECTOR,
    WORDS,
    Codec,
    choice,
    maybe,
)

FORMAT, VERSION = "reverie-bank", 2
HEADER, END = "reverie", "end"
OTHER_FILES: Mapping[bytes, tuple[str, str]] = {
    b"\x1f\x8b": ("it is compressed", "unpack it first: `gunzip -c FILE | reverie import -`"),
    b"PK\x03\x04": ("it is a ZIP archive", "unpack it first, and give the file in it"),
    b"SQLite format 3": ("it is a bank, no export of one", "export it first, or move it with `reverie copy`"),
    b"\xff\xfe": ("it is UTF-16", "save it as UTF-8, or export it again"),
    b"\xfe\xff": ("it is UTF-16", "save it as UTF-8, or export it again"),
}
"""How files begin that are given by mistake, and what to do then."""

_META = {
    "task_type": maybe(NAME), "tools_used": NAMES, "emotional_tone": maybe(NAME), "topics": NAMES, "entities": NAMES,
    "importance": maybe(SHARE),
}  # fmt: skip
_EPISODE: Mapping[str, Codec] = {
    "id": NAME, "conversation": NAME, "position": COUNT, "time": TIME, "observed_at": TIME, "channel": NAME,
    "role": choice(Role), "speaker": maybe(NAME), "content": CONTENT, "ref": maybe(NAME), "outcome": maybe(NAME),
    "tags": NAMES, "source_trust": choice(SourceTrust), "consolidated_at": maybe(TIME),
}  # fmt: skip
QUOTED = Shape(
    fields={
        "episode": NAME, "role": choice(Role), "speaker": maybe(NAME), "at": TIME, "answers": maybe(TEXT),
        "dates": PAIRS,
    },
    make=Quoted,
)  # fmt: skip
"""Where an essence stands word for word."""
MEMORY: Mapping[str, Codec] = {
    "id": NAME, "essence": TEXT, "lesson": maybe(TEXT), "emotions": maybe(EMOTIONS), "importance": maybe(SHARE),
    "kind": choice(Kind), "priority": choice(Priority), "confidence": SHARE, "confidence_at": TIME, "scope": NAMES,
    "tags": NAMES, "topics": NAMES, "entities": NAMES, "source_episodes": NAMES, "origin": choice(Origin),
    "source_trust": choice(SourceTrust), "pinned": SWITCH, "state": choice(State), "superseded_by": maybe(NAME),
    "reinforcement_count": COUNT, "last_reinforced_at": TIME, "touches": COUNT, "last_touched_at": maybe(TIME),
    "version": COUNT, "created_at": TIME, "updated_at": TIME, "believed_from": TIME, "valid_from": maybe(TIME),
    "valid_to": maybe(TIME), "learned_from": maybe(NAME),
    "quoted": maybe(one(QUOTED, "an object: episode, role, speaker, at, answers, dates")),
    "needs_review": SWITCH,
}  # fmt: skip
"""The fields of a Memory, each with the way it is written."""
_VERSION: Mapping[str, Codec] = {
    "version": COUNT, "essence": TEXT, "lesson": maybe(TEXT), "believed_from": TIME, "believed_to": TIME,
    "valid_from": maybe(TIME), "valid_to": maybe(TIME),
}  # fmt: skip
_RUN = Shape(fields={"id": NAME, "at": TIME, "succeeded": SWITCH, "note": maybe(WORDS)}, make=Run)


def _split_episode(kept: KeptEpisode) -> Mapping[str, Any]:
    said = {name: getattr(kept.episode, name) for name in _EPISODE}
    return {**said, **{name: getattr(kept.episode.metadata, name) for name in _META}, "vector": kept.vector}


def _make_episode(*, vector: Vector | None = None, **given: Any) -> KeptEpisode:
    metadata = EpisodeMetadata(**{name: given.pop(name) for name in _META})
    return KeptEpisode(episode=Episode(metadata=metadata, **given), vector=vector)


def _split_version(kept: KeptVersion) -> Mapping[str, Any]:
    return {**{name: getattr(kept.version, name) for name in _VERSION}, "vector": kept.vector}


def _make_memory(
    *, versions: tuple[dict[str, Any], ...] = (), procedure: dict[str, Any] | None = None,
    achieved: dict[str, Any] | None = None, due: datetime | None = None, vector: Vector | None = None, **given: Any,
) -> KeptMemory:  # fmt: skip
    id = given["id"]
    return KeptMemory(
        memory=Memory(**given),
        versions=tuple(
            KeptVersion(vector=one.pop("vector", None), version=Version(memory_id=id, **one))
            for one in versions
        ),
        runs=() if procedure is None else procedure.pop("runs"),
        steps=None if procedure is None else Steps(memory_id=id, **procedure),
        achieved=None if achieved is None else Achieved(memory_id=id, **achieved),
        due=due,
        vector=vector,
    )


def _split_memory(kept: KeptMemory) -> Mapping[str, Any]:
    return {
        **{name: getattr(kept.memory, name) for name in MEMORY},
        "versions": kept.versions,
        "procedure": None if kept.steps is None else (kept.steps, kept.runs),
        "achieved": kept.achieved,
        "due": kept.due,
        "vector": kept.vector,
    }


VERSIONS = Shape(
    fields={**_VERSION, "vector": VECTOR},
    make=dict,
    split=_split_version,
    optional=frozenset({"vector"}),
)
PROCEDURE = Shape(
    fields={
        "name": NAME, "steps": NAMES, "success_count": COUNT, "failure_count": COUNT,
        "runs": each(_RUN, "a list of objects: id, at, succeeded, note"),
    },
    make=dict,
    split=lambda pair: {
        **{name: getattr(pair[0], name) for name in ("name", "steps", "success_count", "failure_count")},
        "runs": pair[1],
    },
)  # fmt: skip
ACHIEVED = Shape(fields={"at": TIME, "note": maybe(WORDS)}, make=dict)

CORE: Mapping[str, Shape] = {
    HEADER: Shape(
        fields={
            "format": WORDS, "version": COUNT, "agent": NAME, "exported_at": TIME, "embedder": maybe(WORDS),
            "dimensions": maybe(COUNT), "vectors": SWITCH, "log": SWITCH,
        },
        make=Header,
    ),
    "profile": Shape(
        fields={
            "time_zone": NAME, "principals": NAMES, "home": maybe(NAME), "location": maybe(NAME), "created_at": TIME,
            "paused_at": maybe(TIME), "secret": BASE64,
        },
        make=lambda secret, **given: Profile(agent=Agent(id="unnamed", **given), secret=secret),
        split=lambda kept: {
            **{
                name: getattr(kept.agent, name)
                for name in ("time_zone", "principals", "home", "location", "created_at", "paused_at")
            },
            "secret": kept.secret,
        },
    ),
    "conversation": Shape(fields={"id": NAME, "channel": NAME, "next_position": COUNT}, make=Room),
    "episode": Shape(
        fields={**_EPISODE, **_META, "vector": VECTOR}, make=_make_episode, split=_split_episode,
        optional=frozenset({"vector"}),
    ),
    "memory": Shape(
        fields={
            **MEMORY,
            "versions": each(VERSIONS, "a list of objects: the replaced wordings, see below"),
            "procedure": one(PROCEDURE, "an object, see below"),
            "achieved": one(ACHIEVED, "an object: at, note"),
            "due": TIME,
            "vector": VECTOR,
        },
        make=_make_memory, split=_split_memory,
        optional=frozenset(
            {"versions", "procedure", "achieved", "due", "learned_from", "quoted", "needs_review", "vector"}
        ),
    ),
    "connection": Shape(
        fields={"source": NAME, "target": NAME, "relation": TEXT, "created_at": TIME}, make=Connection
    ),
}  # fmt: skip
"""The lines that every bank has, in their order; the aggregates (``services.aggregates``) follow."""


def line_of(entry: Mapping[str, object]) -> str:
    """Return a line's text, without its end. Every script stays readable."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
