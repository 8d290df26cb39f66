"""Messages as ``reverie observe`` takes them: JSON Lines or one list, an object a message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from reverie.domain.message import FIELDS, Message
from reverie.errors import InvalidInput
from reverie.services.exchange.foreign.documents import Document
from reverie.services.exchange.foreign.fields import digest, id_of, mapping, moment, name, text
from reverie.services.exchange.foreign.items import Item, Skip, broken
from reverie.services.exchange.foreign.runs import Run
from reverie.services.observe import shapes

CHANNEL = "api"
_MARKS = frozenset({"role", "speaker", "name", "conversation", "ref", "time", "timestamp"})
_ROOM = frozenset({"conversation", "channel"})
_SYNONYMS = {"ref": "id", "speaker": "name", "time": "timestamp"}


def is_mine(value: object) -> bool:
    """Return whether a value is a message: it has content, and says who speaks or when, or nothing else."""
    given = mapping(value)
    if not isinstance(given.get("content"), str | list) or given.get("type", "message") != "message":
        return False
    return len(given) == 1 or bool(given.keys() & _MARKS)


def read(document: Document) -> Iterator[Item]:
    """Yield the messages by conversation and channel, as they follow each other. What has no ref gets one of its words;
    of fields that no message has nothing is kept.
    """
    runs, seen = dict[str, Run](), Counter[str]()
    unnamed = id_of("import", Run.unnamed(document.name))
    for one in document.values():
        if isinstance(one, Skip):
            yield one
            continue
        place, value = one
        given = mapping(value)
        try:
            messages = _messages(given)
        except InvalidInput as error:
            yield broken(f"{place}, {error.field}", error.problem)
            continue
        channel = name(given.get("channel")) or CHANNEL
        run, room = runs.setdefault(channel, Run(channel)), name(given.get("conversation")) or unnamed
        for message in messages:
            yield from run.add(room, message if message.ref else _with_ref(message, room, seen))
        if not messages:
            yield Skip(reason="empty")
    for run in runs.values():
        yield from run.rest()


def _messages(given: Mapping[str, object]) -> Sequence[Message]:
    """Raise InvalidInput for what is no message."""
    taken = {key: one for key, one in given.items() if key not in _ROOM}
    for key, other in _SYNONYMS.items():
        if taken.get(key):
            taken.pop(other, None)
    taken |= {key: read(taken[key]) for key, read in _READ.items() if key in taken}
    if isinstance(taken.get("content"), list):
        taken.setdefault("role", "user")
    found = shapes.read(taken, "")
    return [Message.of({key: taken[key] for key in FIELDS & taken.keys()})] if found is None else found


def _ref(value: object) -> str | None:
    return id_of(value) if value else None


def _speaker(value: object) -> str | None:
    return name(value) or None


def _time(value: object) -> object:
    return value if text(value) else moment(value)


def _with_ref(message: Message, room: str, seen: Counter[str]) -> Message:
    mark = digest(room, message.role, message.speaker, str(message.time), message.content)
    seen[mark] += 1
    return replace(message, ref=id_of(mark, seen[mark]))


_READ: Mapping[str, Callable[[object], object]] = {
    "ref": _ref, "id": _ref, "speaker": _speaker, "name": _speaker, "time": _time, "timestamp": _time,
}  # fmt: skip
