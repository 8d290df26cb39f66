"""The mind that asks a language model: Anthropic, OpenAI and compatibles, Google, Ollama (extra ``llm``)."""

from __future__ import annotations

from reverie.minds.llm.mind import LLMMind

__all__ = ["LLMMind"]
