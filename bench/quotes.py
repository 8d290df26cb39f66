"""What a bank keeps of real talk without a model: is each memory a quotation, how many are there, does any text fail?

``--data DIR``: every file of LoCoMo's, RealMem's or BEAM's shape in the folder, each an agent of its own. Sessions are
observed, attended and slept on as they end. Nothing is asked: this looks at what was kept.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench import locomo_data, places, realmem_data
from bench.realmem import Calendar
from bench.report import rounded, show
from bench.vectors import kept_vectors
from reverie import Agent, Kind, Settings
from reverie.domain.memory import Memory
from reverie.domain.message import Message, Role

_PAGE = 1_000
_LATER, _DAY = timedelta(hours=6), timedelta(days=1)
_BEGINS = datetime(2024, 1, 1, 9, tzinfo=UTC)
_CUT = "->->"  # BEAM marks its users' messages behind it
NOTES = {
    "verbatim": "of memories: the essence stands in their source word for word; wanted 1",
    "standing_per_1000": "memories that every prompt shows (policies), for each 1,000 messages",
    "memories_per_100": "memories for each 100 messages",
    "failures": "calls that raised, and messages that no judge could read; wanted 0",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """One agent's sessions: each with when it ends, and its messages."""

    id: str
    sessions: Sequence[tuple[datetime, Sequence[Message]]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder, searched to its bottom")
    parser.add_argument("--most", type=int, default=10, help="agents (default: 10)")
    parser.add_argument("--keep", type=Path, help="a folder where embeddings are kept for the next run")
    parser.add_argument(
        "--sample", type=Path, help="write 100 memories with their sources to this file, for a judge"
    )


def run(
    json_output: bool = False,
    *,
    data: Path,
    most: int = 10,
    keep: Path | None = None,
    sample: Path | None = None,
) -> dict[str, float]:
    """Live each talk, print what was kept, and give the metrics."""
    count, failures = Counter[str](), Counter[str]()
    shown: list[str] = []
    calendar = Calendar()
    with kept_vectors(Settings(), keep) as embedder:
        for number, talk in enumerate(talks(data)):
            if number == most:
                break
            with places.empty(None, embedder=embedder, clock=calendar) as reverie:
                agent = reverie.agent("agent")
                count["messages"] += _lived(agent, talk, calendar, failures)
                said = {one.id: one.content for one in _all(agent.episodes)}
                for memory in _all(agent.memories):
                    sources = [said[id] for id in memory.source_episodes if id in said]
                    count["memories"] += 1
                    count["verbatim"] += _is_verbatim(memory, sources)
                    count["standing"] += memory.kind is Kind.POLICY
                    shown.append(
                        json.dumps({"memory": memory.essence, "kind": memory.kind, "sources": sources})
                    )
            print(f"  {talk.id}: {count['memories']} memories so far", flush=True)
    if sample is not None:
        sample.write_text("\n".join(shown[:: max(1, len(shown) // 100)][:100]))
    for what, times in failures.items():
        print(f"  {what}: {times}")
    metrics = rounded({
        "verbatim": count["verbatim"] / max(1, count["memories"]),
        "standing_per_1000": 1000 * count["standing"] / max(1, count["messages"]),
        "memories_per_100": 100 * count["memories"] / max(1, count["messages"]),
        "failures": sum(failures.values()), "memories": count["memories"], "messages": count["messages"],
    })  # fmt: skip
    show(f"What is kept of real talk ({data.name})", metrics, json_output=json_output, notes=NOTES)
    return metrics


def _lived(agent: Agent, talk: Talk, calendar: Calendar, failures: Counter[str]) -> int:
    for place, (end, messages) in enumerate(talk.sessions):
        calendar.now = max(calendar.now, end)
        try:
            agent.observe(messages, conversation=str(place))
            attended = agent.attend(conversation=str(place))
            failures["unread"] += len(attended.unread)
            calendar.now += _LATER
            agent.jobs.sleep_through()
        except Exception as error:  # noqa: BLE001  # a text that stops a verb is what this counts
            failures[f"{talk.id}, session {place}: {error!r}"] += 1
    return sum(len(messages) for _, messages in talk.sessions)


def _all(read: Any) -> Iterator[Any]:
    after: str | None = None
    while page := read(limit=_PAGE, after=after):
        yield from page
        after = page[-1].id


def _is_verbatim(memory: Memory, sources: Sequence[str]) -> bool:
    essence = " ".join(memory.essence.split())
    return any(essence in " ".join(source.split()) for source in sources)


def talks(folder: Path) -> Iterator[Talk]:
    """Yield what the folder's files hold, in the order of their names. Raises SystemExit where there is none."""
    found = False
    for path in sorted(folder.rglob("*.json")):
        raw = json.loads(path.read_text("utf-8"))
        for talk in _read(path, raw):
            found = True
            yield talk
    if not found:
        raise SystemExit(f"no file of LoCoMo's, RealMem's or BEAM's shape below {folder}")


def _read(path: Path, raw: Any) -> Iterator[Talk]:
    first = raw[0] if isinstance(raw, list) and raw else raw
    if not isinstance(first, Mapping):
        return
    if "dialogues" in first:
        persona = realmem_data.persona(path.stem, first["dialogues"])
        yield Talk(id=persona.id, sessions=[(one.end, _said(one)) for one in persona.sessions])
    elif "conversation" in first:
        for dialogue in locomo_data.read(path):
            sessions = [(one.time or _BEGINS, one.messages) for one in dialogue.sessions if one.messages]
            yield Talk(id=dialogue.id, sessions=sessions)
    elif "turns" in first:
        yield Talk(id=path.parent.name, sessions=[*_batches(raw)])


def _said(session: realmem_data.Session) -> list[Message]:
    return [turn.message for turn in session.turns if turn.message is not None]


def _batches(raw: Sequence[Mapping[str, Any]]) -> Iterator[tuple[datetime, Sequence[Message]]]:
    for number, batch in enumerate(raw):
        turns = [turn for some in batch["turns"] for turn in some]
        at = _BEGINS + number * _DAY
        yield (
            at,
            [
                Message(
                    role=Role.USER if turn["role"] == "user" else Role.AGENT,
                    content=turn["content"].partition(_CUT)[0].strip() or "…",
                    time=at,
                )
                for turn in turns
            ],
        )
