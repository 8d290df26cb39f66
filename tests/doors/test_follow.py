"""reverie watch: a transcript is followed while it grows, and what matters of it is kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.client import Reverie
from reverie.doors.cli import observing
from reverie.errors import MindFailed
from tests.doors.commands import Cli, Ran
from tests.services.scripted import Scripted, minded

FACTS = ("Anna moved to Lisbon in spring", "Péter keeps seven bees", "The boiler was repaired on Tuesday")


@pytest.fixture
def mind() -> Scripted:
    return Scripted()


@pytest.fixture
def watching(cli: Cli, mind: Scripted, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A command line whose banks think with ``mind``."""
    really_open = Reverie.open
    monkeypatch.setattr(Reverie, "open", lambda *args, **given: minded(really_open(*args, **given), mind)[0])
    return cli


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chat.jsonl"


def _line(content: str, **fields: object) -> str:
    return json.dumps({"content": content, **fields}, ensure_ascii=False) + "\n"


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)


def _events(ran: Ran, name: str) -> list[dict[str, Any]]:
    assert ran.code == 0, ran.err
    return [event for event in map(json.loads, ran.out.splitlines()) if event["event"] == name]


def _said(cli: Cli) -> list[str]:
    return [episode["content"] for episode in cli("list", "--episodes", "--json").document]


def test_once_reads_to_the_end_and_extracts(watching: Cli, path: Path) -> None:
    path.write_text("".join(map(_line, FACTS)), encoding="utf-8")
    ran = watching("watch", str(path), "--once")
    assert ran.code == 0
    assert "main: 3 messages\n" in ran.out
    assert f"extracted: {FACTS[0]}\n   fact · normal · importance 0.70 · joy, love, pride\n" in ran.out
    assert ran.out.endswith("3 messages stored, 3 extracted\n")
    assert _said(watching) == list(FACTS)
    assert len(watching("list", "--json").document) == 3


def test_json_is_one_object_a_line(watching: Cli, path: Path) -> None:
    path.write_text(_line(FACTS[0]) + "{\n" + _line(FACTS[1]), encoding="utf-8")
    ran = watching("watch", str(path), "--once", "--json")
    events = [json.loads(line) for line in ran.out.splitlines()]
    assert [event["event"] for event in events] == [
        "unreadable", "observed", "attended", "memory", "memory", "ended",
    ]  # fmt: skip
    assert events[1]["outcome"]["stored"] == 2
    assert [event["memory"]["essence"] for event in events if event["event"] == "memory"] == list(FACTS[:2])
    assert {event["what"] for event in events if event["event"] == "memory"} == {"extracted"}
    assert (events[2]["outcome"]["snippets"], events[-1]["stored"]) == (1, 2)
    assert (events[-1]["unreadable"], events[-1]["skipped"]) == (1, 0)
    assert ran.err == ""


def test_what_was_watched_may_be_watched_again(watching: Cli, path: Path, mind: Scripted) -> None:
    path.write_text("".join(map(_line, [*FACTS, FACTS[0]])), encoding="utf-8")
    for known in (0, 4):
        ran = watching("watch", str(path), "--once", "--json")
        assert [event["outcome"]["known"] for event in _events(ran, "observed")] == [known]
    assert _said(watching) == [*FACTS, FACTS[0]]
    assert len(mind.seen) == 1


def test_a_lines_own_ref_stays(watching: Cli, path: Path) -> None:
    path.write_text(_line("a", ref="m1") + _line("b"), encoding="utf-8")
    watching("watch", str(path), "--once")
    refs = [episode["ref"] for episode in watching("list", "--episodes", "--json").document]
    assert refs[0] == "m1"
    assert refs[1].startswith("line-2-")


def test_a_line_of_several_messages_is_known_again(watching: Cli, path: Path) -> None:
    call = {"function": {"name": "find", "arguments": "{}"}}
    path.write_text(_line("a", role="assistant", tool_calls=[call, call]), encoding="utf-8")
    for known in (0, 3):
        ran = watching("watch", str(path), "--once", "--json")
        assert [event["outcome"]["known"] for event in _events(ran, "observed")] == [known]
    assert _said(watching) == ["a", "find()", "find()"]


def test_a_line_that_is_no_message_is_told_and_passed_over(watching: Cli, path: Path) -> None:
    path.write_text(_line("a") + '{"content": ""}\n\n' + _line("b"), encoding="utf-8")
    ran = watching("watch", str(path), "--once")
    assert ran.code == 2
    assert "skipped: line 2, content: it is empty" in ran.err
    assert _said(watching) == ["a", "b"]


def test_a_ref_with_other_words_is_told_and_the_rest_is_stored(watching: Cli, path: Path) -> None:
    path.write_text(_line("a", ref="m1"), encoding="utf-8")
    watching("watch", str(path), "--once")
    path.write_text(_line("x") + _line("b", ref="m1") + _line("c"), encoding="utf-8")
    ran = watching("watch", str(path), "--once")
    assert ran.code == 2
    assert "m1" in ran.err
    assert sorted(_said(watching)) == ["a", "c", "x"]


def test_once_takes_the_last_line_without_its_end_if_it_is_whole(watching: Cli, path: Path) -> None:
    path.write_text(_line("a") + _line("b").rstrip(), encoding="utf-8")
    assert watching("watch", str(path), "--once").code == 0
    path.write_text(_line("a") + _line("b") + '{"content": "half', encoding="utf-8")
    assert watching("watch", str(path), "--once").code == 0
    assert _said(watching) == ["a", "b"]


def test_rooms_of_a_transcript_are_kept_apart_in_their_order(watching: Cli, path: Path) -> None:
    rooms = ["one", "one", "two", "one"]
    path.write_text(
        "".join(_line(f"{n}", conversation=room) for n, room in enumerate(rooms)), encoding="utf-8"
    )
    ran = watching("watch", str(path), "--once", "--json", "--channel", "telegram")
    observed = [(event["conversation"], event["outcome"]["stored"]) for event in _events(ran, "observed")]
    assert observed == [("one", 2), ("two", 1), ("one", 1)]
    assert {room["conversation"]["channel"] for room in watching("rooms", "list", "--json").document} == {
        "telegram"
    }


@pytest.mark.parametrize("text", ['[{"content": "a"}]\n', '{\n"content": "a"\n}\n'])
def test_another_format_is_refused_with_the_command_for_it(watching: Cli, path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    ran = watching("watch", str(path))
    assert (ran.code, "reverie observe" in ran.err) == (2, True)
    assert not watching.bank.exists()


def test_a_burst_says_what_is_left_to_sleep(watching: Cli, path: Path) -> None:
    path.write_text("".join(_line(f"message {n} says so") for n in range(30)), encoding="utf-8")
    ran = watching("watch", str(path), "--once")
    assert "6 messages came too fast to be read now" in ran.out
    assert ran.out.endswith("30 messages stored, 24 extracted, 6 skipped\n")


def test_a_mind_that_fails_is_told(watching: Cli, path: Path, mind: Scripted) -> None:
    def fail(_: object) -> object:
        raise MindFailed("scripted", "no answer")

    mind.script = fail
    path.write_text(_line(FACTS[0]), encoding="utf-8")
    ran = watching("watch", str(path), "--once")
    assert ran.code == 0
    assert "the memory loop failed, and tries again later" in ran.err


class _Pauses:
    """What happens each time that watch pauses; Ctrl-C at the end."""

    def __init__(self, *acts: Callable[[], object]) -> None:
        self._acts: Iterator[Callable[[], object]] = iter(acts)

    def sleep(self, seconds: float) -> None:
        act = next(self._acts, None)
        if act is None:
            raise KeyboardInterrupt
        act()


def _watch(cli: Cli, path: Path, *acts: Callable[[], object], options: tuple[str, ...] = ("--json",)) -> Ran:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(observing, "time", _Pauses(*acts))
        return cli("watch", str(path), *options)


def test_lines_are_stored_as_they_come_whole(watching: Cli, path: Path) -> None:
    path.write_text(_line("a"), encoding="utf-8")
    half, rest = _line("b")[:8], _line("b")[8:]
    ran = _watch(
        watching, path,
        lambda: _append(path, half),
        lambda: None,
        lambda: _append(path, rest + _line("c")),
        lambda: None,
    )  # fmt: skip
    assert [event["outcome"]["stored"] for event in _events(ran, "observed")] == [1, 2]
    assert _said(watching) == ["a", "b", "c"]


def test_the_loop_runs_beside(watching: Cli, path: Path, mind: Scripted) -> None:
    import time

    path.write_text(_line(FACTS[0]), encoding="utf-8")
    until = time.monotonic() + 60

    def wait() -> None:
        while not mind.seen and time.monotonic() < until:
            time.sleep(0.01)

    ran = _watch(watching, path, wait, options=("--every", "0.1", "--json"))
    assert [event["memory"]["essence"] for event in _events(ran, "memory")] == [FACTS[0]]
    assert _events(ran, "ended")[0]["extracted"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="an open file can't be renamed there")
def test_a_rotated_transcript_is_followed_on(watching: Cli, path: Path) -> None:
    path.write_text(_line("a"), encoding="utf-8")

    def rotate() -> None:
        _append(path, _line("b"))
        path.rename(path.with_suffix(".1"))
        path.write_text(_line("c"), encoding="utf-8")

    ran = _watch(watching, path, rotate, lambda: None)
    assert len(_events(ran, "restarted")) == 1
    assert _said(watching) == ["a", "b", "c"]


def test_a_transcript_that_is_cut_off_is_followed_on(watching: Cli, path: Path) -> None:
    path.write_text(_line("a") + _line("b"), encoding="utf-8")
    ran = _watch(watching, path, lambda: path.write_text(_line("c"), encoding="utf-8"), lambda: None)
    assert len(_events(ran, "restarted")) == 1
    assert _said(watching) == ["a", "b", "c"]


def test_new_passes_over_what_is_there(watching: Cli, path: Path) -> None:
    path.write_text(_line("a") + _line("b"), encoding="utf-8")
    acts = (lambda: _append(path, _line("c")), lambda: None)
    _watch(watching, path, *acts, options=("--new",))
    assert _said(watching) == ["c"]


def test_ctrl_c_is_its_ordinary_end(watching: Cli, path: Path) -> None:
    path.write_text(_line("a"), encoding="utf-8")
    ran = _watch(watching, path, options=())
    assert ran.code == 0
    assert "end with Ctrl-C" in ran.err
    assert ran.out.splitlines()[-1].startswith("1 message stored")


def test_what_the_loop_left_is_extracted_the_next_time(watching: Cli, path: Path, mind: Scripted) -> None:
    path.write_text(_line(FACTS[0]), encoding="utf-8")
    path.touch()
    watching("observe", str(path))
    assert mind.seen == []
    path.write_text("", encoding="utf-8")
    assert "1 extracted" in watching("watch", str(path), "--once").out
