"""Embedder: text in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their likeness in meaning.

    Deterministic and thread-safe; a text's vector is the same alone or among others (cosine ≥ 0.9999). Long
    texts are truncated knowingly (``most_tokens``), never refused. Nothing is loaded before the first call
    of a method.
    """

    @property
    def id(self) -> str:
        """Names model, version and arithmetic; stored with every vector. Vectors of two ids never mix."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        ...

    @property
    def most_tokens(self) -> int:
        """How many tokens of a text are read, without the model's own marks; the rest is left out."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of the texts: shape (n, dimensions), unit length, row i for text i; (0, dimensions) for
        none.
        """
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question: shape (dimensions,), unit length."""
        ...

    def count_tokens(self, text: str) -> int:
        """Return the model's tokens in the whole text, without truncation and without the model's own marks."""
        ...
