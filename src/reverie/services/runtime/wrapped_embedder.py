"""An embedder around another one: in all that it doesn't do in its own way it is that one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reverie.ports.embedder import Embedder


class WrappedEmbedder:
    """Does as ``inner`` does; to be derived from. See ``ports.embedder``."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def id(self) -> str:
        """See ``ports.embedder``."""
        return self._inner.id

    @property
    def dimensions(self) -> int:
        """See ``ports.embedder``."""
        return self._inner.dimensions

    @property
    def most_tokens(self) -> int:
        """See ``ports.embedder``."""
        return self._inner.most_tokens

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``ports.embedder``."""
        return self._inner.embed(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``ports.embedder``."""
        return self._inner.embed_query(text)

    def count_tokens(self, text: str) -> int:
        """See ``ports.embedder``."""
        return self._inner.count_tokens(text)
