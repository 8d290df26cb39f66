"""What stands where a bank should: links, pipes, devices, files of others."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.doors.commands import Cli

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices are POSIX's")
COMMANDS = [("stats",), ("init",), ("remember", "x"), ("check",)]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("plain", [False, True])
def test_a_pipe_is_refused_at_once(cli: Cli, tmp_path: Path, command: tuple[str, ...], plain: bool) -> None:
    cli.bare("init")  # so that there is a key
    os.mkfifo(cli.bank)
    ran = cli(*command, *(["--unencrypted"] if plain else []))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "is not a regular file" in ran.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_device_is_refused(cli: Cli, command: tuple[str, ...]) -> None:
    cli.bare("init")
    for device in ("/dev/null", "/dev/zero"):
        ran = cli(*command, "--bank", device)
        assert (ran.code, "is not a regular file" in ran.err) == (2, True)


def test_a_link_to_a_bank_is_the_bank(cli: Cli, tmp_path: Path) -> None:
    id = cli.remember("Anna is allergic to nuts")
    link = tmp_path / "link.bank"
    link.symlink_to(cli.bank)
    for command in (
        ("show", id),
        ("list",),
        ("recall", "nuts"),
        ("stats",),
        ("check",),
        ("remember", "more"),
    ):
        assert cli(*command, "--bank", str(link)).code == 0


def test_a_link_to_what_is_not_there_yet_becomes_a_bank(cli: Cli, tmp_path: Path) -> None:
    link = tmp_path / "link.bank"
    link.symlink_to(cli.bank)
    assert cli("list", "--bank", str(link)).code == 3
    assert cli("init", "--bank", str(link)).code == 0
    assert cli("remember", "Anna is allergic to nuts", "--bank", str(link)).code == 0
    assert "Anna" in cli("list").out
    assert link.is_symlink()


def test_a_link_into_a_folder_that_is_not_there_is_refused(cli: Cli, tmp_path: Path) -> None:
    link = tmp_path / "link.bank"
    link.symlink_to(tmp_path / "nowhere" / "a.bank")
    for command, code in ((("init",), 2), (("stats",), 3), (("remember", "x"), 2)):
        ran = cli(*command, "--bank", str(link))
        assert (ran.code, ran.out) == (code, "")


def test_a_link_to_itself_is_refused(cli: Cli, tmp_path: Path) -> None:
    link = tmp_path / "link.bank"
    link.symlink_to(link)
    for command in COMMANDS:
        ran = cli(*command, "--bank", str(link))
        assert (ran.code in (2, 3), ran.err.count("\n")) == (True, 1)
