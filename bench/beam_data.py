"""BEAM's chats: what a user and an assistant wrote in batches, and probing questions with the messages that answer.

A message is dated a minute after the one before, counted from the last ``time_anchor``. What follows ``->->`` in a
user's message is the data set's own note.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.talk_data import NOTHING, Question, Sitting, Talk
from reverie.domain.message import Message, Role, checked_role

UPDATE = "knowledge_update"
ABSTENTION = "abstention"
_START = datetime(2024, 1, 1, 9, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)


def read(folder: Path, *, everything: bool) -> list[Talk]:
    """The folder's chats by number: the user's messages alone, or ``everything``. A batch is a conversation.

    A question's kind is its category, or NOTHING where it has no answer. One whose evidence isn't there is left out.
    Raises SystemExit for a folder without chats.
    """
    paths = sorted(folder.glob("[0-9]*/chat.json"), key=lambda path: int(path.parent.name))
    if not paths:
        raise SystemExit(f"no */chat.json in {folder}: give BEAM's folder of numbered chats")
    return [_talk(path.parent, everything=everything) for path in paths]


def _talk(folder: Path, *, everything: bool) -> Talk:
    sittings = [*_sittings(json.loads((folder / "chat.json").read_text("utf-8")), everything=everything)]
    there = frozenset(message.ref for sitting in sittings for message in sitting.messages if message.ref)
    asked = json.loads((folder / "probing_questions.json").read_text("utf-8"))
    questions = [
        question
        for category, some in asked.items()
        for raw in some
        if (question := _question(category, raw, there)) is not None
    ]
    return Talk(id=f"chat {folder.name}", sittings=sittings, questions=questions, today=sittings[-1].end)


def _sittings(batches: list[Mapping[str, Any]], *, everything: bool) -> Iterator[Sitting]:
    anchor, minutes = _START, 0
    for batch in batches:
        messages = []
        for turn in (turn for turns in batch["turns"] for turn in turns):
            anchor = _day(turn.get("time_anchor")) or anchor
            role = checked_role(turn["role"])
            content = turn["content"].partition("->->")[0].strip()
            if content and (everything or role is Role.USER):
                moment = anchor + minutes * _MINUTE
                messages.append(Message(content=content, role=role, time=moment, ref=str(turn["id"])))
                minutes += 1
        if messages:
            yield Sitting(id=f"batch {batch['batch_number']}", messages=messages)


def _day(text: str | None) -> datetime | None:
    """Nine o'clock of a day written as "March-15-2024"; None for another text."""
    try:
        return datetime.strptime(f"{text} 9 +0000", "%B-%d-%Y %H %z")
    except ValueError:
        return None


def _question(category: str, raw: Mapping[str, Any], there: frozenset[str]) -> Question | None:
    sources = raw.get("source_chat_ids") or ()
    evidence = frozenset(_ids(sources)) & there
    if not evidence:
        return Question(text=raw["question"], kind=NOTHING) if category == ABSTENTION else None
    if category != UPDATE or not isinstance(sources, Mapping):
        return Question(text=raw["question"], kind=category, evidence=evidence)
    new = frozenset(_ids(sources.get("updated_info", ()))) & there
    old = frozenset(_ids(sources.get("original_info", ()))) & there - new
    return Question(text=raw["question"], kind=category, evidence=evidence, old=old, new=new)


def _ids(nested: object) -> Iterator[str]:
    """All that lists and dictionaries of lists hold in the end."""
    if isinstance(nested, Mapping):
        nested = [*nested.values()]
    if isinstance(nested, list | tuple):
        for one in nested:
            yield from _ids(one)
    else:
        yield str(nested)
