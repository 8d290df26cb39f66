"""Emotions as a bank that was put together judges them, past what the other tests keep of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.embedders.hashing import HashingEmbedder
from reverie.wiring import assembly

SAID = (
    "Thank you so much, I really appreciate your help!",
    "The meeting is in room 4 at ten, and nobody told me",
    "Anna cried all night after the call from Porto 😂",
)


def test_a_text_that_is_judged_again_is_felt_the_same(
    judging: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    judged: list[str] = []

    class Watched:
        def __init__(self, process: int) -> None:
            real = judging(process)
            self.mood = real.mood
            self._emotions = real.emotions

        def emotions(self, texts: Sequence[str]) -> Any:
            judged.extend(texts)
            return self._emotions(texts)

    monkeypatch.setattr(assembly, "_own_judge", Watched)
    felt = []
    for name, texts in (("one", SAID), ("other", SAID[::-1])):
        with Reverie.open(tmp_path / name, encrypted=False, embedder=HashingEmbedder.for_tests()) as reverie:
            mama = reverie.agent("mama")
            felt.append({text: mama.remember(text).memory.emotions for text in texts})
    assert felt[0] == felt[1]
    assert None not in felt[0].values()
    assert all(judged.count(text) == 2 for text in SAID)
