"""A cassette: what a model was asked in a life's nights, and what it answered. `python -m bench record` makes them.

A folder of ``NNN.txt`` (the request: its parts, each under ``=== NAME ===``) and ``NNN.answer.json`` (the answer), and
where the recorder made it ``life.jsonl`` (the life) and ``about.json`` (how it was lived).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

REQUEST, ANSWER = ".txt", ".answer.json"
LIFE, ABOUT = "life.jsonl", "about.json"

_PART = re.compile(r"^=== (.+) ===$", re.MULTILINE)
_LINE = re.compile(r'^\W*\[(?P<label>[a-z]+\d+)\](?P<told>.*?)(?P<text>"(?:[^"\\]|\\.)*")\s*$', re.MULTILINE)
_EARLIER = re.compile(r"\bearlier\b")
_NIGHTLY = ("new", "update", "reinforce", "retire", "contradict", "decay", "connect")
_EPISODES, _MEMORIES = "e", "m"


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line of a request: an episode's or a memory's ``label``, what is ``told`` of it, and its ``text``."""

    label: str
    told: str
    text: str

    @property
    def is_earlier(self) -> bool:
        """Whether it is an episode that was slept on before."""
        return _EARLIER.search(self.told) is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """One request with its answer. ``again``: it is a repair question, about what was refused of the answer before;
    its labels are that one's.
    """

    number: int
    answer: Mapping[str, Any]
    again: bool = False
    episodes: Mapping[str, Line] = field(default_factory=dict)
    memories: Mapping[str, Line] = field(default_factory=dict)

    @property
    def is_night(self) -> bool:
        """Whether it is a night's; else a portrait's, or whatever else a model was asked."""
        return any(name in self.answer for name in _NIGHTLY)

    @property
    def is_portrait(self) -> bool:
        """Whether sections of a self-portrait were asked for."""
        return "sections" in self.answer


def read(folder: Path) -> Sequence[Recorded]:
    """What was asked and answered, in order. Raises ValueError where there is nothing, or an answer is no object."""
    found = [*_read(folder)]
    if not found:
        raise ValueError(f"{folder}: no {REQUEST} with its {ANSWER} is in it")
    return found


def life_of(folder: Path) -> Path | None:
    """The life that was recorded, where it lies beside the answers."""
    path = folder / LIFE
    return path if path.exists() else None


def about(folder: Path) -> Mapping[str, Any]:
    """How it was recorded; nothing where that wasn't written down."""
    path = folder / ABOUT
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def _read(folder: Path) -> Iterator[Recorded]:
    last: Recorded | None = None
    for path in sorted(folder.glob(f"[0-9]*{REQUEST}")):
        beside = path.with_suffix(ANSWER)
        if not beside.exists():
            continue
        answer = json.loads(beside.read_text("utf-8"))
        if not isinstance(answer, dict):
            raise ValueError(f"{beside}: the answer is no JSON object")
        parts = parts_of(path.read_text("utf-8"))
        one = _recorded(int(path.stem), answer, parts, last)
        # A request that goes on from an answer has another one in its place.
        if last is not None and not any(name == "assistant" for name, _ in parts):
            yield last
        last = one
    if last is not None:
        yield last


def _recorded(
    number: int, answer: Mapping[str, Any], parts: Sequence[tuple[str, str]], before: Recorded | None
) -> Recorded:
    lines = [line for name, text in parts if name == "user" for line in _lines(text)]
    one = Recorded(
        number=number,
        answer=answer,
        episodes={one.label: one for one in lines if one.label.startswith(_EPISODES)},
        memories={one.label: one for one in lines if one.label.startswith(_MEMORIES)},
    )
    if one.is_night and not one.episodes and before is not None and before.is_night:
        return replace(one, again=True, episodes=before.episodes, memories=before.memories)
    return one


def parts_of(request: str) -> list[tuple[str, str]]:
    """A request's parts with their names, in order."""
    _, *found = _PART.split(request)
    return [(name, text.strip("\n")) for name, text in zip(found[::2], found[1::2], strict=True)]


def _lines(text: str) -> Iterator[Line]:
    for found in _LINE.finditer(text):
        yield Line(label=found["label"], told=found["told"].strip(" :"), text=json.loads(found["text"]))
