"""docs/mcp.md says what is so: its configurations parse, and name commands, options and tools that there are."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from reverie.doors.cli import main
from reverie.doors.mcp.core import CONTEXT_TOKENS, RECALL_TOKENS
from reverie.doors.mcp.definitions import CORE
from reverie.doors.mcp.definitions_admin import ADMIN
from reverie.doors.mcp.definitions_society import SOCIETY
from reverie.doors.mcp.diary import DIARY_TOKENS

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
    assert told == [
        (one.name, one.reads_only, one.destroys, one.idempotent) for one in (*CORE, *SOCIETY, *ADMIN)
    ]


def test_the_budgets_are_the_tools_own() -> None:
    assert f"within `max_tokens` ({RECALL_TOKENS:,})" in PAGE
    assert f"within `max_tokens` ({CONTEXT_TOKENS:,}, " in PAGE
    assert PAGE.count(f"within `max_tokens` ({DIARY_TOKENS:,})") >= 3
