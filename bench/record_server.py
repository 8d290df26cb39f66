"""A language model that somebody plays: an OpenAI-compatible server on this machine, whose questions and answers are
files.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bench.night_cassette import ANSWER, REQUEST

MODEL = "played"
PROTOCOL = f"""\
The player's part. Poll the folder for the first NNN{REQUEST} that has no NNN{ANSWER} beside it. Its parts stand under
lines such as "=== system ===", "=== user ===", "=== assistant ===" (an earlier answer, where the request goes on from
one), "=== response format ===" or "=== tools ===" (the JSON Schema of the answer, where one is asked for) and "===
request settings ===". Answer as the model that was asked, with nothing but what the request says: one JSON object of
the shape that it asks for. Write it to another name in the same folder and rename it to NNN{ANSWER}, so that no half
of it is read. Requests come one after the other; repair questions and second tries have numbers of their own. The run
ends once the life is lived. Started again with the same folder, it lives the life from its first day, and asks only
what it hasn't asked before: a request that is there word for word has its answer already."""

_POLL = 0.2
_MOST_BODY = 16 << 20
_NUMBER = re.compile(rf"(\d+){re.escape(REQUEST)}")


class Played:
    """Asks through files in ``folder``, one question at a time; waits ``seconds`` for an answer. ``say``: it
    prints what is waited for.
    """

    def __init__(self, folder: Path, *, wait: float, say: bool = True) -> None:
        self.seconds = wait
        self._folder, self._say = folder, say
        self._lock = threading.Lock()
        self.ended = threading.Event()
        self.asked: list[int] = []
        """The numbers of the requests, in the order in which this run made them."""

    def answer(self, request: str) -> str:
        """The answer to a request, as JSON text. Raises TimeoutError where none came."""
        with self._lock:
            path = self._written(request)
            beside = path.with_suffix(ANSWER)
            self.asked.append(int(path.stem))
            if self._say and not beside.exists():
                print(f"  waiting for {beside}", flush=True)
            until = time.monotonic() + self.seconds
            while time.monotonic() < until and not self.ended.is_set():
                if (text := _whole(beside)) is not None:
                    return text
                self.ended.wait(_POLL)
            raise TimeoutError(f"no {beside.name} within {self.seconds:g} seconds")

    def _written(self, request: str) -> Path:
        """The file of the request: the one that is there, or a new one behind the last."""
        last = 0
        for path in sorted(self._folder.iterdir()):
            if (found := _NUMBER.fullmatch(path.name)) is None:
                continue
            if path.read_text("utf-8") == request:
                return path
            last = max(last, int(found[1]))
        path = self._folder / f"{last + 1:03}{REQUEST}"
        partial = path.with_name(f".{path.name}.partial")
        partial.write_text(request, "utf-8")
        partial.rename(path)
        return path


def _whole(path: Path) -> str | None:
    """An answer that is all there; None as long as it isn't."""
    try:
        text = path.read_text("utf-8")
        return text if isinstance(json.loads(text), dict) else None
    except (OSError, ValueError):
        return None


def written(body: Mapping[str, Any]) -> str:
    """A request of Chat Completions as text, part by part."""
    parts = [(str(one.get("role", "")), _content(one)) for one in body.get("messages", ())]
    if (form := body.get("response_format")) is not None:
        parts.append(("response format", json.dumps(form, ensure_ascii=False, indent=1)))
    if tools := body.get("tools"):
        parts.append(("tools", json.dumps(tools, ensure_ascii=False, indent=1)))
    kept = {
        name: value for name, value in body.items() if name not in ("messages", "response_format", "tools")
    }
    parts.append(("request settings", json.dumps(kept, ensure_ascii=False)))
    return "\n\n".join(f"=== {name} ===\n{text}" for name, text in parts)


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "\n".join(str(part.get("text", "")) for part in content)
    calls = [call["function"]["arguments"] for call in message.get("tool_calls") or ()]
    return "\n".join(filter(None, (str(content), *calls)))


def completion(body: Mapping[str, Any], answer: str, request: str) -> dict[str, Any]:
    """The answer on the wire: a call of the tool that was given, or text."""
    message: dict[str, Any] = {"role": "assistant", "content": answer}
    reason = "stop"
    if tools := body.get("tools"):
        call = {"name": tools[0]["function"]["name"], "arguments": answer}
        message = {
            "role": "assistant", "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": call}],
        }  # fmt: skip
        reason = "tool_calls"
    given, made = len(request) // 4 + 1, len(answer) // 4 + 1
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made},
    }  # fmt: skip


@contextmanager
def serving(played: Played, port: int = 0) -> Iterator[str]:
    """Its base URL, on a loopback port (0: a free one), until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(played))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        played.ended.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def _handler(played: Played) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 60

        def do_GET(self) -> None:
            self._send(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            if not self.path.endswith("/chat/completions") or not 0 < length <= _MOST_BODY:
                self._send(404, {"error": {"message": "ask POST /v1/chat/completions, 16 MiB at most"}})
                return
            try:
                body = json.loads(self.rfile.read(length))
                request = written(body)
            except (ValueError, KeyError, TypeError, AttributeError):
                self._send(400, {"error": {"message": "it is no request of Chat Completions"}})
                return
            if body.get("stream"):
                self._send(400, {"error": {"message": "nothing is streamed here"}})
                return
            try:
                answer = played.answer(request)
            except TimeoutError as late:
                self._send(400, {"error": {"message": str(late)}})  # no status that is tried again
                return
            self._send(200, completion(body, answer, request))

        def _send(self, status: int, body: Mapping[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            try:
                self.wfile.write(data)
            except OSError:
                return  # the client has hung up

        def log_message(self, *_args: object) -> None:
            """Says nothing."""

    return Handler
