"""Memories that are true to what was said land in any language, in English and in the speaker's own."""

from __future__ import annotations

import pytest

from bench.night_languages import WORDINGS, ZONES, landed, read
from reverie.embedders.minilm import MiniLM

pytestmark = pytest.mark.slow

WANTED = 0.95


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    """The built-in model."""
    return MiniLM()


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("language", ZONES)
def test_right_memories_land(language: str, wording: str, embedder: MiniLM) -> None:
    found = landed(read()[language], ZONES[language], wording, embedder)
    assert found.proposed == 20
    assert found.share >= WANTED, "\n".join(found.refused)
