"""txtai's hybrid index (faiss and its BM25, as ``hybrid=True`` sets them up), one for each bank, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from txtai import Embeddings  # type: ignore[import-not-found]  # lives in its own environment alone


class Adapter:
    def __init__(self, folder: Path, look: Any) -> None:  # noqa: ARG002
        self._look = look
        self._banks: dict[str, Any] = {}

    @staticmethod
    def versions() -> dict[str, str]:
        return {name: metadata.version(name) for name in ("txtai", "faiss-cpu", "torch")}

    def add(self, bank: str, turns: Sequence[dict[str, str]]) -> None:
        if bank not in self._banks:
            # A plain function: whatever else can be called, txtai calls to get one.
            self._banks[bank] = Embeddings(
                method="external", transform=lambda texts: self._look.rows(texts), hybrid=True
            )
        self._banks[bank].upsert([(turn["ref"], turn["text"], None) for turn in turns])

    def search(self, bank: str, question: str, limit: int) -> list[str]:
        return [ref for ref, _ in self._banks[bank].search(question, limit)]
