"""The same life on both engines: invented memories and messages, and all that happens to them later."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache, partial
from typing import TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.invented import Invented, invent
from reverie import (
    Agent,
    EpisodeHit,
    MemoryHit,
    Recall,
    RecallSettings,
    Reverie,
    Settings,
    State,
    StoreSettings,
)
from reverie.domain.ids import uuid7
from reverie.domain.time import micros
from reverie.embedders.hashing import HashingEmbedder
from tests.services.bench import DAY, NOON, Clock, opened

Result = TypeVar("Result")
Hit = MemoryHit | EpisodeHit
Found = Recall[MemoryHit] | Recall[EpisodeHit]

EMOTIONS = ("joy", "love", "fear", "anger", "grief", "pride", "relief", "surprise", "sadness", "neutral")
ROOMS = ("kitchen", "garden", "office")
MOVED = (State.ARCHIVED, State.INACTIVE, State.SUMMARIZED)
CHANNELS = ("api", "terminal", "web", "room")
# The lists of candidates are shorter than the bank, and touches are written when a test says so.
SETTINGS = Settings(
    recall=RecallSettings(candidates=60),
    store=StoreSettings(touch_flush_every=1e6, touch_flush_pending=10**6),
)
CLOSE = 5e-5
"""By so much a score or a relevance may differ, and hits whose scores do by less may change places: SQLite's search
keeps two bytes of each number of a vector (see ``store.sqlite.vectors``), Postgres all four, and two of what stands
beside a message; the curve of the relevance is up to three times as steep as the score."""


class Rotated(HashingEmbedder):
    """The hashing embedder with every number of a vector in use, as a model's are: so little is lost in a number."""

    @property
    def id(self) -> str:
        return "rotated-for-tests"

    def embed_query(self, text: str) -> NDArray[np.float32]:
        turned: NDArray[np.float32] = super().embed_query(text) @ _rotation(self.dimensions)
        return turned


@lru_cache(1)
def _rotation(dimensions: int) -> NDArray[np.float32]:
    drawn = np.random.default_rng(5).standard_normal((dimensions, dimensions))
    return np.linalg.qr(drawn).Q.astype(np.float32)


def counted_ids() -> Callable[[datetime], str]:
    """Ids that are the same in every life."""
    numbers = itertools.count()
    return lambda moment: uuid7(micros(moment) // 1000, next(numbers) << 40)


@dataclass
class Twins:
    """One agent on each engine, to whom the same happens at the same time."""

    places: Sequence[str]
    clock: Clock = field(default_factory=Clock)
    opened: list[Reverie] = field(default_factory=list)
    states: Iterator[State] = field(default_factory=lambda: itertools.cycle(MOVED))
    chance: random.Random = field(default_factory=lambda: random.Random(3))

    def __enter__(self) -> Twins:
        for place in self.places:
            ids, embedder = counted_ids(), Rotated.for_tests()
            self.opened.append(
                opened(
                    place,
                    clock=self.clock,
                    ids=ids,
                    settings=SETTINGS,
                    embedder=embedder,
                )
            )
        return self

    def __exit__(self, *_: object) -> None:
        for reverie in self.opened:
            reverie.close()

    def both(self, act: Callable[[Agent], Result]) -> Result:
        """Does the same on both; what comes of it is the same, too."""
        one, other = (act(reverie.agent("mama")) for reverie in self.opened)
        assert one == other
        return one

    def ask(self, question: Callable[[Agent], Found]) -> Found:
        """Both find the same, in the same order, for the same reasons."""
        one, other = (question(reverie.agent("mama")) for reverie in self.opened)
        assert _frame(one) == _frame(other)
        scores = [[hit.score for hit in found.hits] for found in (one, other)]
        assert scores[0] == pytest.approx(scores[1], abs=CLOSE)
        left, right = _by_wording(one), _by_wording(other)
        least = min(scores[0], default=0.0) + CLOSE  # of equals at the end one may stand for the other
        assert all(
            hit.score <= least for key, hit in (left | right).items() if key not in left or key not in right
        )
        for key in left.keys() & right.keys():
            assert _without_numbers(left[key]) == _without_numbers(right[key])
            assert _numbers(left[key]) == pytest.approx(_numbers(right[key]), abs=CLOSE)
        if not _by_cosine(one):
            assert list(left) == list(right)
        return one

    def put_state(self, memory_id: str, state: State, superseded_by: str | None = None) -> None:
        """What housekeeping and sleep do to a memory."""
        for reverie in self.opened:
            with reverie._desk.store.write("mama") as unit:
                memory = unit.memories.get([memory_id])[memory_id]
                unit.memories.update(replace(memory, state=state, superseded_by=superseded_by))

    def flush(self) -> None:
        """The touches of all recalls so far are written."""
        for reverie in self.opened:
            reverie._desk.touches.flush()


def _by_wording(found: Found) -> dict[str, Hit]:
    """The hits by id: several wordings of a memory may answer for the past."""
    hits = {f"{hit.id} {hit.memory.version if isinstance(hit, MemoryHit) else 0}": hit for hit in found.hits}
    assert len(hits) == len(found.hits)
    return hits


def _frame(found: Found) -> tuple[object, ...]:
    return (
        found.query, found.strategy, found.deep, found.fell_back, found.considered, found.below_floor,
        found.left_out, found.tokens, len(found.hits),
    )  # fmt: skip


def _without_numbers(hit: Hit) -> Hit:
    return replace(hit, score=0.0, relevance=0.0, terms={})


def _numbers(hit: Hit) -> dict[str, float]:
    return {"score": hit.score, "relevance": hit.relevance, **hit.terms}


def _by_cosine(found: Found) -> bool:
    return any("semantic" in hit.terms for hit in found.hits)


def told(twins: Twins, count: int, rounds: int = 4) -> list[str]:
    """So many messages and memories, in rounds some weeks apart; ids of the memories."""
    made: list[str] = []
    for number in range(rounds):
        many = list(invent(11, number * count, count // rounds))
        seen = twins.both(
            partial(
                Agent.observe,
                messages=[_message(twins, one) for one in many],
                conversation=ROOMS[number % len(ROOMS)],
                channel=CHANNELS[number % len(CHANNELS)],
            )
        )
        drafts = [_draft(twins, one, seen.episode_ids) for one in many]
        made += twins.both(partial(_learn, drafts=drafts))
        twins.clock.wait(days=20)
    return list(dict.fromkeys(made))


def _learn(agent: Agent, drafts: Sequence[dict[str, object]]) -> list[str]:
    return [outcome.memory.id for outcome in agent.remember_many(drafts)]


def _message(twins: Twins, one: Invented) -> dict[str, object]:
    chance = twins.chance
    more: dict[str, object] = {"role": "tool"} if chance.random() < 0.2 else {"speaker": one.speaker}
    if chance.random() < 0.5:
        more["importance"] = one.importance
    return {
        "content": one.text, "topics": [one.topic], "entities": [one.speaker], "ref": one.code,
        "time": twins.clock() - chance.random() * 5 * DAY, "tags": [one.topic.upper()], **more,
    }  # fmt: skip


def _draft(twins: Twins, one: Invented, sources: Sequence[str]) -> dict[str, object]:
    chance = twins.chance
    more: dict[str, object] = {
        "confidence": round(chance.random(), 2), "time": twins.clock() - chance.random() * 5 * DAY,
        "source_episodes": chance.sample(sources, min(2, len(sources))),
        "scope": [("src/**", "docs/*.md", "**/*.py")[chance.randrange(3)]] if chance.random() < 0.3 else [],
        "importance": one.importance if chance.random() < 0.7 else None,
    }  # fmt: skip
    if chance.random() < 0.3:
        more["emotions"] = chance.sample(EMOTIONS, 3)
    if chance.random() < 0.3:
        more["lesson"] = f"Ask {one.speaker} about the {one.topic} first"
    if chance.random() < 0.2:
        more["valid_to"] = NOON + chance.randrange(100) * DAY
    return one.draft(**more)


def happen(twins: Twins, made: list[str], what: str) -> None:
    """One thing more happens: one of WHAT, to one of these memories or anew; ``made`` is kept up to date."""
    chance = twins.chance
    id, other = chance.sample(made, 2)
    (new,) = invent(12, chance.randrange(10_000), 1)
    twins.clock.wait(hours=chance.randrange(1, 48))
    if what == "reword":
        twins.both(lambda agent: agent.revise(id, essence=new.text, lesson=f"Mind the {new.topic}"))
    elif what == "revalue":
        twins.both(
            lambda agent: agent.revise(id, importance=new.importance, tags=[new.topic], confidence=0.7)
        )
    elif what == "forget":
        _lose(twins, made, id)
    elif what == "unsay":
        _lose(twins, made, chance.choice(twins.both(lambda agent: agent.episodes(limit=1000))).id)
    elif what == "repeat":
        _repeat(twins, made, id, new)
    elif what == "rewrite":
        _repeat(twins, made, id, new)
        _lose(twins, made, id)
    elif what == "learn":
        made += twins.both(partial(_learn, drafts=[_draft(twins, new, ())]))
    elif what == "say":
        twins.both(lambda agent: agent.observe(new.message(), conversation="office"))
    elif what == "move":
        twins.put_state(id, next(twins.states))
    elif what == "supersede":
        twins.put_state(id, State.ARCHIVED, other)
    else:
        twins.ask(lambda agent: agent.recall(new.question, limit=5))
        twins.flush()


WHAT = (
    "reword",
    "revalue",
    "repeat",
    "rewrite",
    "forget",
    "unsay",
    "learn",
    "say",
    "move",
    "supersede",
    "touch",
)


def _repeat(twins: Twins, made: list[str], id: str, new: Invented) -> None:
    """Its essence stands in a message with more: to forget it later is to rewrite the message."""
    essence = twins.both(lambda agent: agent.show(id).memory).essence
    message = {"content": f"{new.text} {essence}", "speaker": new.speaker}
    seen = twins.both(lambda agent: agent.observe(message, conversation="kitchen"))
    draft: dict[str, object] = {"essence": essence, "source_episodes": seen.episode_ids}
    made[:] = dict.fromkeys(made + twins.both(partial(_learn, drafts=[draft])))


def _lose(twins: Twins, made: list[str], id: str) -> None:
    receipt = twins.both(lambda agent: replace(agent.forget(id), elsewhere=()))
    made[:] = [kept for kept in made if kept not in receipt.memories]
