"""The benches `record` and `night`: a life's nights are asked of somebody who plays the model, and replayed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bench import night_cassette
from bench.record_server import Played, written
from tests.bench.test_smoke import figures_of

pytestmark = pytest.mark.slow


@contextmanager
def _player(folder: Path, answer: Callable[[str], Mapping[str, Any]]) -> Iterator[None]:
    """Somebody who answers each request in the folder, as the protocol says."""
    ended = threading.Event()

    def play() -> None:
        while not ended.wait(0.02):
            for path in sorted(folder.glob("[0-9]*.txt")):
                answered = path.with_suffix(".answer.json")
                if not answered.exists():
                    partial = folder / f".{answered.name}"
                    partial.write_text(json.dumps(answer(path.read_text("utf-8"))), "utf-8")
                    partial.rename(answered)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _rosa(request: str) -> Mapping[str, Any]:
    """What a model would answer about Rosa's two days."""
    user = dict(night_cassette.parts_of(request))["user"]
    lines = {line.text: line.label for line in night_cassette._lines(user)}
    moved = lines.get("I live in Ghent with two sisters now.", "")
    lived = lines.get("I live in Utrecht with two sisters.", "")
    known = lines.get("Rosa lives in Utrecht with two sisters.")
    if moved.startswith("e") and known is not None:
        update = {
            "memoryId": known,
            "newContent": "Rosa lives in Ghent with two sisters.",
            "sourceEpisodes": [moved],
        }
        return {"new": [], "update": [{**update, "reason": "she moved", "stated": True, "since": None}]}
    if lived.startswith("e"):
        new = {
            "category": "fact",
            "content": "Rosa lives in Utrecht with two sisters.",
            "sourceEpisodes": [lived],
        }
        return {"new": [{**new, "confidence": 0.9, "stated": True, "importance": 0.6}], "update": []}
    return {
        "sections": [{"kind": "fact", "bullets": [{"text": "Rosa lives somewhere.", "memories": ["m1"]}]}]
    }


def test_a_recorded_life_replays_without_asking_again(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    into = tmp_path / "cassette"
    into.mkdir()
    record = ["record", "--life", str(data / "little.jsonl"), "--every", "1", "--into", str(into)]
    with _player(into, _rosa):
        figures = figures_of([*record, "--wait", "120"], capsys)
    assert (figures["new"], figures["updates"], figures["missing"]) == (1, 1, 0)
    assert (figures["new_landed"], figures["updates_landed"]) == (1, 1)
    assert (figures["current_first"], figures["as_of_right"]) == (1, 1)
    made = sorted(into.iterdir())
    assert figures_of([*record, "--wait", "1"], capsys) == figures
    assert sorted(into.iterdir()) == made
    assert figures_of(["night", "--cassette", str(into)], capsys) == figures


def test_half_an_answer_is_not_read(tmp_path: Path) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "U"}]}
    (tmp_path / "001.txt").write_text(written(body), "utf-8")
    answer = tmp_path / "001.answer.json"
    answer.write_text('{"new": [', "utf-8")
    threading.Timer(0.1, answer.write_text, ['{"new": []}', "utf-8"]).start()
    assert Played(tmp_path, wait=60, say=False).answer(written(body)) == '{"new": []}'
