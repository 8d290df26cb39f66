"""Where a summary is found, the command line and MCP say that it is one, of how many, and how to go on."""

from __future__ import annotations

import importlib.util
from datetime import UTC, timedelta

import pytest

from reverie import Kind
from reverie.domain.memory import Origin
from reverie.domain.query import MemoryHit
from reverie.domain.summary import Summary
from reverie.doors.cli.output import jsonable
from tests.memory.memories import a_memory
from tests.services.bench import NOON

MEMORY = a_memory("Kade was seen often", kind=Kind.OBSERVATION, origin=Origin.SELF_CARE)
SUMMARY = Summary(
    memory_id=MEMORY.id, job="job", items=1_500, began_at=NOON - timedelta(days=9), ended_at=NOON, created_at=NOON
)  # fmt: skip
TALK = Summary(
    memory_id=MEMORY.id, job="job", conversation="plaza", first=0, last=39, items=40, began_at=NOON, ended_at=NOON,
    created_at=NOON,
)  # fmt: skip


def _hit(summary: Summary | None) -> MemoryHit:
    return MemoryHit(memory=MEMORY, score=1.0, relevance=0.9, terms={}, summary=summary)


def test_json_tells_of_the_summary_where_a_hit_is_one() -> None:
    told = jsonable(_hit(SUMMARY))
    assert isinstance(told, dict)
    assert told["summary"]["items"] == 1_500
    assert "summary" not in jsonable(_hit(None))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("summary", "mark"),
    [(SUMMARY, "summary of 1,500, deep recall has each"), (TALK, "summary of 40 messages")],
)
@pytest.mark.skipif(importlib.util.find_spec("mcp") is None, reason="needs the extra server")
def test_a_models_answer_over_mcp_says_it_beside_the_text(summary: Summary, mark: str) -> None:
    from reverie.doors.mcp.hits import within

    def shown(one: Summary | None) -> str:
        return within([_hit(one)], lead=None, budget=10_000, tokens=len).text

    assert f"[observation, {mark}, " in shown(summary)
    assert "summary" not in shown(None)


def test_the_command_line_says_it_among_the_facts() -> None:
    from reverie.doors.cli.tables import hit_lines
    from reverie.doors.cli.watch import Watch

    watch = Watch(now=NOON, zone=UTC)
    assert "observation · summary of 1,500: `summaries show` shows them · " in hit_lines(
        1, _hit(SUMMARY), watch
    )
    assert "summary" not in hit_lines(1, _hit(None), watch)
