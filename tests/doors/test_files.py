"""What may stand where a bank should: links, pipes, devices."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.doors.commands import Cli

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices are POSIX's")
COMMANDS = ("stats", "init", "remember x", "check")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("plain", [[], ["--unencrypted"]], ids=["encrypted", "plain"])
def test_a_pipe_or_a_device_is_refused_at_once(cli: Cli, command: str, plain: list[str]) -> None:
    cli.bare("init")  # so that there is a key
    os.mkfifo(cli.bank)
    for bank in (str(cli.bank), "/dev/null", "/dev/zero"):
        ran = cli(*command.split(), *plain, "--bank", bank)
        assert (ran.code, ran.err.count("\n"), "is not a regular file" in ran.err) == (2, 1, True)


def test_a_link_to_a_bank_is_the_bank(cli: Cli, tmp_path: Path) -> None:
    id = cli.remember("Anna is allergic to nuts")
    link = tmp_path / "link.bank"
    link.symlink_to(cli.bank)
    for command in (f"show {id}", "list", "recall nuts", "stats", "check", "remember more"):
        assert cli(*command.split(), "--bank", str(link)).code == 0


def test_a_link_to_a_missing_file_becomes_a_bank(cli: Cli, tmp_path: Path) -> None:
    link = tmp_path / "link.bank"
    link.symlink_to(cli.bank)
    assert cli("list", "--bank", str(link)).code == 3
    assert cli("init", "--bank", str(link)).code == 0
    assert cli("remember", "Anna is allergic to nuts", "--bank", str(link)).code == 0
    assert "Anna" in cli("list").out
    assert link.is_symlink()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("target", ["nowhere/a.bank", "link.bank"], ids=["no folder", "itself"])
def test_a_link_that_leads_nowhere_is_refused(cli: Cli, tmp_path: Path, command: str, target: str) -> None:
    link = tmp_path / "link.bank"
    link.symlink_to(tmp_path / target)
    ran = cli(*command.split(), "--bank", str(link))
    assert (ran.code in (2, 3), ran.out, ran.err.count("\n")) == (True, "", 1)
