"""The shipped classifier over the built-in embedder, once a session: both are read-only."""

from __future__ import annotations

import pytest

from reverie.embedders.minilm import MiniLM
from reverie.minds.emotions import EmotionClassifier


@pytest.fixture(scope="session")
def classifier() -> EmotionClassifier:
    return EmotionClassifier(MiniLM().embed)
