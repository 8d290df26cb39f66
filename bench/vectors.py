"""Vectors that are computed once: in a run, and with a folder between runs. No text is kept, only digests of texts."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reverie.domain.settings import Settings
from reverie.embedders.minilm import MiniLM
from reverie.ports.embedder import Embedder

Vectors = NDArray[np.float32]


class KeptVectors:
    """An embedder that bears the model's id and asks it for each text once."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self._known: dict[str, Vectors] = {}
        self._read = 0

    @property
    def id(self) -> str:
        return self._model.id

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    @property
    def most_tokens(self) -> int:
        return self._model.most_tokens

    def embed(self, texts: Sequence[str]) -> Vectors:
        marks = [_mark("text", text) for text in texts]
        missing = {mark: text for mark, text in zip(marks, texts, strict=True) if mark not in self._known}
        if missing:
            self._known |= zip(missing, self._model.embed(list(missing.values())), strict=True)
        found: Vectors = np.empty((len(texts), self.dimensions), np.float32)
        for row, mark in enumerate(marks):
            found[row] = self._known[mark]
        return found

    def embed_query(self, text: str) -> Vectors:
        mark = _mark("query", text)
        if mark not in self._known:
            self._known[mark] = self._model.embed_query(text)
        return self._known[mark].copy()

    def count_tokens(self, text: str) -> int:
        return self._model.count_tokens(text)

    def load(self, path: Path) -> None:
        """Takes in what an earlier run saved; nothing where the file isn't there."""
        if path.exists():
            with np.load(path) as kept:
                self._known = dict(zip(kept["marks"].tolist(), kept["vectors"], strict=True)) | self._known
            self._read = len(self._known)

    def save(self, path: Path) -> None:
        """Writes all of them where some are new."""
        if len(self._known) == self._read:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}.npz")
        np.savez(partial, marks=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
        partial.replace(path)


@contextmanager
def kept_vectors(settings: Settings, folder: Path | None = None) -> Iterator[KeptVectors]:
    """The built-in model behind kept vectors; with a folder those of earlier runs too, by model and arithmetic."""
    vectors = KeptVectors(MiniLM(settings.embed.compute, settings.embed.threads))
    path = None
    if folder is not None:
        path = folder / f"vectors-{_mark(vectors.id, settings.embed.compute)[:12]}.npz"
        vectors.load(path)
    yield vectors
    if path is not None:
        vectors.save(path)


def _mark(kind: str, text: str) -> str:
    return hashlib.sha256(f"{kind}\0{text}".encode()).hexdigest()
