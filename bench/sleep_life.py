"""A scripted life (bench/lives/README.md): observed as it is said, slept on every night, asked in the mornings."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bench import places
from bench.every import every as every_one
from bench.realmem import Calendar
from bench.vectors import kept_vectors
from reverie import Agent, Settings, SleepReport

_NIGHT, _MORNING = time(3), time(8)
_PAUSE = timedelta(hours=1)
"""After so long a silence another conversation begins."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Life:
    """A life's file."""

    name: str
    zone: ZoneInfo
    start: date
    days: int
    messages: Mapping[int, Sequence[Mapping[str, Any]]]
    questions: Mapping[int, Sequence[Mapping[str, Any]]]

    def at(self, day: int, moment: time) -> datetime:
        """A local time of a day, in UTC; day 1 is ``start``."""
        return datetime.combine(self.start + timedelta(days=day - 1), moment, self.zone).astimezone(UTC)

    def morning_after(self, day: int) -> datetime:
        """When a day's questions are asked."""
        return self.at(day + 1, _MORNING)


def read(path: Path) -> Life:
    """The file's life. Raises ValueError where a line is neither a message nor a question of its days."""
    head, *lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    messages: dict[int, list[Mapping[str, Any]]] = {}
    questions: dict[int, list[Mapping[str, Any]]] = {}
    for number, line in enumerate(lines, 2):
        if not 1 <= line.get("day", 0) <= head["days"] or ("content" in line) == ("ask" in line):
            raise ValueError(
                f"{path.name}, line {number}: neither a message nor a question of one of its days"
            )
        (messages if "content" in line else questions).setdefault(line["day"], []).append(line)
    return Life(
        name=head["life"], zone=ZoneInfo(head["zone"]), start=date.fromisoformat(head["start"]), days=head["days"],
        messages=messages, questions=questions,
    )  # fmt: skip


Ask = Callable[[Agent, Life, Mapping[str, Any]], None]


@dataclass(kw_only=True, slots=True)
class Score:
    """How many were right, of how many."""

    right: int = 0
    asked: int = 0

    def add(self, right: bool) -> None:
        """Counts one."""
        self.right += right
        self.asked += 1

    @property
    def share(self) -> float:
        """Of those that were asked; 0 where none was."""
        return self.right / self.asked if self.asked else 0.0


def measured(
    path: Path, *, loop: bool = True, asleep: bool = True, keep: Path | None = None, url: str | None = None
) -> dict[str, float]:
    """Lives it, and prints what went wrong."""
    life = read(path)
    calendar = begun(life)
    with (
        kept_vectors(Settings(), keep) as embedder,
        places.empty(url, embedder=embedder, clock=calendar) as reverie,
    ):
        agent = reverie.agent("life", time_zone=life.zone.key)
        return lived(life, agent, calendar, loop=loop, every=1 if asleep else None)


def begun(life: Life) -> Calendar:
    """A calendar that stands at the life's first midnight."""
    calendar = Calendar()
    calendar.now = life.at(1, time(0))
    return calendar


def lived(
    life: Life,
    agent: Agent,
    calendar: Calendar,
    *,
    loop: bool = True,
    every: int | None = 1,
    asks: bool = True,
    slept: Callable[[Sequence[SleepReport]], None] = lambda _: None,
    ask: Ask | None = None,
) -> dict[str, float]:
    """The life lived from its first day, and its figures. The agent sleeps in every so many nights and in the last
    (None: in none), and ``slept`` is told what came of it. A day's questions are asked in the morning after the next
    sleep, where ``asks``; ``ask`` asks them in our stead.
    """
    scores = _Scores()
    ask = ask or scores.ask
    waiting: list[Mapping[str, Any]] = []
    for day in range(1, life.days + 1):
        _observe(agent, life, day, calendar)
        if loop:
            agent.attend()
        calendar.now = life.at(day + 1, _NIGHT)
        if is_night := every is not None and (day % every == 0 or day == life.days):
            slept(agent.jobs.sleep_through())
        calendar.now = life.morning_after(day)
        waiting += life.questions.get(day, ()) if asks else ()
        if is_night or every is None:
            for question in waiting:
                ask(agent, life, question)
            waiting = []
    return scores.metrics | {
        "rewritten": _rewritten(agent), "n": scores.current.asked, "controls": scores.controls.asked,
        "memories": agent.stats().memories, "messages": sum(map(len, life.messages.values())),
    }  # fmt: skip


class _Scores:
    """Asks a life's questions, and counts what was right."""

    def __init__(self) -> None:
        self.current, self.past, self.controls = Score(), Score(), Score()
        self.inside, self.inside_controls, self.stale = Score(), Score(), Score()

    def ask(self, agent: Agent, life: Life, question: Mapping[str, Any]) -> None:
        """Asks it now, and what was so then."""
        ask, expect, earlier = question["ask"], question["expect"], question.get("as_of", ())
        changed = "as_of" in question
        kind, score = ("current", self.current) if changed else ("control", self.controls)
        score.add(answers(agent, ask, expect, kind=kind))
        block = agent.context(ask).text
        told = holds(block, expect)
        (self.inside if changed else self.inside_controls).add(told)
        if changed:
            self.stale.add(not told and any(holds(block, then["expect"]) for then in earlier))
        for then in earlier:
            moment = life.morning_after(then["day"])
            self.past.add(answers(agent, ask, then["expect"], kind="past", as_of=moment))

    @property
    def metrics(self) -> dict[str, float]:
        """The shares."""
        return {
            "current_first": self.current.share, "as_of_right": self.past.share,
            "controls_first": self.controls.share, "in_context": self.inside.share,
            "in_context_controls": self.inside_controls.share, "stale_only": self.stale.share,
        }  # fmt: skip


def _rewritten(agent: Agent) -> int:
    """How many memories don't stand word for word, white space aside, in a message that they rest on."""
    said = {one.id: _plain(one.content) for one in every_one(agent.episodes)}
    memories = every_one(partial(agent.memories, deep=True))
    return sum(
        not any(_plain(one.essence) in said.get(id, "") for id in one.source_episodes) for one in memories
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _observe(agent: Agent, life: Life, day: int, calendar: Calendar) -> None:
    for number, message in _numbered(life, day):
        calendar.now = _moment(life, message)
        said = {name: message[name] for name in ("speaker", "role", "content") if name in message}
        agent.observe(said, conversation=message.get("conversation", f"{day}-{number}"))


def _numbered(life: Life, day: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The day's messages with the number of their conversation."""
    number, last = 0, None
    for message in life.messages.get(day, ()):
        moment = _moment(life, message)
        if last is None or moment - last >= _PAUSE:
            number += 1
        last = moment
        yield number, message


def _moment(life: Life, message: Mapping[str, Any]) -> datetime:
    return life.at(message["day"], time.fromisoformat(message["time"]))


def answers(
    agent: Agent, ask: str, expected: str | Sequence[str], *, kind: str, as_of: datetime | None = None
) -> bool:
    """Whether the first memory holds what is expected; what else was first is printed, with the question's kind."""
    hits = agent.recall(ask, as_of=as_of).hits
    right = bool(hits) and holds(hits[0].memory.essence, expected)
    if not right:
        said = hits[0].memory.essence if hits else "nothing"
        print(f"  {kind:7}: {ask} wanted {expected}, first was: {said}")
    return right


def holds(text: str, expected: str | Sequence[str]) -> bool:
    """Whether a text has one of the expected ones, as whole words, in any case."""
    wanted = [expected] if isinstance(expected, str) else expected
    return any(re.search(rf"(?<!\w){re.escape(one.casefold())}(?!\w)", text.casefold()) for one in wanted)
