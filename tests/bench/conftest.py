"""Little data of each form that a bench reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

SAID = {
    "session_1": [
        ("Anna", "I adopted a puppy called Biscuit from the shelter on Monday!"),
        ("Ben", "Congratulations! I am training for the half marathon in June."),
        ("Anna", "Biscuit chewed my violin bow, so the rehearsal was a disaster."),
        ("Ben", "Oh no. My knee brace arrived, the doctor says running is fine."),
    ],
    "session_2": [
        ("Anna", "My sister opened a bakery in Lisbon, the sourdough is wonderful."),
        ("Ben", "I finished the race in two hours and cried at the finish line."),
    ],
}
QUESTIONS = [
    ("What did Anna adopt?", ["D1:1"], 4),
    ("Which race did Ben finish?", ["D1:2; D2:02"], 1),
    ("What did Anna's sister open?", ["D2:1"], 2),
    ("What did Ben adopt?", ["D1:1"], 5),
    ("Where does Ben live?", ["D"], 3),
]
PUPPY, BAKERY = "Anna adopted a puppy called Biscuit.", "Anna's sister opened a bakery in Lisbon."
LIFE = [
    {"life": "little", "zone": "Europe/Berlin", "start": "2026-03-02", "days": 3},
    {"day": 1, "time": "18:00", "speaker": "Rosa", "role": "user", "content": "I live in Utrecht with two sisters."},
    {"day": 2, "time": "09:00", "speaker": "Rosa", "role": "user", "content": "I live in Ghent with two sisters now."},
    {"day": 2, "ask": "Where does Rosa live?", "expect": "Ghent", "as_of": [{"day": 1, "expect": "Utrecht"}]},
]  # fmt: skip
TALKS = [
    {"ref": "a", "lang": "de", "speaker": "Jo", "content": "Der Schlüssel liegt unter der Matte."},
    {"ref": "b", "lang": "en", "speaker": "Jo", "content": "The boiler was repaired."},
]
ASKED = [
    {"ask": "Wo liegt der Schlüssel?", "lang": "de", "refs": ["a"], "same": True},
    {"ask": "boiler", "lang": "es", "refs": ["b"], "same": False},
    {"ask": "Wie heißt die Katze?", "lang": "de", "refs": [], "same": None},
]
BEAM = {
    "information_extraction": [{"question": "What did I adopt?", "source_chat_ids": [0]}],
    "abstention": [{"question": "What is my brother called?"}],
}
PAIRS = "id\tsentence1\tsentence2\tlabel\n1\tIs tea or milk better ?\tIs milk or tea better ?\t1\n"
COMMENTS = "Thank you so much for your help!\t15\tabc1\nThe meeting is in room 4 at ten\t27\tabc2\n"


def _locomo(sample: str) -> dict[str, Any]:
    conversation: dict[str, Any] = {"speaker_a": "Anna", "speaker_b": "Ben"}
    for number, (session, turns) in enumerate(SAID.items(), 1):
        conversation[f"{session}_date_time"] = f"{number}:05 pm on 3 May, 2023"
        conversation[session] = [
            {"speaker": speaker, "dia_id": f"D{number}:{place}", "text": text}
            for place, (speaker, text) in enumerate(turns, 1)
        ]
    questions = [dict(zip(("question", "evidence", "category"), one, strict=True)) for one in QUESTIONS]
    return {"sample_id": sample, "conversation": conversation, "qa": questions}


def _session(name: str, day: str, turns: list[dict[str, Any]], *facts: str) -> dict[str, Any]:
    return {
        "session_uuid": name,
        "current_time": f"{day} (Monday)",
        "dialogue_turns": [{"is_query": False, **turn} for turn in turns],
        "extracted_memory": [{"content": text, "source_turn": 1} for text in facts],
    }


def _realmem() -> dict[str, Any]:
    """A life of four sessions; a fact of the second one repeats one of the first, and merges with it."""
    hello = [
        {"speaker": "User", "content": "I adopted a puppy!"},
        {"speaker": "Assistant", "content": "Lovely."},
    ]
    asked: list[dict[str, Any]] = [
        {"speaker": "User", "content": "What did Anna's sister open?", "is_query": True},
        {
            "speaker": "Assistant",
            "content": "Let me see.",
            "memory_used": [{"session_uuid": "b", "content": text} for text in (BAKERY, "Nobody said this.")],
        },
    ]
    return {
        "dialogues": [
            _session("a", "2026-01-05", hello, PUPPY),
            _session("b", "2026-01-06", hello, BAKERY, PUPPY[:-1]),
            _session("c", "2026-01-07", asked),
        ]
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a little of each data set, laid out as the benches look for it."""
    turns = [
        {"id": 0, "role": "user", "content": "I adopted a puppy. ->-> 1,1", "time_anchor": "March-15-2024"},
        {"id": 1, "role": "assistant", "content": "Congratulations on the puppy!"},
    ]
    figures = {"n": 500, "recall_rest_p50_ms": 1.0, "embed_query_p50_ms": 2.0, "rest_ratio_to_embedding": 0.5}
    told = [{**one, "conversation": "c", "time": "2026-01-05T17:05:00Z"} for one in TALKS]
    files: Mapping[str, Any] = {
        "locomo/little.json": [_locomo("one"), _locomo("two")],
        "realmem/Anna_Berg_dialogues_256k.json": _realmem(),
        "prefeval/explicit/food.json": [{"preference": "I hate olives.", "question": "?", "explanation": ""}],
        "goemotions/train.tsv": COMMENTS,
        "beam/1/chat.json": [{"batch_number": 1, "turns": [turns]}],
        "beam/1/probing_questions.json": BEAM,
        "pairs/paws.tsv": PAIRS,
        "languages/messages.jsonl": "\n".join(map(json.dumps, told)),
        "languages/questions.jsonl": "\n".join(map(json.dumps, ASKED)),
        "little.jsonl": "\n".join(map(json.dumps, LIFE)),
        "500.json": figures,
        "5000.json": {**figures, "n": 5000},
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return tmp_path
