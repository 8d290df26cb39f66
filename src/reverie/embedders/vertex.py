"""Vertex AI's text embeddings by REST (``…:predict``), with their task types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.embedders.remote import Address, RemoteEmbedder
from reverie.embedders.remote.batches import Limits
from reverie.embedders.remote.models import Token, bearer, checked_model, dimensions_of
from reverie.errors import InvalidInput

MODEL = "text-embedding-005"
LOCATION = "us-central1"

_DIMENSIONS: Mapping[str, int] = {
    "text-embedding-005": 768, "text-embedding-004": 768, "text-multilingual-embedding-002": 768,
    "gemini-embedding-001": 3072,
}  # fmt: skip
_ONE_BY_ONE = frozenset({"gemini-embedding-001"})  # it takes a single text a request
_TOKENS = 2048
_NAME = re.compile(r"[a-z0-9:.-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Dialect:
    path: str
    dimensions: int | None
    limits: Limits

    def asked(self, texts: Sequence[str], *, query: bool) -> Mapping[str, object]:
        """See ``remote.Dialect``."""
        task = "RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT"
        parameters: dict[str, object] = {"autoTruncate": True}
        if self.dimensions is not None:
            parameters["outputDimensionality"] = self.dimensions
        return {
            "instances": [{"task_type": task, "content": text} for text in texts],
            "parameters": parameters,
        }

    def told(self, reply: Any) -> object:
        """See ``remote.Dialect``."""
        return [one["embeddings"]["values"] for one in reply["predictions"]]


def vertex_url(project: str, location: str = LOCATION) -> str:
    """Return the base URL of a project at a location. Raises InvalidInput."""
    for field, name in (("project", project), ("location", location)):
        if not _NAME.fullmatch(name):
            raise InvalidInput(field, "it is no name of Google Cloud", "give it as the console shows it")
    host = "aiplatform.googleapis.com" if location == "global" else f"{location}-aiplatform.googleapis.com"
    return f"https://{host}/v1/projects/{project}/locations/{location}"


class VertexEmbedder(RemoteEmbedder):
    """A text model of Vertex AI; ``text-embedding-005`` (768 dimensions) unless told otherwise.

    ``base_url``: as ``vertex_url`` makes it. ``token``: an OAuth access token, which lives an hour, or what gives a
    fresh one (``google.auth``'s credentials, say). It runs on Google's machines, so it needs ``send_text=True``.
    Raises InvalidInput.
    """

    def __init__(
        self, model: str = MODEL, *, base_url: str, token: Token, dimensions: int | None = None,
        seconds: float = 30.0, send_text: bool = False,
    ) -> None:  # fmt: skip
        named = checked_model(model)
        if not _NAME.fullmatch(named):
            raise InvalidInput(
                "Settings.embed.model", "it is no name of a model", "give it as Google writes it"
            )
        size, asked = dimensions_of(named, dimensions, _DIMENSIONS)
        texts = 1 if named in _ONE_BY_ONE else 100
        dialect = _Dialect(
            path=f"/publishers/google/models/{named}:predict", dimensions=size if asked else None,
            limits=Limits(texts=texts, bytes=30_000, tokens=_TOKENS),
        )  # fmt: skip
        address = Address.of(base_url, send_text=send_text, keyed=True)
        name = f"vertex/{named}"
        super().__init__(name, size, dialect, address, headers=bearer(name, token), seconds=seconds)
