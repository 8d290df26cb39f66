"""The lines of an export, version 2: which types there are, and which fields each has (``docs/export.md``).

A type's fields stand once, in its ``Shape``, which writes a value as a JSON object and reads it back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.domain.agent import Agent
from reverie.domain.audit import Action, AuditEntry
from reverie.domain.change import Spent
from reverie.domain.diary import MAX_NOTES, DiaryEntry, DiaryNote
from reverie.domain.episode import Episode
from reverie.domain.goal import Achieved
from reverie.domain.kinds import Kind, Priority
from reverie.domain.link import Include, LinkItem, LinkState, LinkTerms, NeuralLink, Side
from reverie.domain.memory import Connection, Memory, Origin, Quoted, State, Version
from reverie.domain.message import EpisodeMetadata, Role
from reverie.domain.procedure import Run, Steps
from reverie.domain.queued import QueuedWrite
from reverie.domain.relationship import View
from reverie.domain.sleep import Act, Rejected, SleepRecord
from reverie.domain.soul import SoulEntry
from reverie.domain.summary import Summary
from reverie.domain.trust import SourceTrust
from reverie.domain.watermark import Watermark
from reverie.errors import InvalidInput
from reverie.errors.showing import shown, undrawn
from reverie.ports.aggregates import Vector
from reverie.services.codecs.bank_values import (
    Blocked,
    Header,
    KeptEpisode,
    KeptMemory,
    KeptVersion,
    Profile,
    Room,
    Tombstone,
)
from reverie.services.codecs.values import (
    BASE64,
    BODY,
    CONTENT,
    COUNT,
    DATE,
    EMOTIONS,
    HEX,
    NAME,
    NAMES,
    NUMBER,
    OBJECT,
    PAIRS,
    SHARE,
    SWITCH,
    TEXT,
    TIME,
    TRUST,
    VECTOR,
    WORDS,
    Codec,
    choice,
    maybe,
)

FORMAT, VERSION = "reverie-bank", 2
HEADER, END = "reverie", "end"


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """What an object of a type holds. ``split`` gives a value's fields, ``make`` the value of them; ``optional`` are
    those that may be left out, for None, False or nothing.
    """

    fields: Mapping[str, Codec]
    make: Callable[..., Any]
    split: Callable[[Any], Mapping[str, Any]] | None = None
    optional: frozenset[str] = frozenset()

    def write(self, value: Any) -> dict[str, object]:
        """The value's JSON object, without optional fields that hold nothing."""
        given = (
            {name: getattr(value, name) for name in self.fields} if self.split is None else self.split(value)
        )
        return {
            name: codec.write(given[name])
            for name, codec in self.fields.items()
            if name not in self.optional or not _is_nothing(given[name])
        }

    def read(self, value: object, of: str = "") -> Any:
        """The object's value. Raises InvalidInput naming the field, behind ``of``."""
        if not isinstance(value, Mapping):
            raise InvalidInput(of or "line", "it is not an object", "give a JSON object")
        for name in value:
            if name not in self.fields:
                raise InvalidInput(
                    f"{of}{undrawn(str(name))}"[:80],
                    "there is no such field",
                    f"use {', '.join(self.fields)}",
                )
        missing = [name for name in self.fields if name not in value and name not in self.optional]
        if missing:
            raise InvalidInput(f"{of}{missing[0]}", "it is missing", "give it; null where nothing is known")
        return self.make(
            **{
                name: codec.read(value[name], of + name)
                for name, codec in self.fields.items()
                if name in value
            }
        )


def _is_nothing(value: object) -> bool:
    return value is None or value is False or (isinstance(value, tuple) and not value)


def _one(shape: Shape, says: str) -> Codec:
    return Codec(says=says, write=shape.write, read=lambda value, name: shape.read(value, f"{name}."))


def _each(shape: Shape, says: str) -> Codec:
    def read(value: object, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InvalidInput(name, f"{shown(value)} is not a list", "give a list of objects")
        return tuple(shape.read(each, f"{name}[{place}].") for place, each in enumerate(value))

    return Codec(says=says, write=lambda values: [shape.write(value) for value in values], read=read)


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
    "quoted": maybe(_one(QUOTED, "an object: episode, role, speaker, at, answers, dates")),
    "needs_review": SWITCH,
}  # fmt: skip
"""The fields of a Memory, each with the way it is written."""
_VERSION: Mapping[str, Codec] = {
    "version": COUNT, "essence": TEXT, "lesson": maybe(TEXT), "believed_from": TIME, "believed_to": TIME,
    "valid_from": maybe(TIME), "valid_to": maybe(TIME),
}  # fmt: skip
_SPENT = Shape(
    fields={"calls": COUNT, "input_tokens": COUNT, "output_tokens": COUNT, "micro_dollars": NUMBER},
    make=Spent,
)
_REJECTED = Shape(
    fields={
        "act": choice(Act),
        "reason": WORDS,
        "target": maybe(WORDS),
        "text": maybe(WORDS),
        "round": COUNT,
    },
    optional=frozenset({"round"}),
    make=Rejected,
)
_NOTE = Shape(fields={"at": TIME, "body": BODY, "mood": maybe(NAME), "location": maybe(NAME)}, make=DiaryNote)
_VIEW = ("id", "other", "at", "trust", "tone", "rationale", "notes")
_RUN = Shape(fields={"id": NAME, "at": TIME, "succeeded": SWITCH, "note": maybe(WORDS)}, make=Run)


def _split_episode(kept: KeptEpisode) -> Mapping[str, Any]:
    said = {name: getattr(kept.episode, name) for name in _EPISODE}
    return {**said, **{name: getattr(kept.episode.metadata, name) for name in _META}, "vector": kept.vector}


def _make_episode(*, vector: Vector | None = None, **given: Any) -> KeptEpisode:
    metadata = EpisodeMetadata(**{name: given.pop(name) for name in _META})
    return KeptEpisode(episode=Episode(metadata=metadata, **given), vector=vector)


def _split_version(kept: KeptVersion) -> Mapping[str, Any]:
    return {**{name: getattr(kept.version, name) for name in _VERSION}, "vector": kept.vector}


def _make_version(*, vector: Vector | None = None, **given: Any) -> KeptVersion:
    return KeptVersion(version=Version(memory_id="", **given), vector=vector)


def _make_memory(
    *, versions: tuple[KeptVersion, ...] = (), procedure: Any = None, achieved: Any = None,
    vector: Vector | None = None, **given: Any,
) -> KeptMemory:  # fmt: skip
    steps, runs = procedure or (None, ())
    return KeptMemory(
        memory=Memory(**given), versions=versions, steps=steps, runs=runs, achieved=achieved, vector=vector
    ).whole()


def _split_memory(kept: KeptMemory) -> Mapping[str, Any]:
    return {
        **{name: getattr(kept.memory, name) for name in MEMORY},
        "versions": kept.versions,
        "procedure": None if kept.steps is None else (kept.steps, kept.runs),
        "achieved": kept.achieved,
        "vector": kept.vector,
    }


def _make_page(*, notes: tuple[DiaryNote, ...], **given: Any) -> DiaryEntry:
    if not 1 <= len(notes) <= MAX_NOTES:
        raise InvalidInput("notes", f"there are {len(notes):,}", f"give 1 to {MAX_NOTES:,}")
    return DiaryEntry(notes=notes, **given)


def _make_summary(**given: Any) -> Summary:
    made = Summary(**given)
    span = (made.first, made.last)
    if any((one is None) != (made.conversation is None) for one in span):
        raise InvalidInput(
            "conversation", "it comes with first and last, or without them", "give all three or none"
        )
    if made.first is not None and made.last is not None and made.first > made.last:
        raise InvalidInput("last", "it lies before first", "export the bank again")
    return made


_TERMS: Mapping[str, Codec] = {"include": NAMES, "kinds": NAMES, "scope": maybe(NAME), "tags": NAMES}


def _make_link(**given: Any) -> NeuralLink:
    terms = {name: given.pop(name) for name in _TERMS}
    try:
        include = tuple(map(Include, terms.pop("include")))
    except ValueError:
        raise InvalidInput("include", "one is not shared that way", f"use {', '.join(Include)}") from None
    return NeuralLink(terms=LinkTerms(include=include, **terms), **given)


VERSIONS = Shape(
    fields={**_VERSION, "vector": VECTOR},
    make=_make_version,
    split=_split_version,
    optional=frozenset({"vector"}),
)
PROCEDURE = Shape(
    fields={
        "name": NAME, "steps": NAMES, "success_count": COUNT, "failure_count": COUNT,
        "runs": _each(_RUN, "a list of objects: id, at, succeeded, note"),
    },
    make=lambda runs, **given: (Steps(memory_id="", **given), runs),
    split=lambda pair: {
        **{name: getattr(pair[0], name) for name in ("name", "steps", "success_count", "failure_count")},
        "runs": pair[1],
    },
)  # fmt: skip
ACHIEVED = Shape(
    fields={"at": TIME, "note": maybe(WORDS)}, make=lambda **given: Achieved(memory_id="", **given)
)

SHAPES: Mapping[str, Shape] = {
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
            "versions": _each(VERSIONS, "a list of objects: the replaced wordings, see below"),
            "procedure": _one(PROCEDURE, "an object, see below"),
            "achieved": _one(ACHIEVED, "an object: at, note"),
            "vector": VECTOR,
        },
        make=_make_memory, split=_split_memory,
        optional=frozenset(
            {"versions", "procedure", "achieved", "learned_from", "quoted", "needs_review", "vector"}
        ),
    ),
    "connection": Shape(
        fields={"source": NAME, "target": NAME, "relation": TEXT, "created_at": TIME}, make=Connection
    ),
    "soul": Shape(fields={"id": NAME, "text": TEXT, "created_at": TIME}, make=SoulEntry),
    "diary": Shape(
        fields={
            "date": DATE, "mood": maybe(NAME), "location": maybe(NAME),
            "notes": _each(_NOTE, "a list of objects: at, body, mood, location"), "created_at": TIME,
            "updated_at": TIME,
        },
        make=_make_page,
    ),
    "relationship": Shape(
        fields={
            "id": NAME, "other": NAME, "at": TIME, "relation": NAME, "trust": TRUST, "tone": maybe(NAME),
            "rationale": maybe(WORDS), "notes": maybe(WORDS),
        },
        make=lambda relation, **given: View(type=relation, **given),
        split=lambda view: {**{name: getattr(view, name) for name in _VIEW}, "relation": view.type},
    ),
    "summary": Shape(
        fields={
            "memory_id": NAME, "job": NAME, "conversation": maybe(NAME), "first": maybe(COUNT), "last": maybe(COUNT),
            "items": COUNT, "began_at": TIME, "ended_at": TIME, "created_at": TIME,
        },
        make=_make_summary,
    ),
    "neural_link": Shape(
        fields={
            "id": NAME, "side": choice(Side), "other": NAME, "state": choice(LinkState), "message": maybe(TEXT),
            "asked_at": TIME, "expires_at": TIME, "decided_at": maybe(TIME), "revoked_at": maybe(TIME),
            **_TERMS, "counts": OBJECT,
        },
        make=_make_link,
        split=lambda link: {
            **{name: getattr(link, name) for name in NeuralLink.__slots__},
            **{name: getattr(link.terms, name) for name in _TERMS},
        },
    ),
    "link_item": Shape(
        fields={"link_id": NAME, "corpus": NAME, "source_id": NAME, "id": NAME, "own": SWITCH}, make=LinkItem
    ),
    "link_block": Shape(fields={"other": NAME, "at": TIME}, make=Blocked),
    "watermark": Shape(fields={"job": NAME, "conversation": NAME, "position": COUNT}, make=Watermark),
    "queued": Shape(fields={"id": NAME, "at": TIME, "verb": NAME, "payload": OBJECT}, make=QueuedWrite),
    "tombstone": Shape(fields={"digest": HEX, "at": TIME}, make=Tombstone),
    "sleep": Shape(
        fields={
            "id": NAME, "mind": WORDS, "started_at": TIME, "ended_at": TIME, "episodes": NAMES, "clusters": COUNT,
            "rejected": _each(_REJECTED, "a list of objects: act, reason, target, text, round"),
            "spent": _one(_SPENT, "an object: calls, input_tokens, output_tokens, micro_dollars"),
            "notes": NAMES, "reverted_at": maybe(TIME),
        },
        make=SleepRecord,
    ),
    "audit": Shape(
        fields={
            "id": NAME, "at": TIME, "actor": WORDS, "action": choice(Action), "target": WORDS, "before": maybe(OBJECT),
            "after": maybe(OBJECT), "reason": maybe(WORDS), "job": maybe(NAME),
        },
        make=AuditEntry,
    ),
}  # fmt: skip
"""By type, in the order in which they stand in a file; the last line is of type ``end``."""


def entry(type: str, value: object) -> dict[str, object]:  # noqa: A002  # the field's name
    """A line's object."""
    return {"type": type, **SHAPES[type].write(value)}


def line_of(entry: Mapping[str, object]) -> str:
    """A line's text, without its end. Every script stays readable."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
