"""A stand-in for a model, in tests only: cheap, deterministic, with some sense of which texts are alike."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING, Self

import numpy as np

from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_WORDS = re.compile(r"\w+|[^\w\s]")
_PERMIT = object()


class HashingEmbedder:
    """Feature hashing of words and their three-letter parts (Weinberger et al. 2009, with signs).

    It knows no meaning, so it must never serve an agent: no setting names it, and it can only be made by
    ``HashingEmbedder.for_tests()``.
    """

    def __init__(self, dimensions: int, permit: object = None) -> None:
        if permit is not _PERMIT:
            raise InvalidInput(
                "embedder", "HashingEmbedder knows no meaning", "use MiniLM(), or in tests for_tests()"
            )
        self._dimensions = dimensions

    @classmethod
    def for_tests(cls, dimensions: int = 384) -> Self:
        """Return one. There is no other way to make it."""
        if dimensions < 1:
            raise InvalidInput("dimensions", f"{dimensions} is below 1", "give a whole number above 0")
        return cls(dimensions, _PERMIT)

    @property
    def id(self) -> str:
        """See ``ports.embedder``. It says that it is for tests."""
        return f"hashing-for-tests-{self._dimensions}/1"

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._dimensions

    @property
    def most_tokens(self) -> int:
        """It reads every text whole."""
        return 2**31 - 1

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (n, dimensions), row i for text i."""
        vectors = np.zeros((len(texts), self._dimensions), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[:] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of one text; a text without words has the vector of the empty text."""
        vector = np.zeros(self._dimensions, np.float64)
        for feature, weight in Counter(_features(text)).items():
            digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
            number = int.from_bytes(digest, "little")
            vector[(number >> 1) % self._dimensions] += weight**0.5 * (1 if number & 1 else -1)
        length = float(np.linalg.norm(vector))
        if length == 0:
            vector[0] = length = 1.0
        return (vector / length).astype(np.float32)

    def count_tokens(self, text: str) -> int:
        """Return words and punctuation marks."""
        return len(_WORDS.findall(text))


def _features(text: str) -> Iterator[str]:
    for word in _WORDS.findall(text.casefold()):
        yield word
        # Half a word's weight lies in its parts, so that "walk" and "walked" are near.
        padded = f"<{word}>"
        for start in range(len(padded) - 2):
            yield f"#{padded[start : start + 3]}"
