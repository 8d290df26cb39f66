"""A host for the tests of the MCP server: the SDK's own client, in this process or against a child."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from reverie.client import Reverie
from reverie.domain.settings import RememberSettings, Settings
from reverie.doors.mcp.calls import Calls
from reverie.doors.mcp.server import make_server
from reverie.doors.mcp.toolbox import Toolbox
from reverie.embedders.hashing import HashingEmbedder

Result = TypeVar("Result")
ROOT = Path(__file__).resolve().parents[2]
# The pool's models have no place in tests of a door
SETTINGS = Settings(remember=RememberSettings(emotions=False))


def text_of(result: CallToolResult) -> str:
    """What a model reads of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@dataclass(frozen=True, kw_only=True)
class Host:
    """A host beside an open bank. Each call connects anew, and its answer is held against the tool's own schema."""

    reverie: Reverie
    toolbox: Toolbox
    calls: Calls

    def ask(self, question: Callable[[Client], Awaitable[Result]]) -> Result:
        """Runs a question to the server."""

        async def asked() -> Result | MCPError:
            async with Client(make_server(self.toolbox, self.calls)) as client:
                try:
                    return await question(client)
                except MCPError as error:  # raised in there, it would come out in groups of the SDK's own
                    return error

        answer = asyncio.run(asked())
        if isinstance(answer, MCPError):
            raise answer
        return answer

    def call(self, name: str, /, **arguments: object) -> CallToolResult:
        """Calls a tool, whatever comes of it."""

        async def called(client: Client) -> CallToolResult:
            await client.list_tools()
            return await client.call_tool(name, arguments)

        return self.ask(called)

    def text(self, name: str, /, **arguments: object) -> str:
        """What a tool says that must not fail."""
        result = self.call(name, **arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    def values(self, name: str, /, **arguments: object) -> Mapping[str, Any]:
        """A tool's values; it must not fail."""
        result = self.call(name, **arguments)
        assert not result.is_error, text_of(result)
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    def refusal(self, name: str, /, **arguments: object) -> str:
        """What a tool says that must refuse."""
        result = self.call(name, **arguments)
        assert result.is_error
        assert result.structured_content is None
        return text_of(result)


@contextmanager
def hosted(bank: Path | str, *, toolsets: Sequence[str] = ("core",), **given: Any) -> Iterator[Host]:
    """A bank with a cheap embedder, and a host beside it."""
    embedder = HashingEmbedder.for_tests()
    with Reverie.open(bank, encrypted=False, embedder=embedder, settings=SETTINGS, **given) as reverie:
        calls = Calls()
        try:
            yield Host(reverie=reverie, toolbox=Toolbox(reverie, "mama", toolsets), calls=calls)
        finally:
            calls.close()


def command(*arguments: str) -> list[str]:
    """`reverie mcp` as a child of this process."""
    return [sys.executable, "-m", "reverie", "mcp", *arguments]


def surroundings(home: Path, **given: str) -> dict[str, str]:
    """The child's environment: its own home, and nothing of ours that would lead it elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REVERIE_")}
    return {**kept, "HOME": str(home), "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", **given}
