"""Each command that a page names exists, with its options. (docs/cli.md is generated from them.)"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reverie.doors.cli import main
from reverie.doors.cli.program import GROUPS, PANELS

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted({ROOT / "README.md", *(ROOT / "docs").rglob("*.md")} - {ROOT / "docs" / "cli.md"})
COMMANDS = {name for panel in PANELS.values() for name in panel.split()}
GLOBAL = {"--bank", "--agent", "--unencrypted", "--keyring", "--json", "--help", "--version"}
CODE = re.compile(r"^```(?:sh|text)\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)


def _named() -> dict[str, set[str]]:
    """By command ("goals add"), the options with which the pages name it."""
    named: dict[str, set[str]] = {}
    for page in PAGES:
        for block, inline in CODE.findall(page.read_text(encoding="utf-8")):
            for line in (block or inline).splitlines():
                words = re.sub(r" # .*| > .*| < .*| \| .*", "", line.replace('"', " ")).split()
                if "reverie" not in words[:1]:
                    continue
                path = [word for word in words[1:] if word.partition("|")[0] in COMMANDS][:1]
                if not path:
                    path = [word for word in words[1:2] if re.fullmatch(r"[a-z-]+", word) and word[0] != "-"]
                subs = words[words.index(path[0]) + 1 :][:1] if path and path[0] in GROUPS else []
                for one in path[0].split("|") if path else []:
                    for sub in subs[0].split("|") if subs else [""]:
                        named.setdefault(f"{one} {sub}".strip(), set()).update(
                            word.partition("=")[0] for word in words if re.fullmatch(r"--[a-z-]+(=.*)?", word)
                        )
    return named


NAMED = _named()


def test_the_pages_name_commands() -> None:
    assert len(NAMED) > 40


@pytest.mark.parametrize("command", sorted(NAMED))
def test_each_command_that_a_page_names_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--help"]) == 0
    help_text = capsys.readouterr().out
    assert {option for option in NAMED[command] - GLOBAL if option not in help_text} == set()
