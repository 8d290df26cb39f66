"""Chroma on disk (PersistentClient), a collection for each bank, everything else as it comes."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import chromadb  # type: ignore[import-not-found]  # lives in its own environment alone


class Looking(chromadb.EmbeddingFunction):  # type: ignore[misc]  # see above
    """Chroma's embedding function over vectors that are there already."""

    def __init__(self, look: Any = None) -> None:
        self._look = look

    def __call__(self, input: Sequence[str]) -> Any:  # noqa: A002
        return list(self._look.rows(input))

    @staticmethod
    def name() -> str:
        return "looking"

    def get_config(self) -> dict[str, Any]:
        return {}

    @staticmethod
    def build_from_config(config: dict[str, Any]) -> Looking:  # noqa: ARG004
        return Looking()


class Adapter:
    def __init__(self, folder: Path, look: Any) -> None:
        settings = chromadb.Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(str(folder / "chroma"), settings=settings)
        self._looking = Looking(look)
        self._collections: dict[str, Any] = {}

    @staticmethod
    def versions() -> dict[str, str]:
        return {"chromadb": metadata.version("chromadb")}

    def add(self, bank: str, turns: Sequence[dict[str, str]]) -> None:
        if bank not in self._collections:
            name = f"bank-{len(self._collections)}"
            self._collections[bank] = self._client.create_collection(name, embedding_function=self._looking)
        self._collections[bank].add(
            ids=[turn["ref"] for turn in turns], documents=[turn["text"] for turn in turns]
        )

    def search(self, bank: str, question: str, limit: int) -> list[str]:
        found: list[str] = self._collections[bank].query(query_texts=[question], n_results=limit)["ids"][0]
        return found
