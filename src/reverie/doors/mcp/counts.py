"""Counts: a report of the client's as numbers by name, for tools that answer with counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass

from reverie.domain.outcome import Forgot
from reverie.doors.mcp.answer import Answer, lines

_UNTOLD = ("agent", "rev", "schema", "speakers")  # no counts of what there is, or people's names

_NOT_GONE = ("still_told", "elsewhere", "tombstones")


def counts(report: object) -> dict[str, int]:
    """Return numbers as they are, collections by their size, and what has numbers of its own as ``name.part``."""
    assert is_dataclass(report)
    found: dict[str, int] = {}
    for field in fields(report):
        if field.name not in _UNTOLD:
            found |= _numbers(field.name, getattr(report, field.name))
    return found


def told(numbers: Mapping[str, int]) -> str:
    """Return the numbers that aren't 0, in one line."""
    return ", ".join(f"{name} {number:,}" for name, number in numbers.items() if number) or "all counts are 0"


def counted(report: object) -> Answer:
    """Return a report as an answer."""
    numbers = counts(report)
    return Answer(text=told(numbers), values=numbers)


def forgotten(gone: Forgot) -> Answer:
    """Return a receipt as an answer."""
    where = f"Copies that are out of reach: {', '.join(gone.elsewhere)}." if gone.elsewhere else None
    left = f"Messages that may still tell of it: {', '.join(gone.still_told)}." if gone.still_told else None
    if not gone.searched:
        left = "Whether messages still tell of it could not be looked up just now: search for it."
    numbers = counts(gone)
    went = {name: number for name, number in numbers.items() if name not in _NOT_GONE}
    text = lines(f"Forgotten: {told(went)}. The same text is not learned again.", left, where)
    return Answer(text=text, values=numbers)


def _numbers(name: str, value: object) -> dict[str, int]:
    match value:
        case bool() | str() | bytes() | None:
            return {}
        case int():
            return {name: value}
        case Mapping():
            return {f"{name}.{key}": number for key, number in value.items() if isinstance(number, int)}
        case Collection():
            return {name: len(value)}
        case _ if is_dataclass(value):
            return {f"{name}.{part}": number for part, number in counts(value).items()}
        case _:
            return {}
