"""What a refusal tells the model to do can be done."""

from __future__ import annotations

import re

import pytest

from reverie.doors.mcp.refusal import refusal
from reverie.errors import Forgotten, InvalidInput
from tests.doors.test_commands import ALL

TOOLS = [
    "memory_learn", "memory_procedure", "add_to_longterm_memory", "add_to_soul", "write_diary", "assign_relationship",
]  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS)
def test_a_refusal_names_a_command_that_exists(tool: str) -> None:
    (command,) = re.findall(r"`reverie ([a-z -]+?) --override`", refusal(tool, Forgotten("essence")))
    assert command in ALL


def test_a_refusal_names_the_tools_own_argument() -> None:
    error = InvalidInput("content", "it is empty", "say something")
    assert refusal("memory_episode", error).startswith("event: ")
    assert refusal("memory_learn", error).startswith("content: ")
