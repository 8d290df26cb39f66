"""Vectors of messages, which several snippets hold: each is embedded once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reverie.ports.embedder import Embedder

Floats = NDArray[np.float32]
_MOST = 512


class MessageVectors:
    """The latest vectors of texts by their digests; no text is kept. Thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, Floats] = OrderedDict()

    def of(self, texts: Sequence[str]) -> Floats:
        """Shape (n, dimensions), row i for text i."""
        marks = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self._lock:
            found = {mark: self._known[mark] for mark in marks if mark in self._known}
        missing = {mark: text for mark, text in zip(marks, texts, strict=True) if mark not in found}
        if missing:
            found |= zip(missing, self._embedder.embed(list(missing.values())), strict=True)
        with self._lock:
            for mark in marks:
                self._known[mark] = found[mark]
                self._known.move_to_end(mark)
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
        vectors: Floats = np.empty((len(texts), self._embedder.dimensions), np.float32)
        for row, mark in enumerate(marks):
            vectors[row] = found[mark]
        return vectors
