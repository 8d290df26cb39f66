"""The benches of nights: a recording is played into files, read back, and applied to the same life again."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bench import night_cassette, record_server
from bench.__main__ import main
from bench.record_server import Played, completion, serving, written

REQUEST = """\
=== system ===
Answer with JSON such as [e9] 10:00, Rosa: "no line of a night".

=== user ===
<reverie-context>
## Conversation 1, api
[e1] earlier, Monday 2 March 2026 18:00, Rosa (user): "I live in Utrecht."
Tuesday 3 March 2026:
[e2] 09:00, Rosa (user): "I live in Ghent now, says \\"Rosa\\"."

# Memories that may bear on them
[m1] fact, confidence 0.90, Rosa (user) on Monday 2 March 2026, asked "Where?": "I live in Utrecht."
</reverie-context>

=== request settings ===
{"model": "m"}"""
REPAIR = "=== system ===\nCorrect it.\n\n=== user ===\nupdate[0]: its number is in none of its episodes\n{}"


def _recorded(folder: Path, *pairs: tuple[str, Mapping[str, Any]]) -> Path:
    for number, (request, answer) in enumerate(pairs, 1):
        (folder / f"{number:03}.txt").write_text(request, "utf-8")
        (folder / f"{number:03}.answer.json").write_text(json.dumps(answer), "utf-8")
    return folder


def test_a_request_tells_its_episodes_and_memories(tmp_path: Path) -> None:
    (one,) = night_cassette.read(_recorded(tmp_path, (REQUEST, {"new": []})))
    assert (one.number, one.is_night, one.is_portrait, one.again) == (1, True, False, False)
    assert {label: line.text for label, line in one.episodes.items()} == {
        "e1": "I live in Utrecht.", "e2": 'I live in Ghent now, says "Rosa".',
    }  # fmt: skip
    assert [line.is_earlier for line in one.episodes.values()] == [True, False]
    assert one.memories["m1"].text == "I live in Utrecht."


def test_a_second_try_takes_the_place_of_the_first_and_a_repair_keeps_the_labels(tmp_path: Path) -> None:
    tried = REQUEST.replace(
        "=== request settings", "=== assistant ===\n[]\n\n=== user ===\nOnce more.\n\n=== request settings"
    )
    pairs: list[tuple[str, Mapping[str, Any]]]
    pairs = [(REQUEST, {"new": [1]}), (tried, {"new": []}), (REPAIR, {"update": []}), ("", {"sections": []})]
    first, repair, portrait = night_cassette.read(_recorded(tmp_path, *pairs))
    assert (first.number, first.again, [*first.episodes]) == (2, False, ["e1", "e2"])
    assert (repair.number, repair.again, repair.episodes) == (3, True, first.episodes)
    assert portrait.is_portrait


def test_a_folder_without_answers_is_no_cassette(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no \\.txt"):
        night_cassette.read(tmp_path)


BODY = {"model": "m", "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]}


def _asked(url: str, body: Mapping[str, Any], path: str = "/chat/completions") -> Any:
    asking = urllib.request.Request(
        url + path, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(asking, timeout=30) as answered:
        return json.load(answered)


@contextmanager
def _player(folder: Path, answer: Callable[[str], Mapping[str, Any]]) -> Iterator[None]:
    """Somebody who answers each request in the folder, as the protocol says."""
    ended = threading.Event()

    def play() -> None:
        while not ended.wait(0.02):
            for path in sorted(folder.glob("[0-9]*.txt")):
                beside = path.with_suffix(".answer.json")
                if not beside.exists():
                    partial = folder / f".{beside.name}"
                    partial.write_text(json.dumps(answer(path.read_text("utf-8"))), "utf-8")
                    partial.rename(beside)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_a_question_waits_for_the_file_of_its_answer_and_is_asked_once(tmp_path: Path) -> None:
    played = Played(tmp_path, wait=30, say=False)
    with serving(played) as url:
        with _player(tmp_path, lambda _: {"new": []}):
            first = _asked(url, BODY)
        again = _asked(url, BODY)
    assert (
        first["choices"][0]["message"]["content"]
        == again["choices"][0]["message"]["content"]
        == '{"new": []}'
    )
    assert played.asked == [1, 1]
    assert night_cassette.parts_of((tmp_path / "001.txt").read_text("utf-8"))[:2] == [
        ("system", "S"),
        ("user", "U"),
    ]


def test_half_an_answer_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "001.txt").write_text(written(BODY), "utf-8")
    beside = tmp_path / "001.answer.json"
    beside.write_text('{"new": [', "utf-8")
    threading.Timer(0.5, beside.write_text, ['{"new": []}', "utf-8"]).start()
    assert Played(tmp_path, wait=30, say=False).answer(written(BODY)) == '{"new": []}'


def test_a_question_that_nobody_answers_is_refused(tmp_path: Path) -> None:
    with (
        serving(Played(tmp_path, wait=0.3, say=False)) as url,
        pytest.raises(urllib.error.HTTPError) as refused,
    ):
        _asked(url, BODY)
    with refused.value as answered:
        assert (answered.code, "within 0.3 seconds" in answered.read().decode()) == (400, True)


@pytest.mark.parametrize("body", [[], {"messages": 1}, {"messages": [1]}, {**BODY, "stream": True}])
def test_what_is_no_request_is_refused(tmp_path: Path, body: Any) -> None:
    with (
        serving(Played(tmp_path, wait=1, say=False)) as url,
        pytest.raises(urllib.error.HTTPError) as refused,
    ):
        _asked(url, body)
    with refused.value as answered:
        assert answered.code == 400
    assert [*tmp_path.iterdir()] == []


def test_an_answer_takes_the_shape_that_was_asked_for() -> None:
    tools = [{"type": "function", "function": {"name": "final_result", "parameters": {"type": "object"}}}]
    called = completion({**BODY, "tools": tools}, '{"new": []}', "")["choices"][0]
    assert called["finish_reason"] == "tool_calls"
    assert called["message"]["tool_calls"][0]["function"] == {
        "name": "final_result",
        "arguments": '{"new": []}',
    }
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {}}}
    assert "=== response format ===" in written({**BODY, "response_format": form})
    assert completion({**BODY, "response_format": form}, "{}", "")["choices"][0]["message"]["content"] == "{}"


_LIFE = [
    {"life": "little", "zone": "Europe/Berlin", "start": "2026-03-02", "days": 2},
    {"day": 1, "time": "18:00", "speaker": "Rosa", "role": "user", "content": "I live in Utrecht with two sisters."},
    {"day": 2, "time": "09:00", "speaker": "Rosa", "role": "user", "content": "I live in Ghent with two sisters now."},
    {"day": 2, "ask": "Where does Rosa live?", "expect": "Ghent", "as_of": [{"day": 1, "expect": "Utrecht"}]},
]  # fmt: skip


def _rosa(request: str) -> Mapping[str, Any]:
    """What a model would answer about Rosa's two days."""
    user = dict(night_cassette.parts_of(request))["user"]
    lines = {line.text: line.label for line in night_cassette._lines(user)}
    moved = lines.get("I live in Ghent with two sisters now.")
    lived = lines.get("I live in Utrecht with two sisters.")
    known = lines.get("Rosa lives in Utrecht with two sisters.")
    if moved is not None and known is not None and moved.startswith("e"):
        update = {
            "memoryId": known,
            "newContent": "Rosa lives in Ghent with two sisters.",
            "sourceEpisodes": [moved],
        }
        return {"new": [], "update": [{**update, "reason": "she moved", "stated": True, "since": None}]}
    if lived is not None and lived.startswith("e"):
        new = {
            "category": "fact",
            "content": "Rosa lives in Utrecht with two sisters.",
            "sourceEpisodes": [lived],
        }
        return {"new": [{**new, "confidence": 0.9, "stated": True, "importance": 0.6}], "update": []}
    return {
        "sections": [{"kind": "fact", "bullets": [{"text": "Rosa lives somewhere.", "memories": ["m1"]}]}]
    }


@pytest.mark.slow
def test_a_life_is_recorded_and_replayed_and_recorded_again_without_asking(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, into = tmp_path / "little.jsonl", tmp_path / "cassette"
    path.write_text("\n".join(map(json.dumps, _LIFE)), "utf-8")
    into.mkdir()
    record = ["record", "--life", str(path), "--every", "1", "--into", str(into), "--json"]
    with _player(into, _rosa):
        assert main([*record, "--wait", "60"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (metrics["new"], metrics["updates"], metrics["missing"], metrics["sleeps"]) == (1, 1, 0, 2)
    assert (metrics["new_landed"], metrics["updates_landed"]) == (1.0, 1.0)
    assert (metrics["current_first"], metrics["as_of_right"]) == (1.0, 1.0)
    made = sorted(into.iterdir())
    began = time.monotonic()
    assert main([*record, "--wait", "5"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == metrics
    assert sorted(into.iterdir()) == made, f"asked again within {time.monotonic() - began:.0f} seconds"
    assert main(["night", "--cassette", str(into), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == metrics


def test_a_folder_takes_one_life_alone(tmp_path: Path) -> None:
    path, into = tmp_path / "little.jsonl", tmp_path / "cassette"
    path.write_text("\n".join(map(json.dumps, _LIFE)), "utf-8")
    into.mkdir()
    (into / "life.jsonl").write_text("another", "utf-8")
    with pytest.raises(SystemExit, match="another life"):
        main(["record", "--life", str(path), "--into", str(into)])


def test_the_protocol_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["record", "--help"])
    assert record_server.PROTOCOL.splitlines()[0][:60] in capsys.readouterr().out
