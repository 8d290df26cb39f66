"""Read single values of foreign JSON, whatever stands there: no value of a wrong type raises."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from reverie.domain.ids import MAX_NAME
from reverie.domain.message import Message, Role
from reverie.domain.time import EPOCH, check_moment, to_utc
from reverie.errors import InvalidInput
from reverie.services.exchange.foreign.items import Skip, broken

MOST_OUTPUT = 20_000
"""Characters of a tool's output or of an attached file; what follows is cut off."""
_SPACES = re.compile(r"\s+")
_MILLISECONDS = 1e11
_EMPTY = Skip(reason="empty")


def text(value: object) -> str:
    """Return a text without white space around it; "" for anything else."""
    return value.strip() if isinstance(value, str) else ""


def mapping(value: object) -> Mapping[str, object]:
    """Return an object; an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def sequence(value: object) -> list[object]:
    """Return a list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def moment(*values: object) -> datetime | None:
    """Return the first value that is a time: seconds or milliseconds since 1970, or ISO 8601 text (UTC where it names
    no zone).
    """
    for value in values:
        try:
            found = _since_1970(value) if isinstance(value, int | float) else _written(value)
            if found is not None:
                check_moment(found, "time")
                return found
        except (InvalidInput, OverflowError, ValueError):
            continue
    return None


def _since_1970(value: float) -> datetime | None:
    if isinstance(value, bool) or not value > 0:
        return None
    return EPOCH + timedelta(seconds=value / 1000 if value > _MILLISECONDS else value)


def _written(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return to_utc(value)
    return to_utc(value, zone=UTC) if isinstance(value, str) and value.strip() else None


def digest(*parts: object) -> str:
    """Return 16 hexadecimal digits that stand for these values."""
    return hashlib.blake2b(json.dumps([as_json(one) for one in parts]).encode(), digest_size=8).hexdigest()


def name(value: object) -> str:
    """Return a text as a name: on one line, at most 200 characters; "" where nothing is left."""
    plain = "".join(one if one.isprintable() else " " for one in text(value))
    return _SPACES.sub(" ", plain).strip()[:MAX_NAME].strip()


def id_of(*parts: object) -> str:
    """Return an id made of these parts: as they are where they are short, else their digest."""
    joined = "/".join(as_json(part) for part in parts)
    return joined if joined == name(joined) and joined else f"~{digest(*parts)}"


def labels(values: object, most: int = 20) -> tuple[str, ...]:
    """Return a list of texts, or one text with commas, as labels."""
    given = values.split(",") if isinstance(values, str) else sequence(values)
    found = (name(one).lstrip("#").strip() for one in given)
    return tuple(dict.fromkeys(one for one in found if one))[:most]


def shortened(value: str) -> str:
    """Return a tool's output, cut off where it is long."""
    return value if len(value) <= MOST_OUTPUT else value[:MOST_OUTPUT].rstrip() + " …"


def as_json(value: object) -> str:
    """Return a JSON value as text."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=lambda one: f"[{type(one).__name__}]")
    except (
        RecursionError,
        TypeError,
        ValueError,
    ):  # nested too deep, or no JSON: a program may give anything
        return f"[{type(value).__name__}]"


def messages(
    place: str, content: str, *, role: Role, ref: str, time: datetime | str | None, speaker: str = ""
) -> Iterator[Message | Skip]:
    """Yield the message, or why there is none."""
    if not content.strip():
        yield _EMPTY
        return
    content = shortened(content) if role is Role.TOOL else content
    try:
        yield Message(content=content, role=role, ref=ref, time=time, speaker=name(speaker) or None)
    except InvalidInput as error:
        yield broken(f"{place}, {error.field}", error.problem)
