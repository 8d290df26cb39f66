"""WhatsApp's "export chat": a text file whose dates look as the telephone's language has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reverie.domain.message import Role
from reverie.services.exchange.foreign.documents import Document, Text
from reverie.services.exchange.foreign.fields import digest, id_of, messages, name
from reverie.services.exchange.foreign.items import Item, Skip, broken
from reverie.services.exchange.foreign.runs import Run

CHANNEL = "whatsapp"
_MARKS = "\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_HEADER = re.compile(
    rf"[{_MARKS}]{{0,4}}\[?"
    r"(\d{1,4})\s?[./\-年년]\s?(\d{1,2})\s?[./\-月월]\s?(\d{1,4})"  # the date
    r"([^\d\]\n]{1,16}?)"  # ", " or " klo ", or what stands before the hour in the east: ", 下午"
    r"(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?"
    r"([^\d\]\n,\-–]{0,10})"  # PM
    r"(?:\]\s?|\s?[\-–]\s|,\s)"
    r"(.*)"
)
_SAID = re.compile(rf"[{_MARKS}~\s]{{0,6}}([^:\n]{{1,80}}?)\s?:\s?(.{{0,100000}})")
_MEDIA = re.compile(r"<[^<>\n]{3,60}>|\S{1,80}\.\w{2,4} \([^()\n]{3,40}\)")
_MARK = re.compile(f"[{_MARKS}]")
_COPY = re.compile(r" ?\(\d{1,3}\)$")
_TITLE = re.compile(
    r"^(?:WhatsApp[ -]Chat (?:with |mit |- )?|Chat de WhatsApp con |Discussion WhatsApp avec )", re.IGNORECASE
)
_LATE = frozenset("pm μμ م 下午 오후 午後 晚上 du nachm ip pas".split())
_EARLY = frozenset("am πμ ص 上午 오전 午前 早上 凌晨 清晨 de vorm ap".split())


@dataclass(slots=True)
class _Line:
    """A line that begins a message, with those behind it that belong to it."""

    number: int
    date: tuple[int, int, int]
    hour: int
    minute: int
    second: int
    half: str
    words: list[str]


def is_mine(head: str) -> bool:
    """Return whether one of a text's first lines begins a message."""
    return any(_HEADER.match(line) for line in head.splitlines()[:10])


def read(document: Document) -> Iterator[Item]:
    """Yield the chat as one conversation, named after the file. Who says what is known by the names alone."""
    if not isinstance(document, Text):
        yield broken("source", "it is no text")
        return
    lines: list[_Line] = []
    for number, raw in enumerate(document.text().splitlines(), 1):
        begun = _begun(number, raw)
        if begun is not None:
            lines.append(begun)
        elif lines:
            lines[-1].words.append(raw)
        elif raw.strip():
            yield broken(f"line {number}", "it begins with no date")
    order = _order(lines)
    run, seen = Run(CHANNEL), Counter[str]()
    chat = id_of("whatsapp", _chat(document.name))
    for line in lines:
        time, said = _time(line, order), _SAID.fullmatch(line.words[0])
        if time is None:
            yield broken(f"line {line.number}", "its date is none")
        elif said is None:
            yield Skip(reason="system message")
        elif _is_media(said[2], line.words[1:]):
            yield Skip(reason="media")
        else:
            words = _MARK.sub("", "\n".join([said[2], *line.words[1:]])).strip()
            speaker = name(_MARK.sub("", said[1]))
            mark = digest(time, speaker, words)
            seen[mark] += 1
            ref = id_of(mark, seen[mark])
            for one in messages(
                f"line {line.number}", words, role=Role.USER, ref=ref, time=time, speaker=speaker
            ):
                yield from [one] if isinstance(one, Skip) else run.add(chat, one)
    yield from run.rest()


def _begun(number: int, raw: str) -> _Line | None:
    found = _HEADER.match(raw)
    if found is None:
        return None
    first, second, third = (int(found[place]) for place in (1, 2, 3))
    return _Line(
        number=number, date=(first, second, third), hour=int(found[5]), minute=int(found[6]),
        second=int(found[7] or 0), half=_plain(found[8]) or _plain(found[4]), words=[found[9]],
    )  # fmt: skip


def _plain(half: str) -> str:
    return "".join(one for one in half.lower() if one.isalpha())


def _is_media(said: str, more: Sequence[str]) -> bool:
    """Return whether a message is a picture or the like: in angle brackets, or behind a mark that nobody types."""
    return not more and bool(_MEDIA.fullmatch(_MARK.sub("", said).strip()) or said.startswith("\u200e"))


def _chat(file: str) -> str:
    stem = _COPY.sub("", Run.unnamed(file))
    return _TITLE.sub("", stem).strip() or stem


def _order(lines: Sequence[_Line]) -> tuple[int, int, int]:
    """Return the places of year, month and day: what no date contradicts, then what lets time go forward."""
    if any(line.date[0] > 31 for line in lines):
        return 0, 1, 2
    if any(line.date[0] > 12 for line in lines):
        return 2, 1, 0
    if any(line.date[1] > 12 for line in lines):
        return 2, 0, 1
    american, other = (2, 0, 1), (2, 1, 0)
    back = {order: _steps_back(lines, order) for order in (american, other)}
    if back[american] != back[other]:
        return min(back, key=lambda order: back[order])
    has_halves = any(line.half in _LATE | _EARLY for line in lines)
    return american if has_halves else other


def _steps_back(lines: Sequence[_Line], order: tuple[int, int, int]) -> int:
    days = [tuple(line.date[place] for place in order) for line in lines]
    return sum(later < earlier for earlier, later in pairwise(days))


def _time(line: _Line, order: tuple[int, int, int]) -> str | None:
    """Return the time as ISO 8601 text without a zone: the agent's own is meant."""
    year, month, day = (line.date[place] for place in order)
    year += 2000 if year < 100 else 0
    hour = line.hour
    if line.half in _LATE and hour < 12:
        hour += 12
    elif line.half in _EARLY and hour == 12:
        hour = 0
    if not (1970 <= year <= 9000 and 1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and line.minute < 60):
        return None
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{line.minute:02}:{min(line.second, 59):02}"
