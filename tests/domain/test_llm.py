"""Which model is asked, where, and what it may cost."""

from __future__ import annotations

import pytest

from reverie.domain.llm import model_place
from reverie.domain.settings import LLMSettings, Settings
from reverie.errors import InvalidInput


@pytest.mark.parametrize(
    ("model", "url", "here"),
    [
        ("anthropic:claude-sonnet-5-5", "", False),
        ("openai:gpt-5", "", False),
        ("google:gemini-2.5-pro", "", False),
        ("ollama:qwen3", "", True),
        ("ollama:qwen3:8b", "http://localhost:11434/v1", True),
        ("ollama:qwen3", "http://192.168.1.20:11434/v1", False),
        ("ollama:gpt-oss:120b-cloud", "", False),
        ("ollama:kimi-k2:Cloud", "", False),
        ("openai-chat:mistral", "http://127.0.0.2:8000/v1", True),
        ("openai-chat:mistral", "http://[::1]:8000/v1", True),
        ("openai-chat:mistral", "http://127.0.0.1.evil.example/v1", False),
        ("openai-chat:mistral", "http://localhost.evil.example/v1", False),
        ("openai-chat:mistral", "https://llm.example/v1", False),
    ],
)
def test_a_model_runs_here_if_its_server_has_a_loopback_address(model: str, url: str, here: bool) -> None:
    place = model_place(model, url)
    assert (place.id, place.is_here, place.is_own) == (model, here, not url)


@pytest.mark.parametrize(
    "model", ["", "claude", "cohere:command", "anthropic:", "anthropic:two words", "openai: x", None, 5]
)
def test_what_names_no_model_is_refused(model: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        Settings(mind="llm", llm=LLMSettings(model=model))  # type: ignore[arg-type]
    assert refused.value.field == "Settings.llm.model"


@pytest.mark.parametrize(
    "url",
    [
        "llm.example", "ftp://llm.example", "http://", "http://[::1", "http://host:99999", "https://a.example/?key=1",
        "http://anna:hunter2@llm.example/v1", "http://127.0.0.1\\@evil.example/v1", "http://127.0.0.1#@evil.example",
        "http://localhost /v1", "http://\uff4cocalhost/v1", 5,
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_without_being_shown(url: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        Settings(mind="llm", llm=LLMSettings(model="openai-chat:m", base_url=url))  # type: ignore[arg-type]
    assert refused.value.field == "Settings.llm.base_url"
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("name", ["dollars_hour", "dollars_day"])
def test_a_limit_of_money_needs_prices(name: str) -> None:
    with pytest.raises(InvalidInput, match="prices") as refused:
        LLMSettings(**{name: 1.0})  # type: ignore[arg-type]
    assert refused.value.field == f"Settings.llm.{name}"
    assert getattr(LLMSettings(**{name: 1.0, "prices": [3, 15]}), name) == 1.0  # type: ignore[arg-type]
