"""What several tests of the benches need."""

from __future__ import annotations

import json
from pathlib import Path

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


@pytest.fixture
def little_locomo(tmp_path: Path) -> Path:
    samples = []
    for name in ("one", "two"):
        conversation: dict[str, object] = {"speaker_a": "Anna", "speaker_b": "Ben"}
        for number, (session, turns) in enumerate(SAID.items(), 1):
            conversation[f"{session}_date_time"] = f"{number}:05 pm on 3 May, 2023"
            conversation[session] = [
                {"speaker": speaker, "dia_id": f"D{number}:{place}", "text": text}
                for place, (speaker, text) in enumerate(turns, 1)
            ]
        questions = [
            {"question": text, "evidence": evidence, "category": category}
            for text, evidence, category in QUESTIONS
        ]
        samples.append({"sample_id": name, "conversation": conversation, "qa": questions})
    path = tmp_path / "little.json"
    path.write_text(json.dumps(samples), encoding="utf-8")
    return path
