"""The embedder that settings and environment name."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from reverie import EmbedSettings, InvalidInput, RememberSettings, Reverie, Settings
from reverie.embedders.remote import RemoteEmbedder
from reverie.errors import EmbedderFailed
from reverie.ports.embedder import Embedder
from reverie.wiring.embedding import embedder_of
from reverie.wiring.settings import embedder_keys, settings_from
from tests.embedders.providers import Answer, openai_wire, serving

KEY = "sk-3fEr7o-quite-secret"
VARIABLES = (
    "REVERIE_EMBED_KEY", "REVERIE_EMBED_KEY_FILE", "OPENAI_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION",
)  # fmt: skip
AWAY = {"send_text": True}


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def made(**settings: object) -> Embedder:
    return embedder_of(Settings(embed=EmbedSettings(**settings)))  # type: ignore[arg-type]


def key_file_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = folder / "key"
    file.write_text(f"{KEY}\n")
    file.chmod(0o600)
    monkeypatch.setenv("REVERIE_EMBED_KEY_FILE", str(file))
    return file


def test_the_built_in_model_is_the_default() -> None:
    assert made().id == "minilm-l6-v2-int8/1"


def test_ollama_on_this_machine_needs_nothing_else() -> None:
    assert made(provider="ollama").id == "ollama/nomic-embed-text/768"


def test_model_and_dimensions_can_be_named_by_the_environment() -> None:
    chosen = settings_from(
        {
            "REVERIE_EMBED_PROVIDER": "openai", "REVERIE_EMBED_MODEL": "BAAI/bge-m3",
            "REVERIE_EMBED_BASE_URL": "http://127.0.0.1:8000/v1", "REVERIE_EMBED_DIMENSIONS": "1024",
            "REVERIE_EMBED_TIMEOUT": "2.5",
        }
    )  # fmt: skip
    assert embedder_of(chosen).id == "openai/BAAI/bge-m3/1024"


@pytest.mark.parametrize("embedder", ["openai", "vertex"])
def test_a_provider_elsewhere_needs_leave_to_send_text(
    embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVERIE_EMBED_KEY", KEY)
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "my-project")
    with pytest.raises(InvalidInput, match=r"embed\.send_text"):
        made(provider=embedder)
    assert made(provider=embedder, **AWAY).id.startswith(embedder)


@pytest.mark.parametrize("embedder", ["openai", "vertex"])
def test_a_provider_that_needs_a_key_says_so(embedder: str) -> None:
    with pytest.raises(InvalidInput, match="REVERIE_EMBED_KEY"):
        made(provider=embedder, **AWAY)


def test_vertex_says_that_it_needs_a_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_EMBED_KEY", KEY)
    with pytest.raises(InvalidInput, match="GOOGLE_CLOUD_PROJECT"):
        made(provider="vertex", **AWAY)


@pytest.mark.parametrize("own", [True, False])
def test_openais_key_is_for_openais_server_alone(own: bool) -> None:
    said: Mapping[str, str] = {"OPENAI_API_KEY": KEY}
    assert (embedder_keys(openais_own=own, environment=said).key == KEY) is own


def test_a_key_is_in_no_repr() -> None:
    keys = embedder_keys(openais_own=False, environment={"REVERIE_EMBED_KEY": KEY})
    assert keys.key == KEY
    assert KEY not in repr(keys)


def test_a_key_file_is_read_again_before_each_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = key_file_in(tmp_path, monkeypatch)
    with serving(openai_wire, 8) as provider:
        embedder = made(provider="openai", model="m", base_url=provider.url, dimensions=8)
        assert isinstance(embedder, RemoteEmbedder)
        embedder.embed_query("one")
        file.write_text("another")
        embedder.embed_query("two")
        embedder.close()
        told = [one.headers["authorization"] for one in provider.asked]
    assert told == [f"Bearer {KEY}", "Bearer another"]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = key_file_in(tmp_path, monkeypatch)
    local = {"model": "m", "base_url": "http://127.0.0.1:9", "dimensions": 8}
    embedder = made(provider="openai", **local)
    file.chmod(0o644)
    with pytest.raises(InvalidInput, match="can be read by others"):
        made(provider="openai", **local)
    with pytest.raises(EmbedderFailed, match="can be read by others"):
        embedder.embed_query("hello")


@pytest.mark.parametrize("text", ["", "\n", "ключ"])
def test_a_key_file_without_a_key_is_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key_file_in(tmp_path, monkeypatch).write_text(text)
    with pytest.raises(InvalidInput, match="REVERIE_EMBED_KEY_FILE"):
        made(provider="openai", **AWAY)


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reverie.embedders.remote.http_client.find_spec", lambda _: None)
    with pytest.raises(InvalidInput, match=r"pip install '\.\[embedders\]'"):
        made(provider="ollama")


def test_opening_a_bank_asks_nobody_and_loads_no_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "httpx2", raising=False)
    with serving(openai_wire, 8, [Answer(status=500)]) as provider:
        chosen = Settings(
            embed=EmbedSettings(provider="openai", model="m", base_url=provider.url, dimensions=8),
            remember=RememberSettings(emotions=False),
        )
        with Reverie.open(tmp_path / "a.bank", key=bytes(range(32)), settings=chosen) as reverie:
            assert reverie.agents() == []
        assert provider.asked == []
    assert "httpx2" not in sys.modules
