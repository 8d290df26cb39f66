"""The command line as its user has it: a process of its own, the real embedder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "reverie"]


def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin.encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
    )


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Environment variables of a bank with 200 messages and one memory."""
    folder = tmp_path_factory.mktemp("bank")
    where = {"REVERIE_BANK": str(folder / "a.bank"), "REVERIE_KEY": "5e" * 32, "REVERIE_AGENT": "mama"}
    messages = [{"content": f"message {number} of Péter 漢字", "ref": f"m{number}"} for number in range(200)]
    lines = "\n".join(map(json.dumps, messages))
    assert run("observe", "-", stdin=lines, **where).returncode == 0
    assert run("remember", "Péter 漢字 is allergic to peanuts", **where).returncode == 0
    return where


def test_a_memory_is_found_by_its_meaning(bank: dict[str, str]) -> None:
    ran = run("recall", "which food is dangerous for Péter?", "--limit", "1", PYTHONUTF8="1", **bank)
    assert (ran.returncode, ran.stdout.decode().splitlines()[0]) == (
        0,
        "1. Péter 漢字 is allergic to peanuts",
    )


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii"}], ids=["C", "ascii"]
)
def test_no_locale_brings_it_down(bank: dict[str, str], locale: dict[str, str]) -> None:
    ran = run("list", **bank, **locale)
    assert (ran.returncode, b"is allergic to peanuts" in ran.stdout, ran.stderr) == (0, True, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes of this kind")
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_reader_that_goes_away_is_no_error(bank: dict[str, str], form: list[str]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **bank}
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [*COMMAND, "list", "--episodes", *form],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment,
        check=False,
    )
    os.close(writing)
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes the stream")
@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        (("recall", "peanuts"), ">&-", 0),
        (("recall", "peanuts", "--kind", "goal"), "2>&-", 1),
        (("remember", ""), "2>&-", 2),
        (("--help",), ">&-", 0),
        (("nonsense",), ">&- 2>&-", 2),
        (("stats", "--json"), "<&- >&- 2>&-", 0),
        (("remember", "Bo lives in Lisbon"), "<&- >&- 2>&-", 0),
        (("--version",), "<&- >&- 2>&-", 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_closed_stream_is_no_crash(
    bank: dict[str, str], arguments: tuple[str, ...], closed: str, code: int
) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **bank}
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *arguments]
    ran = subprocess.run(shell, capture_output=True, check=False, env=environment)
    assert (ran.returncode, b"Traceback" in ran.stderr, b"Error" in ran.stderr) == (code, False, False)


def test_what_is_remembered_without_a_stdout_is_kept(bank: dict[str, str]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **bank, "REVERIE_AGENT": "papa"}
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, "remember", "Bo lives in Lisbon"]
    subprocess.run(shell, check=True, env=environment)
    assert b"Bo lives in Lisbon" in run("list", **{**bank, "REVERIE_AGENT": "papa"}).stdout
    assert run("check", **bank).returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "arguments", [("stats",), ("list", "--json"), ("--version",), ("--help",)], ids=" ".join
)
def test_a_full_stdout_is_told_in_one_line(bank: dict[str, str], arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **bank}
        ran = subprocess.run(
            [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, check=False, env=environment
        )
    assert (ran.returncode, ran.stderr.count(b"\n")) == (3, 1)
    assert b"No space left on device" in ran.stderr


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_load_nothing_heavy(argument: str) -> None:
    heavy = "{'apsw', 'numkong', 'numpy', 'onnxruntime'}"
    command = f"import sys; from reverie.doors.cli import main; main([{argument!r}])"
    code = f"{command}; sys.exit(str({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "src", capture_output=True, check=False)
    assert ran.stderr.strip() == b"set()"


def test_a_result_in_a_pipe_needs_neither_rich_nor_pydantic(bank: dict[str, str]) -> None:
    code = "import sys; from reverie.doors.cli import main; main(['recall', 'food', '--limit', '3']);"
    code = f"{code} sys.exit(str({{'pydantic', 'rich'}} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **bank}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, env=environment)
    assert (ran.stdout[:3], ran.stderr.splitlines()[-1]) == (b"1. ", b"set()")
