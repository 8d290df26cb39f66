"""mem0 without a language model (``infer=False``), with its default store: Qdrant on disk, in the process.

A bank is a user. Where fastembed is installed, mem0 searches by words as well. fastembed would fetch its English stop
words; it is given ours instead.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from mem0 import Memory  # type: ignore[import-not-found]  # lives in its own environment alone

_BY_WORDS = importlib.util.find_spec("fastembed") is not None


class Looking:
    """mem0's embedder interface over vectors that are there already."""

    def __init__(self, look: Any) -> None:
        self._look = look

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002
        found: list[float] = self._look.lists([text])[0]
        return found

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:  # noqa: ARG002
        found: list[list[float]] = self._look.lists(texts)
        return found


class Adapter:
    def __init__(self, folder: Path, look: Any) -> None:
        no_key = {"api_key": "none"}
        store = {
            "collection_name": "peer",
            "path": str(folder / "qdrant"),
            "on_disk": True,
            "embedding_model_dims": look.dimensions,
        }
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(folder / "history.db"),
                "llm": {"provider": "openai", "config": no_key},  # never called
                "embedder": {"provider": "openai", "config": no_key},  # replaced at once
            }
        )
        self._memory.embedding_model = Looking(look)
        if _BY_WORDS:
            self._memory.vector_store._bm25_encoder = _by_words(folder)  # noqa: SLF001  # it has no door
        self._refs: dict[str, str] = {}

    @staticmethod
    def versions() -> dict[str, str]:
        names = ["mem0ai", "qdrant-client", *(["fastembed"] if _BY_WORDS else [])]
        return {name: metadata.version(name) for name in names}

    def add(self, bank: str, turns: Sequence[dict[str, str]]) -> None:
        messages = [{"role": "user", "content": turn["text"]} for turn in turns]
        added = self._memory.add(messages, user_id=bank, infer=False)["results"]
        for turn, one in zip(turns, added, strict=True):
            self._refs[one["id"]] = turn["ref"]

    def search(self, bank: str, question: str, limit: int) -> list[str]:
        hits = self._memory.search(question, top_k=limit, filters={"user_id": bank})["results"]
        return [self._refs[hit["id"]] for hit in hits]


def _by_words(folder: Path) -> Any:
    """The encoder that mem0 would make, as it would, but for the stop words."""
    from fastembed.sparse.bm25 import Bm25  # type: ignore[import-not-found]  # see above

    words = json.loads((folder / "stopwords.json").read_text("utf-8"))
    return Bm25("Qdrant/bm25", specific_model_path=str(folder), stopwords=set(words))
