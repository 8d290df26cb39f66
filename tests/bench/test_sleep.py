"""The bench of sleep: a life is read as its page says, and judged by its first hits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from pathlib import Path

import numpy as np
import pytest

from bench import sleep_life
from bench.__main__ import main
from bench.sleep_realmem import duplicates
from tests.minds.nights import MODEL, memory

SHORT = {"coding": (14, 250, 16), "familie": (30, 300, 20)}
"""Days, messages at least, and changes of the lives that are shorter than others."""
LIVES = sorted((Path(sleep_life.__file__).parent / "lives").glob("*.jsonl"))
_HEAD = {"life": "little", "zone": "Europe/Berlin", "start": "2026-03-02", "days": 3}
_SAID = [
    {"day": 1, "time": "18:00", "speaker": "Rosa", "role": "user", "content": "I live in Utrecht with two sisters."},
    {"day": 1, "time": "18:01", "role": "agent", "content": "Noted!"},
    {"day": 2, "time": "09:00", "speaker": "Rosa", "role": "user", "content": "I live in Ghent with two sisters now."},
    {
        "day": 2, "ask": "Where does Rosa live?", "expect": ["Ghent", "Gent"],
        "as_of": [{"day": 1, "expect": "Utrecht"}],
    },
    {"day": 3, "ask": "Where does Rosa live?", "expect": "Ghent"},
]  # fmt: skip


def _written(path: Path, lines: Sequence[object]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return path


@pytest.mark.parametrize("path", LIVES, ids=lambda path: path.stem)
def test_each_life_has_what_its_page_asks_for(path: Path) -> None:
    life = sleep_life.read(path)
    asked = [one for some in life.questions.values() for one in some]
    days, messages, changes = SHORT.get(path.stem, (60, 400, 40))
    assert life.days == days
    assert sum(map(len, life.messages.values())) >= messages
    assert sum("as_of" in one for one in asked) == changes
    for day, some in life.messages.items():
        assert [one["time"] for one in some] == sorted(one["time"] for one in some), f"day {day}"
    assert all(then["day"] < one["day"] for one in asked for then in one.get("as_of", ()))


def test_days_begin_in_the_zone_of_the_life(tmp_path: Path) -> None:
    life = sleep_life.read(_written(tmp_path / "little.jsonl", [_HEAD, *_SAID]))
    assert life.at(1, time(3)) == datetime(2026, 3, 2, 2, tzinfo=UTC)
    assert life.morning_after(1) == datetime(2026, 3, 3, 7, tzinfo=UTC)


def test_a_line_that_is_neither_message_nor_question_is_refused(tmp_path: Path) -> None:
    path = _written(tmp_path / "little.jsonl", [_HEAD, {"day": 1, "time": "18:00"}])
    with pytest.raises(ValueError, match="line 2"):
        sleep_life.read(path)


def test_an_answer_holds_whole_words_in_any_case() -> None:
    assert sleep_life.holds("Rosa lives in ghent.", ["Gent", "Ghent"])
    assert not sleep_life.holds("Rosa is from Ghentbrugge.", "Ghent")
    assert sleep_life.holds("It is at 9:30 now.", "9:30")
    assert not sleep_life.holds("It is at 19:30 now.", "9:30")


@pytest.mark.slow
def test_a_little_life_is_lived_asked_and_told_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _written(tmp_path / "little.jsonl", [_HEAD, *_SAID])
    assert main(["sleep", "--life", str(path), "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (metrics["current_first"], metrics["as_of_right"], metrics["controls_first"]) == (1.0, 1.0, 1.0)
    assert (metrics["n"], metrics["controls"], metrics["messages"]) == (1, 1, 3)


def test_duplicates_are_near_pairs_that_the_guard_does_not_tell_apart() -> None:
    some = [
        memory(text, id=text)
        for text in ("Rosa lives in Ghent.", "Rosa lives in Ghent", "Rosa lives in Oslo.")
    ]
    vectors = MODEL.embed([one.essence for one in some])
    assert duplicates(some, vectors) == 1
    assert duplicates([replace(one, id=one.id) for one in some[1:]], vectors[1:]) == 0
    assert duplicates([], np.empty((0, MODEL.dimensions), np.float32)) == 0
