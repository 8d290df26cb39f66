"""LoCoMo's sample format (Maharana et al., 2024): long conversations of two people in dated sessions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from reverie.domain.ids import checked_name
from reverie.domain.message import Message
from reverie.doors.formats.objects import article
from reverie.errors import InvalidInput

_SESSION = re.compile(r"session_(\d+)")
_TIME = re.compile(r"(\d{1,2}):(\d{2})\s*([ap]m)\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})", re.IGNORECASE)
# Our own table: strptime's names of months and its am and pm change with the locale.
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One sitting: ``conversation`` is ``<sample id>/session_<number>``, every message has the session's time."""

    conversation: str
    time: datetime | None
    messages: tuple[Message, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One long conversation: its sessions by number."""

    id: str
    sessions: tuple[Session, ...]


def is_sample(value: object) -> bool:
    """Return whether a JSON value looks like a sample: an object whose ``conversation`` is an object with sessions."""
    if not isinstance(value, Mapping) or not isinstance(value.get("conversation"), Mapping):
        return False
    return any(_SESSION.fullmatch(str(key)) for key in value["conversation"])


def samples(data: object) -> list[Sample]:
    """Return the samples of a parsed LoCoMo file: a list of samples, or one sample alone.

    A turn becomes a message in role user with ``dia_id`` as ref; a picture that it shares stands behind
    its text as ``[shares a photo: …]``. The data names no time zone; its times are taken as UTC.
    Raises InvalidInput, naming the place.
    """
    many = [data] if isinstance(data, Mapping) else data
    if not isinstance(many, Sequence) or isinstance(many, str) or not many or not all(map(is_sample, many)):
        raise InvalidInput(
            "file",
            "it is not in LoCoMo's format",
            "give a JSON list of samples with conversation.session_1 …",
        )
    return [_sample(value, place) for place, value in enumerate(many)]


def _sample(value: Mapping[str, object], place: int) -> Sample:
    name = checked_name(str(value.get("sample_id") or f"sample-{place}"), f"samples[{place}].sample_id")
    talk = value["conversation"]
    assert isinstance(talk, Mapping)
    numbers = sorted(int(found[1]) for key in talk if (found := _SESSION.fullmatch(str(key))))
    return Sample(
        id=name,
        sessions=tuple(_session(name, talk, number) for number in numbers if talk[f"session_{number}"]),
    )


def _session(sample: str, talk: Mapping[str, object], number: int) -> Session:
    where = f"{sample}/session_{number}"
    turns = talk[f"session_{number}"]
    if not isinstance(turns, Sequence) or isinstance(turns, str):
        raise InvalidInput(
            where, "it is not a list of turns", 'give [{"speaker": …, "dia_id": …, "text": …}, …]'
        )
    time = _time(talk.get(f"session_{number}_date_time"), where)
    return Session(
        conversation=checked_name(where, "sample_id"),
        time=time,
        messages=tuple(_message(turn, time, f"{where}[{place}]") for place, turn in enumerate(turns)),
    )


def _message(turn: object, time: datetime | None, where: str) -> Message:
    if not isinstance(turn, Mapping):
        raise InvalidInput(where, "it is not a turn", 'give {"speaker": …, "dia_id": …, "text": …}')
    text = turn.get("text") or ""
    caption = turn.get("blip_caption")
    if not isinstance(text, str):
        raise InvalidInput(where, f"its text is {article(text)}", "give text")
    if caption:
        text = f"{text} [shares a photo: {caption}]".lstrip()
    try:
        return Message(content=text, speaker=turn.get("speaker"), ref=turn.get("dia_id"), time=time)
    except InvalidInput as error:
        raise InvalidInput(f"{where}.{error.field}", error.problem, error.remedy) from None


def _time(value: object, where: str) -> datetime | None:
    if value is None:
        return None
    found = _TIME.fullmatch(str(value).strip())
    if found is None or found[5].lower() not in _MONTHS or not 1 <= int(found[1]) <= 12:
        raise InvalidInput(
            f"{where}_date_time", "it is not a time of LoCoMo's", 'write it like "1:56 pm on 8 May, 2023"'
        )
    hour = int(found[1]) % 12 + (12 if found[3].lower() == "pm" else 0)
    month = _MONTHS.index(found[5].lower()) + 1
    try:
        return datetime(int(found[6]), month, int(found[4]), hour, int(found[2]), tzinfo=UTC)
    except ValueError:
        raise InvalidInput(f"{where}_date_time", "there is no such day or hour", "correct it") from None
