"""An adapter says which extra brings the framework that it lacks."""

from __future__ import annotations

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("adapter", "imported", "extra"),
    [
        ("adk", "google.adk.memory.base_memory_service", "adk"),
        ("anthropic_memory", "anthropic.lib.tools", "anthropic"),
        ("autogen", "autogen_core", "autogen"),
        ("crewai", "crewai.memory.storage.backend", "crewai"),
        ("langgraph", "langchain_core.messages", "langgraph"),
        ("llama_index", "llama_index.core.base.llms.types", "llama-index"),
        ("openai_agents", "agents", "openai-agents"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
    ],
)
def test_a_missing_framework_is_named_with_its_extra(
    adapter: str, imported: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, imported, None)
    monkeypatch.delitem(sys.modules, f"reverie.adapters.{adapter}", raising=False)
    with pytest.raises(ImportError, match=rf"pip install '\.\[{extra}\]'"):
        importlib.import_module(f"reverie.adapters.{adapter}")
