"""`reverie mcp` as a host starts it: a process of its own, an encrypted bank, the built-in model, the SDK's client."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from reverie.client import Reverie
from tests.doors.commands import Cli
from tests.doors.mcp_host import command, surroundings
from tests.doors.test_mcp_wire import HELLO, READY, calling

pytestmark = pytest.mark.slow
KEY = "5e" * 32
Result = TypeVar("Result")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return surroundings(
        tmp_path, REVERIE_BANK=str(tmp_path / "a.bank"), REVERIE_KEY=KEY, REVERIE_AGENT="mama"
    )


def over_stdio(env: dict[str, str], question: Callable[[Client], Awaitable[Result]], *options: str) -> Result:
    program, *arguments = command(*options)

    async def asked() -> Result:
        async with Client(StdioServerParameters(command=program, args=arguments, env=env)) as client:
            return await question(client)

    return asyncio.run(asked())


@contextmanager
def child(env: dict[str, str], *arguments: str, code: str | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """The server as a child, killed if the test leaves it running."""
    started = command(*arguments) if code is None else [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(started, stdin=pipe, stdout=pipe, stderr=pipe, env=env) as process:
        try:
            yield process
        finally:
            process.kill()


def send(process: subprocess.Popen[bytes], *messages: object) -> None:
    assert process.stdin is not None
    process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    process.stdin.flush()


def reply(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def texts(result: CallToolResult) -> str:
    assert not result.is_error
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def opened(env: dict[str, str]) -> Reverie:
    return Reverie.open(env["REVERIE_BANK"], key=KEY, create=False)


def test_the_sdks_own_client_works_with_all_core_tools(env: dict[str, str]) -> None:
    async def session(client: Client) -> dict[str, CallToolResult]:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        rule = {"content": "Never deploy on a Friday", "type": "policy"}
        results = {
            "memory_learn": await client.call_tool("memory_learn", rule),
            "memory_recall": await client.call_tool("memory_recall", {"query": "may I ship on Friday?"}),
            "memory_episode": await client.call_tool("memory_episode", {"event": "Deployed 2.4"}),
            "memory_procedure": await client.call_tool(
                "memory_procedure", {"name": "deploy", "steps": ["run the tests", "tag", "push"]}
            ),
            "memory_context": await client.call_tool("memory_context", {"task": "deploy the release"}),
        }
        id = results["memory_learn"].structured_content["id"]
        correction = {"id": id, "how": "corrects", "content": "Never deploy on a Friday or a Saturday"}
        results["memory_update"] = await client.call_tool("memory_update", correction)
        results["memory_forget"] = await client.call_tool("memory_forget", {"id": id})
        assert tools == set(results)
        return results

    results = over_stdio(env, session)
    said = {name: texts(result) for name, result in results.items()}
    assert "Never deploy on a Friday" in said["memory_recall"]
    assert "Never deploy on a Friday" in said["memory_context"]
    assert "1. run the tests\n2. tag\n3. push" in said["memory_procedure"]
    assert "Forgotten: memories 1" in said["memory_forget"]
    with opened(env) as reverie:
        assert reverie.agent("mama").stats().episodes == 1
        assert {entry.actor for entry in reverie.agent("mama").audit()} == {"mcp"}


def test_a_program_offers_the_toolsets_that_it_is_asked_for_and_counts_recalls_though_the_host_goes_at_once(
    env: dict[str, str],
) -> None:
    async def session(client: Client) -> tuple[int, CallToolResult]:
        tools = (await client.list_tools()).tools
        await client.call_tool("memory_learn", {"content": "Anna is allergic to nuts"})
        await client.call_tool("write_diary", {"text": "Kade kept his word.", "date": "2026-05-13"})
        page = await client.call_tool("show_diary_entries_from_day", {"date": "2026-05-13"})
        await client.call_tool("memory_recall", {"query": "nuts"})
        return len(tools), page

    count, page = over_stdio(env, session, "--toolsets", "core,society")
    assert (count, "Kade kept his word." in texts(page)) == (19, True)
    with opened(env) as reverie:
        assert [memory.touches for memory in reverie.agent("mama").memories()] == [1]


NOISY = """
import os, sys, threading, time
from reverie.client import Reverie

def noisy(self):
    for _ in range(200):
        print("a library says hello")
        os.write(1, b"so does one in C\\n")
        os.system("echo and a child")
        time.sleep(0.001)
    threading.Event().set()

Reverie.warm = noisy
from reverie.doors.cli import main
sys.exit(main(["mcp"]))
"""


def test_nothing_but_the_protocol_reaches_stdout(env: dict[str, str]) -> None:
    with child(env, code=NOISY) as process:
        asked = [calling(n, "memory_learn", content=f"Room {n} is free") for n in range(1, 20)]
        send(process, HELLO, READY, {"nonsense": 1}, calling(20, "memory_nothing"), *asked)
        out, err = process.communicate(timeout=300)
    replies = [json.loads(line) for line in out.splitlines()]
    assert process.returncode == 0
    assert {one["jsonrpc"] for one in replies} == {"2.0"}
    assert {one["id"] for one in replies} == set(range(21))
    for text in (b"a library says hello", b"so does one in C", b"and a child"):
        assert err.count(text) == 200


def test_nothing_that_was_said_reaches_stderr(env: dict[str, str]) -> None:
    with child(env, "--no-loop") as process:
        wrong = [
            calling(1, "memory_learn", content="s3cret", importance="s3cret"),
            calling(2, "s3cret", s3cret=1),
        ]
        broken = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": ["s3cret"]}}
        send(process, HELLO, READY, *wrong, broken, {"s3cret": "s3cret"}, "s3cret")
        out, err = process.communicate(timeout=300)
    assert len(out.splitlines()) == 4
    assert err == b""


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_everything_kept(env: dict[str, str], number: signal.Signals) -> None:
    with child(env) as process:
        send(process, HELLO, READY, calling(1, "memory_learn", content="Anna is allergic to nuts"))
        assert [reply(process)["id"], reply(process)["id"]] == [0, 1]
        send(process, calling(2, "memory_recall", query="nuts"))
        assert reply(process)["id"] == 2
        process.send_signal(number)
        assert process.wait(30) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
    with opened(env) as reverie:
        assert [memory.touches for memory in reverie.agent("mama").memories()] == [1]


def test_a_wrong_key_is_told_on_stderr_alone(env: dict[str, str]) -> None:
    with Reverie.open(env["REVERIE_BANK"], key=KEY) as reverie:
        reverie.agent("mama").remember("Anna is allergic to nuts")
    with child({**env, "REVERIE_KEY": "00" * 32}) as process:
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out) == (3, b"")
    assert b"can't be opened with the key from REVERIE_KEY" in err
    assert b"Traceback" not in err


@contextmanager
def site(env: dict[str, str], *arguments: str) -> Iterator[tuple[str, str, subprocess.Popen[bytes]]]:
    """Its address, what it said at the start, and the child."""
    with child(env, "--http", "--port", "0", *arguments) as process:
        assert process.stderr is not None
        first, second = process.stderr.readline().decode(), process.stderr.readline().decode()
        found = re.search(r"http://\S+", first)
        assert found, first + second
        yield found[0], second, process


async def over_http(url: str, token: str, name: str, **arguments: object) -> CallToolResult:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        await client.list_tools()
        return await client.call_tool(name, arguments)


def test_over_http_the_printed_token_is_the_key(env: dict[str, str]) -> None:
    with site(env) as (url, said, process):
        token = said.split()[-1]
        learned = asyncio.run(over_http(url, token, "memory_learn", content="Anna is allergic to nuts"))
        found = asyncio.run(over_http(url, token, "memory_recall", query="what can't Anna eat?"))
        assert httpx2.post(url, json={}, headers={"Authorization": "Bearer guess"}).status_code == 401
        process.terminate()
        out, err = process.communicate(timeout=300)
    assert not learned.is_error
    assert "Anna is allergic to nuts" in texts(found)
    assert (process.returncode, out, err) == (0, b"", b"")


def test_a_program_is_told_address_and_token_as_json(env: dict[str, str]) -> None:
    with child(env, "--http", "--port", "0", "--json") as process:
        assert process.stdout is not None
        told = json.loads("".join(process.stdout.readline().decode() for _ in range(6)))
        assert not asyncio.run(over_http(told["url"], told["token"], "memory_recall", query="tea")).is_error
    assert (told["agent"], told["token_from"]) == ("mama", "this run")


def test_a_token_from_the_environment_is_not_printed(env: dict[str, str]) -> None:
    token = "e" * 40
    with site({**env, "REVERIE_MCP_TOKEN": token}) as (url, said, _):
        assert "REVERIE_MCP_TOKEN" in said
        assert token not in said
        assert not asyncio.run(over_http(url, token, "memory_recall", query="tea")).is_error


def test_a_token_file_is_made_once_and_kept(env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "token"
    for _ in range(2):
        with site(env, "--token-file", str(path)) as (url, said, _):
            token = path.read_text().strip()
            assert token not in said
            assert not asyncio.run(over_http(url, token, "memory_recall", query="tea")).is_error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--host", "0.0.0.0"), "can be reached from other machines"),
        (("--host", "0.0.0.0", "--allow-host", "m.example"), "needs a token of your own"),
        (("--port", "70000"), "is no port"),
    ],
    ids=["other machines", "no token of one's own", "no port"],
)
def test_what_is_unsafe_is_refused_before_the_bank_is_made(
    cli: Cli, arguments: tuple[str, ...], said: str
) -> None:
    ran = cli("mcp", "--http", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert not cli.bank.exists()
