"""OpenAI's embeddings, and those of the many servers that speak the same (``/v1/embeddings``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.embedders.remote import Address, RemoteEmbedder
from reverie.embedders.remote.batches import Limits
from reverie.embedders.remote.models import Token, bearer, checked_model, dimensions_of

MODEL = "text-embedding-3-small"
BASE_URL = "https://api.openai.com/v1"

_DIMENSIONS: Mapping[str, int] = {
    "text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536,
}  # fmt: skip
_LIMITS = Limits(texts=128, bytes=400_000, tokens=8191)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Dialect:
    model: str
    dimensions: int | None
    limits: Limits = _LIMITS
    path: str = "/embeddings"

    def asked(self, texts: Sequence[str], *, query: bool) -> Mapping[str, object]:  # noqa: ARG002  # all are alike here
        """See ``remote.Dialect``."""
        body: dict[str, object] = {"model": self.model, "input": list(texts)}
        return body if self.dimensions is None else {**body, "dimensions": self.dimensions}

    def told(self, reply: Any) -> object:
        """See ``remote.Dialect``. The rows say which text they belong to."""
        rows = reply["data"]
        if sorted(row["index"] for row in rows) != list(range(len(rows))):
            raise ValueError
        return [row["embedding"] for row in sorted(rows, key=lambda row: row["index"])]


class OpenAIEmbedder(RemoteEmbedder):
    """A model of OpenAI's, or of a server that speaks as OpenAI's does.

    ``base_url`` ends before ``/embeddings``, as a rule with ``/v1``. ``dimensions``: fewer than the model's own are
    asked for where the model is known here; of others it says how many there are. A server on another machine is
    asked only with ``send_text=True``, and gets a ``token`` only by https. Raises InvalidInput.
    """

    def __init__(
        self, model: str = MODEL, *, base_url: str = BASE_URL, dimensions: int | None = None, token: Token = None,
        seconds: float = 30.0, send_text: bool = False,
    ) -> None:  # fmt: skip
        named = checked_model(model)
        size, asked = dimensions_of(named, dimensions, _DIMENSIONS)
        address = Address.of(base_url, send_text=send_text, keyed=token is not None)
        name = f"openai/{named}"
        super().__init__(
            name, size, _Dialect(model=named, dimensions=size if asked else None), address,
            headers=bearer(name, token), seconds=seconds,
        )  # fmt: skip
