"""demo: the main job, start to end, on a conversation that ships with Reverie."""

from __future__ import annotations

import os
import secrets
import shlex
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from reverie.domain.memory import Memory
from reverie.domain.outcome import Inserted, Observed, Queued, Reinforced
from reverie.domain.time import zone_of
from reverie.doors.cli import story, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

_COLUMNS = ("kind", "essence", "emotions", "lesson")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "demo", shared=("as_json",))(demo)


def demo(
    door: Door,
    keep: Annotated[
        str | None,
        typer.Option("--keep", metavar="PATH", help="Keep the bank in this new file, its key beside it."),
    ] = None,
) -> Code:
    """See it work: three days of a conversation are observed, remembered and recalled.

    For example:
      reverie demo
      reverie demo --keep demo.bank

    It uses an encrypted bank of its own with a key of its own, and leaves yours alone;
    without --keep both are gone afterwards.
    """
    from reverie.client import Reverie

    begun = time.perf_counter()
    with (
        _place(keep) as (path, key),
        Reverie.open(path, key=key, clock=lambda: story.NOW, actor=story.AGENT) as reverie,
    ):
        agent = reverie.agent(story.AGENT, time_zone=story.ZONE)
        observed = story.observe(agent)
        kept = story.remember(agent)
        answers = story.ask(agent)
        memories, stats = agent.memories(), agent.stats()
        if door.out.as_json:
            door.out.document(
                {
                    "observed": observed,
                    "kept": [_outcome(outcome) for outcome in kept],
                    "answers": answers,
                    "memories": memories,
                    "stats": stats,
                    "seconds": round(time.perf_counter() - begun, 3),
                }
            )
            return Code.DONE
        _show_writing(door, observed, kept)
        _show_answers(door, answers)
        _show_bank(door, list(memories))
    store = stats.store
    parts = (
        words.memories(stats.memories),
        words.counted(stats.episodes, "message"),
        words.size(store.bytes),
        "encrypted" if store.encrypted else "not encrypted",
        "deleted again" if keep is None else f"kept in {path}",
    )
    door.out.show(f"{', '.join(parts)}; all in {time.perf_counter() - begun:.1f} s")
    if keep is not None:
        bank, file = shlex.quote(str(path)), shlex.quote(f"{path}.key")
        door.out.say(f"Look around: REVERIE_KEY_FILE={file} reverie list --bank {bank} --agent {story.AGENT}")
    return Code.DONE


@contextmanager
def _place(keep: str | None) -> Iterator[tuple[Path, str]]:
    """Where the demo's bank lies, with a fresh key."""
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


def _outcome(outcome: story.Kept) -> dict[str, object]:
    match outcome:
        case Inserted():
            return {"outcome": "inserted", "memory": outcome.memory}
        case Reinforced():
            return {"outcome": "reinforced", "memory": outcome.memory, "similarity": outcome.similarity}
        case Queued():
            return {"outcome": "queued", "memory": outcome.memory}
        case story.Revised():
            return {
                "outcome": "revised",
                "memory": outcome.memory,
                "before": outcome.before,
                "reason": outcome.reason,
            }


def _show_writing(door: Door, observed: dict[str, Observed], kept: list[story.Kept]) -> None:
    rooms = ", ".join(f"{room} ({outcome.stored})" for room, outcome in observed.items())
    door.out.show(
        _title("Observed: three days between Noémi and her agent mama"),
        f"messages by conversation: {rooms}",
        _title("Remembered: what mama chose to keep"),
        tables.pairs([_row(outcome) for outcome in kept]),
    )


def _row(outcome: story.Kept) -> tuple[str, str, str]:
    memory = outcome.memory
    match outcome:
        case Inserted():
            return "new", memory.kind.value, memory.essence
        case Reinforced():
            again = f"{memory.essence} (said again, similarity {outcome.similarity:.2f})"
            return "reinforced", memory.kind.value, again
        case Queued():
            return "queued", memory.kind.value, memory.essence
        case story.Revised():
            return (
                "revised",
                memory.kind.value,
                f"{memory.essence} (before: “{outcome.before}”; {outcome.reason})",
            )


def _show_answers(door: Door, answers: list[story.Answer]) -> None:
    watch = Watch(now=story.NOW, zone=zone_of(story.ZONE))
    for answer in answers:
        question = answer.question
        where = "Recalled from what was said" if question.said else "Recalled from memory"
        when = f", as believed on {question.as_of[:10]}" if question.as_of else ""
        door.out.show(_title(f"{where}{when}: {question.text}"))
        for rank, hit in enumerate(answer.found.hits, 1):
            door.out.show(tables.hit_lines(rank, hit, watch))
            if rank == 1 and not question.as_of:
                door.out.show(tables.explanation(hit, meanings=True))


def _show_bank(door: Door, memories: list[Memory]) -> None:
    rows = [
        (
            f"{memory.kind}\nimportance {words.importance(memory)}",
            memory.essence,
            words.emotions(memory),
            memory.lesson or "",
        )
        for memory in memories
    ]
    door.out.show(_title("In the bank"), tables.grid(_COLUMNS, rows))


def _title(text: str) -> str:
    return f"\n{text}"
