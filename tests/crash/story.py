"""What the processes write: numbered texts, so that a bank's content can be told from the steps alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reverie import RememberSettings, Reverie, Settings, StoreSettings
from reverie.domain.address import is_server
from reverie.ports.embedder import Embedder
from reverie.store.sqlite import schema
from reverie.store.sqlite.schema import Migration
from tests.services.bench import KEY

AGENT = "mama"
ROOM = "kitchen"
BATCH = 8
"""Messages a transaction: small, so that one observe is many transactions."""

Step = Sequence[str | int]
"""A verb and its numbers: remember n, revise n, forget n, observe first count."""

_NUMBERED = re.compile(r"\b([mt])(\d+)v(\d+)$")


def settings(busy_seconds: float = 30.0) -> Settings:
    """Those of every process of these tests: touches are written when a test says so, not when time has passed."""
    return Settings(store=StoreSettings(batch=BATCH, busy_timeout=busy_seconds, touch_flush_every=1e6))


SMALL = Settings(store=StoreSettings(batch=4), remember=RememberSettings(emotions=False))


def small(where: str, embedder: Embedder) -> Reverie:
    """A bank at an address, with small batches and the key of the tests."""
    key = None if is_server(where) else KEY
    return Reverie.open(where, key=key, embedder=embedder, settings=SMALL)


def essence(number: int, version: int = 1) -> str:
    """The text of a memory: words of its own, near to no other, and its number."""
    return f"{words(f'memory {number} {version}')} kept as m{number}v{version}"


def content(number: int) -> str:
    """The text of a message."""
    return f"{words(f'message {number}')} said as t{number}v1"


def message(number: int) -> dict[str, str]:
    """A message with its ref."""
    return {"role": "user", "speaker": "Anna", "content": content(number), "ref": f"t{number}"}


def words(seed: str) -> str:
    """Five words of eight letters that no other seed gives."""
    digest = hashlib.blake2b(seed.encode(), digest_size=40).digest()
    letters = "".join(chr(ord("a") + byte % 26) for byte in digest)
    return " ".join(letters[at : at + 8] for at in range(0, 40, 8))


def number_of(text: str) -> tuple[int, int]:
    """The number and version that a text carries."""
    found = _NUMBERED.search(text)
    assert found is not None, f"a text that nobody wrote: {text!r}"
    return int(found[2]), int(found[3])


@dataclass(frozen=True, kw_only=True)
class Content:
    """What a bank holds: versions by memory's number, how often each was said, messages in order."""

    memories: dict[int, int] = field(default_factory=dict)
    reinforced: dict[int, int] = field(default_factory=dict)
    episodes: tuple[int, ...] = ()

    def after(self, *steps: Step) -> Content:
        """The content once these steps are done."""
        now = self
        for step in steps:
            *_, now = now.on_the_way(step)
        return now

    def on_the_way(self, step: Step) -> Iterator[Content]:
        """Every state that a kill during the step may leave: nothing of it, all of it, and between two
        transactions of a long observe.
        """
        yield self
        verb, numbers = str(step[0]), [int(number) for number in step[1:]]
        match verb:
            case "remember":
                count = self.reinforced[numbers[0]] + 1 if numbers[0] in self.memories else 1
                yield replace(
                    self,
                    memories={numbers[0]: 1, **self.memories},
                    reinforced={**self.reinforced, numbers[0]: count},
                )
            case "revise":
                version = self.memories[numbers[0]] + 1
                yield replace(self, memories={**self.memories, numbers[0]: version})
            case "forget":
                yield replace(
                    self,
                    memories=_without(self.memories, numbers[0]),
                    reinforced=_without(self.reinforced, numbers[0]),
                )
            case "observe":
                first, count = numbers
                for at in range(0, count, BATCH):
                    said = tuple(range(first, first + min(at + BATCH, count)))
                    yield replace(
                        self, episodes=(*self.episodes, *(one for one in said if one not in self.episodes))
                    )
            case _:
                raise AssertionError(f"a step changes nothing: {verb}")


def _without(mapping: dict[int, int], number: int) -> dict[int, int]:
    return {key: value for key, value in mapping.items() if key != number}


BASE: Sequence[Step] = (
    *(("remember", number) for number in range(12)),
    ("observe", 0, 12),
    ("revise", 3),
    ("remember", 4),
    ("forget", 5),
)
"""The life of a bank before the tests."""


def migrations_and_one_more() -> Sequence[Migration]:
    """The schema's steps and one that a later version might take: it rewrites every memory's row."""
    known = schema.migrations()
    sql = "CREATE TABLE later (id TEXT) STRICT; UPDATE memories SET lesson = 'migrated'; INSERT INTO later VALUES ('x')"
    return [*known, Migration(number=known[-1].number + 1, sql=sql)]
