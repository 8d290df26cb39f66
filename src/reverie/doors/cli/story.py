"""The demo's story: three days between Noémi and her agent, what the agent kept of them, and what it is asked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from typing import TYPE_CHECKING

from reverie.domain.memory import Memory
from reverie.domain.outcome import Observed, Remembered
from reverie.domain.query import EpisodeHit, MemoryHit, Recall
from reverie.doors.formats import jsonl

if TYPE_CHECKING:
    from reverie.client import Agent

AGENT = "mama"
ZONE = "Europe/Budapest"
NOW = datetime(2026, 3, 14, 18, 10, tzinfo=UTC)
"""When the story is told: minutes after its last message, so that ages and recency come out as they would have."""

_ROOT = files("reverie").joinpath("demo")


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What the agent is asked: of its memories, or with ``said`` of what was said; ``as_of`` a moment gone by."""

    text: str
    said: bool = False
    as_of: str | None = None


QUESTIONS = (
    Question(text="Which ingredients are dangerous for Noémi?"),
    Question(text="When is Klára's wedding?"),
    Question(text="What did the vet take out of Pixel?", said=True),
    Question(text="When is Klára's wedding?", as_of="2026-03-13T12:00:00+01:00"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Revised:
    """A fact that changed: the memory as it stands now."""

    memory: Memory
    before: str
    reason: str


Kept = Remembered | Revised


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A question with what was found."""

    question: Question
    found: Recall[MemoryHit | EpisodeHit]


def observe(agent: Agent) -> dict[str, Observed]:
    """Stores the conversation; what was stored, by room."""
    raw = _ROOT.joinpath("conversation.jsonl").read_bytes()
    rooms = jsonl.rooms(enumerate(raw.splitlines(), 1), conversation="main", channel="api")
    return {
        room.conversation: agent.observe(room.messages, conversation=room.conversation, channel=room.channel)
        for room in rooms
    }


def remember(agent: Agent) -> list[Kept]:
    """The agent's own commits, one after the other, as they came in those days."""
    by_ref = {episode.ref: episode.id for episode in agent.episodes(limit=1000)}
    kept: list[Kept] = []
    ids: dict[str, str] = {}
    for line in _ROOT.joinpath("memories.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        memory, time = entry["memory"], entry["time"]
        if "revises" in entry:
            before, reason = entry["revises"], entry["reason"]
            revised = agent.revise(ids[before], reason=reason, time=time, **memory)
            kept.append(Revised(memory=revised, before=before, reason=reason))
            continue
        outcome = agent.remember(**memory, time=time, source_episodes=[by_ref[ref] for ref in entry["refs"]])
        ids[memory["essence"]] = outcome.memory.id
        kept.append(outcome)
    return kept


def ask(agent: Agent) -> list[Answer]:
    """The questions with their two best answers each."""
    return [Answer(question=question, found=_found(agent, question)) for question in QUESTIONS]


def _found(agent: Agent, question: Question) -> Recall[MemoryHit | EpisodeHit]:
    if question.said:
        return agent.recall_episodes(question.text, limit=2)
    return agent.recall(question.text, limit=2, as_of=question.as_of)
