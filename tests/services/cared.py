"""Lives that need self-care, with a mind that narrates what a test scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie import Agent, CaptureSettings, Episode, Reverie
from reverie.domain.memory import Memory
from tests.services.bench import Clock
from tests.services.scripted import Scripted

PLACES = "pier market chapel bakery tower garden station library bridge square".split()
PEOPLE = "Anna Kade Noor Ines Otto".split()


@dataclass
class Narrator(Scripted):
    """Tells what ``tell`` makes of a batch; ``batches`` and ``talks`` are those so far."""

    tell: Callable[[Sequence[Memory]], Any] = lambda some: (
        f"A story of {len(some)} things from {some[0].essence}"
    )
    sum_up: Callable[[Sequence[Episode]], Any] = lambda some: f"They talked of {some[0].content} and so on"
    batches: list[Sequence[Memory]] = field(default_factory=list)
    talks: list[Sequence[Episode]] = field(default_factory=list)
    asked_for: list[int] = field(default_factory=list)

    def narrate(self, memories: Sequence[Memory], *, max_tokens: int, vectors: Any = None) -> Any:
        assert vectors is None or len(vectors) == len(memories)
        self.batches.append(memories)
        self.asked_for.append(max_tokens)
        meanwhile, self.meanwhile = self.meanwhile, lambda: None
        meanwhile()
        return self.tell(memories)

    def compress(self, messages: Sequence[Episode], *, so_far: str | None, max_tokens: int) -> Any:
        self.talks.append(messages)
        meanwhile, self.meanwhile = self.meanwhile, lambda: None
        meanwhile()
        return self.sum_up(messages)


def narrated(reverie: Reverie, mind: Any = None, **settings: Any) -> tuple[Agent, Narrator]:
    """Mama with such a mind and these settings."""
    teller = mind or Narrator()
    desk = reverie._desk
    changed = replace(
        desk,
        mind=teller,
        settings=replace(desk.settings, **{"capture": CaptureSettings(enabled=False), **settings}),
    )
    return Reverie(changed, actor="caller").agent("mama"), teller


def saw(number: int) -> str:
    """One of as many different observations as anybody likes."""
    who, where = PEOPLE[number % 5], PLACES[number // 5 % 10]
    return f"{who} was seen at the {where} number {number} with {number + 7} parcels"


def observed(agent: Agent, clock: Clock, count: int, *, first: int = 0, **fields: Any) -> list[str]:
    """So many observations, a minute apart; their ids."""
    drafts = []
    for number in range(first, first + count):
        clock.wait(minutes=1)
        drafts.append(
            {"essence": saw(number), "kind": "observation", "valid_from": clock().isoformat(), **fields}
        )
    return [one.memory.id for one in agent.remember_many(drafts)]


def watching(
    reverie: Reverie, clock: Clock, count: int, mind: Any = None, **settings: Any
) -> tuple[Agent, Narrator, list[str]]:
    """Mama with such a mind, who has observed so many things; their ids."""
    mama, teller = narrated(reverie, mind, **settings)
    return mama, teller, observed(mama, clock, count)


def talked(agent: Agent, count: int, conversation: str = "harbour", **fields: Any) -> list[str]:
    """So many messages; their ids."""
    said = [
        {"content": f"I counted {number + 3} gulls at pier {number}", "speaker": PEOPLE[number % 5], **fields}
        for number in range(count)
    ]
    return list(agent.observe(said, conversation=conversation).episode_ids)


def the(agent: Agent, id: str) -> Memory:
    """A memory as it stands."""
    found = agent.get(id)
    assert isinstance(found, Memory)
    return found


def states(agent: Agent) -> dict[str, str]:
    """The state of every memory."""
    return {one.id: str(one.state) for one in agent.memories(deep=True, limit=1000)}
