"""Files and pipes that have no end are read so far and no further."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from types import ModuleType

import pytest

from reverie.doors.formats import bounded, gather
from reverie.errors import InvalidInput
from tests.doors.commands import Cli

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
