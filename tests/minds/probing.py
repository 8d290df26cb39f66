"""Short lives made of probes: what is said first, what is said later, and what says nothing lasting."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from reverie import Agent, Reverie
from reverie.domain.memory import Origin

START = datetime(2026, 4, 6, tzinfo=UTC)  # a Monday
_OLD_DAYS, _A_DAY = 6, 2
_MORNING = time(8)


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """What was so, what became of it, and the question that tells."""

    old: str
    new: str
    question: str
    was: Sequence[str]
    became: Sequence[str]


@dataclass(kw_only=True, slots=True)
class Block:
    """A speaker's probes and noise."""

    speaker: str
    probes: list[Probe] = field(default_factory=list)
    noise: list[str] = field(default_factory=list)


@dataclass(kw_only=True, slots=True)
class Told:
    """What went right and wrong. ``kept_noise``: what became of noise; ``by_sleep``: of it what the sleep made."""

    current: int = 0
    past: int = 0
    asked: int = 0
    kept_noise: list[str] = field(default_factory=list)
    by_sleep: list[str] = field(default_factory=list)
    noise: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Told) -> None:
        """Counts another's in."""
        self.current, self.past = self.current + other.current, self.past + other.past
        self.asked, self.noise = self.asked + other.asked, self.noise + other.noise
        self.kept_noise += other.kept_noise
        self.by_sleep += other.by_sleep
        self.wrong += other.wrong


class Clock:
    """It stands where it is put."""

    now = START

    def __call__(self) -> datetime:
        return self.now


def blocks(path: Path) -> Iterator[Block]:
    """The blocks of a file of probes."""
    block = None
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("="):
            if block is not None:
                yield block
            block = Block(speaker=line[1:].strip())
        elif block is not None and line.startswith("!"):
            block.noise.append(line[1:].strip())
        elif block is not None and " | " in line:
            old, new, question, was, became = (part.strip() for part in line.split(" | "))
            block.probes.append(
                Probe(old=old, new=new, question=question, was=was.split(","), became=became.split(","))
            )
    if block is not None:
        yield block


def lived(block: Block, reverie: Reverie, clock: Clock) -> Told:
    """A life of a block: first all that was so, then all that became of it, noise between, a sleep every night."""
    agent = reverie.agent(block.speaker.replace(" ", "-").lower())
    said = [probe.old for probe in block.probes], [probe.new for probe in block.probes]
    told, noise = Told(noise=len(block.noise)), list(block.noise)
    day, then = 0, START
    for half, lines in enumerate(said):
        for first in range(0, len(lines), _A_DAY):
            day += 1
            texts = [*lines[first : first + _A_DAY], *noise[:1]]
            del noise[:1]
            _day(agent, clock, day, block.speaker, texts)
        if half == 0:
            then = clock.now
    for probe in block.probes:
        told.asked += 1
        told.current += _right(agent, told, probe.question, probe.became, None)
        told.past += _right(agent, told, probe.question, probe.was, then)
    marks = {episode.id: episode.content for episode in agent.episodes(limit=500)}
    for memory in agent.memories(limit=500):
        for source in memory.source_episodes:
            if marks.get(source) in block.noise:
                told.kept_noise.append(f"{marks[source]} -> {memory.essence}")
                if memory.origin is Origin.SLEEP:
                    told.by_sleep.append(memory.essence)
    return told


def _day(agent: Agent, clock: Clock, day: int, speaker: str, texts: Sequence[str]) -> None:
    at = START + timedelta(days=3 * day, hours=9)
    for number, text in enumerate(texts):
        clock.now = at + timedelta(hours=2 * number)
        agent.observe({"speaker": speaker, "content": text}, conversation=f"{day}-{number}")
    agent.attend()
    clock.now = at + timedelta(hours=18)
    agent.sleep_through()
    clock.now = at + timedelta(hours=23)


def _right(agent: Agent, told: Told, question: str, wanted: Sequence[str], as_of: datetime | None) -> bool:
    hits = agent.recall(question, as_of=as_of).hits
    first = hits[0].memory.essence if hits else "nothing"
    right = any(re.search(rf"(?<!\w){re.escape(one.casefold())}(?!\w)", first.casefold()) for one in wanted)
    if not right:
        told.wrong.append(f"{'then' if as_of else 'now '} {question} wanted {wanted}, first: {first}")
    return right
