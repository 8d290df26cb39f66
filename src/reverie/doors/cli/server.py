"""Servers: mcp, postgres, llm."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from reverie.domain.database import Prepared
from reverie.domain.model_check import STEPS, ModelCheck
from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import OF_BANK, Door, command
from reverie.doors.cli.options import DryRun, Names, Text, argument, option
from reverie.errors import InvalidInput
from reverie.errors.extras import install

_EXTRA = ("anyio", "mcp", "mcp_types", "starlette", "uvicorn")
GET_PACKAGES = install("server")
_SHOWN = 5  # of each list
_MOST_PASSWORD = 4_096
DEFAULT_PORT = 8765
over_http = partial(option, panel="Over HTTP")


def has_packages() -> bool:
    """Return whether the MCP server can run: its packages are an extra, which the command line doesn't need."""
    return all(find_spec(name) is not None for name in _EXTRA)


@command("mcp")
def mcp(
    door: Door,
    http: Annotated[bool, over_http("--http", "Serve over HTTP instead of stdin and stdout.")] = False,
    host: Annotated[str, over_http("--host", "The address to listen on.", "HOST")] = "127.0.0.1",
    port: Annotated[int, over_http("--port", "The port; 0 for any that is free.", "N")] = DEFAULT_PORT,
    token_file: Annotated[
        Path | None,
        over_http(
            "--token-file",
            "The token's file, made if missing. Default: REVERIE_MCP_TOKEN, or a new token each time.",
            "FILE",
        ),
    ] = None,
    allow_hosts: Annotated[
        Names,
        over_http(
            "--allow-host",
            "A name that remote clients use for this server; needed for a --host that others can reach. Repeatable.",
            "NAME",
        ),
    ] = None,
    no_loop: Annotated[bool, option("--no-loop", "Don't extract memories from what is observed.")] = False,
    toolsets: Annotated[
        str,
        option(
            "--toolsets",
            "Which tools: core, society for agents among others, admin to consolidate, graph as the reference memory"
            " server has them. Each costs context.",
            "A,B",
        ),
    ] = "core",
) -> Code:
    """Serve the agent's memory as tools (Model Context Protocol).

    For example:
      claude mcp add reverie -- reverie mcp --agent mama
      codex mcp add reverie -- reverie mcp --agent mama
      reverie mcp --agent nova --toolsets core,society
      reverie mcp --http --token-file ~/.config/reverie/mcp-token

    Without --http a host starts it and speaks to it by stdin and stdout. It ends when the host does.

    With --http it listens on this machine alone, and every request needs the header "Authorization: Bearer TOKEN". It
    speaks plain HTTP: let others reach it only through a proxy that adds TLS.
    """
    if not has_packages():
        problem = "the packages of the MCP server are not installed"
        raise InvalidInput("mcp", problem, GET_PACKAGES)
    from reverie.doors.mcp.toolbox import checked_toolsets

    tools = checked_toolsets(part for each in toolsets.split(",") if (part := each.strip()))
    with ExitStack() as stack:
        if http:
            _serve_http(
                door, stack, tools, host, port, token_file, tuple(allow_hosts or ()), loop=not no_loop
            )
        else:
            _serve_stdio(door, stack, tools, loop=not no_loop)
    return Code.DONE


def _serve_stdio(door: Door, stack: ExitStack, toolsets: Sequence[str], *, loop: bool) -> None:
    from reverie.doors.mcp.descriptors import taken

    if sys.stdin.isatty():
        door.out.say("waiting for a host's messages on stdin; a host starts this by itself, see docs/mcp.md")
    wire = taken()
    reverie = door.reverie(make=True, actor="mcp")
    from reverie.doors.mcp.program import run_stdio
    from reverie.worker import Worker

    if loop:
        stack.enter_context(Worker(reverie))
    run_stdio(reverie, door.agent_id, toolsets, wire)


def _serve_http(
    door: Door, stack: ExitStack, toolsets: Sequence[str], host: str, port: int, token_file: Path | None,
    names: tuple[str, ...], *, loop: bool,
) -> None:  # fmt: skip
    from reverie.client import server_token
    from reverie.doors.mcp.http import PATH
    from reverie.doors.mcp.program import run_http
    from reverie.doors.serving.listening import opened
    from reverie.worker import Worker

    token = server_token(token_file)
    place = opened(host, port, names=names, own_token=not token.fresh, path=PATH)
    stack.callback(place.socket.close)
    reverie = door.reverie(make=True, actor="mcp")
    if loop:
        stack.enter_context(Worker(reverie))
    if door.out.as_json:
        shown = token.text if token.fresh else None
        where = {"agent": door.agent_id, "url": place.url}
        door.out.document({**where, "token": shown, "token_from": token.source})
        door.out.flush()
    header = "clients send the header Authorization: Bearer"
    door.out.say(f"serving {door.agent_id!r} at {place.url}")
    door.out.say(
        f"for this run, {header} {token.text}"
        if token.fresh
        else f"{header} TOKEN, with the token from {token.source}"
    )
    run_http(reverie, door.agent_id, toolsets, place, token.text)


Url = Annotated[
    str,
    argument("URL", "postgresql://user@host/database. The password: PGPASSWORD or ~/.pgpass, as for psql."),
]


@command("postgres init", shared=("as_json",))
def postgres_init(
    door: Door,
    where: Url,
    app_role: Annotated[
        Text, option("--app-role", "The role that the application logs in as. Default: reverie_app.", "ROLE")
    ] = None,
    owner_role: Annotated[
        Text,
        option(
            "--owner-role", "The role that owns the tables; nobody logs in. Default: reverie_owner.", "ROLE"
        ),
    ] = None,
    password_stdin: Annotated[
        bool, option("--password-stdin", "Read the application role's new password from stdin.")
    ] = False,
    partitions: Annotated[
        int | None, option("--partitions", "Parts of the two large tables, for good. Default: 8.", "N")
    ] = None,
    dimensions: Annotated[
        list[int] | None,
        option(
            "--dimensions",
            "Index vectors of this many dimensions; repeatable. Default: 384, the built-in embedder's.",
            "N",
        ),
    ] = None,
    citus: Annotated[
        bool | None,
        option("--citus/--no-citus", "Spread the agents over the nodes of a Citus cluster, or not."),
    ] = None,
    shards: Annotated[
        int | None, option("--shards", "With --citus: in so many parts, for good. Default: 32.", "N")
    ] = None,
    dry_run: DryRun = False,
) -> Code:
    """Prepare a PostgreSQL database for banks, or bring it up to date. Safe to repeat.

    For example:
      reverie postgres init postgresql://postgres@db.example/memory
      reverie postgres init postgresql://postgres@db.example/memory --password-stdin < password.txt
      reverie postgres init postgresql://postgres@db.example/memory --dry-run > prepare.sql
      reverie postgres init postgresql://postgres@coordinator.example/memory --citus

    The URL's user must be allowed to make roles, a schema in this database and the extension vector, or find them
    made. What is missing is made, and rights are granted anew. --dry-run prints the SQL.
    """
    _check_shared(door)
    password = _password() if password_stdin else None
    from reverie.client import prepare_database

    done = prepare_database(
        where, app_role=app_role, owner_role=owner_role, password=password, partitions=partitions,
        dimensions=dimensions or (384,), citus=citus, shards=shards, dry_run=dry_run,
    )  # fmt: skip
    names = [name for name in Prepared.__dataclass_fields__ if name != "sql" or done.dry_run]
    document = {name: getattr(done, name) for name in names}
    if done.dry_run:
        acts = zip(done.did, done.sql, strict=False)
        code = door.tell(document, "\n\n".join(f"-- {what}\n{sql}" for what, sql in acts))
        if password:
            door.out.say(f"And it would set the password of {done.app_role}: the server gets its hash alone.")
        return code
    vectors = f"vectors of {words.listed(done.dimensions)} dimensions"
    parts = words.counted(
        *((done.partitions, "partition") if done.shards is None else (done.shards, "shard"))
    )
    code = door.tell(
        document,
        f"ready: {done.where}, schema {done.schema} number {done.number}, {parts}, {vectors}",
        *(f"  {what}: done" for what in done.did),
        f"The application's URL: {done.url}",
    )
    if not password:
        door.out.say(f"The password of {done.app_role} was left as it is; --password-stdin sets one.")
    return code


@command("postgres scour", shared=("as_json",))
def postgres_scour(door: Door, where: Url) -> Code:
    """Remove what was forgotten from the database's files: rewrite its tables and indexes.

    For example:
      reverie postgres scour postgresql://postgres@db.example/memory

    The URL is the one that prepared the database. Each table is locked while it is rewritten, and the disk must hold
    it twice. Write-ahead logs and their archives, replicas and backups are not reached.
    """
    _check_shared(door)
    from reverie.client import scour_database

    done = scour_database(where)
    sizes = f"{words.size(done.before)} before, {words.size(done.after)} after"
    code = Code.NOTHING if done.held else Code.DONE
    door.tell(done, f"rewrote {words.counted(done.tables, 'table')} of {done.where}: {sizes}")
    if done.held:
        door.out.say(
            f"{words.counted(done.held, 'transaction')} stayed open all the while and may still see what was"
            " forgotten: run this again when they have ended."
        )
    if not done.checkpointed:
        door.out.say("The old files are empty; the server removes them with its next checkpoint.")
    door.out.say("Write-ahead logs and their archives, replicas and backups were not reached.")
    return code


@command("postgres status", shared=("as_json",))
def postgres_status(door: Door, where: Url) -> Code:
    """Show how the banks of a database lie: sizes, the largest agents, and on a cluster what is out of balance.

    For example:
      reverie postgres status postgresql://postgres@coordinator.example/memory

    The URL is the one that prepared the database. With millions of agents it takes seconds.
    """
    _check_shared(door)
    from reverie.client import database_status

    found = database_status(where)
    parts = "" if found.shards is None else f", {words.counted(found.shards, 'shard')}"
    lines = [
        f"{found.where}: schema number {found.number}{parts}",
        f"{words.counted(found.agents, 'agent')}, {words.counted(found.texts, 'text')}, {words.size(found.bytes)}",
        *(
            f"  node {one.node}: {words.size(one.bytes)} in {words.counted(one.shards, 'shard')}"
            for one in found.nodes
        ),
        *(f"  table {name}: {words.size(number)}" for name, number in list(found.tables.items())[:_SHOWN]),
        *(f"  agent {one.agent_id}: {words.counted(one.number, 'text')}" for one in found.largest[:_SHOWN]),
        *(f"  asked most: {one.agent_id}, {one.number:,} times" for one in (found.busiest or ())[:_SHOWN]),
        *(f"out of balance: {line}" for line in found.uneven),
    ]
    return door.tell(found, *lines)


@command("postgres move", shared=("as_json",))
def postgres_move(
    door: Door,
    where: Url,
    agent: Annotated[str, argument("AGENT", "Whose rows are to lie on a shard of their own.")],
    to: Annotated[
        Text,
        option("--to", "The node, as `postgres status` names it. Default: what holds least.", "HOST:PORT"),
    ] = None,
) -> Code:
    """Give a huge agent of a Citus cluster a shard of its own, on another node.

    For example:
      reverie postgres move postgresql://postgres@coordinator.example/memory mama
      reverie postgres move postgresql://postgres@coordinator.example/memory mama --to worker-3.example:5432

    The URL is the one that prepared the database. Readers and writers go on meanwhile where the servers keep a logical
    log (wal_level = logical); else the writers of the agents beside it wait.
    """
    _check_shared(door)
    from reverie.client import move_agent

    done = move_agent(where, agent, to=to)
    way = f"on {done.target}" if done.source == done.target else f"from {done.source} to {done.target}"
    return door.tell(done, f"agent {done.agent_id} has a shard of its own: {way}")


def _password() -> str:
    """Return the first line of stdin; where that is a terminal, read without an echo."""
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass("New password of the application's role: ")
    return sys.stdin.readline(_MOST_PASSWORD).rstrip("\r\n")


def _check_shared(door: Door) -> None:
    if door.bank is not None:
        problem = "this command takes its database behind it"
        raise InvalidInput("--bank", problem, "give the URL as its argument")


_STEPS = {"server": "server reached", "key": "key taken", "model": "model known", "answer": "answer in JSON"}
_WAYS = {
    "schema": "by the provider's mode for a JSON Schema",
    "tool": "by a tool call",
    "words": "as the prompt asks for it",
}
_SENDS = {
    "everything": "everything, to this machine alone",
    "messages": "messages as they were said (Settings.llm.send_raw) and the memories that bear on them, without"
    " secrets",
    "sentences": "the sentences that this machine holds lasting and the memories that bear on them, without secrets,"
    " e-mail addresses and telephone numbers",
}


@command("llm check", shared=OF_BANK)
def llm_check(door: Door) -> Code:
    """Ask the language model one tiny question: what works, what it cost, and what a night would send.

    For example:
      REVERIE_MIND=llm REVERIE_LLM_MODEL=ollama:qwen3 reverie llm check

    Exit code 3 if it can't be used; nothing of the bank is sent.
    """
    found = door.reverie(make=True).check_model()
    steps = {step: found.has(step) for step in STEPS}
    door.tell({**asdict(found), "works": found.works, "steps": steps}, *_checked(found))
    if found.problem is not None:
        door.out.say(f"{found.model} can't be used: {found.problem}")
    return Code.DONE if found.works else Code.NO_BANK


def _checked(found: ModelCheck) -> list[str]:
    shown = {True: "yes", False: "no", None: "not found out"}
    rows = [("model", f"{found.model} at {found.server}")]
    rows += [(_STEPS[step], shown[found.has(step)]) for step in STEPS]
    if found.works and found.way is not None:
        rows[-1] = (_STEPS["answer"], f"yes, {_WAYS[found.way]}")
    spent = found.spent
    price = f"${spent.micro_dollars / 1e6:.6f}" if found.is_priced else "price unknown (Settings.llm.prices)"
    tokens = f"{words.counted(spent.input_tokens, 'token')} read, {spent.output_tokens:,} written"
    rows += [("cost", f"{words.counted(spent.calls, 'call')}, {tokens}, {price}")]
    rows += [("a night sends", _SENDS[found.sends])]
    return [f"{name:<16}{value}" for name, value in rows]
