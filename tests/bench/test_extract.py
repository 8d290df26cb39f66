"""`bench extract`: what counts as kept and as matched, and the whole command on a little life."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.__main__ import main
from bench.extract import auc
from bench.extract_life import Bank, Gold, messages_of, snippets
from bench.realmem_data import persona
from reverie.domain.kinds import Kind
from reverie.embedders.minilm import MiniLM

LISBON = "I moved to Lisbon last week, because my sister Clara has a bakery there."
FLIGHT = "I decided to fly to Porto on 3 December 2026 with TAP, for 120 euros."


def _turn(speaker: str, content: str) -> dict[str, Any]:
    return {"speaker": speaker, "content": content, "is_query": False, "query_id": None}


def _session(name: str, turns: Sequence[dict[str, Any]], facts: Sequence[str]) -> dict[str, Any]:
    return {
        "session_uuid": name,
        "current_time": "2026-11-20 (Friday)",
        "dialogue_turns": list(turns),
        "extracted_memory": [
            {"content": fact, "source_turn": 1, "source_content_snapshot": "", "type": "Static"}
            for fact in facts
        ],
    }


LIFE = [
    _session(
        "one",
        [
            _turn("User", LISBON),
            _turn("Assistant", "How nice!"),
            _turn("User", "Thanks!"),
            _turn("Assistant", "Sure."),
        ],
        ["User moved to Lisbon, where their sister Clara has a bakery."],
    ),
    _session(
        "two",
        [_turn("User", FLIGHT), _turn("Assistant", "Good choice.")],
        ["User flies to Porto on 3 December."],
    ),
    _session("three", [_turn("User", "Tell me a joke."), _turn("Assistant", "I know none.")], []),
]


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    return MiniLM()


def test_snippets_are_six_messages_of_which_two_are_new() -> None:
    turns = [_turn("User" if place % 2 == 0 else "Assistant", f"Number {place}.") for place in range(9)]
    messages = messages_of(persona("Anna", [_session("one", turns, [])]), 0)
    assert [(len(one.messages), one.fresh, one.messages[-1].position) for one in snippets(messages)] == [
        (2, 2, 1),
        (4, 2, 3),
        (6, 2, 5),
        (6, 2, 7),
        (6, 1, 8),
    ]


def test_a_repeated_essence_is_kept_once_and_belongs_to_both_sessions(embedder: MiniLM) -> None:
    bank = Bank(embedder=embedder)
    for session, essence in enumerate(("Anna likes tea.", "Anna likes tea.", "Anna likes coffee.")):
        bank.add(session, essence, Kind.PREFERENCE, 0.5)
    assert [one.sessions for one in bank.kept] == [{0, 1}, {2}]
    assert bank.repeated == 1


def test_a_bank_knows_what_it_holds(embedder: MiniLM) -> None:
    bank = Bank(embedder=embedder)
    asked = embedder.embed(["Anna likes tea."])
    assert bank.familiar(asked) == [-1.0]
    bank.add(0, "Anna likes tea.", Kind.PREFERENCE, 0.5)
    assert bank.familiar(asked) == pytest.approx([1.0], abs=1e-5)


def test_only_gold_of_the_same_session_is_matched(embedder: MiniLM) -> None:
    gold = Gold.of(persona("Anna", LIFE).sessions, embedder)
    said = embedder.embed(["The user moved to Lisbon, because their sister Clara has a bakery there."])
    assert gold.met(said, [{0}]) == [[0]]
    assert gold.met(said, [{1}]) == [[]]


def test_the_area_is_one_where_every_good_one_leads_and_half_where_all_are_alike() -> None:
    assert auc([0.1, 0.9, 0.2, 0.8], [False, True, False, True]) == 1.0
    assert auc([0.5] * 4, [False, True, False, True]) == 0.5
    assert auc([1.0, 2.0], [True, True]) == 0.5


def test_the_command_measures_ours_beside_the_baselines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Anna_dialogues_1.json").write_text(json.dumps({"dialogues": LIFE}), encoding="utf-8")
    assert main(["extract", "--data", str(tmp_path), "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert metrics["gold"] == 2
    assert metrics["messages"] == 8
    assert metrics["memories"] == 2
    assert metrics["recall"] == metrics["precision"] == metrics["f1"] == 1.0
    assert metrics["per_100"] == 25.0
    assert metrics["baseline_f1"] == max(
        metrics[f"baseline_{name}_f1"] for name in ("every", "every_reworded", "last")
    )
    assert all(np.isfinite(value) for value in metrics.values())
