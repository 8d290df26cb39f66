"""Keep a night between a question to the host's model and its answer: ids and numbers, no words."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.time import from_micros, micros
from reverie.ports.host import Labelled
from reverie.services.sleep.gathering import Gathered, Shown

Numbers: TypeAlias = tuple[int, int, int]
"""Of a memory when it was shown: updated_at in microseconds, version, reinforcement count."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A night that was shown. ``rooms`` and ``core``: what stood in it; ``lengths``: of its episodes in characters;
    ``numbers``: of its memories; ``rev``: the bank's. From round 2 on ``answered`` is the digest of the first answer,
    and ``slept_at`` when that was applied.
    """

    labelled: Labelled
    rooms: tuple[Shown, ...]
    core: tuple[str, ...]
    lengths: Mapping[str, int]
    numbers: Mapping[str, Numbers]
    rev: int
    round: int = 1
    answered: str = ""
    slept_at: int | None = None

    @classmethod
    def of(cls, gathered: Gathered, labelled: Labelled) -> Kept:
        """Return what of a night stands in a question about it."""
        episodes, memories = set(labelled.episodes.values()), set(labelled.memories.values())
        rooms = (
            Shown(
                episodes=_among(one.episodes, episodes), earlier=_among(one.earlier, episodes),
                known=_among(one.known, memories),
            )
            for one in gathered.night.clusters
        )  # fmt: skip
        return cls(
            labelled=labelled,
            rooms=tuple(one for one in rooms if one.episodes),
            core=_among(gathered.night.core, memories),
            lengths={id: len(one.content) for id, one in gathered.heard.items() if id in episodes},
            numbers={id: numbers(one) for id, one in gathered.shown.items() if id in memories},
            rev=gathered.rev,
        )

    @property
    def episodes(self) -> int:
        """Return how many new messages it showed."""
        return sum(len(one.episodes) for one in self.rooms)

    def without(self, gone: Collection[str]) -> Kept:
        """Without some episodes."""
        rooms = (
            replace(
                one, episodes=tuple(id for id in one.episodes if id not in gone),
                earlier=tuple(id for id in one.earlier if id not in gone),
            )
            for one in self.rooms
        )  # fmt: skip
        return replace(self, rooms=tuple(one for one in rooms if one.episodes))

    def changed(self, episodes: Mapping[str, Episode]) -> set[str]:
        """Return which of these say something else than when they were shown."""
        return {id for id, one in episodes.items() if self.lengths.get(id) != len(one.content)}

    def changed_memories(self, memories: Mapping[str, Memory]) -> set[str]:
        """Return which of those that were shown aren't among these, or were changed since."""
        return {
            id for id, before in self.numbers.items() if id not in memories or numbers(memories[id]) != before
        }

    def body(self) -> str:
        """As it is stored: episodes and memories by their labels."""
        e = {id: label for label, id in self.labelled.episodes.items()}
        m = {id: label for label, id in self.labelled.memories.items()}
        rooms = [
            [[e[id] for id in one.episodes], [e[id] for id in one.earlier], [m[id] for id in one.known]]
            for one in self.rooms
        ]
        return json.dumps(
            {
                "round": self.round, "rev": self.rev, "answered": self.answered,
                "slept_at": self.slept_at, "rooms": rooms, "core": [m[id] for id in self.core],
                "episodes": {label: [id, self.lengths[id]] for label, id in self.labelled.episodes.items()},
                "memories": {label: [id, *self.numbers[id]] for label, id in self.labelled.memories.items()},
            },
            separators=(",", ":"),
        )  # fmt: skip

    @classmethod
    def from_body(cls, body: str) -> Kept:
        """Return what ``body`` wrote."""
        told = json.loads(body)
        e = {label: id for label, (id, _) in told["episodes"].items()}
        m = {label: id for label, (id, *_) in told["memories"].items()}
        return cls(
            labelled=Labelled(episodes=e, memories=m),
            rooms=tuple(
                Shown(
                    episodes=tuple(e[one] for one in new), earlier=tuple(e[one] for one in old),
                    known=tuple(m[one] for one in known),
                )
                for new, old, known in told["rooms"]
            ),
            core=tuple(m[one] for one in told["core"]),
            lengths=dict(told["episodes"].values()),
            numbers={id: (at, version, count) for id, at, version, count in told["memories"].values()},
            rev=told["rev"], round=told["round"], answered=told["answered"], slept_at=told["slept_at"],
        )  # fmt: skip


def numbers(memory: Memory) -> Numbers:
    """Return the numbers of a memory as it stands."""
    return micros(memory.updated_at), memory.version, memory.reinforcement_count


def is_as_expected(kept: Kept, episodes: Mapping[str, Episode]) -> bool:
    """Return whether no other sleep has read the night's episodes, nor was the first answer's undone."""
    expected: datetime | None = None if kept.slept_at is None else from_micros(kept.slept_at)
    new = (id for one in kept.rooms for id in one.episodes)
    return all(episodes[id].consolidated_at == expected for id in new if id in episodes)


def _among(some: Sequence[Episode] | Sequence[Memory], ids: Collection[str]) -> tuple[str, ...]:
    return tuple(one.id for one in some if one.id in ids)
