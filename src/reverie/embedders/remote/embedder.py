"""``ports.embedder`` over a server that speaks one of the dialects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from reverie.embedders.remote.address import Address
from reverie.embedders.remote.batches import Limits, batches, cut
from reverie.embedders.remote.http_client import Headers, HttpClient, RequestRefused
from reverie.embedders.remote.vectors import Unusable, vectors_of
from reverie.errors import EmbedderFailed, InvalidInput
from reverie.memory.prompt import BYTES_PER_TOKEN

_MOST_DIMENSIONS, _MOST_SECONDS = 1 << 16, 3600
_SPARE_BYTES, _BYTES_PER_NUMBER = 1 << 16, 48
_TOO_MUCH = frozenset({400, 413, 422})  # what servers answer to a text that is too long for them


class Dialect(Protocol):
    """How one kind of server is asked."""

    @property
    def path(self) -> str:
        """Behind the base URL."""
        ...

    @property
    def limits(self) -> Limits:
        """What it takes at once."""
        ...

    def asked(self, texts: Sequence[str], *, query: bool) -> Mapping[str, object]:
        """Return the request, as JSON values. ``query``: they are questions, not what is kept."""
        ...

    def told(self, reply: Any) -> object:
        """Return the list of vectors in a reply, in the order of the texts. May raise KeyError, TypeError, IndexError,
        ValueError where it has none.
        """
        ...


class RemoteEmbedder:
    """An embedder elsewhere; see ``ports.embedder``. A text's vector is as steady as the provider's model is.

    Requests are repeated while that may help; then EmbedderFailed is raised, which names neither texts nor keys. A
    server that failed is left alone for a while, so that not every verb waits for it: meanwhile it fails at once.
    """

    def __init__(
        self,
        name: str,
        dimensions: int,
        dialect: Dialect,
        address: Address,
        *,
        headers: Headers,
        seconds: float,
    ) -> None:
        if not _lies_in(dimensions, 1, _MOST_DIMENSIONS) or dimensions != int(dimensions):
            raise InvalidInput(
                "Settings.embed.dimensions", "it is no number of dimensions", "give the model's, such as 768"
            )
        if not _lies_in(seconds, 0.01, _MOST_SECONDS):
            raise InvalidInput(
                "Settings.embed.timeout", "it is out of range", "give seconds from 0.01 to 3600"
            )
        self._id = f"{name}/{dimensions}"
        self._dimensions, self._dialect = dimensions, dialect
        self._client = HttpClient(self._id, address, headers=headers, seconds=float(seconds))

    @property
    def id(self) -> str:
        """Provider, model and dimensions, as in "ollama/nomic-embed-text/768"."""
        return self._id

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._dimensions

    @property
    def most_tokens(self) -> int:
        """How many tokens of a text the model reads."""
        return self._dialect.limits.tokens

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, shape (n, dimensions), row i for text i. Raises InvalidInput, EmbedderFailed."""
        if isinstance(texts, str):
            raise InvalidInput("texts", "is one string", "give a list of strings, or use embed_query")
        for number, text in enumerate(texts):
            _check(f"texts[{number}]", text)
        vectors = np.empty((len(texts), self._dimensions), np.float32)
        limits = self._dialect.limits
        short = [cut(text, limits) for text in texts]
        for part in batches(short, limits):
            vectors[part] = self._batch(short[part], query=False)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the unit vector of a question, shape (dimensions,). Raises InvalidInput, EmbedderFailed."""
        _check("text", text)
        vector: NDArray[np.float32] = self._batch([cut(text, self._dialect.limits)], query=True)[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """Return an estimate, since the model's vocabulary isn't here: ⌈UTF-8 bytes / 3⌉."""
        _check("text", text)
        return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)

    def close(self) -> None:
        """Close what connections are open; asked again, it opens others. At the end of the process that happens by
        itself.
        """
        self._client.close()

    def _batch(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        """Return the vectors of a batch; where the server finds it too much, of each text by itself, and in the end of
        less of a text.
        """
        try:
            return self._asked(texts, query=query)
        except RequestRefused as error:
            if error.status not in _TOO_MUCH:
                raise
            if len(texts) > 1:
                return np.concatenate([self._batch([text], query=query) for text in texts])
            less = cut(texts[0], self._dialect.limits, surely=True)
            if less == texts[0]:
                raise
            return self._asked([less], query=query)

    def _asked(self, texts: Sequence[str], *, query: bool) -> NDArray[np.float32]:
        dialect = self._dialect
        most = _SPARE_BYTES + len(texts) * self._dimensions * _BYTES_PER_NUMBER
        reply = self._client.ask(dialect.path, dialect.asked(texts, query=query), most)
        try:
            return vectors_of(dialect.told(reply), len(texts), self._dimensions)
        except Unusable as error:
            raise EmbedderFailed(self._id, str(error)) from None
        except (KeyError, TypeError, IndexError, ValueError):
            raise EmbedderFailed(self._id, "its reply has not the shape that it should have") from None


def _lies_in(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def _check(field: str, text: object) -> None:
    if not isinstance(text, str):
        raise InvalidInput(field, f"is {type(text).__name__}, not text", "give a string")
