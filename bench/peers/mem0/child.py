"""mem0 as it comes, on the server and with the vectors that it is given.

`bench.peers.process` runs this file in mem0's own environment, so it imports nothing of ours. It reads one JSON request
a line from its standard input, the first with the server's address, and answers each with one line. There is no
language model (`infer=False`), no telemetry and no network: vectors are looked up by their text, and whatever asks for
a host other than the server is refused and counted.
"""

from __future__ import annotations

import json
import os
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import psycopg

COLLECTION = "peer"
# What its search asks its store for when ten are wanted.
ASKED_OF_STORE = 60


class Refusing:
    """An audit hook: Python code reaches no host but the server's. (libpq connects past it, to the server alone.)"""

    def __init__(self, url: str) -> None:
        self.attempts = 0
        self._server = urlsplit(url).hostname

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.getaddrinfo":
            host = arguments[0]
        elif event == "socket.connect" and isinstance(arguments[1], tuple):
            host = arguments[1][0]
        else:
            return
        if host != self._server:
            self.attempts += 1
            raise OSError(f"this bench asks no host but its server, not {host}")


class Looking:
    """mem0's embedder interface over vectors that are there already."""

    def __init__(self, vectors: dict[str, Any]) -> None:
        self._vectors = vectors

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002
        vector: list[float] = self._vectors[text].tolist()
        return vector

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text, memory_action) for text in texts]


class Peer:
    """The requests by name."""

    def __init__(self, url: str, folder: Path, refusing: Refusing) -> None:
        from mem0 import Memory  # type: ignore[import-not-found]  # lives in its own environment alone

        said = json.loads((folder / "data.json").read_text("utf-8"))
        self._memories: list[dict[str, Any]] = said["memories"]
        self._questions: list[str] = said["questions"]
        vectors = np.load(folder / "memories.npy")
        asked = np.load(folder / "questions.npy")
        self._places = {one["text"]: place for place, one in enumerate(self._memories)}
        self._vectors = {
            one["text"]: vector for one, vector in zip(self._memories, vectors, strict=True)
        } | dict(zip(self._questions, asked, strict=True))
        self._refusing = refusing
        self._url = url
        no_key = {"api_key": "none"}
        self._memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "pgvector",
                    "config": {
                        "connection_string": url,
                        "collection_name": COLLECTION,
                        "embedding_model_dims": vectors.shape[1],
                    },
                },
                "llm": {"provider": "openai", "config": no_key},  # never called
                "embedder": {"provider": "openai", "config": no_key},  # replaced at once
            }
        )
        self._memory.embedding_model = Looking(self._vectors)

    def add(self, first: int, last: int) -> dict[str, Any]:
        """Its own add, one memory a call, which is all it has: a list of messages is stored one by one as well."""
        seconds = []
        for one in self._memories[first:last]:
            start = time.perf_counter()
            self._memory.add(one["text"], agent_id=one["agent"], metadata=one["metadata"], infer=False)
            seconds.append(time.perf_counter() - start)
        return {"seconds": seconds}

    def fill(self, first: int, last: int) -> dict[str, Any]:
        """Past its add, straight into its store, with the payload that its add would make; no history is kept. Its HNSW
        index is taken away for as long, and made anew as it was.
        """
        start = time.perf_counter()
        store = self._memory.vector_store
        chosen = self._memories[first:last]
        store.col_info()  # makes its table where it is not there yet
        with psycopg.connect(self._url, autocommit=True) as connection:
            indexes = connection.execute(
                "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexdef LIKE '%%USING hnsw%%'",
                (COLLECTION,),
            ).fetchall()
            connection.execute("SET maintenance_work_mem = '1GB'")
            for name, _ in indexes:
                connection.execute(f'DROP INDEX "{name}"')
            for lower in range(0, len(chosen), 500):
                part = chosen[lower : lower + 500]
                store.insert(
                    vectors=[self._vectors[one["text"]].tolist() for one in part],
                    ids=[str(uuid.uuid4()) for _ in part],
                    payloads=[_payload(one) for one in part],
                )
            for _, definition in indexes:
                connection.execute(definition)
        return {"seconds": [time.perf_counter() - start]}

    def search(self, questions: Sequence[int], filters: dict[str, Any]) -> dict[str, Any]:
        """Its whole search for the best ten: seconds, and the memories found, by place."""
        seconds, found = [], []
        for number in questions:
            start = time.perf_counter()
            hits = self._memory.search(self._questions[number], top_k=10, filters=filters)["results"]
            seconds.append(time.perf_counter() - start)
            found.append([self._places[hit["memory"]] for hit in hits])
        return {"seconds": seconds, "found": found}

    def nearest(self, questions: Sequence[int], filters: dict[str, Any]) -> dict[str, Any]:
        """The list by meaning that its search is made from: seconds, and places, nearest first."""
        seconds, found = [], []
        for number in questions:
            text = self._questions[number]
            vector = self._vectors[text].tolist()
            start = time.perf_counter()
            hits = self._memory.vector_store.search(text, vector, top_k=ASKED_OF_STORE, filters=filters)
            seconds.append(time.perf_counter() - start)
            found.append([self._places[hit.payload["data"]] for hit in hits])
        return {"seconds": seconds, "found": found}

    def attempts(self) -> dict[str, Any]:
        """How often something asked for another host."""
        return {"attempts": self._refusing.attempts}


def _payload(one: dict[str, Any]) -> dict[str, Any]:
    """As its add makes it, without spaCy."""
    text, moment = one["text"], "2026-01-01T00:00:00+00:00"
    more = {"data": text, "text_lemmatized": text, "created_at": moment, "updated_at": moment}
    return {"agent_id": one["agent"], "role": "user", **more, **one["metadata"]}


def main(folder: str) -> None:
    url = json.loads(sys.stdin.readline())["url"]
    os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=folder, HOME=folder)
    refusing = Refusing(url)
    sys.addaudithook(refusing)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what mem0 prints is no answer
    peer = Peer(url, Path(folder), refusing)
    requests: dict[str, Callable[..., dict[str, Any]]] = {
        "add": peer.add,
        "fill": peer.fill,
        "search": peer.search,
        "nearest": peer.nearest,
        "attempts": peer.attempts,
    }
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(requests[request.pop("do")](**request)), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
