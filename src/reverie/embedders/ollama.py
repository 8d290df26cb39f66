"""A server for models, as a rule on this machine (https://docs.ollama.com/api/embed)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.embedders.remote import Address, RemoteEmbedder
from reverie.embedders.remote.batches import Limits
from reverie.embedders.remote.models import Token, bearer, checked_model, dimensions_of

MODEL = "nomic-embed-text"
BASE_URL = "http://127.0.0.1:11434"

_RETRIEVE = "Represent this sentence for searching relevant passages: "
_PREFIXES: Mapping[str, tuple[str, str]] = {
    "nomic-embed-text": ("search_document: ", "search_query: "),
    "nomic-embed-text-v2-moe": ("search_document: ", "search_query: "),
    "mxbai-embed-large": ("", _RETRIEVE),
    "snowflake-arctic-embed": ("", _RETRIEVE),
    "embeddinggemma": ("title: none | text: ", "task: search result | query: "),
}
"""What the models' makers put before what is kept, and before a question; others get nothing."""

_DIMENSIONS: Mapping[str, int] = {
    "nomic-embed-text": 768, "nomic-embed-text-v2-moe": 768, "mxbai-embed-large": 1024, "embeddinggemma": 768,
    "all-minilm": 384, "bge-m3": 1024, "snowflake-arctic-embed": 1024, "snowflake-arctic-embed2": 1024,
}  # fmt: skip
_TOKENS: Mapping[str, int] = {
    "mxbai-embed-large": 512, "all-minilm": 256, "snowflake-arctic-embed": 512, "nomic-embed-text-v2-moe": 512,
}  # fmt: skip
_USUAL_TOKENS = 2048


@dataclass(frozen=True, kw_only=True, slots=True)
class _Dialect:
    model: str
    prefixes: tuple[str, str]
    limits: Limits
    dimensions: int | None
    path: str = "/api/embed"

    def asked(self, texts: Sequence[str], *, query: bool) -> Mapping[str, object]:
        """See ``remote.Dialect``."""
        prefix = self.prefixes[1 if query else 0]
        body: dict[str, object] = {
            "model": self.model, "input": [prefix + text for text in texts], "truncate": True,
        }  # fmt: skip
        return body if self.dimensions is None else {**body, "dimensions": self.dimensions}

    def told(self, reply: Any) -> object:
        """See ``remote.Dialect``."""
        found: object = reply["embeddings"]
        return found


class OllamaEmbedder(RemoteEmbedder):
    """A model of an Ollama server; ``nomic-embed-text`` (768 dimensions) unless told otherwise.

    Documents and questions get the prefixes that the model was trained with. ``dimensions``: needed of models that
    aren't known here. ``token``: where a proxy before the server asks for one. A server on another machine is asked
    only with ``send_text=True``. Raises InvalidInput.
    """

    def __init__(
        self, model: str = MODEL, *, base_url: str = BASE_URL, dimensions: int | None = None, token: Token = None,
        seconds: float = 30.0, send_text: bool = False,
    ) -> None:  # fmt: skip
        named = checked_model(model).removesuffix(":latest")
        family = named.partition(":")[0]
        size, asked = dimensions_of(family, dimensions, _DIMENSIONS)
        dialect = _Dialect(
            model=named, prefixes=_PREFIXES.get(family, ("", "")), dimensions=size if asked else None,
            limits=Limits(texts=64, bytes=200_000, tokens=_TOKENS.get(family, _USUAL_TOKENS)),
        )  # fmt: skip
        address = Address.of(base_url, send_text=send_text, keyed=token is not None)
        name = f"ollama/{named}"
        super().__init__(name, size, dialect, address, headers=bearer(name, token), seconds=seconds)
