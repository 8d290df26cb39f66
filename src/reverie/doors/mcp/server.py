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
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)

from reverie._version import __version__
from reverie.doors.mcp import words
from reverie.doors.mcp.answer import Answer
from reverie.doors.mcp.calls import Calls
from reverie.doors.mcp.places import Place
from reverie.doors.mcp.refusal import breakdown, refusal
from reverie.doors.mcp.toolbox import Toolbox
from reverie.errors import ReverieError
from reverie.errors.places import place_of

Result = TypeVar("Result")
_Context = ServerRequestContext[Any, Any]


def make_server(toolbox: Toolbox, calls: Calls) -> Server[Any]:
    """Return a server of these tools over any transport. Whoever made ``calls`` closes it."""
    handlers = _Handlers(toolbox, calls)
    return Server(
        "reverie",
        version=__version__,
        title="Reverie",
        instructions=toolbox.instructions,
        on_list_tools=handlers.tools,
        on_call_tool=handlers.call,
        on_list_resources=handlers.resources,
        on_list_resource_templates=handlers.templates,
        on_read_resource=handlers.read,
        on_list_prompts=handlers.prompts,
        on_get_prompt=handlers.prompt,
    )


class _Handlers:
    def __init__(self, toolbox: Toolbox, calls: Calls) -> None:
        self._toolbox = toolbox
        self._calls = calls

    async def tools(self, _context: _Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[definition.tool for definition in self._toolbox.definitions])

    async def call(self, _context: _Context, params: CallToolRequestParams) -> CallToolResult:
        done = await self._calls.done(partial(self._toolbox.call, params.name, params.arguments or {}))
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
        return ListResourcesResult(
            resources=[
                Resource(uri=place.uri, name=place.name, description=place.description, mime_type=place.type)
                for place in self._toolbox.places
                if not place.varies
            ]
        )

    async def templates(
        self, _context: _Context, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(
            resource_templates=[
                ResourceTemplate(
                    uri_template=place.uri,
                    name=place.name,
                    description=place.description,
                    mime_type=place.type,
                )
                for place in self._toolbox.places
                if place.varies
            ]
        )

    async def read(self, _context: _Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        uri = str(params.uri)
        place, value = self._place(uri)
        text = await self._asked(place.uri, partial(place.read, value))
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=place.type, text=text)])

    def _place(self, uri: str) -> tuple[Place, str]:
        places = self._toolbox.places
        for place in places:
            value = place.value_in(uri)
            if value is not None:
                return place, value
        known = ", ".join(place.uri for place in places)
        raise MCPError(INVALID_PARAMS, f"There is no such resource; read {known}.")

    async def prompts(self, _context: _Context, _params: PaginatedRequestParams | None) -> ListPromptsResult:
        task = PromptArgument(name="task", description="What is to be done.", required=False)
        return ListPromptsResult(
            prompts=[
                Prompt(
                    name=one.name, description=one.description, arguments=[task] if one.takes_task else None
                )
                for one in self._toolbox.prompts
            ]
        )

    async def prompt(self, _context: _Context, params: GetPromptRequestParams) -> GetPromptResult:
        told = next((one for one in self._toolbox.prompts if one.name == params.name), None)
        if told is None:
            known = ", ".join(one.name for one in self._toolbox.prompts)
            raise MCPError(INVALID_PARAMS, f"There is no such prompt; get {known}.")
        if told.takes_task:
            task = (params.arguments or {}).get("task") or None
            context = await self._asked(params.name, partial(self._toolbox.context, task))
            text = words.primed(self._toolbox.instructions, task, context)
        else:
            text = words.CONSOLIDATE
        message = PromptMessage(role="user", content=_text(text))
        return GetPromptResult(description=told.description, messages=[message])

    async def _asked(self, what: str, verb: Callable[[], Result]) -> Result:
        """Answer a request that has no result of its own to tell an error in."""
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
    """Log an error that nobody foresaw, and return what the model is told. Both have its type and place alone, since
    its message may hold contents.
    """
    kind, place = type(error).__name__, place_of(error)
    sys.stderr.write(f"reverie mcp: {what:.60} failed: {kind} at {place}\n")
    return breakdown(what, kind, place)


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)
