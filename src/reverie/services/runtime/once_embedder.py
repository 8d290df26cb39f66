"""The embedder of one call that stores the same text in several banks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reverie.ports.embedder import Embedder
from reverie.services.runtime.wrapped_embedder import WrappedEmbedder


class OnceEmbedder(WrappedEmbedder):
    """Embeds as ``inner`` does, and each text once. Keeps every vector, so it is for one call and one thread."""

    def __init__(self, inner: Embedder) -> None:
        super().__init__(inner)
        self._known: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``ports.embedder``."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._inner.embed(new), strict=True))
        if not texts:
            return self._inner.embed(texts)
        return np.stack([self._known[text] for text in texts])
