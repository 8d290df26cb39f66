"""What hosts are told of the tools, what it costs their context, and that docs/mcp.md says so."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp_types import ListPromptsResult, ListResourcesResult, ListToolsResult

from reverie.domain.kinds import Kind, Priority
from reverie.doors.cli import main
from reverie.doors.mcp.core import CONTEXT_TOKENS, RECALL_TOKENS
from reverie.doors.mcp.definitions import CORE, Definition
from reverie.doors.mcp.definitions_admin import ADMIN
from reverie.doors.mcp.definitions_graph import GRAPH
from reverie.doors.mcp.definitions_society import SOCIETY
from reverie.doors.mcp.diary import DIARY_TOKENS
from reverie.doors.mcp.toolbox import checked_toolsets
from reverie.doors.mcp.words import ADMIN as ADMIN_INSTRUCTIONS
from reverie.doors.mcp.words import GRAPH as GRAPH_INSTRUCTIONS
from reverie.doors.mcp.words import INSTRUCTIONS
from reverie.doors.mcp.words import SOCIETY as SOCIETY_INSTRUCTIONS
from reverie.embedders.minilm import MiniLM
from reverie.errors import InvalidInput
from reverie.memory.prompt.budget import estimated_tokens
from tests.doors.mcp_host import hosted

ALL = (*CORE, *SOCIETY, *ADMIN, *GRAPH)
NAMES = {
    "memory_learn": {"content", "type", "scope", "priority", "lesson", "emotions", "importance", "until"},
    "memory_recall": {"query", "type", "scope", "also_past", "max_tokens"},
    "memory_update": {"id", "how", "content"},
    "memory_episode": {"event", "outcome", "tags"},
    "memory_procedure": {"name", "steps", "outcome", "lesson"},
    "memory_context": {"task", "max_tokens", "path"},
    "memory_forget": {"id"},
}


@pytest.fixture(scope="module")
def listed(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[ListToolsResult, ListResourcesResult, ListPromptsResult]:
    """What a host gets that asks for everything."""
    with hosted(tmp_path_factory.mktemp("definitions") / "a.bank") as host:
        return (
            host.ask(lambda client: client.list_tools()),
            host.ask(lambda client: client.list_resources()),
            host.ask(lambda client: client.list_prompts()),
        )


Listed = tuple[ListToolsResult, ListResourcesResult, ListPromptsResult]


def as_json(value: Any) -> str:
    dumped = value.model_dump(by_alias=True, exclude_none=True, mode="json")
    return json.dumps(dumped, separators=(",", ":"), ensure_ascii=False)


def as_list(values: Iterable[Any]) -> str:
    dumped = [json.loads(as_json(value)) for value in values]
    return json.dumps(dumped, separators=(",", ":"), ensure_ascii=False)


def tokens(text: str) -> int:
    return estimated_tokens(text, MiniLM().count_tokens)


def test_the_core_tools_have_their_names_and_parameters(listed: Listed) -> None:
    tools = listed[0].tools
    assert {tool.name: set(tool.input_schema.get("properties", {})) for tool in tools} == NAMES


@pytest.mark.parametrize(("tools", "most"), [(CORE, 1_500), (SOCIETY, 2_350), (ADMIN, 820), (GRAPH, 2_000)])
def test_definitions_cost_a_host_few_tokens(tools: Sequence[Definition], most: int) -> None:
    assert tokens(as_list(one.tool for one in tools)) <= most


def test_the_tools_of_the_society_have_the_names_of_their_source() -> None:
    assert [tool.name for tool in SOCIETY] == [
        "add_to_longterm_memory", "retrieve_specific_memories", "remove_from_memory", "add_to_soul", "remove_from_soul",
        "write_diary", "search_diary_for_keywords", "show_diary_entries_from_day", "assign_relationship", "self_care",
        "neural_link_request_memory", "neural_link_share_memory",
    ]  # fmt: skip


def test_a_host_gets_no_more_tools_than_it_asked_for(tmp_path: Path) -> None:
    with hosted(tmp_path / "a.bank", toolsets=("graph", "society", "admin", "core")) as host:
        tools = host.ask(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == [tool.name for tool in ALL]


@pytest.mark.parametrize("names", [("cores",), ()], ids=["unknown", "none"])
def test_toolsets_that_are_not_there_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput, match="choose from core, society, admin, graph"):
        checked_toolsets(names)


def test_the_instructions_are_a_paragraph_and_no_manual() -> None:
    assert tokens(INSTRUCTIONS) <= 250
    assert tokens(SOCIETY_INSTRUCTIONS) <= 200
    assert tokens(ADMIN_INSTRUCTIONS) <= 80
    assert tokens(GRAPH_INSTRUCTIONS) <= 80


@pytest.mark.parametrize("definition", ALL, ids=lambda one: one.name)
def test_every_tool_says_what_it_may_do_to_the_bank(definition: Any) -> None:
    hints = definition.tool.annotations
    assert None not in (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)


def test_only_readers_say_so_and_only_forgetting_destroys() -> None:
    hints = {one.name: one.tool.annotations for one in (*CORE, *SOCIETY)}
    assert {name for name, hint in hints.items() if hint and hint.read_only_hint} == {
        "memory_recall", "memory_context", "retrieve_specific_memories", "search_diary_for_keywords",
        "show_diary_entries_from_day",
    }  # fmt: skip
    assert [name for name, hint in hints.items() if hint and hint.destructive_hint] == [
        "memory_forget", "remove_from_memory", "remove_from_soul"
    ]  # fmt: skip
    assert {one.name for one in CORE if not one.idempotent} == {
        "memory_learn", "memory_update", "memory_episode", "memory_procedure"
    }  # fmt: skip


@pytest.mark.parametrize("definition", ALL, ids=lambda one: one.name)
def test_every_schema_is_one_and_asks_for_what_it_knows(definition: Any) -> None:
    tool = definition.tool
    for schema in (tool.input_schema, tool.output_schema):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    assert set(tool.input_schema.get("required", ())) <= set(definition.takes)


@pytest.mark.parametrize(
    ("tool", "name", "choices"),
    [
        ("memory_learn", "type", set(Kind)),
        ("memory_learn", "priority", set(Priority)),
        ("memory_update", "how", {"supersedes", "corrects"}),
        ("memory_procedure", "outcome", {"success", "failure"}),
    ],
)
def test_closed_sets_are_told_whole(tool: str, name: str, choices: set[str]) -> None:
    (definition,) = [one for one in CORE if one.name == tool]
    assert set(definition.tool.input_schema["properties"][name]["enum"]) == choices


@pytest.mark.parametrize("definition", ALL, ids=lambda one: one.name)
def test_arrays_that_are_taken_say_of_what(definition: Any) -> None:
    """Some hosts refuse a schema that doesn't."""
    schemas = [one.schema for one in definition.takes.values()]
    assert all("items" in schema for schema in schemas if schema["type"] == "array")


def test_there_is_a_resource_and_a_prompt(listed: Listed) -> None:
    _, resources, prompts = listed
    assert [str(one.uri) for one in resources.resources] == ["memory://context"]
    assert [(one.name, [each.name for each in one.arguments or ()]) for one in prompts.prompts] == [
        ("use-memory", ["task"])
    ]


def test_the_core_needs_no_path_of_this_machine(listed: Listed) -> None:
    told = as_json(listed[0]) + as_json(listed[1]) + as_json(listed[2]) + INSTRUCTIONS
    assert str(Path.home()) not in told


ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(json|toml|sh)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def _arguments() -> list[list[str]]:
    """Of every `reverie mcp` on the page."""
    found = []
    for language, text in BLOCKS:
        if language == "json":
            found += [one["args"] for one in json.loads(text)["mcpServers"].values()]
        elif language == "toml":
            found += [one["args"] for one in tomllib.loads(text)["mcp_servers"].values()]
        else:
            words = [shlex.split(line) for line in text.splitlines() if "reverie mcp" in line]
            found += [line[len(line) - line[::-1].index("reverie") :] for line in words]
    return found


def test_the_page_shows_how_to_start_it() -> None:
    assert len(_arguments()) >= 6


@pytest.mark.parametrize("arguments", _arguments(), ids=" ".join)
def test_every_command_of_the_page_is_one(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert arguments[0] == "mcp"
    assert main([*arguments, "--help"]) == 0
    assert "Serve the agent's memory as tools" in capsys.readouterr().out


def test_the_tables_are_those_of_the_tools() -> None:
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\| ?(yes)? \| ?(yes)? \| ?(yes)? \|$", PAGE, re.MULTILINE)
    told = [(name, bool(reads), bool(destroys), bool(again)) for name, reads, destroys, again in rows]
    assert told == [(one.name, one.reads_only, one.destroys, one.idempotent) for one in ALL]


def test_the_budgets_are_the_tools_own() -> None:
    assert f"within `max_tokens` ({RECALL_TOKENS:,})" in PAGE
    assert f"within `max_tokens` ({CONTEXT_TOKENS:,}, " in PAGE
    assert PAGE.count(f"within `max_tokens` ({DIARY_TOKENS:,})") >= 3
