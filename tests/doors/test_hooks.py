"""Hooks and their daemon as processes: they answer, they never break their host, and nothing is lost or doubled."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.doors.hooks import spool
from reverie.doors.hooks.peers import is_own
from tests.doors.hook_events import claude, codex, cursor
from tests.doors.hook_house import PATIENCE, House, said

pytestmark = pytest.mark.slow
WAIT = ("--deadline", PATIENCE)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as made:
        yield made


def kept(house: House) -> list[str]:
    """What the bank holds in the end, in order."""
    house.settle()
    house.end()
    path = house.home / ".local/share/reverie/reverie.bank"
    key = house.home / ".config/reverie/key"
    if not path.exists():
        return []
    with Reverie.open(path, key=key) as reverie:
        return [one.content for one in reverie.agent("main").episodes(limit=1_000)]


def prompt(house: House, text: str, session: str = "t-1") -> dict[str, object]:
    return codex("UserPromptSubmit", house.home, session=session, prompt=text, turn_id=f"turn {text}")


def test_a_prompt_is_answered_by_one_daemon_that_ends_when_told(house: House) -> None:
    assert house.fire("codex", prompt(house, "Never push to main."), *WAIT) == b""
    first = house.daemon()
    house.settle()
    answered = json.loads(house.fire("codex", prompt(house, "Push it", session="t-2"), *WAIT))
    assert "Never push to main." in answered["hookSpecificOutput"]["additionalContext"]
    assert house.daemon() == first
    status = house.reverie("daemon", "--status")
    assert (status["process"], status["waiting"]) == (first, 0)
    house.reverie("daemon", "--stop")
    assert kept(house) == ["Never push to main.", "Push it"]
    assert house.daemon() is None


def test_asking_for_the_daemon_makes_nothing(house: House) -> None:
    for option in ("--status", "--stop"):
        assert house.reverie("daemon", option)["process"] is None
        assert not [*house.home.iterdir()]
        assert not house.lock.parent.exists()


def test_what_others_must_not_see_is_private(house: House) -> None:
    house.fire("codex", prompt(house, "Hello"), *WAIT)
    for folder in (house.state, house.state / "spool", house.lock.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in (house.state / "log", house.lock):
        assert not file.exists() or stat.S_IMODE(file.stat().st_mode) == 0o600
    one, other = socket.socketpair()
    with one, other:
        assert is_own(one)


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        (["claude-code", "Stop"], b"\x00\xff{"),
        (["claude-code", "UserPromptSubmit"], b""),
        (["emacs", "Stop"], b"{}"),
        (["claude-code", "Stop"], b"x" * (spool.MOST_BYTES + 1)),
    ],
    ids=range(4),
)
def test_garbage_is_passed_over_and_noted(arguments: list[str], body: bytes, house: House) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "reverie.doors.hooks.client", *arguments],
        input=body, capture_output=True, env=house.env, timeout=60, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    house.settle()
    assert house.log.count("\n") >= 1
    assert "xxx" not in house.log


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "takes a host and an event"),
        (["claude-code"], "takes a host and an event"),
        (["claude-code", "Stop", "--nonsense=secret"], "no option --nonsense;"),
        (["claude-code", "Stop", "--bank"], "--bank needs a value"),
        (["claude-code", "Stop", "--deadline", "soon"], "--deadline takes seconds"),
    ],
)
def test_arguments_that_make_no_sense_are_told_without_a_veto(
    arguments: list[str], problem: str, house: House
) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "reverie.doors.hooks.client", *arguments],
        input=b"{}", capture_output=True, env=house.env, timeout=60, check=False,
    )  # fmt: skip
    told = ran.stderr.decode()
    assert (ran.returncode, ran.stdout, told.count("\n")) == (1, b"", 1)  # hosts take 2 as a veto
    assert problem in told
    assert problem.strip(";") in house.log


def test_help_shows_how_to_call_it(house: House) -> None:
    command = [sys.executable, "-m", "reverie.doors.hooks.client", "--help"]
    ran = subprocess.run(command, capture_output=True, env=house.env, timeout=60, check=True)
    assert ran.stdout.startswith(b"usage: reverie-hook HOST EVENT")
    assert not house.state.exists()


def test_a_host_that_never_closes_stdin_waits_no_longer_than_allowed(house: House) -> None:
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "reverie.doors.hooks.client", "claude-code", "Stop"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=house.env,
    )  # fmt: skip
    assert process.wait(timeout=60) == 0
    assert time.monotonic() - began < 30
    process.communicate()


def test_a_daemon_that_is_late_leaves_the_event_in_the_spool(house: House) -> None:
    assert house.fire("codex", prompt(house, "Hello"), "--deadline", "0.001") == b""
    assert kept(house) == ["Hello"]


def test_what_a_hook_gave_up_on_is_shown_to_the_next(house: House) -> None:
    house.fire("codex", prompt(house, "Never push to main.", session="t-0"), *WAIT)
    house.settle()
    asked = spool.Raw(
        "codex", "UserPromptSubmit", spool.new_id(), "/", json.dumps(prompt(house, "Push it")).encode()
    )
    with socket.socket(socket.AF_UNIX) as line:  # a hook whose time is up
        line.connect(str(house.lock.with_name("socket")))
        line.sendall(asked.packed())
    until = time.monotonic() + 60
    while "went away" not in house.log:
        assert time.monotonic() < until, house.log
        time.sleep(0.05)
    answers = [house.fire("codex", prompt(house, "Push it now"), *WAIT) for _ in range(2)]
    assert [b"Never push" in one for one in answers] == [True, False]


def test_a_relative_bank_lies_where_the_hook_ran(house: House, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    command = [sys.executable, "-m", "reverie.doors.hooks.client", "codex", "UserPromptSubmit"]
    subprocess.run(
        [*command, "--bank", "own.bank", "--unencrypted", *WAIT], input=json.dumps(prompt(house, "Hello")).encode(),
        cwd=work, env=house.env, timeout=120, check=True,
    )  # fmt: skip
    (state,) = [one for one in house.state.parent.iterdir() if one.name != "main"]
    lock = house.lock.parent.with_name(state.name) / "lock"
    process = int(lock.read_text("ascii"))
    try:
        until = time.monotonic() + 60
        while spool.waiting(str(state / "spool")):
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        os.kill(process, signal.SIGKILL)
    with Reverie.open(work / "own.bank", encrypted=False) as reverie:
        assert [one.content for one in reverie.agent("main").episodes()] == ["Hello"]


def test_a_hanging_daemon_delays_nobody(house: House) -> None:
    house.fire("codex", prompt(house, "One"), *WAIT)
    process = house.daemon()
    assert process is not None
    os.kill(process, signal.SIGSTOP)
    try:
        assert house.fire("codex", prompt(house, "Two"), "--deadline", "0.2") == b""
        assert house.fire("codex", codex("Stop", house.home, last_assistant_message="Three")) == b""
        assert len(house.waiting()) >= 2
    finally:
        os.kill(process, signal.SIGCONT)
    assert kept(house) == ["One", "Two", "Three"]


def test_events_of_a_killed_daemon_are_taken_up_once_and_in_order(house: House) -> None:
    expected = []
    for number in range(6):
        text = f"Message {number}"
        house.fire("codex", prompt(house, text), *WAIT)
        house.fire("cursor", cursor("afterAgentResponse", house.home, text=f"Answer {number}"), *WAIT)
        expected += [text, f"Answer {number}"]
        if number in (1, 4):
            house.end(signal.SIGKILL)
    assert sorted(kept(house)) == sorted(expected)
    assert [text for text in kept(house) if text.startswith("Message")] == expected[::2]


def test_a_hundred_hooks_at_once(house: House) -> None:
    texts = [f"Message {number}" for number in range(100)]
    hooks = [house.start("codex", prompt(house, text, session=text)) for text in texts]
    assert all(json.loads(out) for out in map(said, hooks) if out)
    assert sorted(kept(house)) == sorted(texts)
    processes = {line.split()[1] for line in house.log.splitlines() if " daemon: " in line}
    assert len(processes) <= 1


def test_a_bank_that_can_not_be_opened_is_waited_for(house: House) -> None:
    key = house.home / ".config/reverie/key"
    house.fire("codex", prompt(house, "One"), *WAIT)
    house.settle()
    house.end()
    words = key.read_text("ascii")
    key.write_text("0" * 64, "ascii")
    assert house.fire("codex", prompt(house, "Two"), "--deadline", "0.5") == b""
    until = time.monotonic() + 60
    while "can't be opened: WrongKey" not in house.log:
        assert time.monotonic() < until, house.log
        time.sleep(0.1)
    assert "another key" in house.reverie("daemon", "--status")["last_trouble"]
    key.write_text(words, "ascii")
    house.fire("codex", prompt(house, "Three"), *WAIT)
    assert kept(house) == ["One", "Two", "Three"]


def test_a_disk_that_is_full_is_only_noted(house: House) -> None:
    house.fire("codex", prompt(house, "One"), *WAIT)
    house.end()
    (house.state / "spool").rmdir()
    (house.state / "spool").symlink_to("/dev")  # where nothing can be kept
    assert house.fire("codex", prompt(house, "Two"), *WAIT) == b""
    (house.state / "spool").unlink()


def test_a_folder_that_is_a_file_breaks_nothing(house: House) -> None:
    house.state.parent.mkdir(parents=True)
    house.state.write_text("", "utf-8")
    assert house.fire("codex", prompt(house, "One"), *WAIT) == b""


def test_a_sessions_end_returns_at_once(house: House) -> None:
    assert house.fire("claude-code", claude("SessionEnd", house.home, reason="exit")) == b""
    house.settle()
    assert kept(house) == []
