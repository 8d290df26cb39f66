"""The wire: MCP over two descriptors, a message a line."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from contextlib import suppress
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server import Server
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from reverie.doors.mcp.descriptors import Descriptors

_CHUNK = 65_536
_LAST_WORDS_SECONDS = 5.0


async def serve(server: Server[Any], wire: Descriptors, stop: asyncio.Event) -> None:
    """Serve until the host closes its end, and then answer what it still asked; or until ``stop``.

    The SDK's own transport drops what is being answered when stdin ends, and a thread of its own that waits for a
    silent host would keep the process from ending.
    """
    await _Session(wire, stop).run(server)


class _Session:
    def __init__(self, wire: Descriptors, stop: asyncio.Event) -> None:
        self._wire = wire
        self._stop = stop
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._unanswered: set[int | str] = set()
        self._all_answered = asyncio.Event()
        self._all_answered.set()

    async def run(self, server: Server[Any]) -> None:
        to_server, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        # Daemons: what waits for a silent host can't be told to end
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), daemon=True, name="reverie-mcp-in").start()
        speaker = threading.Thread(target=self._speak, daemon=True, name="reverie-mcp-out")
        speaker.start()
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._hand_in, to_server)
                tasks.start_soon(self._hand_out, from_server)
                await server.run(read, write, server.create_initialization_options())
                tasks.cancel_scope.cancel()
        finally:
            self._replies.put(None)
            speaker.join(_LAST_WORDS_SECONDS)

    async def _hand_in(self, to_server: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with to_server, anyio.create_task_group() as tasks:

            async def stopped() -> None:
                await self._stop.wait()
                tasks.cancel_scope.cancel()

            tasks.start_soon(stopped)
            while (line := await self._lines.get()) is not None:
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValidationError as error:
                    await to_server.send(error)
                    continue
                self._asked(message)
                await to_server.send(SessionMessage(message))
            await self._all_answered.wait()
            tasks.cancel_scope.cancel()

    async def _hand_out(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with from_server:
            async for outgoing in from_server:
                text = outgoing.message.model_dump_json(by_alias=True, exclude_unset=True)
                self._replies.put(text.encode() + b"\n")
                self._answered(outgoing.message)

    def _asked(self, message: JSONRPCMessage) -> None:
        match message:
            case JSONRPCRequest(id=id):
                self._unanswered.add(id)
                self._all_answered.clear()
            case JSONRPCNotification(method="notifications/cancelled", params={"requestId": id}):
                self._settle(id)
            case _:
                pass

    def _answered(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
            self._settle(message.id)

    def _settle(self, id: object) -> None:
        self._unanswered = {other for other in self._unanswered if other != id}
        if not self._unanswered:
            self._all_answered.set()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass lines from the host to the loop, and None at their end. Read past Python's own buffers, whose locks a
        waiting thread would hold at the end of the process.
        """
        pieces: list[bytes] = []
        with suppress(RuntimeError):  # the loop has ended meanwhile
            while chunk := _read(self._wire.read):
                *ended, rest = chunk.split(b"\n")
                for line in ended:
                    loop.call_soon_threadsafe(self._lines.put_nowait, b"".join([*pieces, line]))
                    pieces.clear()
                if rest:
                    pieces.append(rest)
            if pieces:
                loop.call_soon_threadsafe(self._lines.put_nowait, b"".join(pieces))
            loop.call_soon_threadsafe(self._lines.put_nowait, None)

    def _speak(self) -> None:
        """Reply to the host until it no longer listens."""
        while (reply := self._replies.get()) is not None:
            view = memoryview(reply)
            with suppress(OSError):
                while view:
                    view = view[os.write(self._wire.write, view) :]


def _read(descriptor: int) -> bytes:
    """Return what there is; nothing at the end."""
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:  # a terminal that was closed
        return b""
