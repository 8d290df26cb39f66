"""Ollama, Vertex AI and OpenAI, each asked over its own wire format by a server on this machine."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from reverie.embedders.ollama import OllamaEmbedder
from reverie.embedders.openai import OpenAIEmbedder
from reverie.embedders.remote import RemoteEmbedder
from reverie.embedders.vertex import VertexEmbedder, vertex_url
from reverie.errors import InvalidInput
from tests.embedders.providers import (
    Provider,
    Wire,
    closed,
    ollama_wire,
    openai_wire,
    serving,
    vertex_wire,
)

pytestmark = pytest.mark.slow

Made = Callable[[str], RemoteEmbedder]
KEY = "sk-3fEr7o-quite-secret"

KINDS: dict[str, tuple[Wire, Made, int]] = {
    "ollama": (ollama_wire, lambda url: OllamaEmbedder(base_url=url), 768),
    "openai": (openai_wire, lambda url: OpenAIEmbedder(base_url=f"{url}/v1", token=KEY), 1536),
    "vertex": (vertex_wire, lambda url: VertexEmbedder(base_url=url, token=lambda: KEY), 768),
}


@pytest.mark.parametrize("kind", KINDS)
def test_texts_become_unit_vectors_in_their_order(kind: str) -> None:
    wire, made, dimensions = KINDS[kind]
    with serving(wire, dimensions) as provider, closed(made(provider.url)) as embedder:
        vectors = embedder.embed(["one", "two", "three"])
        assert vectors.dtype == np.float32
        assert vectors.shape == (3, dimensions) == (3, embedder.dimensions)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)
        np.testing.assert_array_equal(vectors[1], embedder.embed(["two"])[0])
        assert np.abs(vectors[0] - vectors[1]).max() > 0.01


@pytest.mark.parametrize("kind", KINDS)
def test_no_texts_ask_nobody(kind: str) -> None:
    wire, made, dimensions = KINDS[kind]
    with serving(wire, dimensions) as provider, closed(made(provider.url)) as embedder:
        assert embedder.embed([]).shape == (0, dimensions)
        assert provider.asked == []


@pytest.mark.parametrize("kind", KINDS)
def test_many_texts_go_in_batches(kind: str) -> None:
    wire, made, dimensions = KINDS[kind]
    texts = [f"text {number}" for number in range(130)]
    with serving(wire, dimensions) as provider, closed(made(provider.url)) as embedder:
        vectors = embedder.embed(texts)
        most = {"ollama": 64, "openai": 128, "vertex": 100}[kind]
        assert max(provider.texts()) == most
        assert sum(provider.texts()) == 130
        np.testing.assert_array_equal(vectors[129], embedder.embed(["text 129"])[0])


@pytest.mark.parametrize("kind", KINDS)
def test_the_id_names_provider_model_and_dimensions(kind: str) -> None:
    _, made, dimensions = KINDS[kind]
    model = {
        "ollama": "nomic-embed-text",
        "openai": "text-embedding-3-small",
        "vertex": "text-embedding-005",
    }[kind]
    assert made("http://127.0.0.1:9").id == f"{kind}/{model}/{dimensions}"


def ask(provider: Provider, embedder: RemoteEmbedder) -> None:
    with closed(embedder):
        embedder.embed(["kept"])
        embedder.embed_query("asked")


def test_ollama_gets_the_prefixes_of_nomic() -> None:
    with serving(ollama_wire, 768) as provider:
        ask(provider, OllamaEmbedder(base_url=provider.url))
        assert [one.path for one in provider.asked] == ["/api/embed"] * 2
        assert provider.asked[0].body == {
            "model": "nomic-embed-text", "input": ["search_document: kept"], "truncate": True,
        }  # fmt: skip
        assert provider.asked[1].body["input"] == ["search_query: asked"]
        assert all("authorization" not in map(str.lower, one.headers) for one in provider.asked)


def test_ollama_gets_plain_text_where_a_model_wants_it() -> None:
    with serving(ollama_wire, 1024) as provider:
        ask(provider, OllamaEmbedder("bge-m3", base_url=provider.url))
        assert [one.body["input"] for one in provider.asked] == [["kept"], ["asked"]]


def test_ollama_cuts_vectors_only_where_another_size_is_wanted() -> None:
    with serving(ollama_wire, 256) as provider:
        ask(provider, OllamaEmbedder(base_url=provider.url, dimensions=256))
        assert provider.asked[0].body["dimensions"] == 256


def test_vertex_gets_task_types_and_the_current_token() -> None:
    tokens = iter(["first", "second"])
    with serving(vertex_wire, 768) as provider:
        base = f"{provider.url}/v1/projects/p/locations/europe-west4"
        ask(provider, VertexEmbedder(base_url=base, token=lambda: next(tokens)))
        path = "/v1/projects/p/locations/europe-west4/publishers/google/models/text-embedding-005:predict"
        assert [one.path for one in provider.asked] == [path] * 2
        assert provider.asked[0].body == {
            "instances": [{"task_type": "RETRIEVAL_DOCUMENT", "content": "kept"}],
            "parameters": {"autoTruncate": True},
        }
        assert provider.asked[1].body["instances"] == [{"task_type": "RETRIEVAL_QUERY", "content": "asked"}]
        assert [one.headers["authorization"] for one in provider.asked] == ["Bearer first", "Bearer second"]


def test_vertex_is_asked_for_fewer_dimensions() -> None:
    with serving(vertex_wire, 256) as provider:
        ask(provider, VertexEmbedder(base_url=provider.url, token="t", dimensions=256))
        assert provider.asked[0].body["parameters"]["outputDimensionality"] == 256


def test_a_vertex_model_for_one_text_gets_one_at_a_time() -> None:
    with serving(vertex_wire, 3072) as provider:
        with closed(VertexEmbedder("gemini-embedding-001", base_url=provider.url, token="t")) as embedder:
            embedder.embed(["one", "two"])
        assert provider.texts() == [1, 1]


def test_openai_gets_the_key_and_other_dimensions() -> None:
    with serving(openai_wire, 256) as provider:
        ask(provider, OpenAIEmbedder(base_url=f"{provider.url}/v1", dimensions=256, token=KEY))
        assert [one.path for one in provider.asked] == ["/v1/embeddings"] * 2
        assert provider.asked[0].body == {
            "model": "text-embedding-3-small", "input": ["kept"], "dimensions": 256,
        }  # fmt: skip
        assert provider.asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_another_server_like_openais_is_not_asked_for_dimensions() -> None:
    with serving(openai_wire, 1024) as provider:
        ask(provider, OpenAIEmbedder("BAAI/bge-m3", base_url=f"{provider.url}/v1", dimensions=1024))
        assert provider.asked[0].body == {"model": "BAAI/bge-m3", "input": ["kept"]}
        assert "authorization" not in provider.asked[0].headers


def test_a_model_that_is_not_known_must_say_its_dimensions() -> None:
    with pytest.raises(InvalidInput, match=r"embed\.dimensions"):
        OpenAIEmbedder("BAAI/bge-m3", base_url="http://127.0.0.1:1/v1")


def test_vertexs_url_names_project_and_location() -> None:
    assert vertex_url("my-project") == (
        "https://us-central1-aiplatform.googleapis.com/v1/projects/my-project/locations/us-central1"
    )
    assert vertex_url("p", "global") == "https://aiplatform.googleapis.com/v1/projects/p/locations/global"
    with pytest.raises(InvalidInput, match="location"):
        vertex_url("p", "evil.example/")
