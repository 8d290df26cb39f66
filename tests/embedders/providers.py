"""Servers on this machine that speak the providers' wire formats, one request after another as scripted."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from reverie.embedders.remote import RemoteEmbedder


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the server was asked."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What it answers instead of vectors. ``hang``: seconds until it does; ``cut``: how many bytes it leaves out."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: float = 0.0
    cut: int = 0


Wire = Callable[[Any, int], object]
"""From a request's body and the number of dimensions to the reply that has a vector for each text."""


def numbers(text: str, dimensions: int) -> list[float]:
    """Some vector of a text, not of unit length, the same each time."""
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])
    found: list[float] = (3 * np.random.default_rng(seed).standard_normal(dimensions)).tolist()
    return found


def ollama_wire(body: Any, dimensions: int) -> object:
    assert body["truncate"] is True
    return {
        "model": body["model"], "embeddings": [numbers(text, dimensions) for text in body["input"]],
        "total_duration": 14143917, "load_duration": 1019500, "prompt_eval_count": 8,
    }  # fmt: skip


def openai_wire(body: Any, dimensions: int) -> object:
    rows = [
        {"object": "embedding", "index": place, "embedding": numbers(text, dimensions)}
        for place, text in enumerate(body["input"])
    ]
    return {
        "object": "list", "data": rows[::-1], "model": body["model"],
        "usage": {"prompt_tokens": 8, "total_tokens": 8},
    }  # fmt: skip


def vertex_wire(body: Any, dimensions: int) -> object:
    return {
        "predictions": [
            {"embeddings": {
                "statistics": {"truncated": False, "token_count": 3},
                "values": numbers(f"{one['task_type']} {one['content']}", dimensions),
            }}
            for one in body["instances"]
        ],
        "metadata": {"billableCharacterCount": 11},
    }  # fmt: skip


@dataclass
class Provider:
    """A server of one kind; ``script`` is taken from the front before it answers as it should."""

    wire: Wire
    dimensions: int
    script: list[Answer] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)
    url: str = ""
    stopped: threading.Event = field(default_factory=threading.Event)

    def texts(self) -> list[int]:
        """How many texts each request had."""
        return [len(one.body.get("input", one.body.get("instances", ()))) for one in self.asked]


@contextmanager
def serving(wire: Wire, dimensions: int, script: Sequence[Answer] = ()) -> Iterator[Provider]:
    """A provider that runs while the block does."""
    provider = Provider(wire, dimensions, [*script])

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            body = json.loads(self.rfile.read(size))
            provider.asked.append(Request(path=self.path, headers=dict(self.headers), body=body))
            answer = provider.script.pop(0) if provider.script else None
            if answer is None:
                answer = Answer(body=json.dumps(wire(body, dimensions)).encode())
            provider.stopped.wait(answer.hang)
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body[: len(answer.body) - answer.cut])
            if answer.cut:
                self.close_connection = True

        def log_message(self, *args: Any) -> None:
            """It stays silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield provider
    finally:
        provider.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def closed(embedder: RemoteEmbedder) -> Iterator[RemoteEmbedder]:
    """The embedder, whose connections are closed behind the block."""
    try:
        yield embedder
    finally:
        embedder.close()


def patient(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses between tries take no time; gives the list of those that were asked for."""
    pauses: list[float] = []
    monkeypatch.setattr("reverie.embedders.remote.http_client.sleep", pauses.append)
    return pauses
