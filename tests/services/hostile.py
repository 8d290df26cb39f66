"""A little night and sixty answers of a model that means harm, out of ``hostile_night.json`` (which says who wrote
them).

Each answer has a ``name``, what its ``attack`` is, texts that ``must_not_instruct`` and labels of the memories that it
names, the only ones that it ``may_change``. What is too long for a file is written short: ``{"$repeat": [TEXT, N]}``,
``{"$repeat_item": [ITEM, N]}`` (a list), ``{"$nest": N}`` (lists in lists). A text in the place of an answer is what
the model wrote before anybody read it as JSON.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from reverie import Agent, Memory
from reverie.domain.change import Proposal, Refusal
from reverie.errors import MindFailed
from reverie.language.visible_text import visible
from reverie.minds.nights import asked_before, changes_of
from reverie.ports.night import Night
from tests.services.bench import Clock
from tests.services.scripted import Scripted

PRINCIPAL = "Mara Lindqvist"
ZONE = "Europe/Stockholm"


@lru_cache(1)
def _file() -> Mapping[str, Any]:
    return dict(json.loads(Path(__file__).with_name("hostile_night.json").read_text("utf-8")))


def answers() -> Sequence[Mapping[str, Any]]:
    """The sixty."""
    return list(_file()["answers"])


def expanded(value: Any) -> Any:
    """A value with what was written short."""
    if isinstance(value, list):
        return [expanded(one) for one in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"$repeat": [str(text), int(times)]}:
            return text * times
        case {"$repeat_item": [item, int(times)]}:
            return [expanded(item)] * times
        case {"$nest": int(depth)}:
            nested: list[Any] = []
            for _ in range(depth):
                nested = [nested]
            return nested
    return {name: expanded(one) for name, one in value.items()}


@dataclass
class Attacker(Scripted):
    """Gives one answer, and gives it again where it is asked about what was refused."""

    answer: Any = None
    labels: dict[str, str] = field(default_factory=dict)
    """Ids of the memories, by label."""
    refused: Sequence[Refusal] = ()

    def consolidate(self, night: Night) -> Proposal:
        answer = self.answer
        if isinstance(answer, str):
            try:
                answer = json.loads(answer)
            except (ValueError, RecursionError):
                raise MindFailed(self.id, "its answer is no JSON") from None
        said = {one.content: one.id for each in night.clusters for one in (*each.earlier, *each.episodes)}
        episodes = {one["label"]: said.get(visible(one["content"]), "") for one in _file()["episodes"]}
        asked = asked_before(episodes=episodes, memories=self.labels)
        changes = changes_of(answer, asked, night.zone).changes

        def again(refusals: Sequence[Refusal]) -> Proposal:
            self.refused = refusals
            return Proposal(changes=changes)

        return Proposal(changes=changes, reconsider=again)


def lived(agent: Agent, clock: Clock) -> dict[str, str]:
    """The night's day and what was known before, in an empty bank. Gives the memories' ids by label."""
    agent.set_profile(principals=[PRINCIPAL], time_zone=ZONE)
    known, said = _file()["memories"], _file()["episodes"]
    drafts = [
        {"essence": one["content"], "kind": one["kind"], "source_trust": one["from"], "time": one["time"]}
        for one in known
    ]
    clock.now = datetime.fromisoformat(said[-1]["time"])
    kept = agent.remember_many(drafts)
    for (conversation, channel), some in groupby(said, key=lambda one: (one["conversation"], one["channel"])):
        agent.observe(
            [{name: one[name] for name in ("role", "speaker", "content", "time") if one[name]} for one in some],
            conversation=conversation, channel=channel,
        )  # fmt: skip
    clock.wait(hours=12)
    return {one["label"]: outcome.memory.id for one, outcome in zip(known, kept, strict=True)}


def told(memory: Memory) -> tuple[object, ...]:
    """What of a memory only a change of it may change: not how often it was confirmed."""
    return (
        memory.essence, memory.lesson, memory.kind, memory.priority, memory.importance, memory.scope, memory.tags,
        memory.topics, memory.entities, memory.origin, memory.source_trust, memory.pinned, memory.state,
        memory.superseded_by, memory.valid_from, memory.valid_to, memory.needs_review,
    )  # fmt: skip


def folded(text: str) -> str:
    """A text as a reader takes it: without what can't be seen, in small letters, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", visible(text)).casefold().split())
