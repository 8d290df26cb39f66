"""Questions in other languages: which of them count for what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.languages import run

MESSAGES = [
    {"ref": "a", "lang": "de", "speaker": "Jo", "content": "Der Schlüssel liegt unter der Matte."},
    {"ref": "b", "lang": "en", "speaker": "Jo", "content": "The boiler was repaired."},
]
QUESTIONS = [
    {"ask": "Wo liegt der Schlüssel?", "lang": "de", "refs": ["a"], "same": True},
    {"ask": "boiler", "lang": "es", "refs": ["b"], "same": False},
    {"ask": "Wie heißt die Katze?", "lang": "de", "refs": [], "same": None},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    told = [{**one, "conversation": "c", "time": "2026-01-05T17:05:00Z"} for one in MESSAGES]
    for name, lines in (("messages", told), ("questions", QUESTIONS)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return tmp_path


def test_same_and_cross_language_are_told_apart(data: Path) -> None:
    found = run(data=data, embedder=["minilm"])
    assert (found["messages"], found["questions"], found["unanswerable"]) == (2, 2, 1)
    assert found["minilm_hybrid_same_de_recall@1"] == found["minilm_hybrid_cross_es_recall@1"] == 1
    assert found["minilm_lexical_cross_mrr"] == 1
    assert 0 <= found["minilm_hybrid_unanswerable_empty"] <= 1
