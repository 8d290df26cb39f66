"""The wire: a message a line, over two pipes that the test holds the other ends of."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from reverie.doors.mcp.descriptors import Descriptors
from reverie.doors.mcp.server import make_server
from reverie.doors.mcp.wire import serve
from tests.doors.mcp_host import Host, hosted

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def calling(id: int, tool: str, **arguments: object) -> dict[str, object]:
    return {
        "jsonrpc": "2.0",
        "id": id,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }


@dataclass
class Line:
    """A served connection, run in a thread; ``close`` is the host going away."""

    host: Host
    to: int
    came: int
    thread: threading.Thread
    loop: asyncio.AbstractEventLoop
    stop: asyncio.Event
    rest: bytes = field(default=b"")

    def send(self, *messages: object) -> None:
        self.send_raw(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def send_raw(self, raw: bytes) -> None:
        while raw:
            raw = raw[os.write(self.to, raw) :]

    def close(self) -> None:
        if self.to >= 0:
            os.close(self.to)
            self.to = -1

    def reply(self) -> Any:
        while b"\n" not in self.rest:
            chunk = os.read(self.came, 65_536)
            assert chunk, "the server ended"
            self.rest += chunk
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def ended(self) -> bool:
        self.thread.join(20)
        return not self.thread.is_alive()

    def stopped(self) -> None:
        self.loop.call_soon_threadsafe(self.stop.set)


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    with hosted(tmp_path / "a.bank", toolsets=("core", "admin")) as host:
        (reads, to), (came, writes) = os.pipe(), os.pipe()
        ready = threading.Event()
        made: dict[str, Any] = {}

        async def served() -> None:
            made.update(loop=asyncio.get_running_loop(), stop=asyncio.Event())
            ready.set()
            server = make_server(host.toolbox, host.calls)
            await serve(server, Descriptors(read=reads, write=writes), made["stop"])

        thread = threading.Thread(target=lambda: asyncio.run(served()), daemon=True)
        thread.start()
        assert ready.wait(20)
        line = Line(host=host, to=to, came=came, thread=thread, **made)
        try:
            yield line
        finally:
            with suppress(RuntimeError):
                line.stopped()
            line.close()
            assert line.ended()
            for descriptor in (reads, came, writes):
                with suppress(OSError):
                    os.close(descriptor)


def test_a_host_is_greeted_and_served(line: Line) -> None:
    line.send(HELLO, READY, calling(1, "memory_learn", content="Anna is allergic to nuts"))
    greeting, learned = line.reply(), line.reply()
    assert greeting["result"]["serverInfo"]["name"] == "reverie"
    assert learned["result"]["structuredContent"]["outcome"] == "inserted"


def test_what_was_asked_before_the_end_is_answered(line: Line) -> None:
    line.send(HELLO, READY, *[calling(n, "memory_learn", content=f"Room {n} is free") for n in range(1, 30)])
    line.close()
    assert {line.reply()["id"] for _ in range(30)} == set(range(30))
    assert line.ended()
    assert line.host.values("memory_stats")["memories"] == 29


def test_a_host_that_says_nothing_may_go(line: Line) -> None:
    line.close()
    assert line.ended()


def test_a_host_that_stays_silent_does_not_keep_us_from_ending(line: Line) -> None:
    line.send(HELLO, READY)
    line.reply()
    line.stopped()
    assert line.ended()


@pytest.mark.parametrize(
    "garbage",
    [
        b"this is no JSON\n",
        b"\n",
        b"[]\n",
        b'{"jsonrpc":"2.0"}\n',
        b"\xff\xfe\n",
        b'"' + b"x" * 100_000 + b'"\n',
    ],
    ids=["words", "nothing", "a list", "half a message", "no text", "a long text"],
)
def test_a_line_that_is_no_message_is_passed_over(line: Line, garbage: bytes) -> None:
    line.send_raw(garbage)
    line.send(HELLO, READY)
    line.send_raw(garbage)
    line.send(calling(1, "memory_stats"))
    assert [line.reply()["id"], line.reply()["id"]] == [0, 1]


def test_a_message_may_come_in_pieces(line: Line) -> None:
    line.send(HELLO, READY)
    line.reply()
    text = "Zsófia’s café " * 500
    raw = json.dumps(calling(1, "memory_learn", content=text), ensure_ascii=False).encode()
    for start in range(0, len(raw), 777):
        line.send_raw(raw[start : start + 777])
    line.close()
    id = line.reply()["result"]["structuredContent"]["id"]
    assert line.host.reverie.agent("mama").get(id).essence == text  # type: ignore[union-attr]  # a memory


def test_a_call_that_was_cancelled_is_not_answered(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_: object) -> None:
        begun.set()
        assert go_on.wait(20)

    monkeypatch.setattr("reverie.client.Agent.stats", slow)
    line.send(HELLO, READY, calling(1, "memory_stats"))
    line.reply()
    assert begun.wait(20)
    line.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    line.send(calling(2, "memory_recall", query="anything"))
    assert line.reply()["id"] == 2
    line.close()
    assert line.ended()
    go_on.set()


def test_a_host_that_does_not_listen_is_not_waited_for(line: Line) -> None:
    os.close(line.came)
    line.send(HELLO, READY, calling(1, "memory_learn", content="Anna is allergic to nuts"))
    line.close()
    assert line.ended()
    assert line.host.values("memory_stats")["memories"] == 1
