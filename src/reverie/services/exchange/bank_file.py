"""Read an export: every line is checked before anything is stored, and each error names its line."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from reverie.domain.memory import Connection
from reverie.domain.queued import QueuedWrite
from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed
from reverie.ports.aggregates import Vector
from reverie.services.aggregates import AGGREGATES, SHAPES
from reverie.services.codecs import (
    END,
    FORMAT,
    HEADER,
    OTHER_FILES,
    VERSION,
    Header,
    KeptEpisode,
    KeptMemory,
    Profile,
    Room,
    line_of,
)
from reverie.services.runtime import OBSERVE, REMEMBER, draft_in, due_in, messages_in

FileLine = bytes | str | Mapping[str, object]

_PAYLOADS: Mapping[str, Mapping[str, type]] = {
    OBSERVE: {"conversation": str, "channel": str, "override": bool, "messages": list},
    REMEMBER: {"draft": dict, "override": bool, "actor": str},
}
_NOT_OURS = "it is no export of Reverie"
_OTHER_KINDS = "`reverie import --as KIND` takes other kinds"
_EXPORTED = f"give what `reverie export` wrote; {_OTHER_KINDS}"
_AGAIN = "copy the file again, or export the bank again"


@dataclass(kw_only=True, slots=True)
class Contents:
    """What an export holds, in its order. ``rows`` are those of the aggregates, by name.

    ``profile`` is None where it may not be taken over. ``left_out`` counts the lines of the file that aren't here, by
    type.
    """

    header: Header
    trusted: bool = True
    profile: Profile | None = None
    rooms: list[Room] = field(default_factory=list)
    episodes: list[KeptEpisode] = field(default_factory=list)
    memories: list[KeptMemory] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    rows: dict[str, list[Any]] = field(default_factory=lambda: {one.name: [] for one in AGGREGATES})
    left_out: Counter[str] = field(default_factory=Counter)

    def of(self, kind: str) -> list[Any]:
        """Return the values of the lines of a type."""
        found: list[Any] = self.rows[kind] if kind in self.rows else getattr(self, _CORE[kind])
        return found


_CORE = {"conversation": "rooms", "episode": "episodes", "memory": "memories", "connection": "connections"}
_KEYS = {one.name: one.key for one in AGGREGATES}
_TYPES = (*_CORE, *_KEYS)


def _as_it_is(value: Any) -> Any:
    return value


def read(lines: Iterable[FileLine], kept: Callable[[Any], Any] = _as_it_is) -> Contents:
    """Return the contents of a whole file: lines as text, as UTF-8, or as the objects that ``export`` gives.

    ``kept`` makes of each value what may be stored.

    Raise InvalidInput that names the line: for what is no export, a newer version of it, a truncated or changed file, a
    value that a bank can't hold, an id that stands there twice.
    """
    if isinstance(lines, str | bytes | Mapping) or not isinstance(lines, Iterable):
        raise InvalidInput(
            "lines",
            f"{typed(lines)} is no list of lines",
            "give what export() gives, or an open file",
        )
    reading = _Reader(kept)
    for number, raw in enumerate(lines, 1):
        reading.take(number, raw)
    return reading.whole()


class _Reader:
    def __init__(self, kept: Callable[[Any], Any]) -> None:
        self._kept = kept
        self._digest, self._counts = hashlib.sha256(), Counter[str]()
        self._contents: Contents | None = None
        self._ended = False
        self._seen: set[Hashable] = set()
        self._number = 0

    def take(self, number: int, raw: FileLine) -> None:
        text = _text(number, raw)
        if not text:
            return
        self._number = number
        if self._ended:
            raise _wrong(number, "line", "it stands behind the end", "export the bank again")
        value = _object(number, text)
        kind = value.pop("type", None)
        if self._contents is None:
            self._contents = Contents(header=self._header(number, kind, value))
        elif kind == END:
            self._end(number, value)
            return
        else:
            self._keep(number, kind, value, self._contents)
        self._digest.update(f"{text}\n".encode())
        self._counts[str(kind)] += 1

    def whole(self) -> Contents:
        """Return what was read. Raise InvalidInput where the file ended too early."""
        if self._contents is None:
            raise InvalidInput("file", f"it is empty: {_NOT_OURS}", _EXPORTED)
        if not self._ended:
            raise InvalidInput("file", f"it is cut off behind line {self._number}", _AGAIN)
        return self._contents

    def _end(self, number: int, value: Mapping[str, object]) -> None:
        self._ended = True
        if value.get("counts") != dict(self._counts) or value.get("sha256") != self._digest.hexdigest():
            raise _wrong(
                number, "sha256", "the lines before it are not those that were exported",
                "copy the file again, or export the bank again",
            )  # fmt: skip

    def _keep(self, number: int, kind: object, value: Mapping[str, object], contents: Contents) -> None:
        if kind == "profile" and contents.profile is None:
            contents.profile = self._kept(self._read(number, "profile", value))
            return
        if kind not in _TYPES:
            raise _wrong(number, "type", f"{shown(kind)} is not expected here", f"use {', '.join(_TYPES)}")
        assert isinstance(kind, str)
        made = self._read(number, kind, value)
        for vector in _vectors(made):
            if len(vector) != contents.header.dimensions:
                raise _wrong(number, "vector", "its length is not the header's", "export the bank again")
        for key in _keys(kind, made):
            if key in self._seen:
                raise _wrong(number, str(key[1]), "another line has the same", "give every line its own")
            self._seen.add(key)
        contents.of(kind).append(self._kept(made))

    def _header(self, number: int, kind: object, value: Mapping[str, object]) -> Header:
        if kind != HEADER or value.get("format") != FORMAT:
            raise _wrong(number, "format", _NOT_OURS, _EXPORTED)
        version = value.get("version")
        if isinstance(version, int) and version > VERSION:
            raise _wrong(
                number, "version", f"it is {shown(version)}, and this Reverie reads up to {VERSION}",
                "upgrade reverie-memory",
            )  # fmt: skip
        header: Header = self._kept(self._read(number, HEADER, value))
        return header

    def _read(self, number: int, kind: str, value: Mapping[str, object]) -> Any:
        try:
            made = SHAPES[kind].read(value)
            if isinstance(made, QueuedWrite):
                _check_queued(made)
        except InvalidInput as error:
            raise _wrong(number, error.field, error.problem, error.remedy) from None
        if isinstance(made, KeptMemory):
            numbers = [each.version.version for each in made.versions]
            if any(one >= next_one for one, next_one in pairwise([*numbers, made.memory.version])):
                raise _wrong(
                    number, "versions", "their numbers don't ascend to the memory's own", "put them in order"
                )
        return made


def _check_queued(write: QueuedWrite) -> None:
    """Raise InvalidInput for what the outbox could not store one day."""
    wanted = _PAYLOADS.get(write.verb)
    if wanted is None:
        raise InvalidInput("verb", f"{shown(write.verb)} is not known", f"use {', '.join(_PAYLOADS)}")
    for name, kind in wanted.items():
        if not isinstance(write.payload.get(name), kind):
            raise InvalidInput(f"payload.{name}", "it is missing or of another kind", "export the bank again")
    if write.verb == REMEMBER:
        draft_in(write)
        due_in(write)
        return
    messages = write.payload["messages"]
    assert isinstance(messages, list)
    if not all(isinstance(one, Mapping) for one in messages):
        raise InvalidInput("payload.messages", "one is no object", "export the bank again")
    messages_in(write)


def _vectors(made: Any) -> list[Vector]:
    each = made if isinstance(made, KeptMemory | KeptEpisode) else None
    past = made.versions if isinstance(made, KeptMemory) else ()
    return [one.vector for one in (each, *past) if one is not None and one.vector is not None]


def _keys(kind: str, made: Any) -> list[tuple[Hashable, ...]]:
    """Return what no other line may have too: a type, the field's name, values."""
    match made:
        case KeptEpisode(episode=one):
            keys = [("episode", "id", one.id), ("episode", "position", one.conversation, one.position)]
            return [*keys, *([("episode", "ref", one.conversation, one.ref)] if one.ref is not None else [])]
        case KeptMemory():
            steps = made.steps
            named = [("memory", "procedure.name", steps.name.casefold())] if steps is not None else []
            return [("memory", "id", made.id), *named]
        case Connection():
            return [(kind, "relation", made.source, made.target, made.relation)]
        case Room():
            return [(kind, "id", made.id)]
    return [(kind, *_KEYS[kind](made))]


def _text(number: int, raw: FileLine) -> str:
    """Return a line without its end."""
    if isinstance(raw, Mapping):
        return line_of(raw)
    if isinstance(raw, bytes):
        for start, (problem, remedy) in OTHER_FILES.items() if number == 1 else ():
            if raw.startswith(start):
                raise InvalidInput("file", problem, remedy)
        try:
            raw = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise _wrong(
                number, "text", f"byte {error.start + 1} is not UTF-8", _EXPORTED if number == 1 else _AGAIN
            ) from None
    if not isinstance(raw, str):
        raise _wrong(number, "text", f"it is {typed(raw)}, no text", _EXPORTED)
    return raw.rstrip("\r\n")


def _object(number: int, text: str) -> dict[str, object]:
    try:
        text.encode()
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise _no_json(number, text, f"it is broken or cut off at character {error.colno}") from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, brackets nested by the thousand
        raise _no_json(number, text, "it can't be read") from None
    if not isinstance(value, dict):
        raise _no_json(number, text, "it is no object")
    return value


def _no_json(number: int, text: str, problem: str) -> InvalidInput:
    """Return the error for a line that is no JSON object, with what it most probably is."""
    if number == 1 and (text.startswith("[") or text.strip() == "{"):
        problem = "a list, or an object over many lines"
        remedy = f"give one JSON object a line, as `reverie export` does; {_OTHER_KINDS}"
    elif number == 1 and not text.startswith("{"):
        problem, remedy = _NOT_OURS, _EXPORTED
    else:
        remedy = _AGAIN
    return _wrong(number, "JSON", problem, remedy)


def _wrong(number: int, name: str, problem: str, remedy: str) -> InvalidInput:
    return InvalidInput(f"line {number}, {name}", problem, remedy)
