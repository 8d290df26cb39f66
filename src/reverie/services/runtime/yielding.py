"""PoliteEmbedder: the embedder as a mind gets it, which lets callers pass before each text of the background's."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from reverie.ports.embedder import Embedder
from reverie.services.runtime.dirty_agents import Stirred
from reverie.services.runtime.wrapped_embedder import WrappedEmbedder

_LONGEST_SECONDS = 0.1
_here = threading.local()


@contextmanager
def in_background() -> Iterator[None]:
    """Around work of this thread that nobody waits for."""
    _here.nobody_waits = True
    try:
        yield
    finally:
        _here.nobody_waits = False


class PoliteEmbedder(WrappedEmbedder):
    """Embeds as ``inner`` does. In the background it does so text by text, and waits before each until nobody waits for
    an answer of ours, but no longer than a moment: what a caller feels of it is at most one text.
    """

    def __init__(self, inner: Embedder, stirred: Stirred) -> None:
        super().__init__(inner)
        self._stirred = stirred

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``ports.embedder``."""
        if not texts or not getattr(_here, "nobody_waits", False):
            return self._inner.embed(texts)
        rows = []
        for text in texts:
            self._stirred.let_pass(_LONGEST_SECONDS)
            rows.append(self._inner.embed([text]))
        return np.concatenate(rows)
