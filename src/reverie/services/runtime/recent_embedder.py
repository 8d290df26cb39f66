"""An embedder that remembers recent vectors: a sleep asks for the same few texts in several places."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from reverie.ports.embedder import Embedder
from reverie.services.runtime.wrapped_embedder import WrappedEmbedder

_MORE_THAN_A_SLEEP = 512  # vectors: under a megabyte


class RecentEmbedder(WrappedEmbedder):
    """Embeds as ``inner`` does, but asks it only once for the last ``most`` texts. Of texts it keeps digests alone.
    Thread-safe. Only for an embedder that always gives a text the same vector.
    """

    def __init__(self, inner: Embedder, most: int = _MORE_THAN_A_SLEEP) -> None:
        super().__init__(inner)
        self._most = most
        self._known: OrderedDict[bytes, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``ports.embedder``."""
        if isinstance(texts, str) or not all(isinstance(text, str) for text in texts) or not texts:
            return self._inner.embed(texts)
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            vectors = self._inner.embed(list(new.values()))
            found |= {
                key: vector.copy() for key, vector in zip(new, vectors, strict=True)
            }  # not views of the batch
        with self._lock:
            for key in keys[-self._most :]:
                self._known[key] = found[key]
                self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return np.stack([found[key] for key in keys])
