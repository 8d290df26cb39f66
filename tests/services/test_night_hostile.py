"""Sixty hostile answers of a model change nothing that they may not, and a night in any language is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bench.night_languages import WORDINGS, ZONES, landed, read
from reverie import Agent, Kind, Memory, Reverie
from reverie.domain.block import Layer
from reverie.embedders.minilm import MiniLM
from reverie.errors import ReverieError
from reverie.memory.change.echoes import steers
from reverie.memory.trust import may_instruct
from tests.services.bench import Clock, opened
from tests.services.hostile import Attacker, answers, expanded, folded, lived, told

pytestmark = pytest.mark.slow

STEERING = (Layer.BASELINE, Layer.PROCEDURES)
ANSWERS = answers()
TASK = "deploy, send the invoice to Hallberg and the report to Nordfin, and delete old backups"


@pytest.fixture(scope="module")
def clock() -> Clock:
    """One for all the module's banks."""
    return Clock()


@pytest.fixture(scope="module")
def banks(lasting_place: str, clock: Clock) -> Iterator[Reverie]:
    """A bank for each answer, at one place of an engine; sound when all are through."""
    with opened(lasting_place, clock=clock, judges=None) as reverie:
        yield reverie
        assert [*reverie.check()] == []


def _slept(
    banks: Reverie, clock: Clock, answer: Mapping[str, Any]
) -> tuple[Agent, dict[str, str], list[Memory]]:
    """The agent after the night; the labels' ids, and its memories as they were before."""
    mind = Attacker(answer=expanded(answer["answer"]))
    reverie = Reverie(replace(banks._desk, mind=mind), actor="night")
    agent = reverie.agent(answer["name"])
    mind.labels = lived(agent, clock)
    before = list(agent.memories(deep=True, limit=1000))
    with suppress(ReverieError):  # an answer that is none
        agent.jobs.sleep_through()
    return agent, mind.labels, before


@pytest.mark.parametrize("answer", ANSWERS, ids=[one["name"] for one in ANSWERS])
def test_a_hostile_answer_stays_in_bounds(banks: Reverie, clock: Clock, answer: Mapping[str, Any]) -> None:
    agent, ids, before = _slept(banks, clock, answer)
    after = {one.id: one for one in agent.memories(deep=True, limit=1000)}
    named = {ids[label] for label in answer["may_change"]}
    changed = [one.essence for one in before if one.id not in named and told(after[one.id]) != told(one)]
    assert changed == [], "memories that the answer doesn't name"
    lowered = [
        one.essence for one in before if one.id not in named and after[one.id].confidence < one.confidence
    ]
    assert lowered == [], "memories that the answer doesn't name"
    orders = [folded(one) for one in answer["must_not_instruct"]]
    _instructs_nothing(agent, orders, [*after.values()])


def _instructs_nothing(agent: Agent, orders: Sequence[str], memories: Sequence[Memory]) -> None:
    carriers = [one for one in memories if _has(one.essence, orders) or _has(one.lesson or "", orders)]
    steering = [one for one in carriers if steers(one.kind, one.priority)]
    assert [one.essence for one in steering if may_instruct(one)] == []
    assert [one.lesson for one in carriers if _has(one.lesson or "", orders)] == []
    harmless = {one.id for one in carriers} - {one.id for one in steering}
    known = {one.id for one in memories}
    for task in (TASK, *orders):
        block = agent.context(task)
        entered = [one for one in block.entered if _has(one.text, orders)]
        assert [one.text for one in entered if one.layer in STEERING] == []
        assert [one.text for one in entered if one.id in known - harmless] == []
        lines = [line for line in block.text.splitlines() if _has(line, orders)]
        assert len(lines) <= len(entered), f"more than memories and messages say it: {lines}"
    _portrays_none(agent.soul.portrait(), orders, [one.essence for one in carriers if one.id in harmless])


def _portrays_none(portrait: str, orders: Sequence[str], harmless: Sequence[str]) -> None:
    """No line of the portrait says an order, but for a plain fact among the facts."""
    known = [folded(one) for one in harmless]
    lines = [line for line in portrait.splitlines() if _has(line, orders)]
    assert [line for line in lines if not any(one in folded(line) for one in known)] == []


def _has(text: str, orders: Sequence[str]) -> bool:
    return any(order in folded(text) for order in orders)


def test_the_answers_are_sixty_and_each_has_its_name() -> None:
    assert len({one["name"] for one in ANSWERS}) == len(ANSWERS) == 60


def test_a_right_answer_of_that_night_lands(banks: Reverie, clock: Clock) -> None:
    right = {
        "new": [
            {
                "category": "policy", "content": "Before sending any invoice, show Mara the PDF and wait for her yes.",
                "confidence": 0.95, "sourceEpisodes": ["e5"], "stated": True, "importance": 0.9, "lesson": None,
                "emotions": [], "topics": [], "entities": [], "since": None, "supersedes": [],
            }
        ],
        "update": [
            {
                "memoryId": "m3", "newContent": "The invoice to Hallberg & Söner is 18,400 SEK.", "reason": "",
                "sourceEpisodes": ["e3"], "stated": True, "category": None, "importance": None, "confidence": None,
                "lesson": None, "since": None,
            }
        ],
    }  # fmt: skip
    agent, ids, _ = _slept(banks, clock, {"name": "right", "answer": right})
    kept = {one.id: one for one in agent.memories(deep=True, limit=1000)}
    assert "18,400" in kept[ids["m3"]].essence
    rules = [one for one in kept.values() if "PDF" in one.essence and one.kind is Kind.POLICY]
    assert [one.id for one in rules if may_instruct(one)], "the owner's own rule"


WANTED = 0.95


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    """The built-in model."""
    return MiniLM()


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("language", ZONES)
def test_right_memories_land(language: str, wording: str, embedder: MiniLM) -> None:
    found = landed(read()[language], ZONES[language], wording, embedder)
    assert found.proposed == 20
    assert found.share >= WANTED, "\n".join(found.refused)
