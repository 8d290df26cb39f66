"""The server: tools, resource and prompt put together, whatever the transport."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
)

from reverie._version import __version__
from reverie.doors.mcp import words
from reverie.doors.mcp.answer import Answer
from reverie.doors.mcp.calls import Calls, place_of
from reverie.doors.mcp.core import Core
from reverie.doors.mcp.definitions import CORE
from reverie.doors.mcp.refusal import breakdown, refusal
from reverie.errors import ReverieError

CONTEXT = "memory://context"
_PLAIN = "text/plain"
Result = TypeVar("Result")
_Context = ServerRequestContext[Any, Any]


def make_server(core: Core, calls: Calls) -> Server[Any]:
    """A server of toolset ``core`` over any transport. Closing ``calls`` is for who made it."""
    handlers = _Handlers(core, calls)
    return Server(
        "reverie",
        version=__version__,
        title="Reverie",
        instructions=words.INSTRUCTIONS,
        on_list_tools=handlers.tools,
        on_call_tool=handlers.call,
        on_list_resources=handlers.resources,
        on_read_resource=handlers.read,
        on_list_prompts=handlers.prompts,
        on_get_prompt=handlers.prompt,
    )


class _Handlers:
    def __init__(self, core: Core, calls: Calls) -> None:
        self._core = core
        self._calls = calls

    async def tools(self, _context: _Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[definition.tool for definition in CORE])

    async def call(self, _context: _Context, params: CallToolRequestParams) -> CallToolResult:
        done = await self._calls.done(partial(self._core.call, params.name, params.arguments or {}))
        match done.exception():
            case None:
                return _told(done.result())
            case ReverieError() as error:
                return _refused(refusal(params.name, error))
            case error:
                return _refused(_broken(params.name, error))

    async def resources(
        self, _context: _Context, _params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        context = Resource(
            uri=CONTEXT, name="context", description="What to know before any task.", mime_type=_PLAIN
        )
        return ListResourcesResult(resources=[context])

    async def read(self, _context: _Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        if str(params.uri) != CONTEXT:
            raise MCPError(INVALID_PARAMS, f"There is no such resource; read {CONTEXT}.")
        text = await self._asked(CONTEXT, self._core.context)
        return ReadResourceResult(contents=[TextResourceContents(uri=CONTEXT, mime_type=_PLAIN, text=text)])

    async def prompts(self, _context: _Context, _params: PaginatedRequestParams | None) -> ListPromptsResult:
        task = PromptArgument(name="task", description="What is to be done.", required=False)
        prompt = Prompt(name=words.PROMPT_NAME, description=words.PROMPT_DESCRIPTION, arguments=[task])
        return ListPromptsResult(prompts=[prompt])

    async def prompt(self, _context: _Context, params: GetPromptRequestParams) -> GetPromptResult:
        if params.name != words.PROMPT_NAME:
            raise MCPError(INVALID_PARAMS, f"There is no such prompt; get {words.PROMPT_NAME}.")
        task = (params.arguments or {}).get("task") or None
        context = await self._asked(params.name, partial(self._core.context, task))
        message = PromptMessage(role="user", content=_text(words.primed(task, context)))
        return GetPromptResult(description=words.PROMPT_DESCRIPTION, messages=[message])

    async def _asked(self, what: str, verb: Callable[[], Result]) -> Result:
        """For what has no result of its own to tell an error in."""
        done = await self._calls.done(verb)
        match done.exception():
            case None:
                return done.result()
            case ReverieError() as error:
                raise MCPError(INTERNAL_ERROR, refusal(what, error))
            case error:
                raise MCPError(INTERNAL_ERROR, _broken(what, error))


def _told(answer: Answer) -> CallToolResult:
    values: Mapping[str, object] = answer.values
    return CallToolResult(content=[_text(answer.text)], structured_content=dict(values))


def _refused(text: str) -> CallToolResult:
    return CallToolResult(content=[_text(text)], is_error=True)


def _broken(what: str, error: BaseException) -> str:
    """For an error that nobody foresaw: its message may hold contents, so its type and place must do."""
    kind, place = type(error).__name__, place_of(error)
    sys.stderr.write(f"reverie mcp: {what:.60} failed: {kind} at {place}\n")
    return breakdown(what, kind, place)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)
