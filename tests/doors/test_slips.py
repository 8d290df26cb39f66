"""Slips and inputs without end on the command line: what they leave behind, and what is said of them."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from types import ModuleType

import pytest

from reverie.doors.formats import bounded, gather
from reverie.errors import InvalidInput
from tests.doors.commands import Cli

_open = os.open


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with an export that is none."""
    (tmp_path / "bad.jsonl").write_text('{"x":1}\n', encoding="utf-8")
    return tmp_path


def _there(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_an_import_that_fails_removes_the_bank_that_it_made(cli: Cli, files: Path) -> None:
    before = _there(files)
    ran = cli("import", str(files / "bad.jsonl"), "--as", "reverie", "--bank", str(files / "new.bank"))
    assert (ran.code, "line 1" in ran.err) == (2, True)
    assert [one for one in _there(files) if one.startswith("new.bank")] == []
    assert set(before) <= set(_there(files))


def test_an_import_that_fails_leaves_a_bank_that_was_there(cli: Cli, files: Path) -> None:
    bank = str(files / "old.bank")
    assert cli("init", "--bank", bank).code == 0
    assert cli("import", str(files / "bad.jsonl"), "--as", "reverie", "--bank", bank).code == 2
    assert (files / "old.bank").exists()


def test_an_import_stands_though_untold(cli: Cli, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.remember("Anna is allergic to nuts")
    cli("export", str(files / "mama.jsonl"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("reverie.doors.cli.command.Door.tell", full)
        assert cli("import", str(files / "mama.jsonl"), "--bank", str(files / "new.bank")).code == 3
    assert "nuts" in cli("list", "--bank", str(files / "new.bank")).out


def test_a_failed_export_names_its_file(cli: Cli, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.remember("Anna is allergic to nuts")

    def refused(path: str | Path, *more: int) -> int:
        if Path(path).name.startswith(".e.jsonl"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return _open(path, *more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refused)
        ran = cli("export", str(files / "e.jsonl"))
    assert (ran.code, str(files / "e.jsonl") in ran.err, "Permission denied" in ran.err) == (2, True, True)
    assert ".e.jsonl" not in ran.err


def test_an_export_on_a_full_disk_leaves_nothing(
    cli: Cli, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli.remember("Anna is allergic to nuts")
    goal, sync = files / "e.jsonl", os.fsync

    def full(handle: int) -> None:
        if [*files.glob(".e.jsonl*")]:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        ran = cli("export", str(goal))
    told = " ".join(ran.err.split()).replace("/ ", "/")
    assert ran.code == 3
    assert "e.jsonl; what was written of it was removed, and the bank is as it was" in told
    assert ".e.jsonl" not in told
    assert [*files.glob("*e.jsonl*"), *files.glob(".e.jsonl*")] == []


@pytest.mark.parametrize("verb", ["sleep", "sleeps list", "goals list", "list", "recall"])
def test_an_agent_that_is_not_there_is_told_with_those_who_are(cli: Cli, verb: str) -> None:
    cli.remember("Anna is allergic to nuts")
    ran = cli(*verb.split(), "--agent", "mamma")
    assert (ran.code, ran.out) == (1, "")
    assert "Agent 'mamma' has nothing in this bank; in it are: mama" in " ".join(ran.err.split())


_ZEROES = Path("/dev/zero")
_LINE = json.dumps({"content": "Hello"}).encode() + b"\n"


@pytest.mark.skipif(not _ZEROES.exists(), reason="there is no /dev/zero")
@pytest.mark.parametrize(
    "command",
    [
        "observe",
        "import",
        "watch",
        "watch --once",
        "window --max-tokens 4000",
        "mcp --http --port 0 --token-file",
    ],
)
def test_a_file_of_one_endless_line_is_refused(cli: Cli, command: str) -> None:
    ran = cli(*command.split(), str(_ZEROES))
    assert (ran.code, cli.bank.exists()) == (2, False)
    assert "Traceback" not in ran.err


@pytest.mark.skipif(not _ZEROES.exists(), reason="there is no /dev/zero")
def test_a_key_file_without_end_is_refused(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REVERIE_KEY", raising=False)
    monkeypatch.setenv("REVERIE_KEY_FILE", str(_ZEROES))
    ran = cli("remember", "Anna sings")
    assert (ran.code, str(_ZEROES) in ran.err) == (3, True)


@pytest.mark.parametrize(("module", "name"), [(bounded, "MOST_BYTES"), (gather, "MAX_AT_ONCE")])
def test_an_endless_pipe_is_refused(module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from reverie.doors.formats.messages import read_rooms

    monkeypatch.setattr(module, name, 1_000)
    with pytest.raises(InvalidInput, match="split the file"):
        read_rooms(repeat(_LINE), conversation="main", channel="api")


def test_a_pipe_of_one_endless_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from reverie.doors.formats.messages import read_rooms

    def endless() -> Iterator[bytes]:
        yield b"[\n"
        yield from repeat(_LINE.strip() + b",\n")

    monkeypatch.setattr(bounded, "MOST_BYTES", 1_000)
    with pytest.raises(InvalidInput, match="split the file"):
        read_rooms(endless(), conversation="main", channel="api")


def test_a_page_that_is_too_long_is_read_no_further(cli: Cli) -> None:
    ran = cli("diary", "add", stdin=b"x" * (1 << 24))
    assert (ran.code, "shorten it" in ran.err) == (2, True)
