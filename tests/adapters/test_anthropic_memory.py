"""Anthropic's memory tool over a bank answers as the SDK's own tool for a folder of the disk does."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("anthropic")

from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from reverie import Agent
from reverie.adapters.anthropic_memory import AsyncMemoryTool, MemoryTool

Command = Mapping[str, Any]
paths = st.sampled_from(
    ["/memories/a.txt", "/memories/sub/b.md", "/memories/sub/c d.md", "/memories/./a.txt"]
)
texts = st.sampled_from(["", "one", "one\ntwo\n", "one\none\nthree\nfour\nfive\nsix", "é\n\n", "x\r\ny\r\n"])
pieces = st.sampled_from(["one", "two", "\n", "three\nfour", "é", "zero", "one\none"])
commands = st.one_of(
    st.fixed_dictionaries({"command": st.just("create"), "path": paths, "file_text": texts}),
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": paths},
        optional={"view_range": st.sampled_from([[1, 2], [2, -1], [0, 9], [4, 2]])},
    ),
    st.fixed_dictionaries(
        {"command": st.just("str_replace"), "path": paths, "old_str": pieces, "new_str": pieces}
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": paths, "insert_line": st.integers(-1, 7), "insert_text": texts}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": paths}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": paths, "new_path": paths}),
)


def _answer(tool: Any, command: Command) -> object:
    try:
        return tool.call(dict(command))
    except ToolError as error:
        return f"error: {error}"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(commands=st.lists(commands, max_size=12))
def test_every_answer_is_that_of_the_sdks_own_tool(mama: Agent, commands: Sequence[Command]) -> None:
    ours = MemoryTool(mama)
    ours.clear_all_memory()
    with tempfile.TemporaryDirectory() as folder:
        theirs = BetaLocalFilesystemMemoryTool(folder)
        for command in commands:
            assert _answer(ours, command) == _answer(theirs, command), command


def test_a_folder_is_listed_two_levels_deep(mama: Agent) -> None:
    tool = MemoryTool(mama)
    assert _answer(tool, {"command": "view", "path": "/memories"}) == (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n0B\t/memories"
    )
    for path, size in (("b.md", 1), ("a/b/c/d.md", 1024), ("a/x.md", 512), (".hidden", 5), ("a/.git/x", 3)):
        tool.call({"command": "create", "path": f"/memories/{path}", "file_text": "x" * size})
    assert _answer(tool, {"command": "view", "path": "/memories"}) == (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n"
        "1.5K\t/memories\n1.5K\t/memories/a/\n1K\t/memories/a/b/\n512B\t/memories/a/x.md\n1B\t/memories/b.md"
    )
    tool.call({"command": "rename", "old_path": "/memories/a", "new_path": "/memories/z"})
    tool.call({"command": "delete", "path": "/memories/z/b"})
    assert str(_answer(tool, {"command": "view", "path": "/memories/z"})).endswith("\n512B\t/memories/z/x.md")


@pytest.mark.parametrize(
    "command",
    [
        {"command": "view", "path": "/etc/passwd"},
        {"command": "view", "path": "/memories/../etc/passwd"},
        {"command": "create", "path": "/memories/a/../../x", "file_text": ""},
        {"command": "create", "path": "/memoriesx/a", "file_text": ""},
        {"command": "create", "path": "/memories/a\x00b", "file_text": ""},
        {"command": "create", "path": "/memories", "file_text": ""},
        {"command": "create", "path": "/memories/file/below", "file_text": ""},
        {"command": "create", "path": f"/memories/{'long' * 300}", "file_text": ""},
        {"command": "str_replace", "path": "/memories", "old_str": "a", "new_str": "b"},
        {"command": "delete", "path": "/memories/."},
        {"command": "rename", "old_path": "/memories", "new_path": "/memories/a"},
        {"command": "rename", "old_path": "/memories/folder", "new_path": "/memories/folder/in"},
        {"command": "rename", "old_path": "/memories/file", "new_path": "/memories/../x"},
    ],
)
def test_what_leads_out_or_stands_in_the_way_is_refused(mama: Agent, command: Command) -> None:
    tool = MemoryTool(mama)
    for path in ("file", "folder/file"):
        tool.call({"command": "create", "path": f"/memories/{path}", "file_text": "text"})
    assert str(_answer(tool, command)).startswith("error: ")
    assert [hit.item.key for hit in mama.items.search()] == ["/memories/file", "/memories/folder/file"]


def test_tools_of_other_names_and_kinds_keep_their_own_files(mama: Agent) -> None:
    MemoryTool(mama, name="other").call({"command": "create", "path": "/memories/a", "file_text": "other"})
    tool = AsyncMemoryTool(mama, cache_control={"type": "ephemeral"})

    async def session() -> object:
        await tool.call({"command": "create", "path": "/memories/a", "file_text": "mine"})
        await tool.call(
            {"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "first"}
        )
        return await tool.call({"command": "view", "path": "/memories/a"})

    assert str(asyncio.run(session())).endswith("\n     1\tfirst\n     2\tmine\n     3\t")
    assert tool.to_dict() == {
        "type": "memory_20250818",
        "name": "memory",
        "cache_control": {"type": "ephemeral"},
    }
    assert "other" in str(_answer(MemoryTool(mama, name="other"), {"command": "view", "path": "/memories/a"}))


def test_two_calls_at_once_lose_nothing(mama: Agent) -> None:
    tool = AsyncMemoryTool(mama)

    async def session() -> str:
        await tool.call({"command": "create", "path": "/memories/a", "file_text": ""})
        await asyncio.gather(
            *(
                tool.call(
                    {"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": f"line {n}"}
                )
                for n in range(8)
            )
        )
        return str(await tool.call({"command": "view", "path": "/memories/a"}))

    shown = asyncio.run(session())
    assert all(f"line {n}" in shown for n in range(8))
