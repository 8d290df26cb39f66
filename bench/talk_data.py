"""Talks with questions: what was said in sittings, and for each question the messages that answer it.

Read here is what helper sessions wrote (``bench/TALKS.md``): dialogues, chats, and questions about conversations of
Synthetic-Persona-Chat, whose texts are not in the repository.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

from bench import places
from bench.realmem import Calendar
from reverie import Agent
from reverie.domain.message import Message, Role, checked_role
from reverie.ports.embedder import Embedder

HERE = Path(__file__).parent
DIALOGUES, CHATS, PERSONAS = HERE / "dialogues", HERE / "chats", HERE / "personas"
NOTHING = "none"
"""The kind of question that nothing answers."""
_TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
_EVENING = time(18, tzinfo=UTC)
_MINUTE, _HOUR, _MONTH = timedelta(minutes=1), timedelta(hours=1), timedelta(days=30)


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One question. ``evidence``: refs of the messages that answer it, ``statements``: keys of those that do.

    ``old`` and ``new``: refs of what was so before and what is so now, where the question is about a change.
    """

    text: str
    kind: str
    evidence: frozenset[str] = frozenset()
    old: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()
    statements: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Sitting:
    """One conversation, and by key what is remembered when it ends."""

    id: str
    messages: Sequence[Message]
    statements: Mapping[str, str] = field(default_factory=dict)

    @property
    def end(self) -> datetime:
        """An hour after its last message."""
        last = self.messages[-1].time
        assert isinstance(last, datetime)
        return last + _HOUR


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """One bank's conversations, and what is asked of them ``today``."""

    id: str
    sittings: Sequence[Sitting]
    questions: Sequence[Question]
    today: datetime


def dialogues(folder: Path = DIALOGUES) -> list[Talk]:
    """Two friends each, who write to each other over months."""
    return [_dialogue(json.loads(path.read_text("utf-8"))) for path in sorted(folder.glob("*.json"))]


def chats(folder: Path = CHATS, *, everything: bool) -> list[Talk]:
    """A user and an assistant each: the user's messages alone, or ``everything``."""
    return [_chat(json.loads(path.read_text("utf-8")), everything) for path in sorted(folder.glob("*.json"))]


def personas(data: Path, folder: Path = PERSONAS) -> list[Talk]:
    """Conversations of Synthetic-Persona-Chat, twenty a bank, with names; ``data`` holds its CSV files."""
    rows = {
        f"{path.stem.rpartition('_')[2]}{number}": row["Best Generated Conversation"]
        for path in sorted(data.glob("*.csv"))
        for number, row in enumerate(csv.DictReader(StringIO(path.read_text("utf-8"))))
    }
    return [_bank(path, rows) for path in sorted(folder.glob("*.jsonl"))]


@contextmanager
def observed(talk: Talk, embedder: Embedder) -> Iterator[tuple[Agent, Mapping[str, str]]]:
    """An agent that heard the talk, on the day of its questions, and the memory that each statement became."""
    calendar, became = Calendar(), dict[str, str]()
    with places.empty(None, embedder=embedder, clock=calendar) as reverie:
        agent = reverie.agent(talk.id)
        for sitting in talk.sittings:
            calendar.now = sitting.end
            agent.observe(sitting.messages, conversation=sitting.id)
            for key, text in sitting.statements.items():
                became[key] = agent.remember(text).memory.id
        calendar.now = talk.today
        yield agent, became


def _dialogue(raw: Mapping[str, Any]) -> Talk:
    sittings = []
    for session in raw["sessions"]:
        start = datetime.fromisoformat(session["time"])
        sittings.append(Sitting(id=session["id"], messages=_minutely(start, session["turns"])))
    return Talk(
        id=f"dialogue {raw['dialogue']}", sittings=sittings, questions=_questions(raw, sittings), today=_TODAY
    )


def _chat(raw: Mapping[str, Any], everything: bool) -> Talk:
    sittings = [
        Sitting(
            id=conversation["id"],
            messages=[
                Message(
                    content=one["text"], role=checked_role(one["role"]), ref=one["ref"],
                    time=datetime.fromisoformat(one["time"]),
                )
                for one in conversation["messages"]
                if everything or one["role"] == "user"
            ],
        )
        for conversation in raw["conversations"]
    ]  # fmt: skip
    return Talk(
        id=f"chat {raw['chat']}", sittings=sittings, questions=_questions(raw, sittings), today=_TODAY
    )


def _bank(path: Path, rows: Mapping[str, str]) -> Talk:
    *conversations, last = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    sittings, questions, day = [], [], date.min
    for one in conversations:
        day = date.fromisoformat(one["date"])
        statements = {f"{one['id']}.{place}": said["text"] for place, said in enumerate(one["statements"])}
        turns = [
            {**turn, "ref": f"{one['id']}:{place}"}
            for place, turn in enumerate(_named(rows[one["source"]], one["names"]))
        ]
        messages = _minutely(datetime.combine(day, _EVENING), turns)
        sittings.append(Sitting(id=one["id"], messages=messages, statements=statements))
        questions += [
            Question(
                text=asked["ask"], kind="asked",
                evidence=frozenset(f"{one['id']}:{place}" for place in asked["refs"]),
                statements=frozenset({f"{one['id']}.{asked['statement']}"} & statements.keys()),
            )
            for asked in one["questions"]
        ]  # fmt: skip
    questions += [Question(text=text, kind=NOTHING) for text in last["unanswerable"]]
    today = datetime.combine(day, _EVENING) + _MONTH
    return Talk(id=f"personas {path.stem}", sittings=sittings, questions=questions, today=today)


def _named(conversation: str, names: Sequence[str]) -> Iterator[Mapping[str, str]]:
    """The turns of a conversation of "User 1" and "User 2", with these names in their place."""
    for line in conversation.split("\n"):
        if ":" in line:
            for number, name in enumerate(names, 1):
                line = line.replace(f"[User {number}'s name]", name).replace(f"User {number}", name)
            speaker, _, text = line.partition(":")
            yield {"speaker": speaker, "text": text.strip()}


def _minutely(start: datetime, turns: Sequence[Mapping[str, str]]) -> list[Message]:
    """A turn a minute; one without words is left out."""
    return [
        Message(
            content=turn["text"], role=Role.USER, speaker=turn["speaker"], time=start + place * _MINUTE,
            ref=turn["ref"],
        )
        for place, turn in enumerate(turns)
        if turn["text"]
    ]  # fmt: skip


def _questions(raw: Mapping[str, Any], sittings: Sequence[Sitting]) -> list[Question]:
    """The file's questions that have evidence among these messages, and those that nothing answers."""
    there = {message.ref for sitting in sittings for message in sitting.messages}
    asked = [
        Question(
            text=one["ask"], kind=one["kind"], evidence=frozenset(one["refs"]) & there,
            old=frozenset(one.get("old", ())), new=frozenset(one.get("new", ())),
        )
        for one in raw["questions"]
    ]  # fmt: skip
    nothing = [Question(text=text, kind=NOTHING) for text in raw["unanswerable"]]
    return [one for one in asked if one.evidence] + nothing
