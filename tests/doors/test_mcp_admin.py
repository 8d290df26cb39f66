"""Toolset admin: a host's own model consolidates, asked by the SDK's own client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from tests.doors.mcp_host import Host, command, hosted, surroundings, text_of

JONAS = "My partner Jonas is a carpenter in Ghent."
NUMBER = "it has a number that none of its sources has"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with hosted(tmp_path / "a.bank", toolsets=("core", "admin"), actor="mcp") as host:
        host.reverie.agent("mama").observe([{"speaker": "Anna", "content": JONAS}])
        yield host


def learning(content: str, *sources: str) -> dict[str, Any]:
    """An entry of new that the schema takes."""
    return {
        "category": "fact", "content": content, "confidence": 0.9, "sourceEpisodes": list(sources), "stated": True,
        "importance": 0.6, "lesson": None, "emotions": [], "topics": [], "entities": [], "since": None,
        "supersedes": [],
    }  # fmt: skip


def answering(*new: dict[str, Any]) -> dict[str, Any]:
    """An answer of all lists."""
    return {"new": list(new), "update": [], "retire": [], "reinforce": [], "contradict": [], "connect": []}


RIGHT = answering(learning("Anna's partner Jonas is a carpenter in Ghent.", "e1"))
HALF = answering(*RIGHT["new"], learning("Jonas earns 975 euro", "e1"))


def test_a_night_has_all_that_a_model_needs(host: Host) -> None:
    night = host.values("memory_night")
    assert (night["episodes"], night["remaining"]) == (1, 0)
    assert JONAS in night["text"]
    Draft202012Validator.check_schema(night["schema"])
    Draft202012Validator(night["schema"]).validate(RIGHT)
    text = host.text("memory_night")
    assert all(part in text for part in (JONAS, "memory_night_apply", "You are the sleep of", '"required"'))


def test_an_answer_is_applied_and_told(host: Host) -> None:
    night = host.values("memory_night")
    done = host.call("memory_night_apply", id=night["id"], answer=RIGHT)
    values = done.structured_content
    assert values is not None
    assert (values["applied"], values["rejected"], values["remaining"]) == (1, 0, 0)
    assert "question" not in values
    assert f"reverie revert {values['sleep']}" in text_of(done)
    [record] = host.reverie.agent("mama").sleeps()
    assert (record.id, record.mind) == (values["sleep"], "host")
    assert {one.actor for one in host.reverie.agent("mama").audit(job=record.id)} == {"mcp"}


def test_an_answer_may_come_as_text(host: Host) -> None:
    night = host.values("memory_night")
    answer = f"```json\n{json.dumps(RIGHT)}\n```"
    assert host.values("memory_night_apply", id=night["id"], answer=answer)["applied"] == 1


def test_what_was_refused_is_asked_once(host: Host) -> None:
    night = host.values("memory_night")
    done = host.call("memory_night_apply", id=night["id"], answer=HALF)
    text = text_of(done)
    assert NUMBER in text
    assert f"call memory_night_apply once more with id {night['id']}" in text
    question = (done.structured_content or {})["question"]
    assert (question["id"], NUMBER in question["text"]) == (night["id"], True)
    again = host.call(
        "memory_night_apply", id=night["id"], answer=answering(learning("Jonas earns 966 euro", "e1"))
    )
    assert "Not applied: learn: it has a number" in text_of(again)
    assert "question" not in (again.structured_content or {})


def test_refusals_say_what_to_do_next(host: Host) -> None:
    night = host.values("memory_night")
    assert "none of the lists" in host.refusal("memory_night_apply", id=night["id"], answer={})
    assert "stays open" in host.refusal("memory_night_apply", id=night["id"], answer="later")
    host.values("memory_night_apply", id=night["id"], answer=RIGHT)
    late = host.refusal("memory_night_apply", id=night["id"], answer=RIGHT)
    assert "call memory_night, and answer what it gives" in late
    assert "it needs" not in late
    assert "needs it" in host.refusal("memory_night_apply", answer=RIGHT)
    assert "max_tokens" in host.refusal("memory_night", max_tokens=1)


def test_a_paused_agent_is_left_to_the_user(host: Host) -> None:
    host.reverie.agent("mama").pause()
    assert "`reverie resume`" in host.refusal("memory_night")


def test_where_nothing_waits_there_is_nothing_to_do(host: Host) -> None:
    night = host.values("memory_night")
    host.values("memory_night_apply", id=night["id"], answer=RIGHT)
    assert "nothing to consolidate" in host.text("memory_night")
    assert host.values("memory_night") == {"episodes": 0, "remaining": 0}


def test_the_prompt_walks_a_host_through_it(host: Host) -> None:
    listed = host.ask(lambda client: client.list_prompts())
    assert [one.name for one in listed.prompts] == ["use-memory", "consolidate"]
    told = host.ask(lambda client: client.get_prompt("consolidate"))
    content = told.messages[0].content
    assert isinstance(content, TextContent)
    steps = ("memory_night.", "schema", "memory_night_apply with the night's id", "You are asked once")
    assert [content.text.index(step) for step in steps] == sorted(content.text.index(step) for step in steps)


def test_a_host_without_the_toolset_has_neither_tools_nor_prompt(tmp_path: Path) -> None:
    with hosted(tmp_path / "a.bank") as host:
        assert "there is no 'memory_night'" in host.refusal("memory_night")
        with pytest.raises(MCPError, match="get use-memory"):
            host.ask(lambda client: client.get_prompt("consolidate"))


def test_a_night_goes_over_the_wire(tmp_path: Path) -> None:
    env = surroundings(tmp_path, REVERIE_BANK=str(tmp_path / "a.bank"), REVERIE_MIND="none")
    parts = command("--agent", "mama", "--toolsets", "core,admin")
    server = StdioServerParameters(command=parts[0], args=parts[1:], env=env)

    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with Client(stdio_client(server)) as client:
            await client.list_tools()
            await client.call_tool("memory_episode", {"event": "Deployed 2.4 to staging, which worked"})
            night = await client.call_tool("memory_night", {})
            id = (night.structured_content or {})["id"]
            answer = answering(learning("Version 2.4 was deployed to staging", "e1"))
            return night, await client.call_tool("memory_night_apply", {"id": id, "answer": answer})

    night, done = asyncio.run(session())
    assert "Deployed 2.4 to staging" in text_of(night)
    assert (done.structured_content or {})["applied"] == 1
