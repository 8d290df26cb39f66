"""Local servers, on this machine's loopback address, that speak the providers' wire formats; no model is behind them.

Anthropic's Messages, OpenAI's Responses and Chat Completions, Google's generateContent, and Ollama's (version 0.5 and
later) Chat Completions. They also serve as the proxy through which a client reaches a server that is away.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WIRES = ("anthropic", "openai", "openai-chat", "google", "ollama")
MODEL = "test-model"


@dataclass(frozen=True)
class Failure:
    """An answer that is none."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b"{}"
    hangs: bool = False
    drips: bool = False


@dataclass
class Seen:
    """One request, as it came over the wire."""

    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def everything(self) -> str:
        """All of it as text; also what stands in it as JSON within JSON, unpacked."""
        raw = f"{self.target}\n{self.headers}\n{self.body.decode()}"
        return "\n".join((raw, *self.texts))

    @property
    def texts(self) -> list[str]:
        """Every text in its JSON."""
        return [*_texts(json.loads(self.body or b"{}"))]


Answer = str | Failure | Callable[[Seen], str]


@dataclass
class Server:
    """Answers in turn, the last answer again and again."""

    answers: Sequence[Answer]
    wire: str
    port: int = 0
    seen: list[Seen] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def next(self) -> Answer:
        """What is answered now."""
        return self.answers[min(len(self.seen), len(self.answers)) - 1]

    @property
    def url(self) -> str:
        """Where a client of this wire finds it."""
        return base_url(self.wire, f"http://127.0.0.1:{self.port}")


def base_url(wire: str, root: str) -> str:
    """A server's address as a client of that wire is told."""
    return root if wire in ("anthropic", "google") else f"{root}/v1"


@contextmanager
def serving(wire: str, *answers: Answer) -> Iterator[Server]:
    """A server that runs until the block ends."""
    state = Server(answers=answers or ("{}",), wire=wire)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    server.daemon_threads = True
    state.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.ended.set()
        server.shutdown()
        server.server_close()
        thread.join(60)


def _handler(state: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            state.seen.append(Seen(self.path, dict(self.headers.items()), self.rfile.read(length)))
            answer = state.next()
            if callable(answer):
                answer = answer(state.seen[-1])
            if isinstance(answer, str):
                self._send(200, {}, json.dumps(ANSWERS[state.wire](answer)).encode())
            elif answer.hangs:
                state.ended.wait(30)
            elif answer.drips:
                self._drip()
            else:
                self._send(answer.status, answer.headers, answer.body)

        def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                return  # the client has hung up

        def _drip(self) -> None:
            """A byte now and then, so that no single wait is ever long."""
            self.send_response(200)
            self.send_header("content-length", "1000000")
            self.end_headers()
            try:
                while not state.ended.wait(0.05):
                    self.wfile.write(b" ")
                    self.wfile.flush()
            except OSError:
                return

        def log_message(self, *_args: object) -> None:
            """Says nothing."""

    return Handler


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(one)


def _anthropic(text: str) -> dict[str, Any]:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL,
        "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }  # fmt: skip


def _responses(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "id": "resp_1", "object": "response", "created_at": 1_790_000_000, "status": "completed", "model": MODEL,
        "output": [{"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": content}],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None,
        "usage": {
            "input_tokens": 100, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120,
        },
    }  # fmt: skip


def _chat(text: str, **other: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_790_000_000, "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}, **other,
    }  # fmt: skip


def _google(text: str) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": text}]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "modelVersion": MODEL,
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120},
    }  # fmt: skip


def _ollama(text: str) -> dict[str, Any]:
    return _chat(text, system_fingerprint="fp_ollama")


ANSWERS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "anthropic": _anthropic,
    "openai": _responses,
    "openai-chat": _chat,
    "google": _google,
    "ollama": _ollama,
}
