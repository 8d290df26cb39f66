"""What the tests of the asking mind share. Without the extra ``llm`` there is nothing to test."""

from __future__ import annotations

import importlib.util

import pytest

if importlib.util.find_spec("pydantic_ai") is None:
    collect_ignore_glob = ["*.py"]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's real key, server or proxy takes part in a test."""
    for name in ("ANTHROPIC", "OPENAI", "GOOGLE", "GEMINI", "OLLAMA"):
        for what in ("API_KEY", "AUTH_TOKEN", "BASE_URL"):
            monkeypatch.delenv(f"{name}_{what}", raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
