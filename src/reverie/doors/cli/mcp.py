"""mcp: the agent's memory as tools for a host that speaks the Model Context Protocol."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.doors.cli import options
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import ServerToken

_HTTP = "Over HTTP"
_EXTRA = ("anyio", "mcp", "mcp_types", "starlette", "uvicorn")
DEFAULT_PORT = 8765

Http = Annotated[
    bool,
    typer.Option("--http", help="Serve over HTTP instead of stdin and stdout.", rich_help_panel=_HTTP),
]
Host = Annotated[
    str, typer.Option("--host", metavar="HOST", help="The address to listen on.", rich_help_panel=_HTTP)
]
Port = Annotated[
    int,
    typer.Option("--port", metavar="N", help="The port; 0 for any that is free.", rich_help_panel=_HTTP),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        metavar="FILE",
        help="Where the token lies; made where it isn't there. Without: REVERIE_MCP_TOKEN, or a new one each time.",
        rich_help_panel=_HTTP,
    ),
]
Names = Annotated[
    options.Names,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="What clients elsewhere call this server; needed for a --host that others can reach. May be repeated.",
        rich_help_panel=_HTTP,
    ),
]
NoLoop = Annotated[
    bool, typer.Option("--no-loop", help="Don't extract memories from what is observed meanwhile.")
]

Toolsets = Annotated[
    str,
    typer.Option(
        "--toolsets",
        metavar="A,B",
        help="Which tools: core, society for agents that live among others, admin to consolidate. Each costs context.",
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "mcp")(mcp)


def mcp(
    door: Door,
    http: Http = False,
    host: Host = "127.0.0.1",
    port: Port = DEFAULT_PORT,
    token_file: TokenFile = None,
    allow_hosts: Names = None,
    no_loop: NoLoop = False,
    toolsets: Toolsets = "core",
) -> Code:
    """Serve the agent's memory as tools (Model Context Protocol).

    For example:
      claude mcp add reverie -- reverie mcp --agent mama
      codex mcp add reverie -- reverie mcp --agent mama
      reverie mcp --agent nova --toolsets core,society
      reverie mcp --http --token-file ~/.config/reverie/mcp-token

    Without --http a host starts it and speaks to it by stdin and stdout. It ends when the host does.

    With --http it listens on this machine alone, and every request needs the header "Authorization:
    Bearer TOKEN". It speaks plain HTTP: let others reach it only through a proxy that adds TLS.
    """
    _check_extra()
    from reverie.doors.mcp.toolbox import checked_toolsets

    tools = checked_toolsets(part for each in toolsets.split(",") if (part := each.strip()))
    with ExitStack() as stack:
        if http:
            names = tuple(allow_hosts or ())
            _serve_http(door, stack, tools, host, port, token_file, names, loop=not no_loop)
        else:
            _serve_stdio(door, stack, tools, loop=not no_loop)
    return Code.DONE


def _serve_stdio(door: Door, stack: ExitStack, toolsets: Sequence[str], *, loop: bool) -> None:
    from reverie.doors.mcp.descriptors import taken

    if sys.stdin.isatty():
        door.out.say("waiting for a host's messages on stdin; a host starts this by itself, see docs/mcp.md")
    wire = taken()
    reverie = stack.enter_context(door.opened(make=True, actor="mcp"))
    from reverie.doors.mcp.program import run_stdio
    from reverie.worker import Worker

    if loop:
        stack.enter_context(Worker(reverie))
    run_stdio(reverie, door.agent_id, toolsets, wire)


def _serve_http(
    door: Door,
    stack: ExitStack,
    toolsets: Sequence[str],
    host: str,
    port: int,
    token_file: Path | None,
    names: tuple[str, ...],
    *,
    loop: bool,
) -> None:
    from reverie.client import server_token
    from reverie.doors.mcp.listening import opened
    from reverie.doors.mcp.program import run_http
    from reverie.worker import Worker

    token = server_token(token_file)
    place = opened(host, port, names=names, own_token=not token.fresh)
    stack.callback(place.socket.close)
    reverie = stack.enter_context(door.opened(make=True, actor="mcp"))
    if loop:
        stack.enter_context(Worker(reverie))
    _announce(door, place.url, token)
    run_http(reverie, door.agent_id, toolsets, place, token.text)


def _announce(door: Door, url: str, token: ServerToken) -> None:
    """Where it is served, and the token where nobody else knows it."""
    if door.out.as_json:
        shown = token.text if token.fresh else None
        door.out.document({"agent": door.agent_id, "url": url, "token": shown, "token_from": token.source})
        door.out.flush()
        return
    door.out.say(f"serving {door.agent_id!r} at {url}")
    if token.fresh:
        door.out.say(f"for this run, clients send the header Authorization: Bearer {token.text}")
    else:
        door.out.say(
            f"clients send the header Authorization: Bearer TOKEN, with the token from {token.source}"
        )


def _check_extra() -> None:
    """The protocol's packages are an extra: whoever keeps to the command line need not have them. Raises
    InvalidInput.
    """
    if any(find_spec(name) is None for name in _EXTRA):
        raise InvalidInput(
            "mcp", "the packages of the MCP server are not installed", "pip install 'reverie-memory[server]'"
        )
