"""Runs one peer for `bench peers`, in the peer's own environment, so it imports nothing of ours.

Started as `host.py ADAPTER FOLDER`. It reads one JSON request a line from its standard input and answers each with one
line. The adapter is a file with a class ``Adapter(folder, look)``: ``add(bank, turns)`` stores turns (ref and text),
``search(bank, question, limit)`` gives refs, best first. ``look`` has the vector of every text and question, so no peer
embeds by itself, and keeps account of the time that looking up took, which is counted nowhere.

There is no network: telemetry is switched off, and whatever Python code asks for a host is refused and counted.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

QUIET = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
    "MEM0_TELEMETRY": "False",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_OFFLINE": "1",
}


class Look:
    """Vectors by text, whatever a peer did to its white space. ``seconds`` is what looking up took so far."""

    def __init__(self, folder: Path) -> None:
        texts = [_plain(text) for text in json.loads((folder / "texts.json").read_text("utf-8"))]
        vectors = np.load(folder / "vectors.npy")
        self._lists = dict(zip(texts, vectors.tolist(), strict=True))
        self._arrays = dict(zip(texts, vectors, strict=True))
        self.dimensions = int(vectors.shape[1])
        self.seconds = 0.0

    def lists(self, texts: Sequence[str]) -> list[list[float]]:
        """As lists of floats."""
        start = time.perf_counter()
        found = [self._lists[_plain(text)] for text in texts]
        self.seconds += time.perf_counter() - start
        return found

    def rows(self, texts: Sequence[str]) -> Any:
        """As a float32 matrix."""
        start = time.perf_counter()
        found = np.stack([self._arrays[_plain(text)] for text in texts])
        self.seconds += time.perf_counter() - start
        return found


def _plain(text: str) -> str:
    return " ".join(text.split())


class Adapter(Protocol):
    """One peer behind the face that all have here."""

    def __init__(self, folder: Path, look: Look) -> None: ...

    @staticmethod
    def versions() -> dict[str, str]: ...

    def add(self, bank: str, turns: Sequence[dict[str, str]]) -> None: ...

    def search(self, bank: str, question: str, limit: int) -> list[str]: ...


class Refusing:
    """An audit hook: Python code reaches no host."""

    def __init__(self) -> None:
        self.attempts = 0

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        asks = event == "socket.getaddrinfo"
        connects = event == "socket.connect" and isinstance(arguments[1], tuple)
        if asks or connects:
            self.attempts += 1
            raise OSError("this bench asks no host")


class Host:
    """The requests by name."""

    def __init__(self, adapter: Path, folder: Path, refusing: Refusing) -> None:
        look = Look(folder)
        made: type[Adapter] = runpy.run_path(str(adapter))["Adapter"]
        self.versions = made.versions()
        self._adapter = made(folder, look)
        self._look = look
        self._refusing = refusing

    def add(self, bank: str, turns: Sequence[dict[str, str]]) -> dict[str, Any]:
        """A session of turns: the seconds that storing them took, without looking up vectors."""
        spent, start = self._look.seconds, time.perf_counter()
        self._adapter.add(bank, turns)
        return {"seconds": time.perf_counter() - start - (self._look.seconds - spent)}

    def search(self, bank: str, questions: Sequence[str], limit: int) -> dict[str, Any]:
        """Refs for each question, best first, and the seconds of each."""
        found, seconds = [], []
        for question in questions:
            spent, start = self._look.seconds, time.perf_counter()
            refs = self._adapter.search(bank, question, limit)
            seconds.append(time.perf_counter() - start - (self._look.seconds - spent))
            found.append(refs)
        return {"found": found, "seconds": seconds}

    def attempts(self) -> dict[str, Any]:
        """How often something asked for a host."""
        return {"attempts": self._refusing.attempts}


def main(adapter: str, folder: str) -> None:
    os.environ.update(QUIET, HOME=folder, MEM0_DIR=folder)
    refusing = Refusing()
    sys.addaudithook(refusing)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a peer prints is no answer
    sys.stdin.readline()
    host = Host(Path(adapter), Path(folder), refusing)
    print(json.dumps({"versions": host.versions}), file=answers, flush=True)
    requests: dict[str, Callable[..., dict[str, Any]]] = {
        "add": host.add,
        "search": host.search,
        "attempts": host.attempts,
    }
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(requests[request.pop("do")](**request)), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
