"""LangGraph's InMemoryStore with an index over the text; a namespace for each bank. It keeps nothing on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore


class Adapter:
    def __init__(self, folder: Path, look: Any) -> None:  # noqa: ARG002
        self._store = InMemoryStore(index={"dims": look.dimensions, "embed": look.lists, "fields": ["text"]})

    @staticmethod
    def versions() -> dict[str, str]:
        return {name: metadata.version(name) for name in ("langgraph", "langgraph-checkpoint")}

    def add(self, bank: str, turns: Sequence[dict[str, str]]) -> None:
        self._store.batch(
            [PutOp(namespace=(bank,), key=turn["ref"], value={"text": turn["text"]}) for turn in turns]
        )

    def search(self, bank: str, question: str, limit: int) -> list[str]:
        return [item.key for item in self._store.search((bank,), query=question, limit=limit)]
