"""RealMem's files: what a persona and an assistant said in a life of sessions, the facts that each session left behind,
and queries that name the facts which their answers used.

The files date sessions by day alone. A session begins at nine, or right after the one before where that was later, and
a turn follows the last by a minute; so time never runs back, though a few sessions of the files are a day out of order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reverie.domain.message import Message

_NINE = timedelta(hours=9)
_MINUTE = timedelta(minutes=1)
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One extracted memory. ``sources``: places of the turns that it was taken from; where the file doesn't say which,
    those of its whole session.
    """

    key: str
    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """What was asked, and the keys of the facts that the answer used, of those that existed by then."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One turn: a message (None where nothing was said), asked of the memory first where it is a query."""

    time: datetime
    message: Message | None
    query: Query | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One sitting, and the facts that are remembered when it ends."""

    conversation: str
    turns: tuple[Turn, ...]
    facts: tuple[Fact, ...]

    @property
    def end(self) -> datetime:
        """A minute after its last turn."""
        return self.turns[-1].time + _MINUTE


@dataclass(kw_only=True, slots=True)
class Matching:
    """How the used memories that queries name were matched with facts."""

    exactly: int = 0
    normalised: int = 0
    not_yet: int = 0
    unmatched: int = 0

    @property
    def mentions(self) -> int:
        """How many there are."""
        return self.exactly + self.normalised + self.not_yet + self.unmatched


@dataclass(frozen=True, kw_only=True, slots=True)
class Persona:
    """One file: an agent's life in the order of its sessions."""

    id: str
    sessions: tuple[Session, ...]
    matching: Matching

    def queries(self) -> Iterator[Query]:
        """All that have evidence."""
        for session in self.sessions:
            for turn in session.turns:
                if turn.query is not None:
                    yield turn.query


@dataclass(kw_only=True, slots=True)
class _Known:
    """The facts of the sessions so far: by session and text, by text alone, and the same of normalised texts."""

    exactly: dict[tuple[str | None, str], str] = field(default_factory=dict)
    normalised: dict[tuple[str | None, str], str] = field(default_factory=dict)

    def add(self, session: str, fact: Fact) -> None:
        """A text that comes again is meant as it was said last, unless its session is named."""
        for names, text in ((self.exactly, fact.text), (self.normalised, normalised(fact.text))):
            names.setdefault((session, text), fact.key)
            names[None, text] = fact.key


def read(folder: Path, chosen: Collection[str] = ()) -> list[Persona]:
    """The folder's personas by name, or those chosen by name or by number from 0.

    Raises SystemExit for a folder without files, or an unknown name.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise SystemExit(f"no .json files in {folder}: give RealMem's folder of dialogues")
    by_name = {str(place): path for place, path in enumerate(paths)} | {_name(path): path for path in paths}
    unknown = set(chosen) - set(by_name)
    if unknown:
        names = ", ".join(map(_name, paths))
        raise SystemExit(f"no persona {min(unknown)!r}: choose from {names}, or count from 0")
    wanted = [by_name[name] for name in chosen] or paths
    return [persona(_name(path), json.loads(path.read_text("utf-8"))["dialogues"]) for path in wanted]


def persona(name: str, dialogues: Sequence[Mapping[str, Any]]) -> Persona:
    """A persona from a file's ``dialogues``."""
    known, everything, matching = _Known(), _all_facts(dialogues), Matching()
    sessions = []
    free = datetime.min.replace(tzinfo=UTC)
    for place, dialogue in enumerate(dialogues):
        start = max(_day(dialogue["current_time"]) + _NINE, free)
        facts = _facts(place, dialogue)
        session = Session(
            conversation=dialogue["session_uuid"],
            turns=tuple(_turns(name, dialogue, start, known, everything, matching)),
            facts=facts,
        )
        if not session.turns:
            continue
        for fact in facts:
            known.add(session.conversation, fact)
        sessions.append(session)
        free = session.end + _MINUTE
    return Persona(id=name, sessions=tuple(sessions), matching=matching)


def normalised(text: str) -> str:
    """Words alone, in small letters."""
    return " ".join(_WORDS.findall(text.casefold()))


def _name(path: Path) -> str:
    return path.stem.partition("_dialogues")[0]


def _day(text: str) -> datetime:
    """The beginning of a day written as "2025-12-19 (Friday)"."""
    return datetime.fromisoformat(text.split()[0]).replace(tzinfo=UTC)


def _all_facts(dialogues: Sequence[Mapping[str, Any]]) -> _Known:
    """Those of the whole life, so that a fact which is named too early is told from one that isn't there."""
    known = _Known()
    for place, dialogue in enumerate(dialogues):
        for fact in _facts(place, dialogue):
            known.add(dialogue["session_uuid"], fact)
    return known


def _facts(place: int, dialogue: Mapping[str, Any]) -> tuple[Fact, ...]:
    said = [turn["content"] for turn in dialogue["dialogue_turns"]]
    return tuple(
        Fact(key=f"{place}.{number}", text=_text(raw["content"]), sources=_sources(raw, said))
        for number, raw in enumerate(dialogue["extracted_memory"])
    )


def _text(content: object) -> str:
    """A fact's text. A few are structured."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _sources(raw: Mapping[str, Any], said: Sequence[str]) -> tuple[int, ...]:
    """The turn whose words the file quotes; else the one that it counts from 1; else all."""
    quoted, counted = raw.get("source_content_snapshot"), raw.get("source_turn")
    if quoted and quoted in said:
        return (said.index(quoted),)
    if isinstance(counted, int) and 1 <= counted <= len(said):
        return (counted - 1,)
    return tuple(range(len(said)))


def _turns(
    name: str,
    dialogue: Mapping[str, Any],
    start: datetime,
    known: _Known,
    everything: _Known,
    matching: Matching,
) -> Iterator[Turn]:
    raw_turns = dialogue["dialogue_turns"]
    for place, raw in enumerate(raw_turns):
        time = start + place * _MINUTE
        said = raw["content"]
        message = None
        if said.strip():
            user = raw["speaker"].casefold() == "user"
            message = Message(
                content=said,
                role="user" if user else "assistant",  # type: ignore[arg-type]  # Message knows roles by name
                speaker=name.replace("_", " ") if user else None,
                time=time,
                ref=f"{dialogue['session_uuid']}:{place}",
            )
        query = None
        if raw.get("is_query") and message is not None:
            evidence = [
                _matched(used, known, everything, matching)
                for used in _used_in_answer(raw_turns[place + 1 :])
            ]
            keys = tuple(dict.fromkeys(key for key in evidence if key is not None))
            query = Query(text=said, evidence=keys) if keys else None
        yield Turn(time=time, message=message, query=query)


def _used_in_answer(following: Sequence[Mapping[str, Any]]) -> Sequence[Any]:
    """What the first turn with used memories names, unless another query comes before."""
    for turn in following:
        if turn.get("is_query"):
            break
        if "memory_used" in turn:
            return turn["memory_used"] or ()
    return ()


def _matched(used: object, known: _Known, everything: _Known, matching: Matching) -> str | None:
    """The fact that is meant: by its exact text, best of the session that is named, then by its words."""
    session = used.get("session_uuid") if isinstance(used, Mapping) else None
    text = _text(used.get("content") if isinstance(used, Mapping) else used)
    plain = normalised(text)
    for place in (session, None):
        if (place, text) in known.exactly:
            matching.exactly += 1
            return known.exactly[place, text]
    for place in (session, None):
        if (place, plain) in known.normalised:
            matching.normalised += 1
            return known.normalised[place, plain]
    if (None, plain) in everything.normalised:
        matching.not_yet += 1
    else:
        matching.unmatched += 1
    return None
