"""LoCoMo's files: dialogues, read as the CLI reads them, and questions with the turns that hold the evidence."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.doors.formats.locomo import Session, samples

_EVIDENCE = re.compile(r"D:?0*(\d+):0*(\d+)")
ANSWERABLE = (1, 2, 3, 4)
"""Categories that are averaged; 5 holds adversarial questions and is reported apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One question. ``evidence``: distinct ids of turns that are there; empty where the file names none."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialogue:
    """One sample: its sessions as they are observed, and its questions."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def turns(self) -> int:
        """How many messages there are."""
        return sum(len(session.messages) for session in self.sessions)


def read(path: Path, chosen: Collection[str] = ()) -> list[Dialogue]:
    """The file's samples, or those chosen by id or by number from 0.

    Raises InvalidInput for a file of another format, SystemExit for an unknown sample.
    """
    data = json.loads(path.read_text("utf-8"))
    listed = [data] if isinstance(data, Mapping) else data
    dialogues = [
        _dialogue(sample.id, sample.sessions, raw["qa"])
        for sample, raw in zip(samples(data), listed, strict=True)
    ]
    by_name = {str(place): dialogue for place, dialogue in enumerate(dialogues)} | {
        one.id: one for one in dialogues
    }
    unknown = set(chosen) - set(by_name)
    if unknown:
        raise SystemExit(
            f"no sample {min(unknown)!r}: choose from {', '.join(one.id for one in dialogues)}, or count from 0"
        )
    return [by_name[name] for name in chosen] or dialogues


def repaired(evidence: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """Evidence ids put right: "D8:6; D9:17" is two, "D:11:26" is D11:26, "D30:05" is D30:5.

    What names no turn of the dialogue even so is dropped.
    """
    ids = [f"D{session}:{turn}" for text in evidence for session, turn in _EVIDENCE.findall(text)]
    return tuple(dict.fromkeys(turn for turn in ids if turn in known))


def _dialogue(name: str, sessions: tuple[Session, ...], questions: Sequence[Mapping[str, Any]]) -> Dialogue:
    known = {message.ref for session in sessions for message in session.messages if message.ref}
    return Dialogue(
        id=name,
        sessions=sessions,
        questions=tuple(
            Question(
                text=asked["question"],
                category=int(asked["category"]),
                evidence=repaired(asked.get("evidence") or (), known),
            )
            for asked in questions
        ),
    )
