"""Check the messages that a caller hands in, and take out what must not be stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from reverie.domain.message import MAX_AT_ONCE, Message, Role
from reverie.domain.text import at_most
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput
from reverie.errors.showing import typed
from reverie.services.observe import shapes
from reverie.services.runtime import Desk, clean, placed, refuse_secret


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """Messages as they may be stored, their times, and what was taken out of each, by type."""

    messages: Sequence[Message]
    times: Sequence[datetime | None]
    redacted: Sequence[Mapping[str, int]]

    def part(self, start: int, size: int) -> Batch:
        """Return so many of them, from a place on."""
        cut = slice(start, start + size)
        return Batch(messages=self.messages[cut], times=self.times[cut], redacted=self.redacted[cut])


def checked_messages(messages: object) -> list[Message]:
    """Return the messages that a caller gives: one or many, each as text, mapping, Message, or in another package's
    shape (docs/messages.md). Raise InvalidInput, which names the place of a wrong one.
    """
    return [message for _, message in _placed(messages)]


def _placed(messages: object) -> list[tuple[str, Message]]:
    """Return each message with the place of the value that it was made of."""
    if shapes.is_one(messages):
        given: list[object] = [messages]
    elif isinstance(messages, Iterable):
        given = at_most(messages, MAX_AT_ONCE, "messages")
    else:
        raise InvalidInput("messages", f"{typed(messages)} is no sequence of messages", "give a list of them")
    places = (placed("messages", place, len(given)) for place in range(len(given)))
    return [
        (at, message) for at, value in zip(places, given, strict=True) for message in messages_of(value, at)
    ]


def messages_of(value: object, at: str = "") -> list[Message]:
    """Return the messages of one value: one of ours, or what ``shapes`` reads in another's. Raise InvalidInput, which
    names the field behind ``at``.
    """
    found = shapes.read(value, at)
    if found is not None:
        return found
    try:
        return [Message.of(value)]
    except InvalidInput as error:
        raise InvalidInput(at + error.field, error.problem, error.remedy) from None


def signed(messages: object, speaker: str | None) -> list[Message]:
    """Return the messages that a caller gives, as ``checked_messages``, with the speaker's name on a user's that have
    none. Raise InvalidInput.
    """
    return [
        replace(one, speaker=speaker) if one.role is Role.USER and one.speaker is None else one
        for one in checked_messages(messages)
    ]


def cleaned(desk: Desk, agent_id: str, messages: object) -> tuple[Batch, int]:
    """Return the messages without what must not be stored, and how many of them had nothing else.

    Raise InvalidInput, which names the message's place.
    """
    given = _placed(messages)
    zone = desk.zone(agent_id)
    batch: list[Message] = []
    times: list[datetime | None] = []
    redacted: list[Mapping[str, int]] = []
    for at, message in given:
        if message.ref is not None:
            refuse_secret(desk.settings, message.ref, at + "ref")
        time = _time(message, zone, at)
        kept = clean(desk.settings, message.content)
        if not kept.text.strip():
            continue
        stored, found = _cleaned_fields(desk, replace(message, content=kept.text))
        batch.append(stored)
        times.append(time)
        redacted.append(Counter(kept.found) + Counter(found) if found else kept.found)
    return Batch(messages=batch, times=times, redacted=redacted), len(given) - len(batch)


def _cleaned_fields(desk: Desk, message: Message) -> tuple[Message, Mapping[str, int]]:
    """Return the message without secrets in what the caller says of it."""
    meta = message.metadata
    names = (message.speaker, message.outcome, meta.task_type, meta.emotional_tone)
    given = {
        *filter(None, names), *message.tags, *meta.topics, *meta.entities, *meta.tools_used,
    }  # fmt: skip
    kept = {text: clean(desk.settings, text) for text in given}
    if all(one.text == text for text, one in kept.items()):
        return message, {}

    def among(labels: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(filter(None, (kept[label].text.strip() for label in labels)))

    speaker, outcome, task_type, tone = (next(iter(among((name,))), None) if name else None for name in names)
    changed = replace(
        message,
        speaker=speaker,
        outcome=outcome,
        tags=among(message.tags),
        metadata=replace(
            meta, task_type=task_type, emotional_tone=tone, tools_used=among(meta.tools_used),
            topics=among(meta.topics), entities=among(meta.entities),
        ),
    )  # fmt: skip
    return changed, sum((Counter(one.found) for one in kept.values()), Counter())


def _time(message: Message, zone: tzinfo, at: str) -> datetime | None:
    return None if message.time is None else to_utc(message.time, zone=zone, field=at + "time")
