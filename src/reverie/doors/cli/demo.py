"""The demo: the main job, start to end, on a conversation that ships with Reverie."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reverie.domain.memory import Memory
from reverie.domain.outcome import Inserted, Observed, Queued, Reinforced, Remembered
from reverie.domain.query import EpisodeHit, MemoryHit, Recall
from reverie.domain.time import zone_of
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command
from reverie.doors.cli.options import Text, option
from reverie.doors.cli.watch import Watch
from reverie.doors.formats import jsonl
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import RenderableType

    from reverie.client import Agent

AGENT = "mama"
ZONE = "Europe/Budapest"
NOW = datetime(2026, 3, 14, 18, 10, tzinfo=UTC)
"""When the demo takes place: minutes after its last message, so that ages and recency come out as they would have."""

_ROOT = files("reverie").joinpath("demo")


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What the agent is asked: of its memories, or with ``said`` of what was said; ``as_of`` a past moment."""

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A question with what was found."""

    question: Question
    found: Recall[MemoryHit | EpisodeHit]


@command("demo", shared=("as_json",))
def demo(
    door: Door,
    keep: Annotated[
        Text, option("--keep", "Keep the bank in this new file, its key beside it.", "PATH")
    ] = None,
) -> Code:
    """See it work: three days of a conversation are observed, remembered and recalled.

    For example:
      reverie demo
      reverie demo --keep demo.bank

    It uses an encrypted bank and a key of its own, and leaves yours alone; without --keep both are deleted afterwards.
    """
    from reverie.client import Reverie

    begun = time.perf_counter()
    with (
        _place(keep) as (path, key),
        Reverie.open(path, key=key, clock=lambda: NOW, actor=AGENT) as reverie,
    ):
        agent = reverie.agent(AGENT, time_zone=ZONE)
        observed, kept = _observe(agent), _remember(agent)
        answers = [Answer(question=one, found=_found(agent, one)) for one in QUESTIONS]
        memories, stats = agent.memories(), agent.stats()
        seconds = time.perf_counter() - begun
        document = {
            "observed": observed, "kept": [*map(_document, kept)], "answers": answers, "memories": memories,
            "stats": stats, "seconds": round(seconds, 3),
        }  # fmt: skip
        parts = (
            words.memories(stats.memories),
            words.counted(stats.episodes, "message"),
            words.size(stats.store.bytes),
            "encrypted" if stats.store.encrypted else "not encrypted",
            "deleted again" if keep is None else f"kept in {path}",
        )
        end = f"{', '.join(parts)}; all in {seconds:.1f} s"
        code = door.tell(document, lambda: [*_told(observed, kept, answers, memories), end])
    if keep is not None:
        bank, file = shlex.quote(str(path)), shlex.quote(f"{path}.key")
        door.out.say(f"Look around: REVERIE_KEY_FILE={file} reverie list --bank {bank} --agent {AGENT}")
    return code


@contextmanager
def _place(keep: str | None) -> Iterator[tuple[Path, str]]:
    """Yield where the demo's bank is, with a fresh key."""
    key = secrets.token_hex(32)
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="reverie-demo-") as folder:
            yield Path(folder) / "demo.bank", key
        return
    path = Path(keep).absolute()
    key_path = path.with_name(path.name + ".key")
    for taken in (path, key_path):
        if taken.exists():
            raise InvalidInput("--keep", f"{taken} is there already", "choose a new path")
    with os.fdopen(os.open(key_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key + "\n")
    yield path, key


def _observe(agent: Agent) -> dict[str, Observed]:
    """Store the conversation, and return what was stored by room."""
    raw = _ROOT.joinpath("conversation.jsonl").read_bytes()
    rooms = jsonl.rooms(enumerate(raw.splitlines(), 1), conversation="main", channel="api")
    return {
        room.conversation: agent.observe(room.messages, conversation=room.conversation, channel=room.channel)
        for room in rooms
    }


def _remember(agent: Agent) -> list[Remembered | Revised]:
    """Make the agent's own commits, one after the other, as they came in those days."""
    by_ref = {episode.ref: episode.id for episode in agent.episodes(limit=1000)}
    kept: list[Remembered | Revised] = []
    ids: dict[str, str] = {}
    for line in _ROOT.joinpath("memories.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        memory, moment = entry["memory"], entry["time"]
        if "revises" in entry:
            before, reason = entry["revises"], entry["reason"]
            revised = agent.revise(ids[before], reason=reason, time=moment, **memory)
            kept.append(Revised(memory=revised, before=before, reason=reason))
            continue
        sources = [by_ref[ref] for ref in entry["refs"]]
        essence = memory.pop("essence")
        outcome = agent.remember(essence, **memory, time=moment, source_episodes=sources)
        ids[essence] = outcome.memory.id
        kept.append(outcome)
    return kept


def _found(agent: Agent, question: Question) -> Recall[MemoryHit | EpisodeHit]:
    if question.said:
        return agent.recall_episodes(question.text, limit=2)
    return agent.recall(question.text, limit=2, as_of=question.as_of)


def _document(outcome: Remembered | Revised) -> dict[str, object]:
    document: dict[str, object] = {"outcome": type(outcome).__name__.lower(), "memory": outcome.memory}
    match outcome:
        case Reinforced():
            return {**document, "similarity": outcome.similarity}
        case Revised():
            return {**document, "before": outcome.before, "reason": outcome.reason}
        case Inserted() | Queued():
            return document


def _told(
    observed: dict[str, Observed], kept: Sequence[Remembered | Revised], answers: Sequence[Answer],
    memories: Sequence[Memory],
) -> list[RenderableType]:  # fmt: skip
    rooms = ", ".join(f"{room} ({outcome.stored})" for room, outcome in observed.items())
    parts: list[RenderableType] = [
        "\nObserved: three days between Noémi and her agent mama",
        f"messages by conversation: {rooms}",
        "\nRemembered: what mama chose to keep",
        tables.pairs([_row(outcome) for outcome in kept]),
    ]
    watch = Watch(now=NOW, zone=zone_of(ZONE))
    for answer in answers:
        question = answer.question
        where = "Recalled from what was said" if question.said else "Recalled from memory"
        when = f", as believed on {question.as_of[:10]}" if question.as_of else ""
        parts.append(f"\n{where}{when}: {question.text}")
        for rank, hit in enumerate(answer.found.hits, 1):
            parts.append(tables.hit_lines(rank, hit, watch))
            if rank == 1 and not question.as_of:
                parts.append(tables.explanation(hit, meanings=True))
    rows = [
        (
            f"{one.kind}\nimportance {words.importance(one)}",
            one.essence,
            words.emotions(one),
            one.lesson or "",
        )
        for one in memories
    ]
    return [*parts, "\nIn the bank", tables.grid(("kind", "essence", "emotions", "lesson"), rows)]


def _row(outcome: Remembered | Revised) -> tuple[str, str, str]:
    memory = outcome.memory
    text = memory.essence
    if isinstance(outcome, Reinforced):
        text = f"{text} (said again, similarity {outcome.similarity:.2f})"
    if isinstance(outcome, Revised):
        text = f"{text} (before: “{outcome.before}”; {outcome.reason})"
    verb = "new" if isinstance(outcome, Inserted) else type(outcome).__name__.lower()
    return verb, memory.kind.value, text
