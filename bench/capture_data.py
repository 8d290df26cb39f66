"""What people said, for the capture bench: turns of LoCoMo and RealMem, stated preferences, comments of GoEmotions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench import locomo_data, realmem_data
from reverie.domain.capture import Capture
from reverie.domain.message import Message, Role
from reverie.embedders.minilm import MiniLM
from reverie.minds.judges import JudgeNetwork
from reverie.ports.judges import Heard, Judges
from reverie.services.observe.stated import read_closely, stated, with_form

CONVERSATIONS = ("locomo", "realmem")
SOURCES = (*CONVERSATIONS, "prefeval")
_AT_ONCE = 200
HARD = "goemotions"
"""Comments to strangers, names masked, half of them jokes: nobody's talk with an agent, and told apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A user's turn: ``id`` is the source's own, ``before`` what was said right before it, ``asked`` the same where it
    was the agent who said it.
    """

    source: str
    id: str
    speaker: str | None
    text: str
    before: str = ""
    asked: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Firing:
    """A capture. Verdicts go by ``id``: source and turn."""

    turn: Turn
    capture: Capture

    @property
    def id(self) -> str:
        return f"{self.turn.source}:{self.turn.id}"


def turns(data: Path, source: str) -> list[Turn]:
    """A source's user turns, in their order."""
    match source:
        case "locomo":
            return [turn for path in sorted((data / "locomo").glob("*.json")) for turn in _locomo(path)]
        case "realmem":
            return list(_realmem(data / "realmem"))
        case "prefeval":
            stated = enumerate(preferences(data))
            return [Turn(source=source, id=str(place), speaker=None, text=text) for place, text in stated]
        case _:
            return [turn for path in sorted((data / HARD).glob("*.tsv")) for turn in _goemotions(path)]


def preferences(data: Path) -> list[str]:
    """PrefEval's stated preferences."""
    paths = sorted((data / "prefeval" / "explicit").glob("*.json"))
    if not paths:
        raise SystemExit(f"no prefeval/explicit/*.json in {data}: give the folder that holds the data sets")
    return [one["preference"] for path in paths for one in json.loads(path.read_text("utf-8"))]


def judges() -> Judges:
    """The shipped judges, over the built-in embedder."""
    return JudgeNetwork(MiniLM().embed)


def captures(judges: Judges, listed: Sequence[Turn]) -> list[tuple[Capture, ...]]:
    """What is captured of each of these turns."""
    found: list[tuple[Capture, ...]] = []
    for first in range(0, len(listed), _AT_ONCE):
        some = listed[first : first + _AT_ONCE]
        heard = [Heard(text=one.text, asked=one.asked, apart=with_form(one.text, ())) for one in some]
        judged = read_closely(judges.judge, heard)
        found += (stated(one.text, each, ()) for one, each in zip(some, judged, strict=True))
    return found


def firings(judges: Judges, listed: Sequence[Turn]) -> list[Firing]:
    """What is captured of these turns."""
    return [
        Firing(turn=turn, capture=capture)
        for turn, some in zip(listed, captures(judges, listed), strict=True)
        for capture in some
    ]


def _locomo(path: Path) -> Iterator[Turn]:
    for dialogue in locomo_data.read(path):
        for session in dialogue.sessions:
            before = ""
            for message in session.messages:
                yield _turn("locomo", f"{dialogue.id}/{message.ref}", message, before)
                before = message.content


def _realmem(folder: Path) -> Iterator[Turn]:
    for persona in realmem_data.read(folder):
        for session in persona.sessions:
            before = ""
            for message in (turn.message for turn in session.turns if turn.message is not None):
                if message.role is Role.USER:
                    yield replace(
                        _turn("realmem", f"{persona.id}/{message.ref}", message, before), asked=before
                    )
                before = message.content


def _turn(source: str, id: str, message: Message, before: str) -> Turn:
    return Turn(source=source, id=id, speaker=message.speaker, text=message.content, before=before)


def _goemotions(path: Path) -> Iterator[Turn]:
    for line in path.read_text("utf-8").splitlines():
        text, _, name = line.split("\t")
        if text.strip():
            yield Turn(source=HARD, id=f"{path.stem}/{name}", speaker=None, text=text)
