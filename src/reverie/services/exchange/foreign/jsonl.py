"""Messages as ``reverie observe`` takes them: JSON Lines or one list, an object a message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from reverie.domain.message import Message
from reverie.errors import InvalidInput
from reverie.services.exchange.foreign.blocks import plain
from reverie.services.exchange.foreign.documents import Document
from reverie.services.exchange.foreign.fields import digest, id_of, mapping, moment, name, text
from reverie.services.exchange.foreign.items import Item, Skip, broken
from reverie.services.exchange.foreign.runs import Run

CHANNEL = "api"
_TAKEN = (
    "role", "outcome", "tags", "topics", "entities", "importance", "task_type", "tools_used", "emotional_tone",
    "metadata",
)  # fmt: skip
_MARKS = frozenset({"role", "speaker", "name", "conversation", "ref", "time", "timestamp"})


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
            said = _message(given, seen)
        except InvalidInput as error:
            yield broken(f"{place}, {error.field}", error.problem)
            continue
        channel = name(given.get("channel")) or CHANNEL
        run = runs.setdefault(channel, Run(channel))
        yield from run.add(name(given.get("conversation")) or unnamed, said)
    for run in runs.values():
        yield from run.rest()


def _message(given: Mapping[str, object], seen: Counter[str]) -> Message:
    """Raise InvalidInput for what is no message."""
    if not isinstance(given.get("content"), str | list):
        raise InvalidInput("content", "it is no text", 'give {"content": "…"}')
    taken = {key: given[key] for key in _TAKEN if given.get(key) is not None}
    content = plain(given["content"])
    speaker = name(given.get("speaker")) or name(given.get("name")) or None
    time = moment(given.get("time"), given.get("timestamp")) if not text(given.get("time")) else given["time"]
    ref = given.get("ref") or given.get("id")
    if ref is None:
        mark = digest(given.get("conversation"), given.get("role"), speaker, str(time), content)
        seen[mark] += 1
        ref = id_of(mark, seen[mark])
    return Message.of({**taken, "content": content, "speaker": speaker, "time": time, "ref": id_of(ref)})
